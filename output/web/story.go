package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sheaf"
	"sheaf/output"
)

// storyPage is what story.html shows.
type storyPage struct {
	*frame
	Story       sheaf.StoryID
	Item        output.Item
	Lead        output.Report
	Follows     string          // address of the story this one continues; empty: none
	Outlets     []output.Report // one report of each, in the order they joined
	Independent int             // reports of families in their own words
	Copies      int
	Wire        string // agency that a report credits; empty: none
	Languages   []string
	Bars        *bars
	First       time.Time
	Last        time.Time
	Reports     []line // in their own words, oldest first, each with its copies
	Asides      []line // opinion, explainers and live blogs
	Milestones  []milestone
	Related     []relatedStory
	Edit        string // address of the editors' page; empty: nobody corrects
}

// line is a report on the page of its story.
type line struct {
	output.Report
	Lead     bool
	Distance string // from the first report; empty for it
	Reason   *Reason
	Other    *output.Report // the article the reason compares it with; nil: none, or not on the page
	Copies   []line
}

// Why says that there is a reason to tell, of the report or of a copy.
func (l line) Why() bool {
	return l.Reason != nil || slices.ContainsFunc(l.Copies, line.Why)
}

// milestone is when the story had grown to something.
type milestone struct {
	What     string
	Time     time.Time
	Distance string
}

// relatedStory is a story on another event that is close to this one.
type relatedStory struct {
	Title, Lang, Address string
	Outlets              int
}

// story answers with a story, and sends whoever asks for a merged one to the survivor.
func (p *pages) story(ctx context.Context, t target, id sheaf.StoryID) (*answer, error) {
	if !uuid.MatchString(string(id)) {
		return nil, nil
	}
	s, err := p.Stories.Story(ctx, id)
	switch {
	case errors.Is(err, ErrNoStory), err == nil && len(s.Members) == 0:
		return nil, nil
	case err != nil:
		return nil, err
	case s.ID != id:
		address := p.Site.Page(s.ID) + t.suffix
		if t.data {
			address += "/data.json"
		}
		return &answer{location: address}, nil
	}
	if t.suffix != "" {
		item := output.NewItem(&s, p.Snippets)
		return p.document(output.Listing{
			Path: strings.TrimPrefix(storyPath(s.ID), "/"), Page: p.Site.Page(s.ID), Title: item.Title, Profile: output.ProfileArticles,
			Description: "Every report on one story, as it comes in",
		}, []sheaf.Story{s}, t.suffix)
	}
	page, err := p.storyPage(ctx, &s)
	if err != nil {
		return nil, err
	}
	if t.data {
		return data(page.json())
	}
	return rendered("story.html", page)
}

func (p *pages) storyPage(ctx context.Context, s *sheaf.Story) (*storyPage, error) {
	f, err := p.frame(ctx, storyPath(s.ID))
	if err != nil {
		return nil, err
	}
	page := &storyPage{frame: f, Story: s.ID, Item: output.NewItem(s, p.Snippets), Independent: s.Independent(), Wire: output.Plain(s.Wire())}
	reports := page.Item.Reports
	page.First, page.Last = reports[0].Published, reports[len(reports)-1].Published
	f.Title, f.Canonical, f.Data = page.Item.Title, p.Site.Page(s.ID), f.To(dataPath(f.Path))
	if !f.relative { // of files, there would be three more a story
		f.Alternates = alternates(f.links, f.Path, "", "This story")
	}
	page.Bars = largeBars().draw(f, reports)
	if page.Follows, err = p.follows(ctx, f, s); err != nil {
		return nil, err
	}
	if p.Edit != nil {
		page.Edit = f.To(editPath(s.ID))
	}
	reasons, err := p.reasons(ctx, s)
	if err != nil {
		return nil, err
	}
	page.arrange(reasons)
	page.Milestones = milestones(reports)
	page.Related, err = p.related(ctx, f, s)
	return page, err
}

func (p *pages) reasons(ctx context.Context, s *sheaf.Story) (map[sheaf.ArticleID]Reason, error) {
	if p.Desk == nil {
		return nil, nil
	}
	return p.Desk.Reasons(ctx, s)
}

// arrange puts every report in its place: in its own words, as a copy under the text it carries, or beside.
func (page *storyPage) arrange(reasons map[sheaf.ArticleID]Reason) {
	reports := page.Item.Reports
	at := make(map[sheaf.ArticleID]*output.Report, len(reports))
	for i := range reports {
		at[reports[i].Article] = &reports[i]
	}
	copies := make(map[sheaf.ArticleID][]line)
	var own []line
	seen, spoken := make(map[string]bool), make(map[string]bool)
	for i := range reports {
		r := &reports[i]
		l := line{Report: *r, Lead: r.Article == page.Item.Lead, Distance: distance(r.Published.Sub(page.First))}
		if reason, ok := reasons[r.Article]; ok {
			l.Reason, l.Other = &reason, at[reason.Other]
		}
		if l.Lead {
			page.Lead = *r
		}
		if !seen[r.Outlet] {
			seen[r.Outlet] = true
			page.Outlets = append(page.Outlets, *r)
		}
		if name := languageName(r.Lang); r.Lang != "" && !spoken[name] {
			spoken[name] = true
			page.Languages = append(page.Languages, name)
		}
		switch {
		case r.Role == sheaf.RoleCopy && !l.Lead:
			copies[r.CopyOf] = append(copies[r.CopyOf], l)
			page.Copies++
		case r.Role == sheaf.RoleAside && !l.Lead:
			page.Asides = append(page.Asides, l)
		default:
			own = append(own, l)
		}
	}
	for _, list := range [][]line{own, page.Asides} {
		for i := range list {
			list[i].Copies = copies[list[i].Article]
		}
	}
	page.Reports = own
}

// distance is a time after the first report, for people; empty for none.
func distance(d time.Duration) string {
	minutes := int(d.Round(time.Minute) / time.Minute)
	days, hours := minutes/(24*60), minutes/60%24
	switch {
	case minutes <= 0:
		return ""
	case days > 0:
		return fmt.Sprintf("+%d d %d h", days, hours)
	case hours > 0:
		return fmt.Sprintf("+%d h %02d min", hours, minutes%60)
	}
	return fmt.Sprintf("+%d min", minutes)
}

// milestones says when the story had 2, 3, 5, 10, 30 and 100 outlets, and when a second one confirmed it in its own words.
func milestones(reports []output.Report) []milestone {
	first := reports[0].Published
	var list []milestone
	add := func(what string, at time.Time) { list = append(list, milestone{what, at, distance(at.Sub(first))}) }
	add("First report, "+reports[0].Outlet, first)
	outlets, own := make(map[string]bool), make(map[string]bool)
	for _, r := range reports {
		if r.Role == sheaf.RoleReport && !own[r.Outlet] {
			if own[r.Outlet] = true; len(own) == 2 {
				add("Second outlet in its own words, "+r.Outlet, r.Published)
			}
		}
		if outlets[r.Outlet] {
			continue
		}
		outlets[r.Outlet] = true
		if n := len(outlets); slices.Contains([]int{5, 10, 30, 100}, n) {
			add(fmt.Sprintf("%d outlets", n), r.Published)
		}
	}
	add("Latest report, "+reports[len(reports)-1].Outlet, reports[len(reports)-1].Published)
	if len(reports) == 1 {
		return nil
	}
	return list
}

// follows is the address of the story that a story continues; empty if there is none, or no longer.
func (p *pages) follows(ctx context.Context, f *frame, s *sheaf.Story) (string, error) {
	if s.Follows == "" {
		return "", nil
	}
	earlier, err := p.Stories.Story(ctx, s.Follows)
	if errors.Is(err, ErrNoStory) || err == nil && (len(earlier.Members) == 0 || earlier.ID == s.ID) {
		return "", nil
	}
	return f.Story(earlier.ID), err
}

// related looks up the stories close to this one, each once and without itself.
func (p *pages) related(ctx context.Context, f *frame, s *sheaf.Story) ([]relatedStory, error) {
	var list []relatedStory
	seen := map[sheaf.StoryID]bool{s.ID: true}
	for _, r := range s.Related {
		other, err := p.Stories.Story(ctx, r.Story)
		if errors.Is(err, ErrNoStory) || err == nil && (seen[other.ID] || len(other.Members) == 0) {
			continue
		}
		if err != nil {
			return nil, err
		}
		seen[other.ID] = true
		item := output.NewItem(&other, p.Snippets)
		list = append(list, relatedStory{item.Title, item.Lang, f.Story(other.ID), len(other.Outlets())})
	}
	return list, nil
}

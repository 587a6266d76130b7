package web

import (
	"time"

	"sheaf"
	"sheaf/output"
)

// The forms of pages as JSON. Keys are an interface: added, never renamed.

type listJSON struct {
	Title    string      `json:"title"`
	Page     string      `json:"page,omitzero"`
	Query    string      `json:"query,omitzero"`
	Newest   time.Time   `json:"newest,omitzero"`  // report in the store
	Updated  time.Time   `json:"updated,omitzero"` // last poll
	Number   int         `json:"number"`           // of this page, from 1
	NextPage string      `json:"next,omitzero"`
	Stories  []storyJSON `json:"stories"`
}

type storyJSON struct {
	ID          sheaf.StoryID   `json:"id"`
	Title       string          `json:"title"`
	URL         string          `json:"url,omitzero"`
	Page        string          `json:"page"`
	Outlet      string          `json:"outlet"` // of the lead
	Summary     string          `json:"summary,omitzero"`
	Language    string          `json:"language,omitzero"`
	First       time.Time       `json:"first"`
	Last        time.Time       `json:"last"`
	Outlets     int             `json:"outlets"`
	Articles    int             `json:"articles"`
	Independent int             `json:"independent,omitzero"`
	Copies      int             `json:"copies,omitzero"`
	Languages   []string        `json:"languages,omitempty"`
	Wire        string          `json:"wire,omitzero"`
	Follows     string          `json:"follows,omitzero"`
	Milestones  []milestoneJSON `json:"milestones,omitempty"`
	Related     []relatedJSON   `json:"related,omitempty"`
	Reports     []reportJSON    `json:"reports"`
}

type milestoneJSON struct {
	What string    `json:"what"`
	Time time.Time `json:"time"`
}

type relatedJSON struct {
	Page  string `json:"page"`
	Title string `json:"title"`
}

type reportJSON struct {
	Article   sheaf.ArticleID `json:"article"`
	Outlet    string          `json:"outlet"`
	Title     string          `json:"title"`
	URL       string          `json:"url,omitzero"`
	Authors   string          `json:"authors,omitzero"`
	Published time.Time       `json:"published"`
	After     int64           `json:"after"` // seconds after the first report
	Role      sheaf.Role      `json:"role"`
	CopyOf    sheaf.ArticleID `json:"copy_of,omitzero"`
	Language  string          `json:"language,omitzero"`
	Reason    *Reason         `json:"reason,omitempty"`
}

func (page *listPage) json(v view) listJSON {
	j := listJSON{
		Title: page.Heading, Page: page.Canonical, Query: v.Typed, Newest: page.Newest, Updated: page.Updated, Number: v.Page,
		NextPage: page.Older, Stories: make([]storyJSON, 0, len(page.Entries)),
	}
	for i := range page.Entries {
		e := &page.Entries[i]
		s := storyJSON{
			ID: e.Story, Title: e.Lead.Title, URL: e.Lead.URL, Page: e.Page, Outlet: e.Lead.Outlet, Language: e.Lead.Lang, First: e.First, Last: e.Last,
			Outlets: e.Outlets, Articles: len(e.Reports),
		}
		for _, part := range e.Lede {
			s.Summary += part.Text
		}
		for _, r := range e.Reports {
			s.Reports = append(s.Reports, reportOf(r, e.First))
		}
		j.Stories = append(j.Stories, s)
	}
	return j
}

func (page *storyPage) json() storyJSON {
	s := storyJSON{
		ID: page.Story, Title: page.Item.Title, URL: page.Item.Link, Page: page.Canonical, Outlet: page.Lead.Outlet, Summary: page.Item.Teaser,
		Language: page.Item.Lang, First: page.First, Last: page.Last, Outlets: len(page.Outlets), Articles: len(page.Item.Reports),
		Independent: page.Independent, Copies: page.Copies, Languages: page.Languages, Wire: page.Wire, Follows: page.Follows,
	}
	for _, m := range page.Milestones {
		s.Milestones = append(s.Milestones, milestoneJSON{m.What, m.Time})
	}
	for _, r := range page.Related {
		s.Related = append(s.Related, relatedJSON{r.Address, r.Title})
	}
	add := func(l line) {
		r := reportOf(l.Report, page.First)
		r.Reason = l.Reason
		s.Reports = append(s.Reports, r)
	}
	for _, l := range append(page.Reports[:len(page.Reports):len(page.Reports)], page.Asides...) {
		add(l)
		for _, c := range l.Copies {
			add(c)
		}
	}
	return s
}

func reportOf(r output.Report, first time.Time) reportJSON {
	return reportJSON{
		Article: r.Article, Outlet: r.Outlet, Title: r.Title, URL: r.URL, Authors: r.Authors, Published: r.Published,
		After: int64(r.Published.Sub(first) / time.Second), Role: r.Role, CopyOf: r.CopyOf, Language: r.Lang,
	}
}

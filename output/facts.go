package output

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"sheaf"
)

const (
	longestTitle  = 300 // characters
	longestName   = 100
	longestTeaser = 300 // unless an option says otherwise
	longestByline = 120
	mostTopics    = 5
)

// NewItem describes a story as it is now, for a page of ours, quoting no more than allowed. It needs at least one member.
func NewItem(s *sheaf.Story, allowed Snippets) Item {
	c := Channel{Snippets: allowed}
	return c.facts(s, c.lead(s, nil), nil)
}

// facts takes the snapshot of a story that its item will state until the next rise. A previous item with the same lead keeps its headline
// and link: some readers show an item twice when either changes.
func (c Channel) facts(s *sheaf.Story, lead *sheaf.Member, previous *Item) Item {
	item := Item{
		Lead:   lead.ID,
		Title:  title(lead),
		Link:   webURL(lead.URL),
		Teaser: cut(teaser(lead), c.Snippets.Limit(OutletName(lead))),
		Topics: topics(lead.Categories),
		Lang:   language(lead.Lang),
		Image:  webURL(lead.Image),
	}
	if previous != nil && previous.Lead == lead.ID {
		item.Title, item.Link = previous.Title, previous.Link
	}
	item.Reports = reports(s, &item)
	return item
}

// reports lists the members oldest first. One address is one report, though two feeds may have brought it; the lead's is its own.
func reports(s *sheaf.Story, item *Item) []Report {
	list := make([]Report, 0, len(s.Members))
	names := make(map[sheaf.OutletID]string, len(s.Members))
	byURL := map[string]sheaf.ArticleID{item.Link: item.Lead}
	kept := make(map[sheaf.ArticleID]sheaf.ArticleID, len(s.Members))
	for i := range s.Members {
		r := report(&s.Members[i])
		if r.Article == item.Lead {
			r.Title, r.URL = item.Title, item.Link
		} else if same, ok := byURL[r.URL]; ok && r.URL != "" {
			kept[r.Article] = same
			continue
		}
		byURL[r.URL] = r.Article
		kept[r.Article] = r.Article
		if id := r.outlet(); names[id] == "" {
			names[id] = r.Outlet
		}
		r.Outlet = names[r.outlet()]
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b Report) int {
		return cmp.Or(a.Published.Compare(b.Published), strings.Compare(string(a.Article), string(b.Article)))
	})
	foldCopies(list, kept)
	return list
}

func report(m *sheaf.Member) Report {
	return Report{
		Article:   m.ID,
		Title:     title(m),
		URL:       webURL(m.URL),
		Outlet:    OutletName(m),
		OutletURL: webURL(m.Outlet.URL),
		FeedURL:   webURL(m.FeedURL),
		Authors:   authors(m),
		Published: second(m.Time()),
		Role:      m.Role,
		CopyOf:    m.CopyOf,
		Lang:      language(m.Lang),
	}
}

// foldCopies points every copy at the text it goes back to, where kept says which listed article stands for a member. A copy whose
// original is not listed counts as a report of its own.
func foldCopies(list []Report, kept map[sheaf.ArticleID]sheaf.ArticleID) {
	at := make(map[sheaf.ArticleID]int, len(list))
	for i := range list {
		at[list[i].Article] = i
		list[i].CopyOf = kept[list[i].CopyOf]
	}
	roots := make([]sheaf.ArticleID, len(list))
	for i := range list {
		roots[i] = root(list, at, i)
	}
	for i := range list {
		list[i].CopyOf = roots[i]
		if list[i].Role == sheaf.RoleCopy && roots[i] == "" {
			list[i].Role = sheaf.RoleReport
		}
	}
}

// root follows the chain of copies from a report to its end; empty if the report is no copy or the chain is a circle.
func root(list []Report, at map[sheaf.ArticleID]int, start int) sheaf.ArticleID {
	i := start
	for range list {
		next, ok := at[list[i].CopyOf]
		if list[i].Role != sheaf.RoleCopy || !ok {
			break
		}
		i = next
	}
	_, more := at[list[i].CopyOf]
	if i == start || list[i].Role == sheaf.RoleCopy && more {
		return ""
	}
	return list[i].Article
}

func title(m *sheaf.Member) string {
	if t := cut(unmarked(m.Title), longestTitle); t != "" {
		return t
	}
	return OutletName(m)
}

// outlet is the id of the outlet as it is shown.
func (r *Report) outlet() sheaf.OutletID { return sheaf.Outlet{Name: r.Outlet}.ID() }

// OutletName is what the outlet of an article is called on pages and in documents: its cleaned name, or the host of the article where it has
// none. Articles with one name are of one outlet.
func OutletName(m *sheaf.Member) string {
	if name := cut(unmarked(m.Outlet.Name), longestName); name != "" {
		return name
	}
	return cmp.Or(host(m.URL), host(m.FeedURL), "Unnamed outlet")
}

// teaser is what the outlet itself says of its article.
func teaser(m *sheaf.Member) string {
	text := m.Summary
	if strings.TrimSpace(text) == "" {
		text, _, _ = strings.Cut(strings.TrimSpace(m.Text), "\n")
	}
	return Plain(text)
}

// authors is the byline, without names that only repeat the outlet's.
func authors(m *sheaf.Member) string {
	var names []string
	for _, a := range m.Authors {
		name := Plain(a.Name)
		if name != "" && (sheaf.Outlet{Name: name}).ID() != m.Outlet.ID() {
			names = append(names, name)
		}
	}
	return cut(strings.Join(names, ", "), longestByline)
}

// Limit is how much may be quoted of the text of the outlet with the name, in characters.
func (s Snippets) Limit(outlet string) int {
	id := sheaf.Outlet{Name: outlet}.ID()
	for name, n := range s.Outlets {
		if (sheaf.Outlet{Name: name}).ID() == id {
			return max(n, 0)
		}
	}
	if s.Default == 0 {
		return longestTeaser
	}
	return max(s.Default, 0)
}

// topics keeps the first labels, each once whatever its case.
func topics(categories []string) []string {
	var list []string
	seen := make(map[string]bool)
	for _, c := range categories {
		c = cut(unmarked(c), longestName)
		if key := strings.ToLower(c); c != "" && !seen[key] {
			seen[key] = true
			list = append(list, c)
		}
		if len(list) == mostTopics {
			break
		}
	}
	return list
}

// second is the precision of every document, within the years all formats can write.
func second(t time.Time) time.Time {
	t = t.UTC().Truncate(time.Second)
	if y := t.Year(); y < 1 || y > 9999 {
		return time.Date(min(max(y, 1), 9999), 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return t
}

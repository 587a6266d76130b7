package output

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sheaf"
)

// brief is what most tests look at in a report.
type brief struct {
	Article, CopyOf sheaf.ArticleID
	Role            sheaf.Role
	Outlet          string
}

func briefly(item Item) []brief {
	var list []brief
	for _, r := range item.Reports {
		list = append(list, brief{r.Article, r.CopyOf, r.Role, r.Outlet})
	}
	return list
}

func TestReports(t *testing.T) {
	named := func(id string, minute int, change func(*sheaf.Member)) sheaf.Member {
		m := member(id, "Outlet "+id, "x", "Title "+id, clock(9, minute))
		m.ID = sheaf.ArticleID(id)
		if change != nil {
			change(&m)
		}
		return m
	}
	copyOf := func(id string) func(*sheaf.Member) {
		return func(m *sheaf.Member) { m.Role, m.CopyOf = sheaf.RoleCopy, sheaf.ArticleID(id) }
	}
	report, copied, aside := sheaf.RoleReport, sheaf.RoleCopy, sheaf.RoleAside
	for _, tt := range []struct {
		name    string
		members []sheaf.Member // the first leads
		want    []brief
	}{
		{"oldest first", []sheaf.Member{named("a", 5, nil), named("b", 1, nil)},
			[]brief{{"b", "", report, "Outlet b"}, {"a", "", report, "Outlet a"}}},
		{"an aside stays one", []sheaf.Member{named("a", 1, nil), named("b", 2, func(m *sheaf.Member) { m.Role = aside })},
			[]brief{{"a", "", report, "Outlet a"}, {"b", "", aside, "Outlet b"}}},
		{"copies go back to the first text", []sheaf.Member{named("a", 1, nil), named("b", 2, copyOf("a")), named("c", 3, copyOf("b"))},
			[]brief{{"a", "", report, "Outlet a"}, {"b", "a", copied, "Outlet b"}, {"c", "a", copied, "Outlet c"}}},
		{"a copy of nothing known is a report", []sheaf.Member{named("a", 1, nil), named("b", 2, copyOf("z")), named("c", 3, copyOf("b"))},
			[]brief{{"a", "", report, "Outlet a"}, {"b", "", report, "Outlet b"}, {"c", "b", copied, "Outlet c"}}},
		{"copies in a circle are reports", []sheaf.Member{named("a", 1, nil), named("b", 2, copyOf("c")), named("c", 3, copyOf("b")), named("d", 4, copyOf("d"))},
			[]brief{{"a", "", report, "Outlet a"}, {"b", "", report, "Outlet b"}, {"c", "", report, "Outlet c"}, {"d", "", report, "Outlet d"}}},
		{"one address is one report, the lead's its own", []sheaf.Member{
			named("b", 2, nil), named("a", 1, func(m *sheaf.Member) { m.URL = "https://b.example/x" }), named("c", 3, copyOf("a"))},
			[]brief{{"b", "", report, "Outlet b"}, {"c", "b", copied, "Outlet c"}}},
		{"reports without an address are kept", []sheaf.Member{
			named("a", 1, func(m *sheaf.Member) { m.URL = "" }), named("b", 2, func(m *sheaf.Member) { m.URL = "file:///b.txt" })},
			[]brief{{"a", "", report, "Outlet a"}, {"b", "", report, "Outlet b"}}},
		{"one spelling of an outlet", []sheaf.Member{named("a", 1, nil), named("b", 2, func(m *sheaf.Member) { m.Outlet.Name = "OUTLET  A\x01" })},
			[]brief{{"a", "", report, "Outlet a"}, {"b", "", report, "Outlet a"}}},
		{"an outlet without a name has its host's", []sheaf.Member{named("a", 1, func(m *sheaf.Member) { m.Outlet.Name = "\x01" })},
			[]brief{{"a", "", report, "a.example"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := story(0, tt.members...)
			if diff := cmp.Diff(tt.want, briefly(NewItem(&s, Snippets{}))); diff != "" {
				t.Errorf("reports (-want +got):\n%s", diff)
			}
		})
	}
}

func TestItemFacts(t *testing.T) {
	m := member("a", "Alpha", "x", " A  headline\x00 ", clock(9, 0))
	m.Summary, m.Text = " ", "First paragraph. "+strings.Repeat("More of it. ", 40)+"\nSecond."
	m.Categories = []string{"World", "world", "R&D", "", "a", "b", "c", "d"}
	m.Authors = []sheaf.Author{{Name: "A. Writer"}, {Name: "Alpha"}, {Email: "x@y.example"}, {Name: "B. Writer"}}
	m.Lang, m.Image, m.FeedURL = "not a tag!", "data:image/png;base64,AA", "https://user:key@a.example/feed"
	s := story(0, m)
	got := NewItem(&s, Snippets{})
	if got.Title != "A headline" || got.Link != "https://a.example/x" || got.Lang != "" || got.Image != "" {
		t.Errorf("item = %+v", got)
	}
	if !strings.HasPrefix(got.Teaser, "First paragraph.") || len([]rune(got.Teaser)) > longestTeaser || !strings.HasSuffix(got.Teaser, "it.") {
		t.Errorf("teaser = %q", got.Teaser)
	}
	if diff := cmp.Diff([]string{"World", "R&D", "a", "b", "c"}, got.Topics); diff != "" {
		t.Errorf("topics (-want +got):\n%s", diff)
	}
	r := got.Reports[0]
	if r.Authors != "A. Writer, B. Writer" || r.FeedURL != "https://a.example/feed" {
		t.Errorf("report = %+v", r)
	}
}

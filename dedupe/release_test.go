package dedupe

import (
	"testing"
	"time"

	"sheaf"
)

func TestRelease(t *testing.T) {
	ferry := func(id, outlet, title, text string, hours int) sheaf.Article {
		at := noon.Add(time.Duration(hours) * time.Hour)
		return sheaf.Article{ID: sheaf.ArticleID(id), Outlet: sheaf.Outlet{Name: outlet}, Title: title, Text: text, Published: at, FirstSeen: at, Lang: "en"}
	}
	articles := []sheaf.Article{
		report("a", "Journal", 0, wireText),
		report("b", "Herald", 1, wireText),
		ferry("c", "Post", "Budget of Calvoria passes after night session", "Parliament in Calvoria passed a budget with new taxes on timber exports.", 2),
		ferry("d", "Echo", "Calvoria parliament passes budget with timber tax", "The budget with its taxes on timber exports passed the parliament of Calvoria.", 3),
	}
	for _, tc := range []struct {
		name       string
		constraint Constraint
		still      []Constraint // hold after all
		want       string       // which articles are with which
	}{
		{name: "together", constraint: Constraint{"a", "c", true}, want: "ab cd"},
		{name: "apart", constraint: Constraint{"c", "d", false}, want: "ab cd"},
		{name: "bound by another word", constraint: Constraint{"a", "c", true}, still: []Constraint{{"a", "c", true}}, want: "abcd"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g := newGrouper(t, Options{Constraints: []Constraint{tc.constraint}})
			g.Add(articles)
			g.Polish()
			again := newGrouper(t, Options{})
			if err := again.Restore(recordsOf(g)); err != nil {
				t.Fatal(err)
			}
			if _, err := again.Constrain(tc.still...); err != nil {
				t.Fatal(err)
			}
			moved := again.Release("a", "c", "d", "unknown")
			for _, d := range moved {
				if d.From == d.Story || d.From == "" {
					t.Errorf("%s moved from %q to %s", d.Article, d.From, d.Story)
				}
			}
			if got := partition(again, articles); got != tc.want {
				t.Errorf("stories = %s, want %s", got, tc.want)
			}
		})
	}
}

// partition writes the articles of each story together, stories in the order of their first articles.
func partition(g *Grouper, articles []sheaf.Article) string {
	var order []*story
	members := map[*story]string{}
	for i := range articles {
		st := g.articles[articles[i].ID].story
		if members[st] == "" {
			order = append(order, st)
		}
		members[st] += string(articles[i].ID)
	}
	text := ""
	for i, st := range order {
		if i > 0 {
			text += " "
		}
		text += members[st]
	}
	return text
}

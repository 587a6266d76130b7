package eval

import (
	"slices"
	"strings"
	"testing"

	"sheaf"
)

// duel is a stream of two events, two reports each.
func duel() Stream {
	item := func(id, label, title, summary string) Item {
		return Item{Stream: "d", Label: label, Scored: true, Article: sheaf.Article{ID: sheaf.ArticleID(id), Title: title, Summary: summary, Lang: "en"}}
	}
	return Stream{Name: "d", Items: []Item{
		item("1", "bridge", "The bridge at Velport reopens", "Cars crossed Velport's bridge on Monday, said engineer Kadri."),
		item("2", "bridge", "Cars are back on the Velport bridge", "Engineer Kadri waved the first ones through."),
		item("3", "choir", "A choir from Ostrow wins in Lindra", "The singers of Ostrow took the cup."),
		item("4", "choir", "Cup for the choir of Ostrow", "It won by a point, Ostrow's mayor said in Lindra."),
		item("5", "choir", "", "Nothing is known of the choir from Ostrow."),
	}}
}

func TestNamesakes(t *testing.T) {
	d := duel()
	s, ok := namesakes(&d, 1)
	if !ok {
		t.Fatal("no name was found")
	}
	if got, want := s.Items[3].Summary, "It won by a point, Kadri's mayor said in Lindra."; got != want {
		t.Errorf("renamed summary = %q, want %q", got, want)
	}
	if s.Items[0].Title != d.Items[0].Title {
		t.Errorf("the first event changed: %q", s.Items[0].Title)
	}
	if !strings.Contains(d.Items[3].Summary, "Ostrow") {
		t.Error("the duel itself was changed")
	}
	two, _ := namesakes(&d, 2)
	if got, want := two.Items[2].Title, "A choir from Kadri wins in Velport"; got != want {
		t.Errorf("with two names = %q, want %q", got, want)
	}
}

func TestNamesakesNeedTwoEventsWithNames(t *testing.T) {
	one := duel()
	one.Items = one.Items[:2]
	mute := duel()
	for i := range mute.Items {
		mute.Items[i].Title = strings.ToLower(mute.Items[i].Title)
		mute.Items[i].Summary = ""
	}
	for name, s := range map[string]Stream{"one event": one, "no names": mute} {
		if _, ok := namesakes(&s, 1); ok {
			t.Errorf("%s: namesakes were made", name)
		}
	}
}

func TestLessons(t *testing.T) {
	full := duel()
	for i := range full.Items {
		full.Items[i].Text = "A text."
	}
	var names []string
	for _, s := range lessons([]Stream{full, duel()}) {
		names = append(names, s.Name)
		if strings.HasSuffix(s.Name, "titles") && (len(s.Items) != 4 || s.Items[0].Summary != "") {
			t.Errorf("%s has %d articles, the first with summary %q; want the 4 with a title, without", s.Name, len(s.Items), s.Items[0].Summary)
		}
	}
	if want := []string{"d, titles", "d, namesakes", "d, namesakes, titles"}; !slices.Equal(names, want) {
		t.Errorf("lessons = %q, want %q", names, want)
	}
}

func TestRenameKeepsEverythingElse(t *testing.T) {
	as := map[string]string{"Ostrow": "Velport"}
	for in, want := range map[string]string{
		"":                           "",
		"Ostrow":                     "Velport",
		"Ostrow’s Ostrower, Ostrow!": "Velport’s Ostrower, Velport!",
		"no name here":               "no name here",
	} {
		if got := rename(in, as); got != want {
			t.Errorf("rename(%q) = %q, want %q", in, got, want)
		}
	}
}

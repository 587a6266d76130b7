package dedupe

import (
	"testing"

	"sheaf"
)

// Two stories change ids, a third takes a new one, and grouping goes on under them, with a copy joining by its text.
func TestRename(t *testing.T) {
	g := newGrouper(t, Options{})
	other := report("b", "Post", 1, "Sixty people lose their work when the paper mill at Brae closes this autumn, its owner said.")
	other.Title = "Paper mill at Brae to close"
	d := g.Add([]sheaf.Article{report("a", "Journal", 0, wireText), other})
	first, second := d[0].Story, d[1].Story
	if first == second {
		t.Fatal("the two articles are in one story")
	}
	g.Rename(map[sheaf.StoryID]sheaf.StoryID{first: second, second: "fresh", "unknown": "never"})
	if lead := g.Lead(second); lead != "a" {
		t.Errorf("story %s is led by %q, want a", second, lead)
	}
	if lead := g.Lead("fresh"); lead != "b" {
		t.Errorf("the renamed story is led by %q, want b", lead)
	}
	if g.Lead(first) != "" || g.Lead("never") != "" {
		t.Error("an id that was given up, or was never given, has a story")
	}
	if d := g.Add([]sheaf.Article{report("c", "Gazette", 2, wireText)})[0]; d.Story != second || d.CopyOf != "a" {
		t.Errorf("a copy joined story %s as a copy of %q, want %s and a", d.Story, d.CopyOf, second)
	}
	if r := g.Record("a"); r.Story != second {
		t.Errorf("the record says story %s, want %s", r.Story, second)
	}
	restored := newGrouper(t, Options{})
	if err := restored.Restore(recordsOf(g)); err != nil {
		t.Fatal(err)
	}
	if got, want := encode(t, facts(restored)), encode(t, facts(g)); got != want {
		t.Errorf("restored:\n%s\nwant:\n%s", got, want)
	}
}

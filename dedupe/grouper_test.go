package dedupe

import (
	"math"
	"testing"
	"time"

	"sheaf"
)

const wireText = `Builders repairing the old lighthouse at Cape Orrin have found a diary behind a wall, the trust that owns the building said on Friday.
In it the keeper, Josef Pell, describes the great storm of 1871 hour by hour until the ink runs out and the lamp fails.
The notebook had been wrapped in oilcloth and hidden behind a loose stone near the stairs, where nobody had looked for a century.`

func report(id, outlet string, hours int, text string) sheaf.Article {
	at := noon.Add(time.Duration(hours) * time.Hour)
	return sheaf.Article{
		ID: sheaf.ArticleID(id), Outlet: sheaf.Outlet{Name: outlet}, Title: "Keeper's diary found at Cape Orrin lighthouse", Text: text,
		Published: at, FirstSeen: at, Lang: "en", URL: "https://" + id + ".example/",
	}
}

func decisionsOf(list ...[]Decision) map[sheaf.ArticleID]Decision {
	last := make(map[sheaf.ArticleID]Decision)
	for _, l := range list {
		for _, d := range l {
			last[d.Article] = d
		}
	}
	return last
}

func TestCopiesGoByFirstSeen(t *testing.T) {
	g := newGrouper(t, Options{})
	backdated := report("b", "Scrapbook", -72, wireText)
	backdated.FirstSeen = noon.Add(5 * time.Hour)
	first := decisionsOf(g.Add([]sheaf.Article{backdated}))
	if first["b"].Role != sheaf.RoleReport {
		t.Fatalf("role of the first = %s", first["b"].Role)
	}
	second := decisionsOf(g.Add([]sheaf.Article{report("a", "Journal", 0, wireText)}))
	if d := second["a"]; d.Role != sheaf.RoleReport || d.CopyOf != "" {
		t.Errorf("what was seen first is a %s of %q", d.Role, d.CopyOf)
	}
	if d := second["b"]; d.Role != sheaf.RoleCopy || d.CopyOf != "a" {
		t.Errorf("the backdated one is a %s of %q, want a copy of a", d.Role, d.CopyOf)
	}
	if lead := g.Lead(second["a"].Story); lead != "a" {
		t.Errorf("lead = %s, want a", lead)
	}
}

func TestCopyOfAnAgencyIsWire(t *testing.T) {
	g := newGrouper(t, Options{})
	wire := report("a", "Agency", 0, wireText)
	wire.Wire = "Agency"
	g.Add([]sheaf.Article{wire})
	if d := g.Add([]sheaf.Article{report("b", "Journal", 1, wireText)})[0]; d.Reason != ReasonWire || d.Best != "a" || d.Threshold != copyLimit {
		t.Errorf("decision = %+v, want wire copy of a", d)
	}
}

func TestSameItemByAddress(t *testing.T) {
	g := newGrouper(t, Options{})
	a, b := report("a", "Journal", 0, wireText), report("b", "Journal", 9, "Another text.")
	a.URLKey, b.URLKey = "journal.example/diary", "journal.example/diary"
	g.Add([]sheaf.Article{a})
	if d := g.Add([]sheaf.Article{b})[0]; d.Reason != ReasonSameItem || d.Article != "b" {
		t.Errorf("decision = %+v, want the same item", d)
	}
	if g.Articles() != 1 {
		t.Errorf("%d articles, want 1", g.Articles())
	}
}

func TestOneHeadlineInManyOutlets(t *testing.T) {
	g := newGrouper(t, Options{})
	var articles []sheaf.Article
	for i := range 250 {
		articles = append(articles, titled(string(rune('A'+i/26))+string(rune('a'+i%26)), "Outlet "+string(rune(0x4e00+i)), "Mayor of Tilden opens new harbor bridge", noon))
	}
	g.Add(articles)
	if ids := g.Stories(); len(ids) != 1 {
		t.Errorf("%d stories, want 1", len(ids))
	}
}

func TestConstraints(t *testing.T) {
	far := titled("far", "Echo", "Orchestra of Marbach cancels summer tour", noon)
	near := report("near", "Echo", 1, wireText+"\nThe trust will show the diary in May.")
	a := report("a", "Journal", 0, wireText)
	for _, tt := range []struct {
		name       string
		constraint Constraint
		other      sheaf.Article
		together   bool
	}{
		{"must be together", Constraint{A: "a", B: "far", Together: true}, far, true},
		{"must never be together", Constraint{A: "near", B: "a"}, near, false},
	} {
		for _, early := range []bool{true, false} {
			g := newGrouper(t, Options{})
			constrain := func() []Decision {
				moved, err := g.Constrain(tt.constraint)
				if err != nil {
					t.Fatal(err)
				}
				return moved
			}
			if early {
				constrain()
			}
			got := decisionsOf(g.Add([]sheaf.Article{a}), g.Add([]sheaf.Article{tt.other}))
			if !early {
				got = decisionsOf([]Decision{got["a"], got[tt.other.ID]}, constrain())
			}
			got = decisionsOf([]Decision{got["a"], got[tt.other.ID]}, g.Polish())
			if same := got["a"].Story == got[tt.other.ID].Story; same != tt.together {
				t.Errorf("%s, early %v: together = %v", tt.name, early, same)
			}
		}
	}
}

// A merge of two stories is a constraint of one article with every other. The article comes between those of the other story, so that it
// draws one of them and is drawn by another: all end in one story, with one decision each.
func TestConstraintsDrawWholeStories(t *testing.T) {
	g := newGrouper(t, Options{})
	placed := decisionsOf(g.Add([]sheaf.Article{
		report("a", "Journal", 0, wireText), titled("far", "Echo", "Orchestra of Marbach cancels summer tour", noon.Add(time.Hour)), report("c", "Post", 2, wireText+"\nThe diary is shown in May."),
	}), g.Polish())
	if placed["a"].Story != placed["c"].Story || placed["a"].Story == placed["far"].Story {
		t.Fatalf("placed = %+v, want a and c together and far apart", placed)
	}
	c := placed["c"]
	if _, err := g.Constrain(Constraint{A: "a", B: "c"}); err != nil { // of one text, but not as copies: each moves by itself
		t.Fatal(err)
	}
	moved, err := g.Constrain(Constraint{A: "far", B: "c", Together: true}, Constraint{A: "far", B: "a", Together: true})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[sheaf.ArticleID]int{}
	for _, d := range moved {
		seen[d.Article]++
		if d.From == d.Story || seen[d.Article] > 1 {
			t.Errorf("decision %+v moves nothing, or is a second one", d)
		}
	}
	for _, id := range []sheaf.ArticleID{"c", "far"} {
		if got := g.Record(id).Story; got != placed["a"].Story {
			t.Errorf("%s is in story %s, want that of a, %s", id, got, c.Story)
		}
	}
}

func TestConstrainRefusesOneArticle(t *testing.T) {
	if _, err := newGrouper(t, Options{}).Constrain(Constraint{A: "a", B: "a"}); err == nil {
		t.Error("Constrain succeeded, want an error")
	}
}

func TestNewRefuses(t *testing.T) {
	for name, o := range map[string]Options{
		"profile": {Profile: "bold"}, "threshold": {Threshold: 1.5}, "constraint": {Constraints: []Constraint{{A: "a", B: "a"}}},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%s: New succeeded, want an error", name)
		}
	}
}

func TestStoryIDs(t *testing.T) {
	g := newGrouper(t, Options{})
	a := report("a", "Journal", 0, wireText)
	b := titled("b", "Echo", "Orchestra of Marbach cancels summer tour", noon)
	b.URL = a.URL // two outlets claim one address
	got := decisionsOf(g.Add([]sheaf.Article{a, b}))
	if want := sheaf.NewStoryID(&a); got["a"].Story != want {
		t.Errorf("story = %s, want %s", got["a"].Story, want)
	}
	if got["b"].Story == got["a"].Story || got["b"].Story == "" {
		t.Errorf("a taken id is given again: %s", got["b"].Story)
	}
}

func TestOldStoriesAreForgotten(t *testing.T) {
	g := newGrouper(t, Options{})
	g.Add([]sheaf.Article{report("old", "Journal", 0, wireText), titled("other", "Echo", "Orchestra of Marbach cancels summer tour", noon)})
	g.Add([]sheaf.Article{titled("late", "Echo", "Glacier research station opens its doors", noon.AddDate(0, 0, 100))})
	g.Add([]sheaf.Article{titled("later", "Echo", "Beavers dam the stream behind school", noon.AddDate(0, 0, 101))})
	if g.Articles() != 2 {
		t.Errorf("%d articles remembered, want 2", g.Articles())
	}
	if d := g.Add([]sheaf.Article{report("old", "Journal", 101*24, wireText)})[0]; d.Reason == ReasonSameItem {
		t.Error("a forgotten article is known")
	}
}

func TestDecisionSaysWhatItTurnedOn(t *testing.T) {
	g := newGrouper(t, Options{})
	g.Add([]sheaf.Article{report("a", "Journal", 0, wireText)})
	d := g.Add([]sheaf.Article{{
		ID: "b", Outlet: sheaf.Outlet{Name: "Echo"}, Title: "Diary of 1871 storm turns up in Cape Orrin lighthouse", Lang: "en",
		Summary:   "A lighthouse keeper's diary found at Cape Orrin tells of the great storm, by Josef Pell.",
		Published: noon.Add(2 * time.Hour), FirstSeen: noon.Add(2 * time.Hour),
	}})[0]
	if d.Reason != ReasonSameEvent || d.Best != "a" || d.Profile != Balanced || d.Model == "" || d.Threshold <= 0 {
		t.Fatalf("decision = %+v", d)
	}
	m, err := DefaultModel()
	if err != nil {
		t.Fatal(err)
	}
	z := m.Bias
	for _, c := range d.Contributions {
		z += c.Weight
	}
	if p := 1 / (1 + math.Exp(-z)); math.Abs(p-d.Score) > 0.02 {
		t.Errorf("the contributions make %.3f, the score is %.3f", p, d.Score)
	}
}

func TestContainment(t *testing.T) {
	words := func(from, to int) *sketch {
		var hashes []uint32
		for i := from; i < to; i++ {
			hashes = append(hashes, uint32(i)*2654435761)
		}
		return keepSmallest(hashes)
	}
	for _, tt := range []struct {
		name string
		a, b *sketch
		want float64
		near float64
	}{
		{"the same", words(0, 100), words(0, 100), 1, 0},
		{"half", words(0, 100), words(50, 150), 0.5, 0},
		{"a part of a long text", words(0, 3000), words(100, 400), 1, 0},
		{"a third of a long text, estimated", words(0, 3000), words(2000, 5000), 1.0 / 3, 0.06},
		{"nothing", words(0, 100), words(200, 300), 0, 0},
		{"too short to tell", words(0, 10), words(0, 10), 0, 0},
	} {
		if got := containment(tt.a, tt.b); math.Abs(got-tt.want) > tt.near+1e-9 {
			t.Errorf("%s: containment = %.3f, want %.3f", tt.name, got, tt.want)
		}
		if got, back := containment(tt.a, tt.b), containment(tt.b, tt.a); got != back {
			t.Errorf("%s: containment is %v one way, %v the other", tt.name, got, back)
		}
	}
}

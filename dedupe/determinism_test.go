package dedupe

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"sheaf"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// run adds articles in the given batches, polishes after each, and returns everything that can be seen from outside.
func run(t testing.TB, g *Grouper, batches [][]sheaf.Article) string {
	t.Helper()
	var all []any
	for _, batch := range batches {
		all = append(all, g.Add(batch), g.Polish())
	}
	return encode(t, append(all, facts(g)))
}

// facts lists what a Grouper says about its stories and articles.
func facts(g *Grouper) any {
	type storyFacts struct {
		Lead    sheaf.ArticleID
		Follows sheaf.StoryID
		Related []sheaf.Related
	}
	stories, records := make(map[sheaf.StoryID]storyFacts), make(map[sheaf.ArticleID]Record)
	for id := range g.stories {
		stories[id] = storyFacts{g.Lead(id), g.Follows(id), g.Related(id)}
	}
	for id := range g.articles {
		records[id] = g.Record(id)
	}
	return []any{stories, records}
}

func encode(t testing.TB, v any) string {
	t.Helper()
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func newGrouper(t testing.TB, o Options) *Grouper {
	t.Helper()
	g, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func split(articles []sheaf.Article, n int) [][]sheaf.Article {
	var batches [][]sheaf.Article
	for i := 0; i < len(articles); i += n {
		batches = append(batches, articles[i:min(i+n, len(articles))])
	}
	return batches
}

func TestOrderOfArrivalDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		articles := invent(60, seed)
		batches := split(articles, rapid.IntRange(5, 60).Draw(rt, "batch"))
		want := run(t, newGrouper(t, Options{}), batches)
		shuffle := rand.New(rand.NewPCG(seed, 1))
		for i, batch := range batches {
			mixed := append([]sheaf.Article(nil), batch...)
			shuffle.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			batches[i] = mixed
		}
		if got := run(t, newGrouper(t, Options{}), batches); got != want {
			rt.Fatalf("shuffled arrival differs:\n%s", cmp.Diff(want, got))
		}
	})
}

func TestRestoreGoesOnAsIfNeverStopped(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		articles := invent(80, rapid.Uint64().Draw(rt, "seed"))
		batches := split(articles, 20)
		stop := rapid.IntRange(1, len(batches)-1).Draw(rt, "stop")
		live := newGrouper(t, Options{})
		run(t, live, batches[:stop])
		restored := newGrouper(t, Options{})
		if err := restored.Restore(recordsOf(live)); err != nil {
			rt.Fatal(err)
		}
		if want, got := encode(t, facts(live)), encode(t, facts(restored)); got != want {
			rt.Fatalf("restored state differs:\n%s", cmp.Diff(want, got))
		}
		want, got := run(t, live, batches[stop:]), run(t, restored, batches[stop:])
		if got != want {
			rt.Fatalf("restored Grouper goes another way:\n%s", cmp.Diff(want, got))
		}
	})
}

// recordsOf lists the records of a Grouper in the order in which the articles were first decided.
func recordsOf(g *Grouper) []Record {
	var records []Record
	for _, code := range g.languages() {
		for _, a := range g.streams[code].articles {
			if a != nil {
				records = append(records, g.Record(a.id))
			}
		}
	}
	return records
}

func TestRestoreRefusesDamage(t *testing.T) {
	g := newGrouper(t, Options{})
	g.Add(invent(3, 1))
	good := recordsOf(g)
	for _, tt := range []struct {
		name   string
		damage func([]Record) []Record
	}{
		{"cut short", func(r []Record) []Record { r[1].Data = r[1].Data[:len(r[1].Data)/2]; return r }},
		{"too long", func(r []Record) []Record { r[1].Data = append(r[1].Data, 0); return r }},
		{"another version", func(r []Record) []Record { r[0].Data[0] = 99; return r }},
		{"empty", func(r []Record) []Record { r[2].Data = nil; return r }},
		{"twice", func(r []Record) []Record { return append(r, r[0]) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			records := make([]Record, len(good))
			for i, r := range good {
				records[i] = Record{r.Article, r.Story, append([]byte(nil), r.Data...)}
			}
			if err := newGrouper(t, Options{}).Restore(tt.damage(records)); err == nil {
				t.Error("Restore succeeded, want an error")
			}
		})
	}
}

func FuzzRestore(f *testing.F) {
	g := newGrouper(f, Options{})
	g.Add(invent(3, 1))
	for _, r := range recordsOf(g) {
		f.Add(r.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g := newGrouper(t, Options{})
		if err := g.Restore([]Record{{"a", "s", data}}); err == nil {
			again := g.Record("a").Data
			h := newGrouper(t, Options{})
			if err := h.Restore([]Record{{"a", "s", again}}); err != nil {
				t.Errorf("what Record wrote cannot be restored: %v", err)
			}
		}
	})
}

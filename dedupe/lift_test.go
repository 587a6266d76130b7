package dedupe

import (
	"math"
	"testing"

	"sheaf"
)

func TestLift(t *testing.T) {
	for _, tt := range []struct {
		name     string
		language string
		tokens   int
		sparse   float64
		want     float64
	}{
		{"many stories", "en", 5, 0, 0.3},
		{"few stories", "en", 100, 0.5, 0.356},
		{"few stories, a headline", "en", 5, 0.5, 0.447},
		{"no story, a headline", "en", 5, 1, 0.594},
		{"no frequencies", "de", 5, 0.5, 0.3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, err := New(Options{})
			if err != nil {
				t.Fatal(err)
			}
			s := g.stream(tt.language)
			s.sparse = tt.sparse
			a := &article{fingerprint: fingerprint{nTokens: tt.tokens}}
			if got := s.lift(0.3, a); math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("lift(0.3) = %v, want %v", got, tt.want)
			}
		})
	}
}

// TestOnlyName groups two short reports that share a name nobody has met, and nothing else.
func TestOnlyName(t *testing.T) {
	for _, tt := range []struct {
		name, summary, guard string
	}{
		{"two events", "After years of dredging freighters may call again. The first brought oranges.", guardName},
		{"no summary", "", ""},
		{"a word of the event", "The ferry had damaged a pillar. The first freighter brought oranges.", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, err := New(Options{})
			if err != nil {
				t.Fatal(err)
			}
			in := func(id, title, summary string) sheaf.Article {
				return sheaf.Article{ID: sheaf.ArticleID(id), Title: title, Summary: summary, Lang: "en"}
			}
			g.Add([]sheaf.Article{
				in("1", "Ferry hits bridge in Velport", "The night boat scraped a pillar with forty people on board."),
			})
			s := g.stream("en")
			b := in("2", "Port of Velport reopens", tt.summary)
			d := g.Add([]sheaf.Article{b})[0]
			if s.sparse == 0 || d.Guard != tt.guard {
				t.Errorf("guard %q in a window sparse by %v, want %q", d.Guard, s.sparse, tt.guard)
			}
		})
	}
}

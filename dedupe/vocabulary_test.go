package dedupe

import (
	"fmt"
	"testing"

	"sheaf"
	"sheaf/dedupe/text"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestVocabularyHoldsNoState(t *testing.T) {
	articles := invent(200, 5)
	used := newVocabulary(text.For("en"))
	for i := range articles {
		got, want := used.takeApart(&articles[i]), newVocabulary(text.For("en")).takeApart(&articles[i])
		opt := cmp.Options{cmp.AllowUnexported(term{}), cmpopts.EquateEmpty()}
		if diff := cmp.Diff(want.tokens, got.tokens, opt); diff != "" {
			t.Fatalf("tokens of %s differ after %d articles:\n%s", articles[i].ID, i, diff)
		}
		if diff := cmp.Diff(want.names, got.names, opt); diff != "" {
			t.Fatalf("names of %s differ after %d articles:\n%s", articles[i].ID, i, diff)
		}
		if w, g := sketchOf(want), sketchOf(got); !cmp.Equal(w, g, cmp.AllowUnexported(sketch{})) || hashWords(want) != hashWords(got) {
			t.Fatalf("sketch or hash of %s differs after %d articles", articles[i].ID, i)
		}
	}
}

func TestVocabularyForgets(t *testing.T) {
	v := newVocabulary(text.For("en"))
	for i := range mostWords + 10 {
		v.word(fmt.Sprint("w", i))
	}
	v.takeApart(&sheaf.Article{Title: "Harbor reopens"})
	if len(v.words) > 10 {
		t.Errorf("%d words are remembered after too many, want few", len(v.words))
	}
}

func TestTakeApartCounts(t *testing.T) {
	for _, tt := range []struct {
		name, lang string
		article    sheaf.Article
		tokens     map[string][3]int // in all, in the lede, in the title
		named      []string
		names      map[string][2]int // in all, in the title
	}{
		{
			name: "names inside and opening", lang: "en",
			article: sheaf.Article{Title: "A heavy storm hits Port Lowell", Summary: "Lowell cleans up. The storm hit Port Lowell."},
			tokens:  map[string][3]int{"storm": {2, 1, 1}, "hit": {2, 1, 1}, "port": {2, 1, 1}, "lowell": {3, 2, 1}, "clean": {1, 1, 0}, "heavy": {1, 0, 1}},
			named:   []string{"lowell", "port"},
			names:   map[string][2]int{"port": {2, 1}, "lowell": {3, 1}, "port lowell": {2, 1}},
		},
		{
			name: "Title Case takes names from the body", lang: "en",
			article: sheaf.Article{Title: "Storm Hits Lowell Hard", Summary: "A storm hit Lowell."},
			tokens:  map[string][3]int{"storm": {2, 1, 1}, "hit": {2, 1, 1}, "lowell": {2, 1, 1}, "hard": {1, 0, 1}},
			named:   []string{"lowell"},
			names:   map[string][2]int{"lowell": {2, 1}},
		},
		{
			name: "digits count as names", lang: "en",
			article: sheaf.Article{Title: "budget 2031 vote"},
			tokens:  map[string][3]int{"budget": {1, 0, 1}, "2031": {1, 0, 1}, "vote": {1, 0, 1}},
			named:   []string{"2031"},
			names:   map[string][2]int{},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newVocabulary(text.For(tt.lang)).takeApart(&tt.article)
			tokens, names := make(map[string][3]int), make(map[string][2]int)
			var named []string
			for _, x := range b.tokens {
				tokens[x.key] = [3]int{int(x.all), int(x.lede), int(x.title)}
			}
			for _, want := range tt.named {
				for _, x := range b.tokens {
					if x.key == want && x.named {
						named = append(named, want)
					}
				}
			}
			for _, x := range b.names {
				names[x.key] = [2]int{int(x.all), int(x.title)}
			}
			if diff := cmp.Diff(tt.names, names); diff != "" {
				t.Errorf("names differ:\n%s", diff)
			}
			if diff := cmp.Diff(tt.named, named); diff != "" {
				t.Errorf("tokens that are part of a name differ:\n%s", diff)
			}
			if diff := cmp.Diff(tt.tokens, tokens); diff != "" {
				t.Errorf("tokens differ:\n%s", diff)
			}
		})
	}
}

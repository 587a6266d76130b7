package dedupe

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestRestoreBeforePolishKeepsDoubts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		batches := split(invent(60, rapid.Uint64().Draw(rt, "seed")), 20)
		live := newGrouper(t, Options{})
		run(t, live, batches[:1])
		live.Add(batches[1])
		restored := newGrouper(t, Options{})
		if err := restored.Restore(recordsOf(live)); err != nil {
			rt.Fatal(err)
		}
		want, got := encode(t, live.Polish()), encode(t, restored.Polish())
		if got != want {
			rt.Fatalf("restored Grouper polishes another way:\n%s", cmp.Diff(want, got))
		}
	})
}

func TestPolishLeavesNoDoubt(t *testing.T) {
	g := newGrouper(t, Options{})
	run(t, g, split(invent(100, 3), 30))
	for id, a := range g.articles {
		if a.doubted || a.story.doubted {
			t.Errorf("article %s or its story is in doubt after Polish", id)
		}
	}
	if moved := g.Polish(); len(moved) > 0 {
		t.Errorf("a second Polish without news moved %d articles, want none", len(moved))
	}
}

func TestTakeDoubts(t *testing.T) {
	at := time.Hour.Milliseconds()
	st := &story{}
	early, late := &article{id: "early", at: at, story: st}, &article{id: "late", at: 2 * at, story: st}
	apart, gone := &article{id: "apart", at: at, story: st, traits: traits{apart: true}}, &article{id: "gone", at: at}
	for _, tt := range []struct {
		name   string
		oldest int64
		want   []string
	}{
		{"all, in order of time", 0, []string{"early", "late"}},
		{"only the later one", 2 * at, []string{"late"}},
		{"none", 3 * at, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStream("en", nil)
			for _, a := range []*article{late, early, apart, gone, late} {
				s.doubts.article(a)
			}
			var got []string
			for _, a := range s.takeDoubts(tt.oldest) {
				got = append(got, string(a.id))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("takeDoubts(%d) differs:\n%s", tt.oldest, diff)
			}
			if late.doubted || len(s.doubts.articles) > 0 {
				t.Error("doubts are left")
			}
		})
	}
}

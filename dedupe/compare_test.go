package dedupe

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestCompareIsSymmetric holds the likeness of two articles against itself the other way round.
func TestCompareIsSymmetric(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := newGrouper(t, Options{})
		g.Add(invent(12, rapid.Uint64().Draw(rt, "seed")))
		s := g.streams["en"]
		for _, a := range s.articles {
			for _, b := range s.articles {
				there, back := s.likenessOf(a, b), s.likenessOf(b, a)
				for v := range vectors {
					if math.Abs(there.dot[v]-back.dot[v]) > 1e-12 {
						rt.Fatalf("product %d of %s and %s is %v, the other way %v", v, a.id, b.id, there.dot[v], back.dot[v])
					}
				}
				if math.Abs(there.title-back.reverse) > 1e-9 || math.Abs(there.subject-back.theirs) > 1e-9 {
					rt.Fatalf("%s and %s share other terms than the other way round", a.id, b.id)
				}
			}
		}
	})
}

func (s *stream) likenessOf(a, b *article) likeness {
	p := s.open(a)
	defer p.close()
	return p.compare(b)
}

func TestRunsAgreeWithContainment(t *testing.T) {
	g := newGrouper(t, Options{})
	g.Add(invent(60, 4))
	s := g.streams["en"]
	for _, a := range s.articles {
		p := s.open(a)
		for _, b := range s.articles {
			want := 0.0
			if len(a.sketch.hashes) > 0 && len(b.sketch.hashes) > 0 {
				both, shorter := overlap(&a.sketch, &b.sketch)
				want = float64(both) / float64(max(5, shorter))
			}
			if got := p.runs(b); got != want {
				t.Errorf("runs of %s and %s are %v, want %v", a.id, b.id, got, want)
			}
		}
		p.close()
	}
}

func TestUnlike(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(n int) []uint32 {
		hashes := make([]uint32, n)
		for i := range hashes {
			hashes[i] = r.Uint32()
		}
		return hashes
	}
	long, other := text(1000), text(300)
	for _, tt := range []struct {
		name string
		a, b []uint32
		want bool
	}{
		{"other text", other, long, true},
		{"whole of it", long[:300], long, false},
		{"half of it", append(text(150), long[:150]...), long, false},
		{"a few words of it", append(text(290), long[:10]...), long, true},
		{"too short to tell", text(30), long, false},
		{"short and taken whole", long[:60], long, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := keepSmallest(append([]uint32(nil), tt.a...)), keepSmallest(append([]uint32(nil), tt.b...))
			if got := unlike(a, b); got != tt.want {
				t.Errorf("unlike = %v, want %v, containment %v", got, tt.want, containment(a, b))
			}
			if unlike(a, b) != unlike(b, a) {
				t.Error("unlike depends on the order")
			}
		})
	}
}

func TestFilter(t *testing.T) {
	var f filter
	for _, n := range []uint32{0, 63, 64, 1 << 20, 1<<32 - 1} {
		if f.may(n) {
			t.Errorf("%d may be in an empty filter", n)
		}
		f.add(n)
		if !f.may(n) {
			t.Errorf("%d was added and may not be in the filter", n)
		}
		f.forget(n)
	}
	if f != (filter{}) {
		t.Error("something is left after all was forgotten")
	}
}

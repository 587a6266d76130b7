package eval

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// PRF is precision, recall and their harmonic mean, each in 0–1.
type PRF struct {
	P float64 `json:"p"`
	R float64 `json:"r"`
	F float64 `json:"f"`
}

func prf(p, r float64) PRF {
	f := 0.0
	if p+r > 0 {
		f = 2 * p * r / (p + r)
	}
	return PRF{p, r, f}
}

// Scores compare one clustering with the gold one.
type Scores struct {
	B3       PRF     `json:"b3"`       // B-cubed; F is of the two means (Amigó 2009)
	Pairwise PRF     `json:"pairwise"` // over all unordered pairs
	AMI      float64 `json:"ami"`      // mutual information adjusted for chance, arithmetic mean, exact expectation
	ARI      float64 `json:"ari"`      // Rand index adjusted for chance (Hubert and Arabie)
	Items    int     `json:"items"`
	Stories  int     `json:"stories"` // predicted
	Gold     int     `json:"gold"`
}

// Pair is the gold label and the predicted story of one article.
type Pair struct{ Gold, Story string }

// Score compares predicted stories with gold ones. Without articles all measures are 0.
func Score(pairs []Pair) Scores {
	if len(pairs) == 0 {
		return Scores{}
	}
	t := count(pairs)
	s := Scores{Items: t.n, Gold: len(t.gold), Stories: len(t.story)}
	n := float64(t.n)
	var p, r float64
	for _, c := range t.cells {
		v := float64(c.n)
		p += v * v / float64(t.story[c.Story])
		r += v * v / float64(t.gold[c.Gold])
	}
	s.B3 = prf(p/n, r/n)
	both, pred, gold := t.pairs()
	s.Pairwise = prf(ratio(both, pred), ratio(both, gold))
	s.AMI = t.ami()
	s.ARI = 1
	expected := 0.0
	if t.n > 1 {
		expected = pred * gold / choose2(t.n)
	}
	if top := (pred + gold) / 2; top != expected {
		s.ARI = (both - expected) / (top - expected)
	}
	return s
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 1
	}
	return a / b
}

func choose2(n int) float64 { return float64(n) * float64(n-1) / 2 }

// table is the contingency table of two clusterings.
type table struct {
	n     int
	gold  map[string]int
	story map[string]int
	cells []cell // sorted, so that sums do not depend on the order of a map
}

type cell struct {
	Pair
	n int
}

func count(pairs []Pair) *table {
	t := &table{n: len(pairs), gold: make(map[string]int), story: make(map[string]int)}
	cells := make(map[Pair]int)
	for _, p := range pairs {
		t.gold[p.Gold]++
		t.story[p.Story]++
		cells[p]++
	}
	for p, n := range cells {
		t.cells = append(t.cells, cell{p, n})
	}
	slices.SortFunc(t.cells, func(a, b cell) int { return cmp.Or(cmp.Compare(a.Gold, b.Gold), cmp.Compare(a.Story, b.Story)) })
	return t
}

// pairs counts pairs together in both clusterings, in the predicted one, and in the gold one.
func (t *table) pairs() (both, pred, gold float64) {
	for _, c := range t.cells {
		both += choose2(c.n)
	}
	for _, n := range t.story {
		pred += choose2(n)
	}
	for _, n := range t.gold {
		gold += choose2(n)
	}
	return both, pred, gold
}

func (t *table) ami() float64 {
	n := float64(t.n)
	entropyG, entropyC := entropy(t.gold, n), entropy(t.story, n)
	mutual := 0.0
	for _, c := range t.cells {
		v := float64(c.n)
		mutual += v / n * math.Log(v*n/(float64(t.gold[c.Gold])*float64(t.story[c.Story])))
	}
	expected := t.expectedMutual()
	scale := (entropyG+entropyC)/2 - expected
	if math.Abs(scale) <= 1e-12 {
		return 1
	}
	return (mutual - expected) / scale
}

func entropy(sizes map[string]int, n float64) float64 {
	h := 0.0
	for _, k := range slices.Sorted(maps.Values(sizes)) {
		h -= float64(k) / n * math.Log(float64(k)/n)
	}
	return h
}

// expectedMutual is the mutual information of two random clusterings with these sizes (Vinh, Epps and Bailey 2010).
func (t *table) expectedMutual() float64 {
	expected := 0.0
	for _, a := range bySize(t.gold) {
		for _, b := range bySize(t.story) {
			expected += float64(a.times*b.times) * expectedCell(t.n, a.size, b.size)
		}
	}
	return expected
}

func expectedCell(total, a, b int) float64 {
	n := float64(total)
	base := lnFactorial(a) + lnFactorial(b) + lnFactorial(total-a) + lnFactorial(total-b) - lnFactorial(total)
	sum := 0.0
	for k := max(1, a+b-total); k <= min(a, b); k++ {
		w := base - lnFactorial(k) - lnFactorial(a-k) - lnFactorial(b-k) - lnFactorial(total-a-b+k)
		sum += float64(k) / n * math.Log(n*float64(k)/(float64(a)*float64(b))) * math.Exp(w)
	}
	return sum
}

func lnFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}

type sizeCount struct{ size, times int }

// bySize counts how many clusters have each size.
func bySize(sizes map[string]int) []sizeCount {
	times := make(map[int]int)
	for _, n := range sizes {
		times[n]++
	}
	var counts []sizeCount
	for _, n := range slices.Sorted(maps.Keys(times)) {
		counts = append(counts, sizeCount{n, times[n]})
	}
	return counts
}

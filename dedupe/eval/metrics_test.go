package eval

import (
	"math"
	"testing"
)

func pairs(gold, story string) []Pair {
	var list []Pair
	for i := range gold {
		list = append(list, Pair{gold[i : i+1], story[i : i+1]})
	}
	return list
}

func TestScore(t *testing.T) {
	for _, tt := range []struct {
		name, gold, story string
		b3                PRF
		pair              PRF
		ami               float64
	}{
		{"perfect", "aabb", "xxyy", PRF{1, 1, 1}, PRF{1, 1, 1}, 1},
		{"all split", "aabb", "wxyz", PRF{1, 0.5, 2.0 / 3}, PRF{1, 0, 0}, 0},
		{"all merged", "aabb", "xxxx", PRF{0.5, 1, 2.0 / 3}, PRF{1.0 / 3, 1, 0.5}, 0},
		{"one astray", "aaabb", "xxyyy", PRF{(1 + 1 + 1.0/3 + 2.0/3 + 2.0/3) / 5, (2.0/3 + 2.0/3 + 1.0/3 + 1 + 1) / 5, 0.73333333}, PRF{0.5, 0.5, 0.5}, 0.25127},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Score(pairs(tt.gold, tt.story))
			near(t, "B3 P", got.B3.P, tt.b3.P)
			near(t, "B3 R", got.B3.R, tt.b3.R)
			near(t, "B3 F", got.B3.F, tt.b3.F)
			near(t, "pairwise P", got.Pairwise.P, tt.pair.P)
			near(t, "pairwise R", got.Pairwise.R, tt.pair.R)
			near(t, "pairwise F", got.Pairwise.F, tt.pair.F)
			near(t, "AMI", got.AMI, tt.ami)
		})
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-4 {
		t.Errorf("%s = %.5f, want %.5f", what, got, want)
	}
}

func TestScoreOfNothing(t *testing.T) {
	if got := Score(nil); got != (Scores{}) {
		t.Errorf("Score(nil) = %+v, want zero", got)
	}
}

func item(stream, id, label, set string) Item {
	return withID(Item{Stream: stream, Label: label, Scored: label != "", Set: set}, id)
}

func TestEvaluateOneStream(t *testing.T) {
	s := Stream{Items: []Item{item("s", "1", "a", "x"), item("s", "2", "a", "x"), item("s", "3", "b", "y"), item("s", "4", "", "noise"), item("s", "5", "", "noise")}}
	r := Evaluate([]Stream{s}, []Grouping{{"1": "p", "2": "p", "3": "p", "4": "p", "5": "p"}})
	near(t, "B3 P over all", r.All.B3.P, (2.0/3+2.0/3+1.0/3)/3)
	near(t, "B3 F of set x", r.Sets["x"].B3.F, 1)
	near(t, "macro", r.MacroB3, 1)
	if len(r.Sets) != 2 {
		t.Errorf("%d sets, want 2: noise has none", len(r.Sets))
	}
	if r.NoiseIn != 2 || r.NoiseMerged != 1 {
		t.Errorf("noise in %d, merged %d, want 2, 1", r.NoiseIn, r.NoiseMerged)
	}
}

func TestEvaluateSeveralStreams(t *testing.T) {
	pure := Stream{Name: "p", Items: []Item{item("p", "1", "a", ""), item("p", "2", "b", "")}}
	mixed := Stream{Name: "m", Items: []Item{item("m", "1", "a", ""), item("m", "2", "b", "")}}
	r := Evaluate([]Stream{pure, mixed}, []Grouping{{"1": "x", "2": "y"}, {"1": "x", "2": "x"}})
	near(t, "never mixed", r.NeverMixed, 0.5)
	near(t, "B3 P", r.All.B3.P, 0.75)
	near(t, "B3 F", r.All.B3.F, 2*0.75/1.75)
}

package eval

import (
	"maps"
	"slices"

	"sheaf"
)

// Grouping gives the story of every article of a stream, under any name.
type Grouping map[sheaf.ArticleID]string

// Report holds the scores of one file.
type Report struct {
	All         Scores            // one stream: over its labelled articles; several: means over streams, F of the means
	Sets        map[string]Scores // one stream only: each set restricted to its own articles
	MacroB3     float64           // mean of B-cubed F over sets
	MacroPair   float64           // mean of pairwise F over sets
	Streams     int               //
	NeverMixed  float64           // several streams: share of them in which no story mixes two labels
	NoiseIn     int               // articles without a label inside a story with one
	NoiseMerged int               // articles without a label less stories of them
}

// Evaluate scores the groupings of streams; groupings[i] belongs to streams[i].
func Evaluate(streams []Stream, groupings []Grouping) Report {
	if len(streams) == 1 {
		return evaluateOne(&streams[0], groupings[0])
	}
	r := Report{Streams: len(streams)}
	var b3, pair PRF
	pure, n := 0, 0.0
	for i := range streams {
		s := Score(pairsOf(&streams[i], groupings[i], ""))
		if s.Items == 0 {
			continue
		}
		n++
		b3.P, b3.R = b3.P+s.B3.P, b3.R+s.B3.R
		pair.P, pair.R = pair.P+s.Pairwise.P, pair.R+s.Pairwise.R
		r.All.AMI, r.All.ARI = r.All.AMI+s.AMI, r.All.ARI+s.ARI
		r.All.Items, r.All.Stories, r.All.Gold = r.All.Items+s.Items, r.All.Stories+s.Stories, r.All.Gold+s.Gold
		if s.B3.P > 1-1e-12 {
			pure++
		}
	}
	if n == 0 {
		return r
	}
	r.All.B3, r.All.Pairwise = prf(b3.P/n, b3.R/n), prf(pair.P/n, pair.R/n)
	r.All.AMI, r.All.ARI = r.All.AMI/n, r.All.ARI/n
	r.MacroB3, r.MacroPair = r.All.B3.F, r.All.Pairwise.F
	r.NeverMixed = float64(pure) / n
	return r
}

func evaluateOne(s *Stream, g Grouping) Report {
	r := Report{Streams: 1, All: Score(pairsOf(s, g, "")), Sets: make(map[string]Scores)}
	for i := range s.Items {
		if s.Items[i].Scored {
			r.Sets[s.Items[i].Set] = Scores{}
		}
	}
	for _, set := range slices.Sorted(maps.Keys(r.Sets)) {
		scores := Score(pairsOf(s, g, set))
		r.Sets[set] = scores
		r.MacroB3 += scores.B3.F / float64(len(r.Sets))
		r.MacroPair += scores.Pairwise.F / float64(len(r.Sets))
	}
	r.NoiseIn, r.NoiseMerged = noise(s, g)
	return r
}

// pairsOf lists labelled articles with their stories; only those of one set, unless it is empty.
func pairsOf(s *Stream, g Grouping, set string) []Pair {
	var pairs []Pair
	for i := range s.Items {
		if it := &s.Items[i]; it.Scored && (set == "" || it.Set == set) {
			pairs = append(pairs, Pair{it.Label, g[it.ID]})
		}
	}
	return pairs
}

func noise(s *Stream, g Grouping) (in, merged int) {
	labelled, stories := make(map[string]bool), make(map[string]bool)
	for i := range s.Items {
		if s.Items[i].Scored {
			labelled[g[s.Items[i].ID]] = true
		}
	}
	for i := range s.Items {
		if s.Items[i].Scored {
			continue
		}
		story := g[s.Items[i].ID]
		if labelled[story] {
			in++
		}
		if stories[story] {
			merged++
		}
		stories[story] = true
	}
	return in, merged
}

package dedupe

import "slices"

const (
	mergeMost = 20  // members of a story that is tried as a whole
	mergeFrom = 0.6 // mean probability from which it moves as a whole
)

// mergeFragments moves small stories as a whole into the story that their members, taken together, fit into as if theirs did not exist:
// an article alone hardly ever leaves a fragment, because the rest of the fragment holds it. decided gets the reason of every move.
func (g *Grouper) mergeFragments(s *stream, oldest int64, decided map[*article]Decision) int {
	joined := 0
	for _, st := range slices.Clone(s.stories) {
		n := len(st.members)
		if n < 2 || n > mergeMost || st.newest < oldest || slices.ContainsFunc(st.members, (*article).fixed) {
			continue
		}
		members := slices.Clone(st.members)
		st.remove(s, members)
		to, p := g.home(s, members)
		if to == nil || len(to.members) < n && p < mergeFrom+moveLead {
			st.insert(s, members...)
			continue
		}
		to.insert(s, members...)
		joined++
		for _, m := range members {
			decided[m] = Decision{Reason: ReasonMerged, Score: p}
		}
	}
	return joined
}

// home is the story that articles fit into best on average, and how well; nil if none is good enough.
func (g *Grouper) home(s *stream, articles []*article) (*story, float64) {
	sums := make(map[*story]float64)
	var order []*story
	for _, a := range articles {
		for _, c := range s.candidates(a, &g.settings) {
			if _, ok := sums[c.story]; !ok {
				order = append(order, c.story)
			}
			if c.guard == "" {
				sums[c.story] += c.p
			}
		}
	}
	var best *story
	for _, to := range order {
		if best == nil || sums[to] > sums[best] {
			best = to
		}
	}
	if best == nil || sums[best] < mergeFrom*float64(len(articles)) {
		return nil, 0
	}
	return best, sums[best] / float64(len(articles))
}

package dedupe

import "slices"

const (
	mergeMost   = 20   // members of a story that is tried as a whole
	mergeShare  = 0.36 // how far from the threshold towards 1 their mean probability must be
	mergeSparse = 0.2  // the same again, where the window is sparse
	mergeTrial  = 2    // members that are scored first
	mergeHope   = 0.15 // mean probability below which the others are not
)

// mergeFragments moves small stories as a whole into the story that their members, taken together, fit into as if theirs did not exist:
// an article alone hardly ever leaves a fragment, because the rest of the fragment holds it. It returns how many it moved.
func (g *Grouper) mergeFragments(s *stream, p *polishing) int {
	joined := 0
	for _, st := range s.takeDoubtedStories() {
		n := len(st.members)
		if n < 2 || n > mergeMost || st.newest < p.oldest || slices.ContainsFunc(st.members, (*article).unmovable) {
			continue
		}
		members := slices.Clone(st.members)
		was := st.extent
		st.remove(s, members)
		to, score := g.home(s, members)
		from := s.mergeFrom()
		if score < from {
			to = nil
		}
		if to == nil || len(to.members) < n && score < from+moveLead {
			st.putBack(members, was)
			continue
		}
		to.insert(s, members...)
		joined++
		p.note(members, st, Decision{Reason: ReasonMerged, Score: score})
		s.unsettle(to)
	}
	return joined
}

// mergeFrom is the mean probability from which a story moves as a whole: more where the window is sparse, as for one article.
func (s *stream) mergeFrom() float64 {
	from := s.threshold + mergeShare*(1-s.threshold)
	return from + mergeSparse*s.sparse*(1-from)
}

// home is the story that articles fit into best on average, and how well; nil if there is none.
func (g *Grouper) home(s *stream, articles []*article) (*story, float64) {
	sums := make(map[*story]float64)
	var order []*story
	for n, a := range articles {
		if n == mergeTrial && largest(sums) < mergeHope*mergeTrial {
			return nil, 0
		}
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
	if best == nil {
		return nil, 0
	}
	return best, sums[best] / float64(len(articles))
}

func largest(sums map[*story]float64) float64 {
	most := 0.0
	for _, p := range sums {
		most = max(most, p)
	}
	return most
}

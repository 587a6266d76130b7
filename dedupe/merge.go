package dedupe

// merge joins small stories with the story that their members, taken together, fit into as if theirs did not exist. It returns how many
// stories it joined.
func (g *Grouper) merge(s *stream, inSpan func(*article) bool) int {
	joined := 0
	for _, st := range s.stories {
		if len(st.members) < 2 || len(st.members) > g.settings.mergeSize || !inSpan(st.members[len(st.members)-1]) {
			continue
		}
		if to := g.home(s, st); to != nil {
			joined++
			to.insert(s, st.take(s)...)
		}
	}
	return joined
}

// take removes all members.
func (st *story) take(s *stream) []*article {
	members := append([]*article(nil), st.members...)
	st.remove(s, members)
	return members
}

// home is the story that the members of a story would rather be in, or nil.
func (g *Grouper) home(s *stream, st *story) *story {
	members := st.take(s)
	sums := make(map[*story]float64)
	var order []*story
	for _, m := range members {
		for _, c := range s.candidates(m, &g.settings) {
			if _, ok := sums[c.story]; !ok {
				order = append(order, c.story)
			}
			sums[c.story] += c.p
		}
	}
	st.insert(s, members...)
	var best *story
	for _, to := range order {
		if best == nil || sums[to] > sums[best] {
			best = to
		}
	}
	if best == nil || sums[best] < g.settings.mergeFrom*float64(len(members)) {
		return nil
	}
	return best
}

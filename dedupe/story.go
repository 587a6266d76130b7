package dedupe

import (
	"cmp"
	"math"
	"slices"

	"sheaf"
)

// story is a group of articles while it can change.
type story struct {
	id       sheaf.StoryID
	founder  sheaf.ArticleID
	follows  sheaf.StoryID // closed story that this one continues
	language string
	members  []*article // in order of arrival
	extent

	doubted bool     // it may be part of another
	round   uint32   // of the retrieval that found it last
	nearest *article // its member that came out nearest there
}

// extent is what follows from the members of a story, and from nothing else.
type extent struct {
	square [vectors]float64 // squared length of the sum of the vectors of the core
	newest int64            // milliseconds since 1970, over members
	oldest int64
}

// coreSize is how many members speak for a story.
const coreSize = 20

// core are the first members to arrive. They speak for a large story: what an article has to do with it does not depend on how many others
// have joined since, and so a story does not drift away from its event.
func (st *story) core() []*article { return st.members[:min(coreSize, len(st.members))] }

// insert adds members and brings the extent up to date.
func (st *story) insert(s *stream, articles ...*article) {
	if first := st.place(articles); first >= coreSize {
		st.measureTimes()
		return
	}
	st.rebuild(s)
}

// putBack adds members that were taken out just now; was is the extent the story had with them.
func (st *story) putBack(articles []*article, was extent) {
	st.place(articles)
	st.extent = was
}

// place lists members and returns the first place where one was put.
func (st *story) place(articles []*article) int {
	first := math.MaxInt
	for _, a := range articles {
		at, _ := slices.BinarySearchFunc(st.members, a, func(x, y *article) int { return cmp.Compare(x.index, y.index) })
		st.members = slices.Insert(st.members, at, a)
		a.story = st
		first = min(first, at)
	}
	return first
}

// remove takes members out.
func (st *story) remove(s *stream, articles []*article) {
	first := math.MaxInt
	for _, a := range articles {
		at := slices.Index(st.members, a)
		st.members = slices.Delete(st.members, at, at+1)
		a.story = nil
		first = min(first, at)
	}
	if first >= coreSize {
		st.measureTimes()
		return
	}
	st.rebuild(s)
}

func (st *story) measureTimes() {
	st.newest, st.oldest = math.MinInt64, math.MaxInt64
	for _, m := range st.members {
		st.newest, st.oldest = max(st.newest, m.at), min(st.oldest, m.at)
	}
}

// rebuild computes the extent anew, in order of arrival. It depends on who is a member, never on the way here: that is what makes a
// restart and a replay exact.
func (st *story) rebuild(s *stream) {
	st.measureTimes()
	st.square = [vectors]float64{}
	if len(st.members) == 1 {
		for v, scale := range st.members[0].scale {
			if scale > 0 {
				st.square[v] = 1
			}
		}
		return
	}
	for _, sum := range s.sumTokens(st.core()) {
		for v, w := range sum {
			st.square[v] += w * w
		}
	}
	for _, w := range s.sumNames(st.core()) {
		st.square[vNames] += w * w
	}
}

// sumTokens adds the token vectors of articles up, by term in order of first appearance.
func (s *stream) sumTokens(articles []*article) [][vectors]float64 {
	sums, ids := s.sums[:0], s.sumIDs[:0]
	for _, m := range articles {
		for i := range m.tokens() {
			e := &m.terms[i]
			slot := s.tokens.slots[e.id]
			if slot == 0 {
				sums, ids = append(sums, [vectors]float64{}), append(ids, e.id)
				slot = uint32(len(sums))
				s.tokens.slots[e.id] = slot
			}
			w, _ := m.weigh(e)
			sum := &sums[slot-1]
			for v := range vNames {
				sum[v] += w[v]
			}
		}
	}
	for _, id := range ids {
		s.tokens.slots[id] = 0
	}
	s.sums, s.sumIDs = sums, ids
	return sums
}

// sumNames adds the name vectors up, likewise.
func (s *stream) sumNames(articles []*article) []float64 {
	sums, ids := s.nameSums[:0], s.sumIDs[:0]
	for _, m := range articles {
		for i := range m.names() {
			e := &m.names()[i]
			slot := s.names.slots[e.id]
			if slot == 0 {
				sums, ids = append(sums, 0), append(ids, e.id)
				slot = uint32(len(sums))
				s.names.slots[e.id] = slot
			}
			sums[slot-1] += m.nameWeight(e)
		}
	}
	for _, id := range ids {
		s.names.slots[id] = 0
	}
	s.nameSums, s.sumIDs = sums, ids
	return sums
}

func (f *fingerprint) nameWeight(e *entry) float64 {
	return tf(int(e.all)) * f.idf(e.df) * f.scale[vNames]
}

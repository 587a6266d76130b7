package dedupe

import (
	"cmp"
	"math"
	"slices"
)

// posting says that an article has a term, and how much it weighs there.
type posting struct {
	article uint32
	all     float32 // weight in the vector of all tokens, or of names
	title   float32 // weight in the vector of title tokens; 0 for names
}

// index finds stories that share terms with an article. Its weights are rounded: it only chooses whom to compare exactly.
type index struct {
	tokens [][]posting // by term id
	names  [][]posting
}

func (x *index) add(a *article) {
	for i := range a.tokens() {
		e := &a.terms[i]
		w, _ := a.weigh(e)
		x.tokens = grow(x.tokens, e.id)
		x.tokens[e.id] = append(x.tokens[e.id], posting{a.index, float32(w[vAll]), float32(w[vTitle])})
	}
	for i := range a.names() {
		e := &a.names()[i]
		x.names = grow(x.names, e.id)
		x.names[e.id] = append(x.names[e.id], posting{article: a.index, all: float32(a.nameWeight(e))})
	}
}

func grow(lists [][]posting, id uint32) [][]posting {
	for int(id) >= len(lists) {
		lists = append(lists, nil)
	}
	return lists
}

// The retrieval key weighs cosines of all tokens, names and title.
const (
	keyNames = 0.5
	keyTitle = 0.3
)

// retrieve lists the active stories nearest to an article by the retrieval key, best first, ties by older story; more than will be ranked,
// so that rounding in the index leaves nobody out.
func (s *stream) retrieve(a *article, window int64) []*story {
	const enough = 20
	s.accumulate(a)
	near := s.nearby[:0]
	stories := s.found[:0]
	for _, i := range s.touched {
		m := s.articles[i]
		dots := s.dots[i]
		s.dots[i] = [3]float64{}
		if m == nil || m == a || m.story == nil || a.at-m.story.newest > followSpan {
			continue
		}
		if dots[0] >= nearCopyDot {
			near = append(near, nearby{m, dots[0]})
		}
		st := m.story
		if !st.seen {
			st.seen = true
			st.cosine = [3]float64{}
			stories = append(stories, st)
		}
		for r, dot := range dots {
			st.cosine[r] += dot
		}
	}
	s.touched = s.touched[:0]
	s.keepNear(near)
	for _, st := range stories {
		st.seen = false
		for r, v := range [3]int{vAll, vNames, vTitle} {
			st.cosine[r] /= math.Sqrt(max(st.square[v], 1e-9))
		}
	}
	s.found = stories
	open := stories[:0]
	s.closed = s.closed[:0]
	for _, st := range stories {
		if st.closed(a.at, window) {
			s.closed = append(s.closed, st)
			continue
		}
		open = append(open, st)
	}
	s.closed = nearest(s.closed, followMost)
	return nearest(open, enough)
}

// nearest moves the n stories with the best keys to the front, in order, ties by older story.
func nearest(stories []*story, n int) []*story {
	n = min(n, len(stories))
	order := func(x, y *story) int {
		return cmp.Or(cmp.Compare(key(y.cosine), key(x.cosine)), cmp.Compare(x.members[0].index, y.members[0].index))
	}
	slices.SortFunc(stories[:n], order)
	for i := n; i < len(stories); i++ {
		if order(stories[i], stories[n-1]) >= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(stories[:n-1], stories[i], order)
		better := stories[i]
		stories[i] = stories[n-1]
		copy(stories[at+1:n], stories[at:n-1])
		stories[at] = better
	}
	return stories[:n]
}

func key(cosine [3]float64) float64 { return cosine[0] + keyNames*cosine[1] + keyTitle*cosine[2] }

// accumulate adds up dot products of the article with all others in s.dots, and lists those touched.
func (s *stream) accumulate(a *article) {
	for i := range a.tokens() {
		e := &a.terms[i]
		if int(e.id) >= len(s.index.tokens) {
			continue
		}
		w, _ := a.weigh(e)
		for _, p := range s.index.tokens[e.id] {
			s.touch(p.article)
			dots := &s.dots[p.article]
			dots[0] += w[vAll] * float64(p.all)
			dots[2] += w[vTitle] * float64(p.title)
		}
	}
	for i := range a.names() {
		e := &a.names()[i]
		if int(e.id) >= len(s.index.names) {
			continue
		}
		w := a.nameWeight(e)
		for _, p := range s.index.names[e.id] {
			s.touch(p.article)
			s.dots[p.article][1] += w * float64(p.all)
		}
	}
}

func (s *stream) touch(i uint32) {
	if s.dots[i] == [3]float64{} {
		s.touched = append(s.touched, i)
	}
}

// nearby is an article with its dot product in all tokens.
type nearby struct {
	article *article
	dot     float64
}

const (
	nearCopyDot = 0.2 // a copy shares more than this
	nearCopies  = 48  // articles looked at for copied text
)

// keepNear keeps the articles most like the one just retrieved for, to be compared shingle by shingle.
func (s *stream) keepNear(near []nearby) {
	slices.SortFunc(near, func(x, y nearby) int {
		return cmp.Or(cmp.Compare(y.dot, x.dot), cmp.Compare(x.article.index, y.article.index))
	})
	s.nearby = near
	s.near = s.near[:0]
	for _, n := range near[:min(nearCopies, len(near))] {
		s.near = append(s.near, n.article)
	}
}

package dedupe

import (
	"cmp"
	"math"
	"slices"
)

// posting says that an article has a term, and how much it weighs there.
type posting struct {
	article uint32
	all     uint16 // weight in the vector of all tokens, or of names, in parts of fine
	title   uint16 // weight in the vector of title tokens; 0 for names
}

// fine is the weight 1 in a posting.
const fine = 65535

// postingBudget is how many postings are looked at for one article. It is spent on rare terms first; below some hundred thousand articles
// it hardly ever ends before the terms do.
const postingBudget = 30_000

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
		x.tokens[e.id] = append(x.tokens[e.id], posting{a.index, uint16(w[vAll] * fine), uint16(w[vTitle] * fine)})
	}
	for i := range a.names() {
		e := &a.names()[i]
		x.names = grow(x.names, e.id)
		x.names[e.id] = append(x.names[e.id], posting{article: a.index, all: uint16(a.nameWeight(e) * fine)})
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

// lookup is a term to be looked up in the index.
type lookup struct {
	list  []posting
	all   float64 // weights of the article looked for, in parts of fine
	name  bool
	term  int // place among the article's terms
	title float64
}

// accumulate adds up dot products of the article with all others in s.dots, and lists those touched: rare terms first, until the budget is
// spent.
func (s *stream) accumulate(a *article) {
	budget := postingBudget
	for _, l := range s.lookups(a) {
		if budget -= len(l.list); budget < 0 {
			return
		}
		for _, p := range l.list {
			s.touch(p.article)
			dots := &s.dots[p.article]
			if l.name {
				dots[1] += l.all * float64(p.all)
				continue
			}
			dots[0] += l.all * float64(p.all)
			dots[2] += l.title * float64(p.title)
		}
	}
}

// lookups are the terms of an article that the index knows, those of the fewest articles first.
func (s *stream) lookups(a *article) []lookup {
	found := s.terms[:0]
	for i := range a.terms {
		e := &a.terms[i]
		l := lookup{name: i >= a.nTokens, term: i}
		lists := s.index.tokens
		if l.name {
			lists = s.index.names
		}
		if int(e.id) >= len(lists) || len(lists[e.id]) == 0 {
			continue
		}
		l.list = lists[e.id]
		if l.name {
			l.all = a.nameWeight(e) / fine
		} else {
			w, _ := a.weigh(e)
			l.all, l.title = w[vAll]/fine, w[vTitle]/fine
		}
		found = append(found, l)
	}
	slices.SortFunc(found, func(x, y lookup) int {
		return cmp.Or(cmp.Compare(len(x.list), len(y.list)), cmp.Compare(x.term, y.term))
	})
	s.terms = found
	return found
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

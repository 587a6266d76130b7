package dedupe

import (
	"math"
	"math/bits"
	"slices"
)

// The retrieval key weighs cosines of all tokens, names and title.
const (
	keyNames = 0.5
	keyTitle = 0.3
)

const (
	mostTouched = 4096 // postings read for one article
	enoughOpen  = 13   // stories retrieved: more than will be ranked, as the order here is not exact
	nearCopyDot = 0.05 // a copy shares more than this
	nearCopies  = 24   // articles looked at for copied text
)

// retrieval is the scratch of finding the stories near one article. Only terms that few articles have are looked up: what they find is then
// compared exactly. So the work does not grow with the number of articles.
type retrieval struct {
	round   uint32     // counts retrievals
	sources []source   // lists to read
	order   []uint16   // of the sources: shortest first
	reached []reached  // by index of article
	touched []uint32   // indexes of those reached in this round
	reach   []nearby   // the same with their keys
	nearby  []nearby   // in order of keys
	open    []*story   // found, best first
	closed  []*story   // found, but no longer open, best first
	copies  []*article // that may have the same text, best first
}

// source is a list of articles that have one of the terms, and what the term weighs in the article retrieved for.
type source struct {
	list              []posting
	all, names, title float32
}

// reached is the part of an article's dot products that the terms looked up make.
type reached struct {
	all, names, title float32
	round             uint32 // in which this was added up
}

// retrieve finds the stories nearest to an article by the retrieval key of their nearest members.
func (s *stream) retrieve(a *article, window int64) {
	r := &s.retrieval
	r.round++
	r.lookUp(a, &s.index)
	r.touch()
	r.rank()
	r.open, r.closed, r.copies = r.open[:0], r.closed[:0], r.copies[:0]
	for end := 0; end < len(r.nearby); {
		start := end
		for end < len(r.nearby) && r.nearby[end].bucket() == r.nearby[start].bucket() {
			end++
		}
		slices.Sort(r.nearby[start:end])
		for _, n := range r.nearby[start:end] {
			if len(r.open) == enoughOpen {
				return
			}
			s.meet(a, n.index(), window)
		}
	}
}

// lookUp lists the sources, shortest lists first.
func (r *retrieval) lookUp(a *article, x *index) {
	r.sources = r.sources[:0]
	for i := range a.tokens() {
		e := &a.terms[i]
		if list := read(x.tokens, e.id); len(list) > 0 {
			w, _ := a.weigh(e)
			r.sources = append(r.sources, source{list: list, all: float32(w[vAll] / fine), title: float32(w[vTitle] / fine)})
		}
	}
	for i := range a.names() {
		e := &a.names()[i]
		if list := read(x.names, e.id); len(list) > 0 {
			r.sources = append(r.sources, source{list: list, names: float32(a.nameWeight(e) / fine)})
		}
	}
	r.sort()
}

// sort orders the sources by the magnitude of their length.
func (r *retrieval) sort() {
	const magnitudes = 16
	var start [magnitudes + 1]int
	for i := range r.sources {
		start[bits.Len(uint(len(r.sources[i].list)))+1]++
	}
	for m := range magnitudes {
		start[m+1] += start[m]
	}
	r.order = slices.Grow(r.order[:0], len(r.sources))[:len(r.sources)]
	for i := range r.sources {
		m := bits.Len(uint(len(r.sources[i].list)))
		r.order[start[m]] = uint16(i)
		start[m]++
	}
}

// touch adds up dot products until enough postings are read.
func (r *retrieval) touch() {
	r.touched = r.touched[:0]
	budget := mostTouched
	for _, i := range r.order {
		src := &r.sources[i]
		if budget -= len(src.list); budget < 0 {
			return
		}
		for _, p := range src.list {
			m := &r.reached[p.article]
			if m.round != r.round {
				*m = reached{round: r.round}
				r.touched = append(r.touched, p.article)
			}
			all := float32(p.all)
			m.all += src.all * all
			m.names += src.names * all
			m.title += src.title * float32(p.title)
		}
	}
}

// rank puts the articles reached in order, but for those of about the same key: few of them will be looked at.
func (r *retrieval) rank() {
	var start [buckets + 1]int
	r.reach = r.reach[:0]
	for _, i := range r.touched {
		m := &r.reached[i]
		n := near(i, m.all+keyNames*m.names+keyTitle*m.title)
		r.reach = append(r.reach, n)
		start[n.bucket()+1]++
	}
	for b := range buckets {
		start[b+1] += start[b]
	}
	r.nearby = slices.Grow(r.nearby[:0], len(r.reach))[:len(r.reach)]
	for _, n := range r.reach {
		b := n.bucket()
		r.nearby[start[b]] = n
		start[b]++
	}
}

// nearby is the index of an article that was reached, with its key. Better keys come first in the natural order, ties by index.
type nearby uint64

func near(index uint32, key float32) nearby {
	return nearby(^math.Float32bits(key))<<32 | nearby(index)
}

func (n nearby) index() uint32 { return uint32(n) }
func (n nearby) key() float32  { return math.Float32frombits(^uint32(n >> 32)) }

// buckets is the number of classes of keys.
const buckets = 256

// bucket is the class of the key, best first.
func (n nearby) bucket() int { return buckets - 1 - min(buckets-1, int(n.key()*(buckets/2))) }

// meet files the story of an article that was found, the first time, and the article as a possible copy.
func (s *stream) meet(a *article, index uint32, window int64) {
	r := &s.retrieval
	m := s.articles[index]
	if m == nil || m == a || m.story == nil || a.at-m.story.newest > followSpan {
		return
	}
	if r.reached[index].all >= nearCopyDot && len(r.copies) < nearCopies {
		r.copies = append(r.copies, m)
	}
	st := m.story
	if st.round == r.round {
		return
	}
	st.round, st.nearest = r.round, m
	if !st.closed(a.at, window) {
		r.open = append(r.open, st)
	} else if len(r.closed) < followMost {
		r.closed = append(r.closed, st)
	}
}

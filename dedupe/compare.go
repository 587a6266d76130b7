package dedupe

import "slices"

// likeness is what two articles have in common, seen from the newer one.
type likeness struct {
	dot     [vectors]float64 // of the unit vectors
	title   float64          // idf of the first one's title tokens that the second has anywhere
	reverse float64          // idf of the second one's title tokens that the first has anywhere
	subject float64          // like title, over tokens that are no part of a name
	theirs  float64          // like reverse, likewise
	names   float64          // idf of the first one's title names that the second has
	rarest  float64          // largest idf of a token they share
	rare    float64          // how many rare tokens they share
	plain   float64          // how many tokens they share that are no part of a name
	telling float64          // how many of those are fairly rare
	hardest float64          // largest idf of one of those
}

// rareIDF is the idf from which a token is rare: about one article in ninety has it.
const rareIDF = 4.5

// tellingIDF is the idf from which a token that is no part of a name tells what happened: about one article in fifty-five has it.
const tellingIDF = 4

// probe holds an article unfolded, to compare it with many others. It belongs to its stream, and must be closed before the next is opened.
type probe struct {
	s      *stream
	a      *article
	tokens []probeTerm
	names  []probeTerm

	tokenIDs, nameIDs filter // of the terms
	shingles          filter // hashes of the sketch, once they are asked for
	sketched          bool
}

type probeTerm struct {
	w     [vectors]float64
	idf   float64
	title float64 // idf if the title has the term, else 0
	plain float64 // the same unless the term is part of a name
}

// open unfolds an article.
func (s *stream) open(a *article) *probe {
	p := &s.probe
	p.s, p.a = s, a
	p.tokens, p.names = p.tokens[:0], p.names[:0]
	for i := range a.tokens() {
		e := &a.terms[i]
		w, idf := a.weigh(e)
		t := probeTerm{w: w, idf: idf}
		if e.titles() > 0 {
			t.title = idf
			if !e.named() {
				t.plain = idf
			}
		}
		p.tokens = append(p.tokens, t)
		s.tokens.slots[e.id] = uint32(len(p.tokens))
		p.tokenIDs.add(e.id)
	}
	for i := range a.names() {
		e := &a.names()[i]
		t := probeTerm{w: [vectors]float64{vNames: a.nameWeight(e)}}
		if e.titles() > 0 {
			t.title = a.idf(e.df)
		}
		p.names = append(p.names, t)
		s.names.slots[e.id] = uint32(len(p.names))
		p.nameIDs.add(e.id)
	}
	return p
}

func (p *probe) close() {
	for i := range p.a.tokens() {
		id := p.a.terms[i].id
		p.s.tokens.slots[id] = 0
		p.tokenIDs.forget(id)
	}
	for i := range p.a.names() {
		id := p.a.names()[i].id
		p.s.names.slots[id] = 0
		p.nameIDs.forget(id)
	}
	if p.sketched {
		p.sketched = false
		for _, h := range p.a.sketch.hashes {
			p.shingles.forget(h)
		}
	}
}

// compare sums in the order of the other article's terms.
func (p *probe) compare(m *article) likeness {
	var l likeness
	for i := range m.tokens() {
		e := &m.terms[i]
		if !p.tokenIDs.may(e.id) {
			continue
		}
		slot := p.s.tokens.slots[e.id]
		if slot == 0 {
			continue
		}
		mine := &p.tokens[slot-1]
		idf := m.idf(e.df)
		all := tf(int(e.all)) * idf
		l.dot[vAll] += mine.w[vAll] * all
		if !e.named() {
			l.dot[vNoName] += mine.w[vNoName] * all
		}
		if e.lede > 0 {
			l.dot[vLede] += mine.w[vLede] * tf(int(e.lede)) * idf
		}
		l.title += mine.title
		l.subject += mine.plain
		if mine.w[vNoName] > 0 {
			l.plain++
			l.hardest = max(l.hardest, mine.idf)
			if mine.idf >= tellingIDF {
				l.telling++
			}
		}
		l.rarest = max(l.rarest, mine.idf)
		if mine.idf >= rareIDF {
			l.rare++
		}
		if n := e.titles(); n > 0 {
			l.dot[vTitle] += mine.w[vTitle] * tf(int(n)) * idf
			l.reverse += idf
			if !e.named() {
				l.theirs += idf
			}
		}
	}
	for i := range m.names() {
		e := &m.names()[i]
		if !p.nameIDs.may(e.id) {
			continue
		}
		slot := p.s.names.slots[e.id]
		if slot == 0 {
			continue
		}
		mine := &p.names[slot-1]
		l.dot[vNames] += mine.w[vNames] * tf(int(e.all)) * m.idf(e.df)
		l.names += mine.title
	}
	for v := range l.dot {
		l.dot[v] *= m.scale[v]
	}
	return l
}

// runs is the share of runs of words in common with another article.
func (p *probe) runs(m *article) float64 {
	a, b := &p.a.sketch, &m.sketch
	if len(a.hashes) == 0 || len(b.hashes) == 0 {
		return 0
	}
	if !p.sketched {
		p.sketched = true
		for _, h := range a.hashes {
			p.shingles.add(h)
		}
	}
	limit := min(a.limit(), b.limit())
	mine, theirs := a.upTo(limit), b.upTo(limit)
	both := 0
	for _, h := range theirs {
		if p.shingles.may(h) {
			if _, ok := slices.BinarySearch(mine, h); ok {
				both++
			}
		}
	}
	return float64(both) / float64(max(5, shorter(a, b, mine, theirs)))
}

package dedupe

import (
	"cmp"
	"math"
	"slices"
)

const (
	ranked      = 12    // candidates whose cosines make the background
	manyStories = 30    // active stories from which the window is not sparse
	scored      = 8     // candidates that are scored
	sampleSize  = 4     // members a story is first judged by
	fullSize    = 3     // stories that may then be judged by their whole core
	unlikely    = 0.01  // probability so near to 0, or 1, that a sample is enough
	leastKey    = 0.03  // retrieval key below which nobody is scored
	hopeless    = 0.002 // probability from which shared runs of words can make a difference
	runsDot     = 0.1   // dot product of all tokens below which no runs of words are looked for
)

// candidate is a story an article could join.
type candidate struct {
	story    *story
	sum      [vectors]float64 // dot products with the members of the core looked at
	looked   int              // how many those are
	cosine   [vectors]float64
	key      float64
	member   *article   // the most similar one
	titled   *article   // the one with the most similar title; nil if none shares a word of it
	guard    string     // the guard that objected, if one did
	best     likeness   // largest of each measure over the members
	second   float64    // dot product of all tokens with the second most similar member
	akin     []*article // members like enough to share runs of words
	runs     float64    // largest share of runs of words in common with one of them
	mean     float64    // mean dot product of all tokens over the members
	features Features
	p        float64
}

// candidates scores the stories nearest to an article, best retrieval key first.
func (s *stream) candidates(a *article, o *settings) []candidate {
	s.retrieve(a, o.window)
	p := s.open(a)
	defer p.close()
	s.top = slices.Grow(s.top[:0], len(s.retrieval.open))[:len(s.retrieval.open)]
	for i, st := range s.retrieval.open {
		c := &s.top[i]
		*c = candidate{story: st, akin: c.akin[:0]}
		p.consider(c, sampleSize)
	}
	active := s.activeStories(a.at, o.window, manyStories)
	s.sparse = 1 - float64(active)/manyStories
	s.threshold = s.lift(o.threshold, a)
	top := s.judge(p, active, o.model)
	if p.hesitates(top[:min(len(top), fullSize)]) {
		top = s.judge(p, active, o.model)
	}
	for i := range top {
		if top[i].p >= s.threshold {
			top[i].guard = s.object(a, &top[i])
		}
	}
	return top
}

// judge sorts the candidates, measures the best of them against the background of the others, and returns those.
func (s *stream) judge(p *probe, active int, m *Model) []candidate {
	slices.SortFunc(s.top, byKey)
	s.background = backgroundOf(s.top[:min(len(s.top), ranked)], active, &m.Missing)
	top := s.top[:min(len(s.top), scored)]
	for i := range top {
		if top[i].key <= leastKey {
			return top[:i]
		}
		c := &top[i]
		c.features = c.measure(p.a, s.background, s.sparse)
		c.p = m.Score(&c.features)
		if c.p > hopeless && len(c.akin) > 0 {
			p.measureRuns(c)
			c.features[featureRuns] = c.runs
			c.p = m.Score(&c.features)
		}
	}
	return top
}

// hesitates looks at the rest of the core where a sample of it has left doubts, and reports whether it did so.
func (p *probe) hesitates(top []candidate) bool {
	looked := false
	for i := range top {
		if c := &top[i]; c.p > unlikely && c.p < 1-unlikely && c.looked < len(c.story.core()) {
			p.consider(c, coreSize)
			looked = true
		}
	}
	return looked
}

func byKey(x, y candidate) int {
	return cmp.Or(cmp.Compare(y.key, x.key), cmp.Compare(x.story.members[0].index, y.story.members[0].index))
}

// consider compares an article with members of the core of a candidate, up to the given number of them, and with the member that was found
// nearest. It goes on where it stopped before.
func (p *probe) consider(c *candidate, most int) {
	st := c.story
	core := st.core()
	size := float64(len(core))
	first := c.looked == 0
	near := st.nearest
	core = core[:min(most, len(core))]
	for _, m := range core[c.looked:] {
		l := p.compare(m)
		for v := range c.sum {
			c.sum[v] += l.dot[v]
		}
		if first || m != near {
			p.note(c, m, &l)
		}
	}
	c.looked = len(core)
	if first && near != nil && near.story == st && near.index > core[len(core)-1].index {
		l := p.compare(near)
		p.note(c, near, &l)
	}
	for v := range c.sum {
		c.cosine[v] = c.sum[v] * size / float64(c.looked) / math.Sqrt(max(st.square[v], 1e-9))
	}
	c.mean = c.sum[vAll] / float64(c.looked)
	c.key = c.cosine[vAll] + keyNames*c.cosine[vNames] + keyTitle*c.cosine[vTitle]
}

// note keeps the largest of each measure over the members looked at.
func (p *probe) note(c *candidate, m *article, l *likeness) {
	if c.member == nil || l.dot[vAll] > c.best.dot[vAll] {
		c.second = c.best.dot[vAll]
		c.member = m
	} else {
		c.second = max(c.second, l.dot[vAll])
	}
	if l.dot[vTitle] > c.best.dot[vTitle] {
		c.titled = m
	}
	for v := range c.best.dot {
		c.best.dot[v] = max(c.best.dot[v], l.dot[v])
	}
	c.best.title = max(c.best.title, l.title)
	c.best.reverse = max(c.best.reverse, l.reverse/max(1e-6, m.titleSum))
	c.best.names = max(c.best.names, l.names)
	c.best.subject = max(c.best.subject, l.subject)
	if m.plainSum > 0 {
		c.best.theirs = max(c.best.theirs, l.theirs/m.plainSum)
	}
	c.best.plain = max(c.best.plain, l.plain)
	c.best.telling = max(c.best.telling, l.telling)
	c.best.hardest = max(c.best.hardest, l.hardest)
	c.best.rarest = max(c.best.rarest, l.rarest)
	c.best.rare = max(c.best.rare, l.rare)
	if l.dot[vAll] >= runsDot {
		c.akin = append(c.akin, m)
	}
}

// measureRuns looks for runs of words in common with the members that may share some.
func (p *probe) measureRuns(c *candidate) {
	for _, m := range c.akin {
		c.runs = max(c.runs, p.runs(m))
	}
	c.akin = c.akin[:0]
}

// backgroundOf is, for each vector, the mean cosine of the candidates in fourth place and below: what an unrelated story looks like just
// now. Stories that share no term count as 0; places for which there is no story at all, as missing says.
func backgroundOf(top []candidate, active int, missing *Missing) [vectors]float64 {
	const near = 3
	var background [vectors]float64
	places := max(near, min(ranked, active))
	empty := float64(ranked - places)
	total := float64(ranked - near)
	if *missing == (Missing{}) {
		total = max(1, float64(places-near))
	}
	cosines := make([]float64, len(top))
	for v := range background {
		for i := range top {
			cosines[i] = top[i].cosine[v]
		}
		slices.SortFunc(cosines, func(x, y float64) int { return cmp.Compare(y, x) })
		for _, c := range cosines[min(near, len(cosines)):] {
			background[v] += c
		}
	}
	background[vAll] += empty * missing.All
	background[vNames] += empty * missing.Names
	background[vTitle] += empty * missing.Title
	for v := range background {
		background[v] /= total
	}
	return background
}

// measure computes the features, in the order of FeatureNames.
func (c *candidate) measure(a *article, background [vectors]float64, sparse float64) Features {
	const day = 24 * 60 * 60 * 1000
	st := c.story
	size := float64(len(st.members))
	total, longest := 0, 0
	for _, m := range st.members {
		total += m.nTokens
		longest = max(longest, m.nTokens)
	}
	short := 0.0
	if min(a.nTokens, longest) < 25 {
		short = 1
	}
	titleNames := 0.3
	if a.nameSum > 0 {
		titleNames = c.best.names / a.nameSum
	}
	gap := max(0, float64(a.at-st.newest)/day)
	age := math.Abs(float64(a.at-st.oldest)) / day
	relative := func(v int) float64 { return c.cosine[v] / (c.cosine[v] + background[v] + 0.02) }
	return Features{
		c.cosine[vLede],
		c.cosine[vAll],
		c.best.dot[vAll],
		c.best.title / max(1e-6, a.titleSum),
		c.best.reverse,
		titleNames,
		math.Log1p(size) / 3,
		math.Log1p(float64(a.nTokens)) / 6,
		math.Log1p(float64(total)/size) / 6,
		short,
		c.cosine[vAll] - background[vAll],
		c.cosine[vTitle] - background[vTitle],
		c.cosine[vNames] - background[vNames],
		math.Exp(-gap * gap / 18),
		math.Exp(-age * age / 18),
		math.Log1p(gap*24) / 6,
		relative(vAll),
		relative(vNames),
		min(c.cosine[vNames], 2*c.cosine[vNoName]),
		c.best.rarest / 8,
		math.Log1p(c.best.rare) / 4,
		c.runs,
		c.second,
		c.mean,
		sparse,
		background[vAll],
		background[vNames],
		math.Log1p(float64(min(a.nTokens, longest))) / 6,
		c.best.dot[vLede],
		c.best.dot[vNames],
		c.best.dot[vTitle],
		c.best.subject / max(1e-6, a.plainSum),
		c.best.theirs,
		math.Log1p(c.best.plain) / 4,
		c.cosine[vNoName],
		c.best.dot[vNoName],
		c.best.hardest / 8,
		math.Log1p(c.best.telling) / 4,
	}
}

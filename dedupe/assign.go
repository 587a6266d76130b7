package dedupe

import (
	"slices"

	"sheaf"
)

// Oracle is asked about every article while a scorer is trained: it sees the scored candidates, best retrieval key first, and may name the
// member whose story the article must join (or its own id to start one). With ok false the Grouper decides.
type Oracle func(article sheaf.ArticleID, candidates []Scored) (member sheaf.ArticleID, ok bool)

// Scored is a candidate as an Oracle sees it.
type Scored struct {
	Members  []sheaf.ArticleID // in order of arrival
	Features Features
	Score    float64
}

// relatedFrom is the probability from which a story that was not joined is shown as related.
const relatedFrom = 0.3

// decide puts an article that has just been admitted into a story, and says how that came about.
func (g *Grouper) decide(s *stream, a *article, b *bag, in *sheaf.Article) Decision {
	candidates := s.candidates(a, &g.settings)
	g.forbid(a, candidates)
	d, ok := g.obey(s, a, candidates, in)
	if !ok {
		d = g.place(s, a, candidates, in)
	}
	s.question(a, candidates)
	if d.Founder == a.id {
		g.relateStart(s, a, b, candidates)
	}
	return d
}

// place goes through the rules in their order.
func (g *Grouper) place(s *stream, a *article, candidates []candidate, in *sheaf.Article) Decision {
	best := pick(candidates)
	if m := g.bidden(s, a); m != nil {
		m.story.insert(s, a)
		return a.decision(ReasonPinned, 1)
	}
	if original, c := s.original(a, &g.settings); original != nil && !g.forbidden(a, original.story) {
		return g.joinCopy(s, a, original, c)
	}
	if a.apart {
		g.start(s, sheaf.NewStoryID(in), a)
		return g.because(s, a, ReasonRole, best, candidates)
	}
	if best != nil && best.p >= s.threshold {
		best.story.insert(s, a)
		return g.because(s, a, ReasonSameEvent, best, candidates)
	}
	st := g.start(s, sheaf.NewStoryID(in), a)
	if i := slices.IndexFunc(candidates, func(c candidate) bool { return c.guard != "" }); i >= 0 {
		return g.because(s, a, ReasonGuard, &candidates[i], candidates)
	}
	if best != nil && best.p >= relatedFrom {
		return g.because(s, a, ReasonRelated, best, candidates)
	}
	if closed, p := s.followed(a, g.settings.model); closed != nil {
		st.follows = closed.id
		d := g.because(s, a, ReasonLateFollow, best, candidates)
		d.Score = p
		return d
	}
	return g.because(s, a, ReasonNew, best, candidates)
}

// relateStart links a new story with those that were close, with roundups that mention it, and with other languages.
func (g *Grouper) relateStart(s *stream, a *article, b *bag, candidates []candidate) {
	a.relate(candidates, relatedFrom)
	if !a.apart {
		s.relateApart(a, g.settings.model)
		g.relateAcross(s, a, b)
	}
}

// guardNever objects to a story that holds an article which an editor keeps apart.
const guardNever = "never"

func (g *Grouper) forbid(a *article, candidates []candidate) {
	for i := range candidates {
		if g.forbidden(a, candidates[i].story) {
			candidates[i].guard = guardNever
		}
	}
}

func score(c *candidate) float64 {
	if c == nil {
		return 0
	}
	return c.p
}

// joinCopy puts a copy beside the report whose text it is. Who was seen first has written it, whatever the two claim.
func (g *Grouper) joinCopy(s *stream, a, original *article, containment float64) Decision {
	s.uncount(a)
	original.story.insert(s, a)
	a.copyOf, a.role = original, sheaf.RoleCopy
	if a.firstSeen < original.firstSeen {
		g.reroot(a, original)
	}
	reason := ReasonCopy
	if a.wire || original.wire {
		reason = ReasonWire
	}
	d := a.decision(reason, containment)
	d.Threshold, d.Best = copyLimit, a.root().id
	if a.copyOf == nil {
		d.Best = original.id
	}
	return d
}

// reroot makes a the report, and what was the report, with all its copies, copies of it.
func (g *Grouper) reroot(a, was *article) {
	group := a.story.groupOf(was)
	a.copyOf, a.role = nil, a.ownRole()
	for _, m := range group {
		if m != a {
			m.copyOf, m.role = a, sheaf.RoleCopy
			g.changed = append(g.changed, m)
		}
	}
}

// ownRole is the role of an article that is no copy.
func (a *article) ownRole() sheaf.Role {
	if a.kind.aside() {
		return sheaf.RoleAside
	}
	return sheaf.RoleReport
}

// pick is the most probable candidate that no guard objects to; ties go to the better retrieval key, which comes first.
func pick(candidates []candidate) *candidate {
	var best *candidate
	for i := range candidates {
		if candidates[i].guard == "" && (best == nil || candidates[i].p > best.p) {
			best = &candidates[i]
		}
	}
	return best
}

// obey asks the oracle, if there is one.
func (g *Grouper) obey(s *stream, a *article, candidates []candidate, in *sheaf.Article) (Decision, bool) {
	if g.settings.oracle == nil {
		return Decision{}, false
	}
	seen := make([]Scored, len(candidates))
	for i, c := range candidates {
		seen[i] = Scored{Features: c.features, Score: c.p}
		for _, m := range c.story.members {
			seen[i].Members = append(seen[i].Members, m.id)
		}
	}
	member, ok := g.settings.oracle(a.id, seen)
	if !ok {
		return Decision{}, false
	}
	if to := g.articles[member]; to != nil && to != a {
		to.story.insert(s, a)
	} else {
		g.start(s, sheaf.NewStoryID(in), a)
	}
	return a.decision(ReasonPinned, 1), true
}

package dedupe

import "sheaf"

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

// decide puts an article that has just been admitted into a story.
func (g *Grouper) decide(s *stream, a *article, in *sheaf.Article) Decision {
	candidates := s.candidates(a, &g.settings)
	if d, ok := g.obey(s, a, candidates, in); ok {
		return d
	}
	if a.kind == kindRoundup {
		g.start(s, sheaf.NewStoryID(in), a)
		a.relate(candidates, relatedFrom)
		return a.decision(ReasonRole, score(pick(candidates)))
	}
	if original, c := s.original(a, &g.settings); original != nil {
		return g.joinCopy(s, a, original, c)
	}
	best := pick(candidates)
	if best != nil && best.p >= g.settings.threshold {
		best.story.insert(s, a)
		return a.decision(ReasonSameEvent, best.p)
	}
	g.start(s, sheaf.NewStoryID(in), a)
	if a.relate(candidates, relatedFrom) {
		return a.decision(ReasonRelated, best.p)
	}
	return a.decision(ReasonNew, score(best))
}

func score(c *candidate) float64 {
	if c == nil {
		return 0
	}
	return c.p
}

// joinCopy puts a copy beside the report whose text it is.
func (g *Grouper) joinCopy(s *stream, a, original *article, containment float64) Decision {
	s.uncount(a)
	a.copyOf, a.role = original, sheaf.RoleCopy
	original.story.insert(s, a)
	reason := ReasonCopy
	if a.wire || original.wire {
		reason = ReasonWire
	}
	return a.decision(reason, containment)
}

// pick is the most probable candidate; ties go to the better retrieval key, which comes first.
func pick(candidates []candidate) *candidate {
	var best *candidate
	for i := range candidates {
		if best == nil || candidates[i].p > best.p {
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

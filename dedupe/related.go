package dedupe

import (
	"cmp"
	"slices"
	"strings"

	"sheaf"
)

// mostRelated is how many related stories are listed.
const mostRelated = 3

// link ties an article to one of another story that was close when it came. It points at the article, so that it follows when stories
// change.
type link struct {
	to    *article
	score float64
}

// relate links an article with the candidates of at least probability from, in both directions.
func (a *article) relate(candidates []candidate, from float64) {
	for i := range candidates {
		if c := &candidates[i]; c.p >= from && c.story != a.story {
			a.tie(c.member, c.p)
		}
	}
}

func (a *article) tie(m *article, score float64) {
	a.links = append(a.links, link{m, score})
	m.links = append(m.links, link{a, score})
}

// Related lists the stories that are close to a story without being part of it: at most three, the closest first.
func (g *Grouper) Related(id sheaf.StoryID) []sheaf.Related {
	st := g.stories[id]
	if st == nil {
		return nil
	}
	best := make(map[sheaf.StoryID]float64)
	for _, m := range st.members {
		for _, l := range m.links {
			if to := l.to.story; to != nil && to != st {
				best[to.id] = max(best[to.id], l.score)
			}
		}
	}
	related := make([]sheaf.Related, 0, len(best))
	for id, score := range best {
		related = append(related, sheaf.Related{Story: id, Score: score})
	}
	slices.SortFunc(related, func(x, y sheaf.Related) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), strings.Compare(string(x.Story), string(y.Story)))
	})
	return related[:min(mostRelated, len(related))]
}

// relateApart links an article that starts a story with the roundups of the last days that mention it: roundups are not found by the
// index.
func (s *stream) relateApart(a *article, m *Model) {
	const from = 0.15
	p := s.open(a)
	defer p.close()
	for _, r := range s.nearApart(a) {
		c := candidate{story: r.story}
		p.consider(&c, coreSize)
		p.measureRuns(&c)
		c.features = c.measure(a, s.background, s.sparse)
		if c.p = m.Score(&c.features); c.p >= from {
			a.tie(r, c.p)
		}
	}
}

// nearApart lists the articles that stand apart among the last to come, and near in time, latest first.
func (s *stream) nearApart(a *article) []*article {
	const most, span = 50, 3 * dayMillis
	var near []*article
	for n, i := 0, len(s.apart)-1; i >= 0 && n < most; n, i = n+1, i-1 {
		if r := s.apart[i]; r != a && max(a.at-r.at, r.at-a.at) <= span {
			near = append(near, r)
		}
	}
	return near
}

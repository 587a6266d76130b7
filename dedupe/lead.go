package dedupe

import (
	"cmp"
	"strings"

	"sheaf"
)

// Lead is the article that heads a story: a report rather than a copy or an aside, full text rather than a summary, then the one most like
// the whole story, then the one seen first. It is empty for a story the Grouper does not know.
func (g *Grouper) Lead(id sheaf.StoryID) sheaf.ArticleID {
	st := g.stories[id]
	if st == nil {
		return ""
	}
	likeness := st.likeness(g.streamOf(st))
	lead := 0
	for i := range st.members {
		a, b := st.members[i], st.members[lead]
		order := cmp.Or(
			cmp.Compare(a.standing(), b.standing()),
			cmp.Compare(likeness[i], likeness[lead]),
			cmp.Compare(b.firstSeen, a.firstSeen),
			strings.Compare(string(b.id), string(a.id)),
		)
		if order > 0 {
			lead = i
		}
	}
	return st.members[lead].id
}

// standing ranks articles by what they are: 4 for a report with full text, less for others.
func (a *article) standing() int {
	standing := 0
	if a.kind == kindReport {
		standing += 4
	}
	if a.copyOf == nil {
		standing += 2
	}
	if a.fullText {
		standing++
	}
	return standing
}

// likeness is the dot product of each member with the sum of the core, by all tokens.
func (st *story) likeness(s *stream) []float64 {
	products := make([]float64, len(st.members))
	for i, a := range st.members {
		p := s.open(a)
		for _, m := range st.core() {
			products[i] += p.compare(m).dot[vAll]
		}
		p.close()
	}
	return products
}

// streamOf is the stream a story with members belongs to.
func (g *Grouper) streamOf(st *story) *stream { return g.streams[st.language] }

// Follows is the closed story that a story continues; empty if it continues none.
func (g *Grouper) Follows(id sheaf.StoryID) sheaf.StoryID {
	if st := g.stories[id]; st != nil {
		return st.follows
	}
	return ""
}

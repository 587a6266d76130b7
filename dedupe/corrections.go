package dedupe

import (
	"fmt"

	"sheaf"
)

// Constraint is an editor's word about two articles. It outranks every rule, and holds through restarts and replays because it is given to
// every Grouper anew.
type Constraint struct {
	A, B     sheaf.ArticleID
	Together bool // must be in one story; else must never be
}

// Constrain adds constraints. Those about articles to come wait for them; those about articles already decided are carried out at once. It
// returns one Decision for every article whose story changed. It fails, and does nothing, if an article is constrained with itself.
func (g *Grouper) Constrain(constraints ...Constraint) ([]Decision, error) {
	for _, c := range constraints {
		if c.A == c.B {
			return nil, fmt.Errorf("constrain article %s with itself", c.A)
		}
	}
	for _, c := range constraints {
		g.constrain(c.A, c.B, c.Together)
		g.constrain(c.B, c.A, c.Together)
	}
	return g.comply(constraints), nil
}

// mostRounds bounds how often constraints are gone through: those that contradict one another never all hold.
const mostRounds = 8

// comply carries constraints out until all hold: what one of them moves may have to take along what another has moved before.
func (g *Grouper) comply(constraints []Constraint) []Decision {
	var moved []Decision
	for range mostRounds {
		before := len(moved)
		for _, c := range constraints {
			if a, b := g.articles[c.A], g.articles[c.B]; a != nil && b != nil {
				moved = append(moved, g.carryOut(a, b, c.Together)...)
			}
		}
		if len(moved) == before {
			break
		}
	}
	return onePerArticle(moved)
}

// onePerArticle makes one decision of those about an article: from where it was before the first to where it is after the last.
func onePerArticle(moved []Decision) []Decision {
	from := make(map[sheaf.ArticleID]sheaf.StoryID)
	last := make(map[sheaf.ArticleID]int)
	for i, d := range moved {
		if _, ok := last[d.Article]; !ok {
			from[d.Article] = d.From
		}
		last[d.Article] = i
	}
	var decisions []Decision
	for i, d := range moved {
		if d.From = from[d.Article]; last[d.Article] == i && d.From != d.Story {
			decisions = append(decisions, d)
		}
	}
	return decisions
}

func (g *Grouper) constrain(a, b sheaf.ArticleID, together bool) {
	if g.constraints[a] == nil {
		g.constraints[a] = make(map[sheaf.ArticleID]bool)
	}
	g.constraints[a][b] = together
	if known := g.articles[a]; known != nil {
		known.bound = true
	}
}

// carryOut moves the later of two decided articles, with its copies, to where the constraint wants it. Of two with one text, only the copy
// moves.
func (g *Grouper) carryOut(a, b *article, together bool) []Decision {
	if together == (a.story == b.story) {
		return nil
	}
	if a.index > b.index {
		a, b = b, a
	}
	if a.root() == b {
		a, b = b, a
	}
	s := g.streamOf(b.story)
	if together && g.streamOf(a.story) != s {
		return nil // languages are never mixed
	}
	from := b.story
	if b.copyOf != nil && !together {
		b.copyOf, b.role = nil, b.ownRole() // an editor takes it for a report of its own
	}
	group := from.groupOf(b.root())
	from.remove(s, group)
	if together {
		a.story.insert(s, group...)
	} else {
		g.start(s, sheaf.StoryID(sheaf.UUID("urn:sheaf:article:"+string(b.id))), group...)
	}
	var moved []Decision
	for _, m := range group {
		d := m.decision(ReasonPinned, 1)
		d.From = from.id
		moved = append(moved, d)
	}
	if len(from.members) == 0 {
		g.sweepStories(s)
	}
	return moved
}

// fixed reports an article that only an editor moves.
func (a *article) fixed() bool { return a.bound }

// unmovable reports an article that keeps its story where it is.
func (a *article) unmovable() bool { return a.bound || a.apart }

// forbidden reports a story with a member that the article must never be with.
func (g *Grouper) forbidden(a *article, st *story) bool {
	rules := g.constraints[a.id]
	if len(rules) == 0 {
		return false
	}
	for _, m := range st.members {
		if together, ok := rules[m.id]; ok && !together {
			return true
		}
	}
	return false
}

// bidden is the earliest known article that an article must be with, or nil.
func (g *Grouper) bidden(s *stream, a *article) *article {
	var first *article
	for id, together := range g.constraints[a.id] {
		m := g.articles[id]
		if together && m != nil && m != a && m.story != nil && g.streamOf(m.story) == s && (first == nil || m.index < first.index) {
			first = m
		}
	}
	return first
}

package dedupe

import (
	"slices"
	"time"

	"sheaf"
)

const (
	polishSpan = 72 * time.Hour
	moveLead   = 0.15 // how much more probable another story must be
	evictGap   = 0.35 // how far below the threshold an article falls out
)

// Polish looks at recent decisions again, now that more is known: articles move to a story that has become clearly better, and leave one
// that no longer fits. It returns one Decision for every article whose story changed, in order of time.
func (g *Grouper) Polish() []Decision {
	var moved []Decision
	for _, code := range g.languages() {
		moved = append(moved, g.polish(g.streams[code])...)
	}
	return moved
}

// languages lists the languages met so far, sorted.
func (g *Grouper) languages() []string {
	codes := make([]string, 0, len(g.streams))
	for code := range g.streams {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return codes
}

func (g *Grouper) polish(s *stream) []Decision {
	span := s.span(g.settings.polishAll)
	from := make([]sheaf.StoryID, len(span))
	decisions := make([]Decision, len(span))
	for i, a := range span {
		from[i] = a.story.id
	}
	for range g.settings.passes {
		moves := 0
		for i, a := range span {
			home := a.story
			reason, score := g.reconsider(s, a)
			if a.story != home {
				decisions[i] = Decision{Reason: reason, Score: score}
				moves++
			}
		}
		if moves == 0 {
			break
		}
	}
	var moved []Decision
	for i, a := range span {
		if a.story.id != from[i] {
			d := a.decision(decisions[i].Reason, decisions[i].Score)
			d.From = from[i]
			moved = append(moved, d)
		}
	}
	g.sweepStories(s)
	return moved
}

// span lists the articles to polish, in order of time.
func (s *stream) span(all bool) []*article {
	var span []*article
	limit := s.newest - polishSpan.Milliseconds()
	for _, a := range s.articles {
		if a != nil && (all || a.at >= limit) {
			span = append(span, a)
		}
	}
	slices.SortStableFunc(span, byTime)
	return span
}

// reconsider takes an article out of its story and puts it where it fits best now.
func (g *Grouper) reconsider(s *stream, a *article) (Reason, float64) {
	home := a.story
	home.remove(s, a)
	candidates := s.candidates(a, &g.settings)
	best := pick(candidates)
	stay, p := 0.0, 0.0
	for i := range candidates {
		if candidates[i].story == home {
			stay = candidates[i].p
		}
	}
	if best != nil {
		p = best.p
	}
	threshold := g.settings.threshold
	alone := len(home.members) == 0
	switch {
	case p >= threshold && best.story != home && (alone || p > stay+moveLead):
		best.story.insert(s, a)
		return ReasonMoved, p
	case !alone && stay < threshold-evictGap:
		g.start(s, a, sheaf.StoryID(sheaf.UUID("urn:sheaf:article:"+string(a.id))))
		return ReasonEvicted, stay
	}
	home.insert(s, a)
	return "", stay
}

// sweepStories forgets stories that lost all their members.
func (g *Grouper) sweepStories(s *stream) {
	s.stories = slices.DeleteFunc(s.stories, func(st *story) bool {
		if len(st.members) > 0 {
			return false
		}
		delete(g.stories, st.id)
		return true
	})
}

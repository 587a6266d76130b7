package dedupe

import (
	"math"
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
	oldest := s.newest - polishSpan.Milliseconds()
	if g.settings.polishAll {
		oldest = math.MinInt64
	}
	span := s.span(oldest)
	from := make([]sheaf.StoryID, len(span))
	decided := make(map[*article]Decision)
	for i, a := range span {
		from[i] = a.story.id
	}
	for range g.settings.passes {
		moves := 0
		for _, a := range span {
			if a.copyOf != nil || a.fixed() {
				continue // goes with its report
			}
			home := a.story
			if d := g.reconsider(s, a); a.story != home {
				decided[a] = d
				moves++
			}
		}
		moves += g.mergeFragments(s, oldest, decided)
		if moves == 0 {
			break
		}
	}
	var moved []Decision
	for i, a := range span {
		if a.story.id != from[i] {
			why, ok := decided[a]
			if !ok {
				why = decided[a.root()]
			}
			d := why
			now := a.decision(why.Reason, why.Score)
			d.Article, d.Story, d.Founder, d.Role, d.CopyOf, d.Kind = now.Article, now.Story, now.Founder, now.Role, now.CopyOf, now.Kind
			d.From = from[i]
			moved = append(moved, d)
		}
	}
	g.sweepStories(s)
	return moved
}

// span lists the articles to polish, from the time oldest on, in order of time.
func (s *stream) span(oldest int64) []*article {
	var span []*article
	for _, a := range s.articles {
		if a != nil && a.at >= oldest && !a.apart {
			span = append(span, a)
		}
	}
	slices.SortStableFunc(span, byTime)
	return span
}

// reconsider takes a report with its copies out of its story and puts them where they fit best now.
func (g *Grouper) reconsider(s *stream, a *article) Decision {
	home := a.story
	group := home.groupOf(a)
	home.remove(s, group)
	candidates := s.candidates(a, &g.settings)
	best := pick(candidates)
	stay := 0.0
	for i := range candidates {
		if candidates[i].story == home && candidates[i].guard == "" {
			stay = candidates[i].p
		}
	}
	threshold := s.threshold
	alone := len(home.members) == 0
	switch {
	case best != nil && best.p >= threshold && best.story != home && (alone || best.p > stay+moveLead):
		best.story.insert(s, group...)
		return g.because(s, a, ReasonMoved, best, candidates)
	case !alone && stay < threshold-evictGap:
		g.start(s, sheaf.StoryID(sheaf.UUID("urn:sheaf:article:"+string(a.id))), group...)
		d := g.because(s, a, ReasonEvicted, best, candidates)
		d.Score = stay
		return d
	}
	home.insert(s, group...)
	return Decision{}
}

// groupOf is a report with its copies in the story, in order of arrival.
func (st *story) groupOf(report *article) []*article {
	var group []*article
	for _, m := range st.members {
		if m.root() == report {
			group = append(group, m)
		}
	}
	return group
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

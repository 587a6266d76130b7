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

// polishing is one run of Polish over a stream.
type polishing struct {
	oldest int64                      // time from which articles are looked at
	from   map[*article]sheaf.StoryID // where those that moved were before
	why    map[*article]Decision      // the decision about their last move
}

func (g *Grouper) polish(s *stream) []Decision {
	p := polishing{from: make(map[*article]sheaf.StoryID), why: make(map[*article]Decision)}
	p.oldest = s.newest - polishSpan.Milliseconds()
	if g.settings.polishAll {
		p.oldest = math.MinInt64
	}
	for range g.settings.passes {
		moves := 0
		for _, a := range s.takeDoubts(p.oldest) {
			if a.copyOf != nil || a.fixed() {
				continue // goes with its report
			}
			moves += g.reconsider(s, a, &p)
		}
		moves += g.mergeFragments(s, &p)
		if moves == 0 {
			break
		}
	}
	s.takeDoubts(math.MaxInt64)
	s.takeDoubtedStories()
	g.sweepStories(s)
	return p.decisions()
}

// decisions are about the articles whose story is another one now, in order of time.
func (p *polishing) decisions() []Decision {
	var moved []*article
	for a, from := range p.from {
		if a.story.id != from {
			moved = append(moved, a)
		}
	}
	slices.SortFunc(moved, byTime)
	var decisions []Decision
	for _, a := range moved {
		d := p.why[a]
		now := a.decision(d.Reason, d.Score)
		d.Article, d.Story, d.Founder, d.Role, d.CopyOf, d.Kind = now.Article, now.Story, now.Founder, now.Role, now.CopyOf, now.Kind
		d.From = p.from[a]
		decisions = append(decisions, d)
	}
	return decisions
}

// note remembers a move of articles out of a story.
func (p *polishing) note(group []*article, from *story, why Decision) {
	for _, a := range group {
		if _, ok := p.from[a]; !ok {
			p.from[a] = from.id
		}
		p.why[a] = why
	}
}

// reconsider takes a report with its copies out of its story and puts them where they fit best now. It returns how many moves that was.
func (g *Grouper) reconsider(s *stream, a *article, p *polishing) int {
	home := a.story
	group := home.groupOf(a)
	was := home.extent
	home.remove(s, group)
	candidates := s.candidates(a, &g.settings)
	best := pick(candidates)
	stay := 0.0
	for i := range candidates {
		if candidates[i].story == home && candidates[i].guard == "" {
			stay = candidates[i].p
		}
	}
	alone := len(home.members) == 0
	switch {
	case best != nil && best.p >= s.threshold && best.story != home && (alone || best.p > stay+moveLead):
		best.story.insert(s, group...)
		p.note(group, home, g.because(s, a, ReasonMoved, best, candidates))
	case !alone && stay < s.threshold-evictGap:
		g.start(s, sheaf.StoryID(sheaf.UUID("urn:sheaf:article:"+string(a.id))), group...)
		d := g.because(s, a, ReasonEvicted, best, candidates)
		d.Score = stay
		p.note(group, home, d)
	default:
		home.putBack(group, was)
		return 0
	}
	s.unsettle(home)
	s.doubts.story(a.story)
	s.question(a, candidates)
	return 1
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

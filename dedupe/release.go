package dedupe

import (
	"cmp"
	"slices"

	"sheaf"
)

// Release puts articles that an editor's word held, and no longer does, to where they would be without it: they leave their stories, all of
// them, and are placed anew in the order of their arrival, copies with their reports. Articles that are unknown, or bound by another
// constraint, stay. It returns one Decision for every article whose story changed.
func (g *Grouper) Release(ids ...sheaf.ArticleID) []Decision {
	groups := g.released(ids)
	was := make(map[*article]sheaf.StoryID)
	streams := make([]*stream, len(groups))
	for i, group := range groups {
		for _, a := range group {
			was[a] = a.story.id
		}
		from := group[0].story
		streams[i] = g.streamOf(from)
		from.remove(streams[i], group)
		streams[i].unsettle(from)
	}
	for _, code := range g.languages() {
		g.sweepStories(g.streams[code])
	}
	var moved []Decision
	for i, group := range groups {
		d := g.placeAnew(streams[i], group)
		for _, a := range group {
			if was[a] == a.story.id {
				continue
			}
			own := a.decision(d.Reason, d.Score)
			own.From, own.Threshold, own.Best, own.RunnerUp, own.Contributions = was[a], d.Threshold, d.Best, d.RunnerUp, d.Contributions
			own.Profile, own.Model = d.Profile, d.Model
			moved = append(moved, own)
		}
	}
	return moved
}

// released lists reports with their copies, none of which is bound, by arrival of the reports.
func (g *Grouper) released(ids []sheaf.ArticleID) [][]*article {
	var reports []*article
	for _, id := range ids {
		if a := g.articles[id]; a != nil && a.story != nil {
			reports = append(reports, a.root())
		}
	}
	slices.SortFunc(reports, func(a, b *article) int {
		return cmp.Or(cmp.Compare(a.story.language, b.story.language), cmp.Compare(a.index, b.index))
	})
	var groups [][]*article
	for _, a := range slices.Compact(reports) {
		group := a.story.groupOf(a)
		if !slices.ContainsFunc(group, (*article).fixed) {
			groups = append(groups, group)
		}
	}
	return groups
}

// placeAnew puts a report that is in no story, with its copies, where it belongs.
func (g *Grouper) placeAnew(s *stream, group []*article) Decision {
	a := group[0].root()
	candidates := s.candidates(a, &g.settings)
	g.forbid(a, candidates)
	best := pick(candidates)
	reason := ReasonMoved
	if a.apart || best == nil || best.p < s.threshold {
		reason = ReasonSplit
		g.start(s, sheaf.StoryID(sheaf.UUID("urn:sheaf:article:"+string(a.id))), group...)
	} else {
		best.story.insert(s, group...)
	}
	s.doubts.story(a.story)
	s.question(a, candidates)
	return g.because(s, a, reason, best, candidates)
}

package app

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sheaf"
	"sheaf/cmd/internal/store"
	"sheaf/dedupe"
	"sheaf/output"
)

// identity says under which ids stories go on after a grouping that moved articles. An id is what readers know a story by, and grouping
// does not know what they were shown:
//   - of stories that became one, the id that was published first lives on; if none was, that of the story seen first;
//   - a story taken apart keeps its id in the part with most of the articles that were published under it, ties going to the part with the
//     article seen first, and what is left takes the id of its own earliest article;
//   - stories that only exchange articles keep their ids.
type identity struct {
	names map[sheaf.StoryID]sheaf.StoryID // new id by the one that grouping gave, and by ids gone; stories that keep theirs are left out
	gone  map[sheaf.StoryID]sheaf.StoryID // ids that no story goes by any more, and the one that has their articles now
}

// of is the id that a story goes by.
func (i identity) of(id sheaf.StoryID) sheaf.StoryID {
	if to, ok := i.names[id]; ok {
		return to
	}
	return id
}

// merges lists the ids that lead to others from now on.
func (i identity) merges(now time.Time) []output.Merge {
	var merges []output.Merge
	for _, from := range slices.Sorted(maps.Keys(i.gone)) {
		merges = append(merges, output.Merge{From: from, Into: i.gone[from], When: now})
	}
	return merges
}

// identify finds the ids for what the grouper decided.
func (a *App) identify(ctx context.Context, g *dedupe.Grouper, decisions []dedupe.Decision) (identity, error) {
	places := map[sheaf.ArticleID]sheaf.StoryID{}
	involved := map[sheaf.StoryID]bool{}
	moved := false
	for _, d := range decisions {
		places[d.Article] = d.Story
		if d.From != "" && d.From != d.Story {
			moved = true
			involved[d.From], involved[d.Story] = true, true
		}
	}
	if !moved {
		return identity{}, nil
	}
	pasts, err := a.store.Pasts(ctx, slices.Sorted(maps.Keys(involved)))
	if err != nil {
		return identity{}, err
	}
	return identify(pasts, places, g.Stories()), nil
}

// identify is the rule as a function: of stories as they were stored, of where articles decided about are now, and of the ids that
// grouping has given to the stories there are now.
func identify(pasts []store.Past, places map[sheaf.ArticleID]sheaf.StoryID, living []sheaf.StoryID) identity {
	s := succession{places: places, alive: map[sheaf.StoryID]bool{}, stored: map[sheaf.StoryID]bool{}}
	for _, id := range living {
		s.alive[id] = true
	}
	for i := range pasts {
		s.stored[pasts[i].ID] = true
	}
	names, heirs := s.names(pasts)
	i := identity{names, map[sheaf.StoryID]sheaf.StoryID{}}
	lives := map[sheaf.StoryID]bool{}
	for id := range s.alive {
		lives[i.of(id)] = true
	}
	for id, heir := range heirs {
		if !lives[id] {
			i.gone[id] = i.of(heir)
		}
	}
	maps.Copy(i.names, i.gone) // members that grouping has forgotten go along
	return i
}

// succession is one call of identify.
type succession struct {
	places map[sheaf.ArticleID]sheaf.StoryID
	alive  map[sheaf.StoryID]bool // stories there are
	stored map[sheaf.StoryID]bool // stories there were, as far as they are involved
}

// names gives the new ids, and the story that each old id's articles are in by and large.
func (s *succession) names(pasts []store.Past) (names, heirs map[sheaf.StoryID]sheaf.StoryID) {
	names, heirs = map[sheaf.StoryID]sheaf.StoryID{}, map[sheaf.StoryID]sheaf.StoryID{}
	claims := map[sheaf.StoryID][]*store.Past{}
	for i := range pasts {
		heir := s.heir(&pasts[i])
		heirs[pasts[i].ID] = heir
		claims[heir] = append(claims[heir], &pasts[i])
	}
	taken := map[sheaf.StoryID]bool{}
	for heir, list := range claims {
		first := slices.MinFunc(list, elder).ID
		names[heir], taken[first] = first, true
	}
	for i := range pasts {
		id := pasts[i].ID
		if _, named := names[id]; !s.alive[id] || named || !taken[id] {
			continue
		}
		fresh := s.fresh(&pasts[i], taken)
		names[id], taken[fresh] = fresh, true
	}
	maps.DeleteFunc(names, func(from, to sheaf.StoryID) bool { return from == to })
	return names, heirs
}

// elder compares stories by who has the better right to its id: the one published first, then the one seen first.
func elder(a, b *store.Past) int {
	if a.Emitted.IsZero() != b.Emitted.IsZero() {
		if a.Emitted.IsZero() {
			return 1
		}
		return -1
	}
	return cmp.Or(a.Emitted.Compare(b.Emitted), founder(a).FirstSeen.Compare(founder(b).FirstSeen), strings.Compare(string(a.ID), string(b.ID)))
}

// founder is the member seen first.
func founder(p *store.Past) *sheaf.Member {
	first := &p.Members[0]
	for i := range p.Members {
		if p.Members[i].FirstSeen.Before(first.FirstSeen) {
			first = &p.Members[i]
		}
	}
	return first
}

// part is what of a story is in one place now.
type part struct {
	id               sheaf.StoryID
	shown, all       int // members that were published under the story's id, and all
	founder, sameOne bool
}

// heir is the story that has an old id's articles now: if the old one is still there, it or a new one.
func (s *succession) heir(p *store.Past) sheaf.StoryID {
	first := founder(p)
	parts := map[sheaf.StoryID]*part{}
	for i := range p.Members {
		m := &p.Members[i]
		at := s.place(p, m)
		if s.alive[p.ID] && at != p.ID && s.stored[at] || !s.alive[at] {
			continue
		}
		if parts[at] == nil {
			parts[at] = &part{id: at, sameOne: at == p.ID}
		}
		parts[at].all++
		parts[at].founder = parts[at].founder || m == first
		if slices.Contains(p.Shown, m.ID) {
			parts[at].shown++
		}
	}
	if len(parts) == 0 {
		return p.ID // all members went to stories that were there; others have come since
	}
	best := slices.MaxFunc(slices.Collect(maps.Values(parts)), func(a, b *part) int {
		return cmp.Or(a.shown-b.shown, compareBool(a.founder, b.founder), compareBool(a.sameOne, b.sameOne), a.all-b.all, strings.Compare(string(b.id), string(a.id)))
	})
	return best.id
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func (s *succession) place(p *store.Past, m *sheaf.Member) sheaf.StoryID {
	if at, ok := s.places[m.ID]; ok {
		return at
	}
	return p.ID
}

// fresh is an id for what is left of a story whose own id went with the larger part.
func (s *succession) fresh(p *store.Past, taken map[sheaf.StoryID]bool) sheaf.StoryID {
	id := sheaf.StoryID(sheaf.UUID("urn:sheaf:story:" + string(p.ID)))
	for i := range p.Members { // in reading order
		if s.place(p, &p.Members[i]) == p.ID {
			id = sheaf.NewStoryID(&p.Members[i].Article)
			break
		}
	}
	for n := 2; taken[id] || s.alive[id] || s.stored[id]; n++ {
		id = sheaf.StoryID(sheaf.UUID(fmt.Sprintf("urn:sheaf:story:%s:%d", id, n)))
	}
	return id
}

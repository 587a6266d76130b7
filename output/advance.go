package output

import (
	"slices"
	"time"

	"sheaf"
)

// Advance makes the channel's new memory from its previous one and the stories of now: every story that may qualify, with all its
// members, and every story that changed since the previous memory was made. A published story that is not among them stays as it is, or
// leaves the documents with a tombstone if merges, which holds all that are in force, says where it went.
//
// It is a pure function: now only delays (a story that has not settled, a time that lies ahead) and never enters the memory. Arguments are
// not changed. The result is in the order of the documents, newest activity first.
func (c Channel) Advance(previous []Emission, stories []sheaf.Story, merges []Merge, now time.Time) []Emission {
	a := newAdvance(c, previous, stories, merges, now)
	var next []Emission
	switch c.Profile {
	case ProfileDevelopments:
		next = a.again(previous, stories, a.development)
	case ProfileAlerts:
		next = a.again(previous, stories, a.alert)
	case ProfileArticles:
		next = a.articles(previous, stories)
	case ProfileDigest:
		next = slices.Clone(previous)
	default:
		next = a.inPlace(previous, stories)
	}
	for i := range next {
		next[i].Hidden = c.Profile != ProfileDigest && a.rules.mutes(&next[i])
	}
	inOrder(next)
	return a.forget(next)
}

// advance is one call of Advance.
type advance struct {
	Channel
	rules   rules
	now     time.Time
	newest  time.Time                         // activity of the channel: what ages are measured from
	stories map[sheaf.StoryID]*sheaf.Story    // those with members
	home    map[sheaf.ArticleID]sheaf.StoryID // where an article is now
	merged  map[sheaf.StoryID]Merge           // by the story that went
	into    map[sheaf.StoryID][]Merge         // by the survivor at the end of the chain
}

func newAdvance(c Channel, previous []Emission, stories []sheaf.Story, merges []Merge, now time.Time) *advance {
	a := &advance{
		Channel: c.withDefaults(),
		rules:   newRules(c.Filter, c.Mute),
		now:     now,
		stories: make(map[sheaf.StoryID]*sheaf.Story, len(stories)),
		home:    make(map[sheaf.ArticleID]sheaf.StoryID),
		merged:  make(map[sheaf.StoryID]Merge, len(merges)),
		into:    make(map[sheaf.StoryID][]Merge),
	}
	for i := range previous {
		a.newest = later(a.newest, previous[i].Updated)
	}
	for i := range stories {
		s := &stories[i]
		if len(s.Members) == 0 {
			continue
		}
		a.stories[s.ID] = s
		a.newest = later(a.newest, a.bound(s.Last()))
		for j := range s.Members {
			a.home[s.Members[j].ID] = s.ID
		}
	}
	for _, m := range merges {
		a.merged[m.From] = m
	}
	for _, m := range merges {
		if _, alive := a.stories[m.From]; !alive {
			end, _ := a.resolve(m.From)
			a.into[end] = append(a.into[end], m)
		}
	}
	return a
}

// bound is a time as documents state it, never later than now.
func (a *advance) bound(t time.Time) time.Time {
	if t.After(a.now) {
		t = a.now
	}
	return second(t)
}

// resolve follows merges from a story to the one that lives, and says when the first of them was decided. A story that is there, though
// it was once merged, has come back by a split.
func (a *advance) resolve(id sheaf.StoryID) (sheaf.StoryID, time.Time) {
	var when time.Time
	for range len(a.merged) + 1 {
		m, ok := a.merged[id]
		if _, alive := a.stories[id]; !ok || alive {
			break
		}
		if when.IsZero() {
			when = m.When
		}
		id = m.Into
	}
	return id, when
}

// inPlace is the memory of a channel with one item a story.
func (a *advance) inPlace(previous []Emission, stories []sheaf.Story) []Emission {
	next := make([]Emission, 0, len(previous))
	known := make(map[sheaf.StoryID]bool, len(previous))
	for i := range previous {
		known[previous[i].Story] = true
		next = append(next, a.step(previous[i]))
	}
	for i := range stories {
		if known[stories[i].ID] {
			continue
		}
		known[stories[i].ID] = true
		if e, ok := a.first(a.rules.heard(&stories[i])); ok {
			next = append(next, e)
		}
	}
	return next
}

// qualified is when the story had what the channel asks for, and whether it has and has settled since.
func (a *advance) qualified(s *sheaf.Story) (time.Time, bool) {
	joined := joins(s)
	if len(joined) < a.MinOutlets {
		return time.Time{}, false
	}
	met, ok := a.rules.admits(s, a.newest)
	met = later(met, joined[a.MinOutlets-1].at)
	settled := len(joined) >= crowd || !a.now.Before(met.Add(a.Settle))
	return second(met), ok && settled && !met.After(a.now)
}

// first emits a story that has not been published, once it qualifies.
func (a *advance) first(s *sheaf.Story) (Emission, bool) {
	met, ok := a.qualified(s)
	if !ok {
		return Emission{}, false
	}
	e := Emission{ID: string(s.ID), Story: s.ID, Published: met, Absorbed: a.absorbed(s.ID)}
	e.Item = a.facts(s, a.lead(s, nil), nil)
	e.Updated = later(e.Published, a.bound(newsTime(&e.Item, nil)))
	return e, true
}

// step takes a published item to the present.
func (a *advance) step(e Emission) Emission {
	s, alive := a.stories[e.Story]
	if !alive {
		if into, when := a.resolve(e.Story); into != e.Story {
			if e.Into == "" {
				e.Left = later(second(when), e.Published)
			}
			e.Into = into
		}
		return e
	}
	e.Into, e.Left = "", time.Time{}
	if s = a.rules.heard(s); len(s.Members) == 0 {
		return e
	}
	return a.rise(e, s)
}

// rise gives the item new content if there is something to tell.
func (a *advance) rise(e Emission, s *sheaf.Story) Emission {
	absorbed := a.absorbed(s.ID)
	lead := a.lead(s, &e.Item)
	if lead.ID == e.Item.Lead && len(absorbed) == len(e.Absorbed) && listed(s, &e.Item) {
		return e
	}
	item := a.facts(s, lead, &e.Item)
	cause := newsTime(&item, &e.Item)
	news := !cause.IsZero() || a.moved(&e) || lead.ID != e.Item.Lead && a.newest.Sub(e.Published) <= freeze
	for _, m := range a.into[s.ID] {
		if _, known := slices.BinarySearch(e.Absorbed, m.From); !known && len(item.Reports) > len(e.Item.Reports) {
			news, cause = true, later(cause, m.When)
		}
	}
	if !news {
		e.Absorbed = absorbed
		return e
	}
	updated := later(a.bound(cause), e.Updated.Add(time.Second))
	if updated.After(a.now) {
		return e // the next publish tells it
	}
	e.Updated, e.Item, e.Absorbed = updated, item, absorbed
	return e
}

// moved says that an article on the page belongs to another story by now.
func (a *advance) moved(e *Emission) bool {
	return slices.ContainsFunc(e.Item.Reports, func(r Report) bool {
		home, ok := a.home[r.Article]
		return ok && home != e.Story
	})
}

// absorbed lists the stories merged into one, sorted.
func (a *advance) absorbed(id sheaf.StoryID) []sheaf.StoryID {
	var ids []sheaf.StoryID
	for _, m := range a.into[id] {
		ids = append(ids, m.From)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// forget drops from a memory in order what lies so far behind the newest activity that it can neither be in a document nor come back: no
// story of now, no tombstone still shown, and not among the few items that a document never falls short of.
func (a *advance) forget(memory []Emission) []Emission {
	keep := max(shortestMemory, 2*a.Span)
	live := 0
	return slices.DeleteFunc(memory, func(e Emission) bool {
		if e.Live() {
			live++
		}
		_, alive := a.stories[e.Story]
		return !alive && a.newest.Sub(later(e.Updated, e.Left)) > keep && !(e.Live() && live <= a.Fewest)
	})
}

// newsTime is when the newest outlet joined with an independent report that the previous item lacks; zero if none did. Without a previous
// item all are new.
func newsTime(item, previous *Item) time.Time {
	known := make(map[sheaf.OutletID]bool, len(item.Reports))
	if previous != nil {
		for i := range previous.Reports {
			if r := &previous.Reports[i]; r.Role == sheaf.RoleReport || r.Article == previous.Lead {
				known[r.outlet()] = true
			}
		}
	}
	var t time.Time
	for i := range item.Reports {
		if r := &item.Reports[i]; r.Role == sheaf.RoleReport && !known[r.outlet()] {
			known[r.outlet()] = true
			t = later(t, r.Published)
		}
	}
	return t
}

// listed says that the item lists exactly the members, each in its role: the common case, told without looking at texts.
func listed(s *sheaf.Story, item *Item) bool {
	if len(s.Members) != len(item.Reports) {
		return false
	}
	roles := make(map[sheaf.ArticleID]sheaf.Role, len(item.Reports))
	for i := range item.Reports {
		roles[item.Reports[i].Article] = item.Reports[i].Role
	}
	return !slices.ContainsFunc(s.Members, func(m sheaf.Member) bool { return roles[m.ID] != m.Role })
}

// lead chooses the member that heads the item: grouping's choice, or the original where that is a copy. A published lead stays while it is
// a member in its own words, unless the channel wants the best.
func (c Channel) lead(s *sheaf.Story, previous *Item) *sheaf.Member {
	best := s.Member(s.Lead)
	if best == nil {
		best = &s.Members[0]
	}
	best = original(s, best)
	if previous == nil || c.Lead == LeadBest {
		return best
	}
	kept := s.Member(previous.Lead)
	if kept == nil || original(s, kept) != kept {
		return best
	}
	return kept
}

// original follows copies to the member whose text they are.
func original(s *sheaf.Story, m *sheaf.Member) *sheaf.Member {
	for range s.Members {
		if m.Role != sheaf.RoleCopy {
			return m
		}
		next := s.Member(m.CopyOf)
		if next == nil {
			return m
		}
		m = next
	}
	return m
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

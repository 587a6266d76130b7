package output

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sheaf"
)

// again is the memory of a channel that tells of a story several times, each time in an item of its own that never changes. Such items
// stay when their story is merged: what they told was so then, and their links lead on.
func (a *advance) again(previous []Emission, stories []sheaf.Story, tell func(*sheaf.Story, []Emission) (Emission, bool)) []Emission {
	next := slices.Clone(previous)
	past := make(map[sheaf.StoryID][]Emission)
	for _, e := range previous {
		past[e.Story] = append(past[e.Story], e)
	}
	for i := range stories {
		s := a.rules.heard(&stories[i])
		told := past[s.ID]
		slices.SortFunc(told, func(a, b Emission) int { return a.Published.Compare(b.Published) })
		if len(s.Members) == 0 {
			continue
		}
		if e, ok := tell(s, told); ok {
			past[s.ID] = append(told, e)
			next = append(next, e)
		}
	}
	return next
}

// development tells that a story has reached the next milestone, or woke after a lull.
func (a *advance) development(s *sheaf.Story, told []Emission) (Emission, bool) {
	if len(told) >= mostDevelopments {
		return Emission{}, false
	}
	if len(told) == 0 {
		if _, ok := a.rules.admits(s, a.newest); !ok {
			return Emission{}, false
		}
	}
	when := a.milestone(s, told)
	if when.IsZero() && len(told) > 0 {
		when = revived(s, &told[len(told)-1].Item)
	}
	return a.tell(s, told, tale{when: when, apart: apart, id: fmt.Sprintf("%s#%d", urn(string(s.ID)), len(told)+1)})
}

// alert tells that a story meets the channel's rules; once told, that as many new independent reports as the rules ask for came since.
func (a *advance) alert(s *sheaf.Story, told []Emission) (Emission, bool) {
	when, ok := a.qualified(s)
	if ok && len(told) > 0 {
		fresh := unlisted(s, &told[len(told)-1].Item)
		need := max(a.MinOutlets, a.rules.Independent)
		if ok = len(fresh) >= need; ok {
			when = fresh[need-1].at
		}
	}
	if !ok {
		return Emission{}, false
	}
	return a.tell(s, told, tale{when: when, apart: a.Cooldown, id: fmt.Sprintf("%s#%s#%d", urn(string(s.ID)), a.Name, len(told)+1)})
}

// tale is an item about to be told.
type tale struct {
	when  time.Time     // of what it tells; zero: nothing to tell
	apart time.Duration // from the last one of its story
	id    string        // name its id is made of
}

// tell makes the item, unless it must wait.
func (a *advance) tell(s *sheaf.Story, told []Emission, t tale) (Emission, bool) {
	if t.when.IsZero() {
		return Emission{}, false
	}
	var last *Item
	when := second(t.when)
	if len(told) > 0 {
		last = &told[len(told)-1].Item
		when = later(when, told[len(told)-1].Published.Add(t.apart))
	}
	if when.After(a.now) || len(joins(s)) < crowd && a.now.Before(when.Add(a.Settle)) {
		return Emission{}, false
	}
	e := Emission{ID: sheaf.UUID(t.id), Story: s.ID, Published: when, Updated: when, Item: a.facts(s, a.lead(s, last), last)}
	e.Item.News = news(&e.Item, told)
	return e, true
}

// milestone is when the story reached the highest milestone not told yet; zero if it reached none.
func (a *advance) milestone(s *sheaf.Story, told []Emission) time.Time {
	had := 0
	if len(told) > 0 {
		had = told[len(told)-1].Item.outlets()
	}
	joined := joins(s)
	for _, n := range slices.Backward(a.Milestones) {
		if n > had && n <= len(joined) {
			return joined[n-1].at
		}
	}
	return time.Time{}
}

// revived is when enough independent reports had followed a long silence that began after what the item told; zero if that has not been.
func revived(s *sheaf.Story, told *Item) time.Time {
	last := told.Reports[len(told.Reports)-1].Published
	for i := range s.Members {
		t := s.Members[i].Time()
		if t.Sub(last) > lull {
			if fresh := unlisted(s, told); len(fresh) >= revival {
				return fresh[revival-1].at
			}
			return time.Time{}
		}
		last = later(last, t)
	}
	return time.Time{}
}

// unlisted lists the outlets with an independent report that the item lacks, by their first.
func unlisted(s *sheaf.Story, item *Item) []join {
	listed := make(map[sheaf.ArticleID]bool, len(item.Reports))
	for i := range item.Reports {
		listed[item.Reports[i].Article] = true
	}
	rest := sheaf.Story{Members: slices.DeleteFunc(slices.Clone(s.Members), func(m sheaf.Member) bool {
		return listed[m.ID] || m.Role != sheaf.RoleReport
	})}
	return joins(&rest)
}

// mostNamed is how many new outlets are named in a line of news.
const mostNamed = 8

// news is the first line of an item: how many outlets there are now, and which are new since it was last told.
func news(item *Item, told []Emission) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Now %s", count(item.outlets(), "outlet"))
	if len(told) == 0 {
		return b.String() + "."
	}
	last := &told[len(told)-1]
	known := make(map[string]bool)
	for i := range last.Item.Reports {
		known[last.Item.Reports[i].Outlet] = true
	}
	var names []string
	for i := range item.Reports {
		if name := item.Reports[i].Outlet; !known[name] {
			known[name] = true
			names = append(names, name)
		}
	}
	fmt.Fprintf(&b, " (%d at %s).", last.Item.outlets(), last.Published.UTC().Format("2 Jan 15:04 MST"))
	if more := len(names) - mostNamed; more > 0 {
		names = append(names[:mostNamed], fmt.Sprintf("%d more", more))
	}
	if len(names) > 0 {
		fmt.Fprintf(&b, " New: %s.", strings.Join(names, ", "))
	}
	return b.String()
}

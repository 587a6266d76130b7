package output

import (
	"slices"
	"time"

	"sheaf"
)

// articles is the memory of a flat channel: an item for each article, which says what story it belongs to. An item changes only when its
// article moves to another story.
func (a *advance) articles(previous []Emission, stories []sheaf.Story) []Emission {
	next := slices.Clone(previous)
	known := make(map[string]bool, len(previous))
	for i := range next {
		e := &next[i]
		known[e.ID] = true
		home, ok := a.home[e.Item.Lead]
		if updated := e.Updated.Add(time.Second); ok && home != e.Story && !updated.After(a.now) {
			e.Story, e.Updated = home, updated
		}
	}
	oldest := a.newest.Add(-a.Span) // what is older would not be shown, and may have been forgotten
	for i := range stories {
		s := a.rules.heard(&stories[i])
		if _, ok := a.qualified(s); !ok {
			continue
		}
		for j := range s.Members {
			m := &s.Members[j]
			if t := m.Time(); t.After(a.now) || t.Before(oldest) || known[articleItemID(m.ID)] {
				continue
			}
			known[articleItemID(m.ID)] = true
			next = append(next, a.article(s, m))
		}
	}
	return next
}

func (a *advance) article(s *sheaf.Story, m *sheaf.Member) Emission {
	alone := *m
	alone.Role, alone.CopyOf = sheaf.RoleReport, ""
	when := second(m.Time())
	item := a.facts(&sheaf.Story{ID: s.ID, Members: []sheaf.Member{alone}}, &alone, nil)
	return Emission{ID: articleItemID(m.ID), Story: s.ID, Published: when, Updated: when, Item: item}
}

// articleItemID is the id of an article's own item; that of its story is another, even where the article founded it.
func articleItemID(id sheaf.ArticleID) string { return sheaf.UUID("urn:sheaf:item:" + string(id)) }

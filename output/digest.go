package output

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"sheaf"
)

// Entry is a story as a digest lists it.
type Entry struct {
	Story       sheaf.StoryID `json:"story"`
	Title       string        `json:"title"`
	Link        string        `json:"link,omitzero"` // the lead's; empty: it has none
	Outlet      string        `json:"outlet"`
	Published   time.Time     `json:"published"` // of the lead
	Outlets     int           `json:"outlets"`
	Independent int           `json:"independent"`
}

// Top selects the n stories with the most independent coverage among those with a report in the period from (inclusive) to (exclusive),
// as they were at its end: later reports are left out. The order is fixed: more independent reports first, then more outlets, then the
// older story, then the id.
func Top(stories []sheaf.Story, from, to time.Time, n int) []sheaf.Story {
	var list []sheaf.Story
	for i := range stories {
		s := stories[i]
		s.Members = slices.DeleteFunc(slices.Clone(s.Members), func(m sheaf.Member) bool { return !m.Time().Before(to) })
		if len(s.Members) > 0 && !s.Last().Before(from) {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b sheaf.Story) int {
		return cmp.Or(b.Independent()-a.Independent(), len(b.Outlets())-len(a.Outlets()), a.First().Compare(b.First()), strings.Compare(string(a.ID), string(b.ID)))
	})
	return list[:min(len(list), n)]
}

// Select is [Top] of the stories the channel admits and does not mute, as many as it asks for.
func (c Channel) Select(stories []sheaf.Story, from, to time.Time) []sheaf.Story {
	c = c.withDefaults()
	rules := newRules(c.Filter, c.Mute)
	var heard []sheaf.Story
	for i := range stories {
		s := rules.heard(&stories[i])
		if len(joins(s)) < c.MinOutlets {
			continue
		}
		muted := rules.mutes(&Emission{Story: s.ID, Item: c.facts(s, c.lead(s, nil), nil)})
		if _, ok := rules.admits(s, to); ok && !muted {
			heard = append(heard, *s)
		}
	}
	return Top(heard, from, to, c.Top)
}

// AddDigest puts the digest of a period into the memory of a channel with ProfileDigest, as one item dated at the period's end; one that
// is there already stays as it is. Stories are those that may qualify. If none does, the item says so. Arguments are not changed.
func (c Channel) AddDigest(previous []Emission, stories []sheaf.Story, from, to time.Time) []Emission {
	c = c.withDefaults()
	id := sheaf.UUID("urn:sheaf:digest:" + c.Name + "#" + rfc3339(to))
	if slices.ContainsFunc(previous, func(e Emission) bool { return e.ID == id }) {
		return previous
	}
	e := Emission{ID: id, Story: sheaf.StoryID(id), Published: second(to), Updated: second(to)}
	e.Item = c.digest(c.Select(stories, from, to))
	period := from.UTC().Format("2 Jan 15:04") + " to " + to.UTC().Format("2 Jan 15:04 MST")
	e.Item.Title = fmt.Sprintf("%s, %s", headcount(len(e.Item.Entries)), period)
	e.Item.News = fmt.Sprintf("By independent coverage, %s.", period)
	if len(e.Item.Entries) == 0 {
		e.Item.News = fmt.Sprintf("Nothing qualified, %s.", period)
		e.Item.Reports = []Report{{Title: e.Item.Title, Outlet: cmp.Or(Plain(c.Title), "sheaf"), Published: e.Published, Role: sheaf.RoleReport}}
	}
	next := append(slices.Clone(previous), e)
	inOrder(next)
	return next
}

func headcount(n int) string {
	switch n {
	case 0:
		return "No stories"
	case 1:
		return "1 story"
	}
	return fmt.Sprintf("%d stories", n)
}

// digest lists the stories by their leads.
func (c Channel) digest(stories []sheaf.Story) Item {
	var item Item
	for i := range stories {
		s := &stories[i]
		facts := c.facts(s, c.lead(s, nil), nil)
		lead := *facts.lead()
		lead.Role, lead.CopyOf = sheaf.RoleReport, ""
		if i == 0 {
			item.Lead, item.Link, item.Lang = facts.Lead, facts.Link, facts.Lang
		}
		item.Entries = append(item.Entries, Entry{s.ID, facts.Title, facts.Link, lead.Outlet, lead.Published, facts.outlets(), s.Independent()})
		item.Reports = append(item.Reports, lead)
	}
	slices.SortStableFunc(item.Reports, func(a, b Report) int {
		return cmp.Or(a.Published.Compare(b.Published), strings.Compare(string(a.Article), string(b.Article)))
	})
	return item
}

package web

import (
	"time"
	"unicode/utf8"

	"sheaf"
	"sheaf/output"
	"sheaf/output/web/query"
)

const (
	mostAlso   = 8   // outlets linked beside the lead
	shortLede  = 180 // characters of a lede in a list
	pageBudget = 44_000
	entryBytes = 900 // markup, headline and lede of one story
	lineBytes  = 120 // markup of one link to a report
)

// entry is a story in a list.
type entry struct {
	Story    sheaf.StoryID
	Page     string // address of our page on it
	Lead     output.Report
	Headline []query.Part
	Lede     []query.Part
	Outlets  int
	Reports  []output.Report // oldest first
	All      bool            // they are all shown
	First    time.Time
	Last     time.Time
	Bars     *bars
	Also     []output.Report // of other outlets, in the order they joined
	More     int             // outlets besides
}

// newEntry sums up a story.
func newEntry(f *frame, s *sheaf.Story, allowed output.Snippets) entry {
	item := output.NewItem(s, allowed)
	e := entry{Story: s.ID, Page: f.Story(s.ID), Reports: item.Reports, First: item.Reports[0].Published, Last: item.Reports[len(item.Reports)-1].Published}
	e.Headline, e.Lede = plainParts(item.Title), plainParts(shortened(item.Teaser, shortLede))
	seen := make(map[string]bool, len(item.Reports))
	for _, r := range item.Reports {
		if r.Article == item.Lead {
			e.Lead = r
			seen[r.Outlet] = true
		}
	}
	for _, r := range item.Reports {
		if seen[r.Outlet] {
			continue
		}
		seen[r.Outlet] = true
		if len(e.Also) < mostAlso {
			e.Also = append(e.Also, r)
		}
	}
	e.Outlets = len(seen)
	e.More = e.Outlets - 1 - len(e.Also)
	if e.Outlets > 1 {
		e.Bars = smallBars().draw(f, item.Reports)
	}
	return e
}

// allot opens the lists of all reports to as many stories, from the top, as a page has room for. What does not fit is one click away.
func allot(entries []entry) {
	used := 0
	for i := range entries {
		used += entryBytes
		for _, r := range entries[i].Also {
			used += lineBytes + len(r.URL) + len(r.Outlet)
		}
	}
	for i := range entries {
		e := &entries[i]
		if len(e.Reports) < 2 {
			continue
		}
		for _, r := range e.Reports {
			used += 2*lineBytes + len(r.URL) + len(r.Outlet) + len(r.Title)
		}
		if used > pageBudget {
			return
		}
		e.All = true
	}
}

func plainParts(s string) []query.Part {
	if s == "" {
		return nil
	}
	return []query.Part{{Text: s}}
}

// shortened cuts a text between words.
func shortened(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	end := 0
	n := 0
	for i, r := range s {
		if n++; n > most {
			break
		}
		if r == ' ' {
			end = i
		}
	}
	if end < most/2 {
		end = len(string([]rune(s)[:most]))
	}
	return s[:end] + " …"
}

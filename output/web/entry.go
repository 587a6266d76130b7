package web

import (
	"time"
	"unicode/utf8"

	"sheaf"
	"sheaf/output"
	"sheaf/output/web/query"
)

const (
	mostAlso  = 8      // outlets linked beside the lead
	shortLede = 160    // characters of a lede in a list
	pageBytes = 50_000 // of a list, unless its texts alone are longer
	lineBytes = 180    // markup of a report in the list of all
	linkBytes = 40     // markup of an outlet beside the lead
	fewBars   = 5      // reports that are worth a drawing
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
	for _, r := range item.Reports {
		if r.Article == item.Lead {
			e.Lead = r
		}
	}
	seen := map[string]bool{e.Lead.Outlet: true}
	for _, r := range item.Reports {
		if !seen[r.Outlet] {
			seen[r.Outlet] = true
			e.Also = append(e.Also, r)
		}
	}
	e.Outlets = len(seen)
	e.trim(mostAlso)
	if len(e.Reports) >= fewBars {
		e.Bars = smallBars().draw(f, item.Reports)
	}
	return e
}

// trim links no more outlets than most beside the lead, and counts the others.
func (e *entry) trim(most int) {
	e.Also = e.Also[:min(len(e.Also), most)]
	e.More = e.Outlets - 1 - len(e.Also)
}

// squeeze takes at least so many bytes off a list, if it can, by linking fewer outlets beside each lead: from the bottom up, first no more
// than four, then two, then none.
func squeeze(entries []entry, excess int) {
	for _, most := range []int{4, 2, 0} {
		for i := len(entries) - 1; i >= 0 && excess > 0; i-- {
			e := &entries[i]
			if e.More == 0 && len(e.Also) > most && most > 0 {
				excess += linkBytes + len(e.Page) // the others are counted from now on
			}
			for _, r := range e.Also[min(len(e.Also), most):] {
				excess -= linkBytes + len(r.URL) + len(r.Outlet)
			}
			e.trim(most)
		}
	}
}

// open shows all reports of the first stories, as long as they take no more than room bytes. Those of others are one click away.
func open(entries []entry, room int) {
	for i := range entries {
		e := &entries[i]
		if len(e.Reports) < 2 {
			continue
		}
		room -= lineBytes
		for _, r := range e.Reports {
			room -= lineBytes + len(r.URL) + len(r.Outlet) + len(r.Title)
		}
		if room < 0 {
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

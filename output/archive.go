package output

import (
	"encoding/xml"
	"fmt"
	"slices"
	"time"
)

// An archive (RFC 5005, section 4) keeps what has left a channel's Atom document: one page for each ISO week, holding the items first
// published in it. A page is written when its week is over, follows the changes of its items for a while, and then stands for good; only
// the files keep it. Pages link back, never forward, so that a finished one need not change.
const (
	archiveOpen     = 2 // weeks that follow changes after they are over
	longestArchived = 54
	week            = 7 * 24 * time.Hour
	nsHistory       = "http://purl.org/syndication/history/1.0"
)

// atomArchive marks a page of an archive.
type atomArchive struct {
	XMLName xml.Name `xml:"fh:archive"`
}

// weekOf is the Monday the week of t begins with.
func weekOf(t time.Time) time.Time {
	t = t.UTC()
	day := (int(t.Weekday()) + 6) % 7
	return time.Date(t.Year(), t.Month(), t.Day()-day, 0, 0, 0, 0, time.UTC)
}

// archiveName is the file of a channel's week, without suffix.
func archiveName(channel string, monday time.Time) string {
	year, number := monday.ISOWeek()
	return fmt.Sprintf("%s-%d-w%02d", channel, year, number)
}

// archive is a channel's past by weeks that are over, oldest first.
type archive struct {
	open  time.Time // the week that is not over
	weeks []time.Time
	items map[time.Time][]*Emission
}

// archive sorts what has been published by week. A week is over when the newest activity lies behind it.
func (c Channel) archive(memory []Emission) archive {
	a := archive{items: make(map[time.Time][]*Emission)}
	sorted := slices.Clone(memory)
	inOrder(sorted)
	var newest time.Time
	for i := range sorted {
		newest = later(newest, sorted[i].Updated)
	}
	a.open = weekOf(newest)
	for i := range sorted {
		e := &sorted[i]
		if w := weekOf(e.Published); e.Live() && w.Before(a.open) {
			if a.items[w] == nil {
				a.weeks = append(a.weeks, w)
			}
			a.items[w] = append(a.items[w], e)
		}
	}
	slices.SortFunc(a.weeks, time.Time.Compare)
	return a
}

// previous names the page of the last week with items before one; empty: none is remembered.
func (a archive) previous(channel string, before time.Time) string {
	for _, w := range slices.Backward(a.weeks) {
		if w.Before(before) {
			return archiveName(channel, w) + ".atom"
		}
	}
	return ""
}

// pages renders the weeks that may still change, with h the head of the channel's own document.
func (a archive) pages(c Channel, h *head) ([]File, error) {
	var files []File
	for _, w := range a.weeks {
		if len(a.weeks) > archiveOpen && w.Before(a.weeks[len(a.weeks)-archiveOpen]) {
			continue
		}
		f, err := a.page(c, h, w)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

func (a archive) page(c Channel, h *head, w time.Time) (File, error) {
	page := *h
	page.name, page.gone, page.current = archiveName(c.Name, w), nil, h.address(".atom")
	page.previous, page.updated = a.previous(c.Name, w), time.Time{}
	all := new(fragments)
	f := File{Name: page.name + ".atom", Type: typeAtom, ids: []string{}}
	for _, e := range a.items[w] {
		item, err := atomFragment(newView(h.site, e))
		if err != nil {
			return File{}, fmt.Errorf("item %s: %w", e.ID, err)
		}
		all.add(&item)
		f.ids = append(f.ids, urn(e.ID))
		page.updated = later(page.updated, second(e.Updated))
	}
	f.Modified = page.updated
	var err error
	f.Data, err = atomDocument(&page, all)
	return f, err
}

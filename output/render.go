package output

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gorilla/feeds"

	"sheaf"
)

// Media types of the documents.
const (
	typeRSS  = "application/rss+xml"
	typeAtom = "application/atom+xml"
	typeJSON = "application/feed+json"
)

// File is one document to be published.
type File struct {
	Name     string    // such as "stories.atom"
	Type     string    // media type, without parameters
	Data     []byte    //
	Modified time.Time // newest activity in it; zero if it is empty
	ids      []string  // of its items in order, for the gate; nil: not a feed document
}

// head is what a document says of its channel.
type head struct {
	site     Site
	name     string
	title    string
	about    string
	language string
	id       string
	updated  time.Time
	gone     []*Emission // merged lately, newest first
	previous string      // name of the page of the archive before this document; empty: none
	current  string      // address of the channel's own document, in a page of its archive
	query    string      // that addresses of the document end with; empty: none
	home     string      // address of the page that shows the same
}

// format is one way to write a channel. The list of them is in formats.
type format struct {
	suffix, media string
	item          func(*view) (fragment, error)
	document      func(*head, *fragments) ([]byte, error)
	separator     string // between items
}

func formats() []format {
	return []format{
		{".rss", typeRSS, rssFragment, rssDocument, ""},
		{".atom", typeAtom, atomFragment, atomDocument, ""},
		{".json", typeJSON, jsonFragment, jsonDocument, ","},
	}
}

// Render gives the documents of the channel, NAME.rss, NAME.atom and NAME.json, from its memory: the items of the window, newest activity
// first; with Archive the pages of its archive that may have changed follow. The bytes depend on channel, site and memory alone; a cache, which may be nil, only saves work. Arguments are not changed.
func (c Channel) Render(site Site, memory []Emission, cache *Cache) ([]File, error) {
	c = c.withDefaults()
	shown, gone := c.window(memory)
	h := c.head(site, shown, gone)
	ids := make([]string, 0, len(shown)) // never nil: an empty channel passes the gate too
	for _, e := range shown {
		ids = append(ids, urn(e.ID))
	}
	if cache == nil {
		cache = new(Cache)
	}
	var past archive
	if c.Archive {
		past = c.archive(memory)
		h.previous = past.previous(c.Name, past.open)
	}
	items, err := cache.items(site, shown)
	if err != nil {
		return nil, fmt.Errorf("render %s: %w", c.Name, err)
	}
	files := make([]File, 0, 3)
	for i, f := range formats() {
		data, err := f.document(h, collect(items, i, f.separator))
		if err != nil {
			return nil, fmt.Errorf("render %s%s: %w", c.Name, f.suffix, err)
		}
		files = append(files, File{Name: c.Name + f.suffix, Type: f.media, Data: data, Modified: h.updated, ids: ids})
	}
	pages, err := past.pages(c, h)
	if err != nil {
		return nil, fmt.Errorf("render archive of %s: %w", c.Name, err)
	}
	return append(files, pages...), nil
}

// window parts the memory into the items shown, in the channel's order, and the tombstones, newest first.
func (c Channel) window(memory []Emission) (shown, gone []*Emission) {
	sorted := append([]Emission(nil), memory...)
	inOrder(sorted)
	var newest time.Time
	for i := range sorted {
		e := &sorted[i]
		if e.Live() {
			newest = later(newest, e.Updated)
		}
	}
	for i := range sorted {
		e := &sorted[i]
		switch {
		case e.Into != "" && !e.Left.Before(newest.Add(-tombstones)):
			gone = append(gone, e)
		case e.Live() && (len(shown) < c.Fewest || !e.Updated.Before(newest.Add(-c.Span))):
			shown = append(shown, e)
		}
	}
	switch c.Order {
	case OrderPublished:
		slices.SortStableFunc(shown, func(a, b *Emission) int { return b.Published.Compare(a.Published) })
	case OrderCoverage:
		slices.SortStableFunc(shown, func(a, b *Emission) int { return b.Item.outlets() - a.Item.outlets() })
	}
	return shown[:min(len(shown), c.Size)], gone
}

func (c Channel) head(site Site, shown, gone []*Emission) *head {
	h := &head{
		site: site, name: c.Name, title: cmp.Or(unmarked(c.Title), c.Name), about: cmp.Or(Plain(c.Description), c.Name),
		language: language(cmp.Or(c.Language, site.Language)), gone: gone, id: urn(sheaf.UUID(site.Feed(c.Name))), home: site.Home(),
	}
	for _, e := range shown {
		h.updated = later(h.updated, e.Updated.UTC().Truncate(time.Second))
	}
	return h
}

// address is where the channel's document with the suffix is served.
func (h *head) address(suffix string) string {
	if h.query != "" {
		suffix += "?" + h.query
	}
	return h.site.Feed(h.name + suffix)
}

// generic is the channel in gorilla's own model, as far as that can say it. A channel without items dates from the beginning of time as
// computers count it: the one instant that is no claim and never changes.
func (h *head) generic() *feeds.Feed {
	updated := h.updated
	if updated.IsZero() {
		updated = time.Unix(0, 0).UTC()
	}
	f := &feeds.Feed{
		Title: h.title, Description: h.about, Updated: updated,
		Link: &feeds.Link{Href: h.home, Rel: "alternate", Type: "text/html"},
	}
	if h.site.Icon != "" {
		f.Image = &feeds.Image{Url: h.site.Icon, Title: h.title, Link: h.home}
	}
	return f
}

package output

import (
	"encoding/xml"

	"github.com/gorilla/feeds"
)

// The Atom types embed gorilla's, as the RSS types do.

type atomRoot struct {
	*feeds.AtomFeed
	Language   string `xml:"xml:lang,attr,omitempty"`
	Coverage   string `xml:"xmlns:sheaf,attr"`
	Media      string `xml:"xmlns:media,attr,omitempty"`
	Thread     string `xml:"xmlns:thr,attr,omitempty"`
	Tombstones string `xml:"xmlns:at,attr,omitempty"`
	History    string `xml:"xmlns:fh,attr,omitempty"`
	Archive    *atomArchive
	Links      []xmlLink
	Generator  *atomGenerator
	Entries    string `xml:",innerxml"`
	Deleted    []atomDeleted
}

type atomGenerator struct {
	XMLName xml.Name `xml:"generator"`
	Version string   `xml:"version,attr,omitempty"`
	Name    string   `xml:",chardata"`
}

type atomEntry struct {
	*feeds.AtomEntry
	Links       []xmlLink
	Author      []atomPerson
	Contributor []atomPerson
	Category    []atomCategory
	Summary     *atomSummary
	Thread      *atomThread
	Thumbnail   *xmlThumbnail
	Source      *atomSource `xml:"source"` // behind all links of the entry and without an alternate: sfeed does not look at depth
	Coverage    *atomCoverage
}

type atomPerson struct {
	XMLName xml.Name
	feeds.AtomPerson
}

type atomCategory struct {
	XMLName xml.Name `xml:"category"`
	Term    string   `xml:"term,attr"`
	Scheme  string   `xml:"scheme,attr,omitempty"`
	Label   string   `xml:"label,attr,omitempty"`
}

type atomSummary struct {
	XMLName xml.Name `xml:"summary"`
	Type    string   `xml:"type,attr"`
	Text    string   `xml:",chardata"`
}

type atomSource struct {
	ID      string `xml:"id"`
	Title   string `xml:"title"`
	Updated string `xml:"updated"`
	Links   []xmlLink
}

// atomThread says what an entry belongs to (RFC 4685).
type atomThread struct {
	XMLName xml.Name `xml:"thr:in-reply-to"`
	Ref     string   `xml:"ref,attr"`
	Href    string   `xml:"href,attr,omitempty"`
	Type    string   `xml:"type,attr,omitempty"`
}

// atomCoverage is our extension: every report, oldest first.
type atomCoverage struct {
	XMLName  xml.Name      `xml:"sheaf:coverage"`
	Outlets  int           `xml:"outlets,attr"`
	Articles int           `xml:"articles,attr"`
	First    string        `xml:"first,attr"`
	Last     string        `xml:"last,attr"`
	Reports  []atomArticle `xml:"sheaf:article"`
}

type atomArticle struct {
	Href      string `xml:"href,attr"`
	Outlet    string `xml:"outlet,attr"`
	OutletURL string `xml:"outlet-href,attr,omitempty"`
	Published string `xml:"published,attr"`
	Role      string `xml:"role,attr"`
	CopyOf    string `xml:"copy-of,attr,omitempty"`
	Language  string `xml:"xml:lang,attr,omitempty"`
	Title     string `xml:",chardata"`
}

// atomDeleted is a tombstone (RFC 6721).
type atomDeleted struct {
	XMLName xml.Name `xml:"at:deleted-entry"`
	Ref     string   `xml:"ref,attr"`
	When    string   `xml:"when,attr"`
	Comment string   `xml:"at:comment,omitempty"`
}

func atomLink(href, rel, kind, title string) xmlLink {
	return xmlLink{xml.Name{Local: "link"}, href, rel, kind, title}
}

func atomFragment(v *view) (fragment, error) {
	e := (&feeds.Atom{Feed: v.generic()}).AtomFeed().Entries[0]
	e.Published = rfc3339(v.Published)
	entry := &atomEntry{
		AtomEntry: e,
		Links:     v.atomLinks(),
		Author:    []atomPerson{{xml.Name{Local: "author"}, feeds.AtomPerson{Name: v.byline, Uri: v.lead.OutletURL}}},
		Summary:   &atomSummary{Type: "text", Text: v.summary},
		Thumbnail: thumbnail(v.Item.Image),
		Source: &atomSource{
			ID: v.source(), Title: v.lead.Outlet, Updated: rfc3339(v.lead.Published),
			Links: []xmlLink{atomLink(v.source(), "self", "", "")},
		},
		Coverage: v.atomCoverage(),
	}
	for _, topic := range v.Item.Topics {
		entry.Category = append(entry.Category, atomCategory{Term: topic})
	}
	for i, o := range v.outlets {
		entry.Contributor = append(entry.Contributor, atomPerson{xml.Name{Local: "contributor"}, feeds.AtomPerson{Name: o.name, Uri: o.url}})
		if i < mostCategories {
			entry.Category = append(entry.Category, atomCategory{Term: o.key, Scheme: v.site.Feed("outlet"), Label: o.name})
		}
	}
	if v.threaded() {
		entry.Thread = &atomThread{Ref: urn(string(v.Story)), Href: v.page, Type: "text/html"}
	}
	data, err := element(entry, 1)
	return fragment{data: data, picture: entry.Thumbnail != nil, replies: entry.Thread != nil}, err
}

func (v *view) atomLinks() []xmlLink {
	links := []xmlLink{
		atomLink(v.link, "alternate", "text/html", ""),
		atomLink(v.page, "replies", "text/html", v.pageTitle()),
	}
	v.related(func(address, title string) {
		links = append(links, atomLink(address, "related", "text/html", title))
	})
	if v.threaded() {
		links = append(links, atomLink(v.page, "related", "text/html", "The story"))
	}
	return links
}

func (v *view) atomCoverage() *atomCoverage {
	c := &atomCoverage{
		Outlets: len(v.outlets), Articles: len(v.Item.Reports),
		First: rfc3339(v.first()), Last: rfc3339(v.last()),
	}
	for i := range v.Item.Reports {
		r := &v.Item.Reports[i]
		c.Reports = append(c.Reports, atomArticle{
			Href: v.addresses[i], Title: r.Title, Outlet: r.Outlet, OutletURL: r.OutletURL, Published: rfc3339(r.Published),
			Role: v.role(r), CopyOf: v.original(r), Language: r.Lang,
		})
	}
	return c
}

func atomDocument(h *head, entries *fragments) ([]byte, error) {
	f := (&feeds.Atom{Feed: h.generic()}).AtomFeed()
	f.Id, f.Link, f.Icon = h.id, nil, h.site.Icon
	f.Author = &feeds.AtomAuthor{AtomPerson: feeds.AtomPerson{Name: h.title, Uri: h.site.Home()}}
	root := &atomRoot{
		AtomFeed: f, Language: h.language, Coverage: nsCoverage,
		Generator: &atomGenerator{Version: h.site.Version, Name: "sheaf"},
		Links: []xmlLink{
			atomLink(h.address(".atom"), "self", typeAtom, ""),
			atomLink(h.home, "alternate", "text/html", ""),
		},
		Entries: place,
	}
	if h.site.Hub != "" {
		root.Links = append(root.Links, atomLink(h.site.Hub, "hub", "", ""))
	}
	if h.previous != "" {
		root.Links = append(root.Links, atomLink(h.site.Feed(h.previous), "prev-archive", typeAtom, ""))
	}
	if h.current != "" {
		root.History, root.Archive = nsHistory, new(atomArchive)
		root.Links = append(root.Links, atomLink(h.current, "current", typeAtom, ""))
	}
	if entries.picture {
		root.Media = nsMedia
	}
	if entries.replies {
		root.Thread = nsThread
	}
	for _, e := range h.gone {
		root.Tombstones = nsTombstones
		root.Deleted = append(root.Deleted, atomDeleted{Ref: urn(e.ID), When: rfc3339(e.Left), Comment: "Merged into " + urn(string(e.Into))})
	}
	return document{h.site, root}.with(entries)
}

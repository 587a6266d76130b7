package feeds

import (
	"html"
	"strings"

	"github.com/mmcdole/gofeed/atom"
	ext "github.com/mmcdole/gofeed/extensions"

	"sheaf"
	"sheaf/feeds/canonical"
	"sheaf/feeds/clean"
)

// atom maps Atom 1.0 and 0.3.
func (m *mapper) atom(f *atom.Feed) {
	m.doc.Format, m.doc.Version = "atom", strings.TrimSpace(f.Version)
	self, site := "", ""
	for _, l := range f.Links {
		switch l.Rel {
		case "self":
			self = first(self, l.Href)
		case "alternate":
			site = first(site, l.Href)
		}
	}
	m.settleBase(self, site)
	m.atomHeader(f)
	m.doc.Items = make([]Item, 0, len(f.Entries))
	for i, e := range f.Entries {
		m.doc.Items = append(m.doc.Items, m.atomItem(f, e, i))
	}
}

func (m *mapper) atomHeader(f *atom.Feed) {
	h := &m.doc.Feed
	h.ID = m.atomID(first(m.facts.ID, f.ID), m.base)
	h.Title, h.TitleText = m.atomTitle(f.Title)
	h.Summary = m.line(first(f.Subtitle, extension(f.Extensions, "itunes", "summary")))
	h.Links = m.linksOf(f.Links)
	h.Link = bestAlternate(h.Links)
	m.hints(f.Extensions)
	h.Lang = languageTag(first(m.facts.Lang, f.Language, extension(f.Extensions, "dc", "language"), m.language))
	h.Authors = m.peopleOf(f.Authors)
	if len(h.Authors) == 0 {
		h.Authors = creators(f.Extensions)
	}
	h.Categories = atomCategories(f.Categories, f.Extensions)
	h.Image = m.abs(first(f.Logo, f.Icon))
	h.Updated = m.date(f.Updated, extension(f.Extensions, "dcterms", "modified"), extension(f.Extensions, "dc", "date"))
	h.Published = m.date(extension(f.Extensions, "dcterms", "issued", "created", "available", "date"))
}

func (m *mapper) atomItem(f *atom.Feed, e *atom.Entry, i int) Item {
	fact := m.fact(i, len(f.Entries))
	base := first(fact.Base, m.base)
	it := Item{GUID: m.atomID(first(fact.ID, e.ID), base), Lang: first(m.itemLanguage(fact), extension(e.Extensions, "dc", "language"))}
	it.Title, it.TitleText = m.atomTitle(e.Title)
	it.TitleFrom = "title"
	if it.Title == "" {
		it.Title, it.TitleFrom = m.line(first(extension(e.Extensions, "dc", "title"), m.mediaText(e.Extensions, "title"))), "media"
	}
	if it.Title == "" {
		it.TitleFrom = ""
	}
	it.Summary = m.firstText(fact.Base, e.Summary, m.mediaText(e.Extensions, "description"), extension(e.Extensions, "itunes", "summary"))
	if e.Content != nil {
		it.Content = m.text(e.Content.Value, fact.Base)
	}
	it.Source = m.atomSource(e.Source)
	it.Authors = m.atomAuthors(e, it.Source)
	it.Published = m.date(e.Published, extension(e.Extensions, "dc", "date"), extension(e.Extensions, "dcterms", "issued", "created", "available", "date"))
	it.Updated = m.date(e.Updated, extension(e.Extensions, "dcterms", "modified"), extension(e.Extensions, "dc", "date"))
	it.Categories = atomCategories(e.Categories, e.Extensions)
	m.atomLinksOf(e, &it, base)
	it.Media = m.media(e.Extensions)
	it.Image = m.picture(e.Extensions, &it)
	m.bound(&it)
	return it
}

// atomTitle gives a title and whether it is text. One without a type is text by the standard, but may hold references all the same.
func (m *mapper) atomTitle(value string) (title string, isText bool) {
	t := m.facts.Text(value)
	if t.Plain && t.Type == "" {
		t.Value = html.UnescapeString(t.Value)
	}
	return t.Value, t.Plain
}

// atomID keeps an id as it is written, unless it is evidently a relative address.
func (m *mapper) atomID(id, base string) string {
	id = strings.TrimSpace(id)
	if strings.HasPrefix(id, "/") {
		return m.absTo(base, id)
	}
	return id
}

func (m *mapper) linksOf(list []*atom.Link) []Link {
	var links []Link
	for _, l := range list {
		if u := m.abs(l.Href); u != "" {
			links = append(links, Link{URL: u, Rel: l.Rel, Type: l.Type, Title: l.Title})
		}
	}
	return links
}

// atomLinksOf collects the links of an entry and chooses the one that leads to the article.
func (m *mapper) atomLinksOf(e *atom.Entry, it *Item, base string) {
	for _, l := range e.Links {
		u := m.absTo(base, l.Href)
		if u == "" {
			continue
		}
		it.Links = append(it.Links, Link{URL: u, Rel: l.Rel, Type: l.Type, Title: l.Title})
		if l.Rel == "enclosure" {
			it.Enclosures = append(it.Enclosures, Enclosure{URL: u, Type: l.Type, Length: l.Length})
		}
	}
	choose := func(rule, link string) {
		if it.Link == "" && canonical.IsWeb(link) {
			it.Link, it.LinkFrom = link, rule
		}
	}
	choose("origlink", m.absTo(base, extension(e.Extensions, "feedburner", "origLink")))
	choose("link", bestAlternate(it.Links))
	if e.Content != nil {
		choose("content", m.absTo(base, e.Content.Src))
	}
	choose("guid", it.GUID)
	for _, l := range it.Enclosures {
		choose("enclosure", l.URL)
	}
}

// bestAlternate is the alternate link that is most likely a page for people; the first of equals.
func bestAlternate(links []Link) string {
	best, rank := "", 0
	for _, l := range links {
		if l.Rel != "alternate" {
			continue
		}
		r := 1
		switch {
		case strings.Contains(strings.ToLower(l.Type), "html"):
			r = 3
		case l.Type == "":
			r = 2
		}
		if r > rank {
			best, rank = l.URL, r
		}
	}
	return best
}

// atomAuthors are those of the entry, else of its source, else of the feed.
func (m *mapper) atomAuthors(e *atom.Entry, s Source) []sheaf.Author {
	if p := m.peopleOf(e.Authors); len(p) > 0 {
		return p
	}
	if p := creators(e.Extensions); len(p) > 0 {
		return p
	}
	if len(s.authors) > 0 {
		return s.authors
	}
	return m.doc.Feed.Authors
}

func (m *mapper) peopleOf(list []*atom.Person) people {
	var p people
	for _, a := range list {
		p.add(atomPerson(a.Name, a.Email, m.abs(a.URI)))
	}
	return p
}

func atomPerson(name, email, link string) sheaf.Author {
	a := person(name)
	a.Email = first(strings.TrimSpace(email), a.Email)
	a.URL = link
	return a
}

func childText(list []ext.Extension) string {
	if len(list) == 0 {
		return ""
	}
	return list[0].Value
}

func atomCategories(list []*atom.Category, e ext.Extensions) categories {
	var c categories
	for _, x := range list {
		c.add(x.Term, x.Scheme, x.Label)
	}
	labels(&c, e)
	return c
}

func (m *mapper) atomSource(f *atom.Source) Source {
	if f == nil {
		return Source{}
	}
	s := Source{ID: strings.TrimSpace(f.ID), Updated: f.Updated, authors: m.peopleOf(f.Authors)}
	s.Name, s.text = m.atomTitle(f.Title)
	s.Name = clean.Cut(s.Name, maxTitle)
	links := m.linksOf(f.Links)
	s.Link = bestAlternate(links)
	for _, l := range links {
		if l.Rel == "self" {
			s.FeedURL = first(s.FeedURL, l.URL)
		}
	}
	return s
}

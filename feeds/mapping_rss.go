package feeds

import (
	"strings"

	"github.com/mmcdole/gofeed/rss"

	"sheaf"
	"sheaf/feeds/canonical"
)

// rss maps the RSS family.
func (m *mapper) rss(f *rss.Feed) {
	m.doc.Format, m.doc.Version = "rss", strings.TrimSpace(f.Version)
	links := nonEmpty(f.Links)
	self := ""
	for _, prefix := range atomPrefixes {
		for _, l := range f.Extensions[prefix]["link"] {
			if l.Attrs["rel"] == "self" {
				self = first(self, l.Attrs["href"])
			}
		}
	}
	m.settleBase(self, first(links...))
	m.rssHeader(f, links)
	m.doc.Items = make([]Item, 0, len(f.Items))
	linkBase := m.base
	if site := m.doc.Feed.Link; canonical.IsWeb(first(links...)) && !m.pinned {
		linkBase = site // relative links of items are meant against the site
	}
	for i, it := range f.Items {
		m.doc.Items = append(m.doc.Items, m.rssItem(it, i, len(f.Items), linkBase))
	}
}

func (m *mapper) rssHeader(f *rss.Feed, links []string) {
	h := &m.doc.Feed
	h.Title = first(m.line(f.Title), m.line(extension(f.Extensions, "dc", "title")))
	h.Summary = first(m.line(f.Description), m.line(extension(f.Extensions, "dc", "description")), m.line(extension(f.Extensions, "itunes", "summary")), m.line(atomExtension(f.Extensions, "subtitle")))
	for _, l := range links {
		h.Links = append(h.Links, Link{URL: m.abs(l), Rel: "alternate"})
	}
	h.Links = append(h.Links, m.atomLinks(f.Extensions)...)
	m.hints(f.Extensions)
	for _, l := range h.Links {
		if l.Rel == "alternate" && l.URL != h.Self {
			h.Link = first(h.Link, l.URL)
		}
	}
	h.Lang = languageTag(first(f.Language, extension(f.Extensions, "dc", "language"), m.facts.Lang, m.language))
	var authors people
	authors.add(person(first(m.facts.Author, f.ManagingEditor)))
	for _, a := range creators(f.Extensions) {
		authors.add(a)
	}
	authors.add(person(extension(f.Extensions, "itunes", "author")))
	h.Authors = authors
	var c categories
	for _, x := range f.Categories {
		c.add(x.Value, x.Domain, "")
	}
	labels(&c, f.Extensions)
	h.Categories = c
	if f.Image != nil {
		h.Image = m.abs(f.Image.URL)
	}
	if h.Image == "" {
		h.Image = m.picture(f.Extensions, &Item{})
	}
	h.Published = m.date(f.PubDate, extension(f.Extensions, "dc", "date"), atomExtension(f.Extensions, "published"), extension(f.Extensions, "dcterms", "issued", "created", "available", "date"))
	h.Updated = m.date(f.LastBuildDate, atomExtension(f.Extensions, "updated", "modified"), extension(f.Extensions, "dcterms", "modified"), extension(f.Extensions, "dc", "date"), f.PubDate)
	h.TTL, h.SkipHours, h.SkipDays = f.TTL, f.SkipHours, f.SkipDays
}

func (m *mapper) rssItem(f *rss.Item, i, n int, linkBase string) Item {
	fact := m.fact(i, n)
	e := f.Extensions
	it := Item{Lang: first(m.itemLanguage(fact), extension(e, "dc", "language"))}
	if f.GUID != nil {
		it.GUID = strings.TrimSpace(f.GUID.Value)
		it.Permalink = it.GUID != "" && !strings.EqualFold(strings.TrimSpace(f.GUID.IsPermalink), "false")
	}
	it.GUID = first(it.GUID, atomExtension(e, "id"))
	it.Title = m.line(first(f.Title, extension(e, "dc", "title"), atomExtension(e, "title")))
	it.TitleFrom = "title"
	if it.Title == "" {
		it.Title, it.TitleFrom = m.line(m.mediaText(e, "title")), "media"
	}
	if it.Title == "" {
		it.TitleFrom = ""
	}
	summary, other := f.Description, f.Custom["summary"]
	if other != "" && (summary == "" || m.facts.Before(other, summary)) {
		summary, other = other, summary // an item with both: the first sums up, the second is the longer one
	}
	it.Summary = m.firstText(fact.Base, summary, extension(e, "dc", "description"), extension(e, "itunes", "summary"), atomExtension(e, "summary"),
		m.mediaText(e, "description"), extension(e, "itunes", "subtitle"))
	it.Content = m.firstText(fact.Base, f.Content, f.Custom["encoded"], atomExtension(e, "content"), other)
	it.Authors = m.rssAuthors(f)
	it.Published = m.date(f.PubDate, extension(e, "dc", "date"), atomExtension(e, "published", "issued"), extension(e, "dcterms", "issued", "created", "available", "date"))
	it.Updated = m.date(atomExtension(e, "updated", "modified"), extension(e, "dcterms", "modified"), extension(e, "dc", "date"))
	var c categories
	for _, x := range f.Categories {
		c.add(x.Value, x.Domain, "")
	}
	labels(&c, e)
	it.Categories = c
	m.rssLinks(f, &it, linkBase)
	it.Media = m.media(e)
	it.Image = m.picture(e, &it)
	it.Source = m.rssSource(f)
	m.bound(&it)
	return it
}

func (m *mapper) rssAuthors(f *rss.Item) []sheaf.Author {
	var p people
	p.add(person(f.Author))
	if len(p) == 0 {
		p = creators(f.Extensions)
	}
	if len(p) == 0 {
		p.add(person(extension(f.Extensions, "itunes", "author")))
	}
	for _, prefix := range atomPrefixes {
		for _, x := range f.Extensions[prefix]["author"] {
			if len(p) == 0 {
				p.add(atomPerson(childText(x.Children["name"]), childText(x.Children["email"]), first(childText(x.Children["uri"]), childText(x.Children["url"]))))
			}
		}
	}
	return p
}

// rssLinks collects the links of an item and chooses the one that leads to the article.
func (m *mapper) rssLinks(f *rss.Item, it *Item, base string) {
	for _, x := range f.Enclosures {
		if u := m.abs(x.URL); u != "" {
			it.Enclosures = append(it.Enclosures, Enclosure{URL: u, Type: x.Type, Length: x.Length})
		}
	}
	for _, l := range nonEmpty(f.Links) {
		it.Links = append(it.Links, Link{URL: m.absTo(base, l), Rel: "alternate"})
	}
	own := len(it.Links)
	it.Links = append(it.Links, m.atomLinks(f.Extensions)...)
	for _, l := range it.Links[own:] {
		if l.Rel == "enclosure" {
			it.Enclosures = append(it.Enclosures, Enclosure{URL: l.URL, Type: l.Type})
		}
	}
	choose := func(rule, link string) {
		if it.Link == "" && canonical.IsWeb(link) {
			it.Link, it.LinkFrom = link, rule
		}
	}
	choose("origlink", m.abs(extension(f.Extensions, "feedburner", "origLink")))
	for _, l := range it.Links[:own] {
		if l.URL != m.doc.Feed.Self {
			choose("link", l.URL)
		}
	}
	if it.Permalink {
		choose("guid", m.absGUID(base, it.GUID))
	}
	for _, l := range it.Links[own:] {
		if l.Rel == "alternate" {
			choose("alternate", l.URL)
		}
	}
	for _, l := range it.Enclosures {
		choose("enclosure", l.URL)
	}
}

// absGUID reads a permalink. Only what looks like an address is one: most ids without a scheme are just ids.
func (m *mapper) absGUID(base, guid string) string {
	if canonical.IsWeb(guid) || strings.HasPrefix(guid, "/") {
		return m.absTo(base, guid)
	}
	return ""
}

func (m *mapper) rssSource(f *rss.Item) Source {
	if f.Source == nil {
		return Source{}
	}
	s := Source{Name: strings.TrimSpace(f.Source.Title), FeedURL: m.abs(f.Source.URL)}
	if !looksLikeFeed(s.FeedURL) {
		s.Link = s.FeedURL
	}
	return s
}

// looksLikeFeed guesses from its spelling whether an address is that of a feed rather than of a site.
func looksLikeFeed(link string) bool {
	link = strings.ToLower(link)
	for _, mark := range [...]string{".xml", "rss", "atom", "feed", ".rdf"} {
		if i := strings.LastIndex(link, mark); i > len("https://") {
			return true
		}
	}
	return false
}

func nonEmpty(list []string) []string {
	var kept []string
	for _, s := range list {
		if s = strings.TrimSpace(s); s != "" {
			kept = append(kept, s)
		}
	}
	return kept
}

package feeds

import (
	"bytes"
	"encoding/json"
	"html"
	"path"
	"strconv"
	"strings"

	jsonfeed "github.com/mmcdole/gofeed/json"

	"sheaf"
	"sheaf/feeds/canonical"
	"sheaf/feeds/clean"
)

// json maps JSON Feed.
func (m *mapper) json(f *jsonfeed.Feed) {
	m.doc.Format, m.doc.Version = "json", strings.TrimPrefix(path.Base(strings.TrimSpace(f.Version)), "version-")
	if !strings.Contains(f.Version, "jsonfeed.org") {
		m.doc.Version = ""
	}
	m.settleBase(f.FeedURL, f.HomePageURL)
	h := &m.doc.Feed
	h.Title, h.TitleText = strings.TrimSpace(f.Title), true
	h.Summary = html.EscapeString(strings.TrimSpace(f.Description))
	h.Link, h.Self, h.ID = m.abs(f.HomePageURL), m.abs(f.FeedURL), m.abs(f.FeedURL)
	if h.Link != "" {
		h.Links = append(h.Links, Link{URL: h.Link, Rel: "alternate"})
	}
	if h.Self != "" {
		h.Links = append(h.Links, Link{URL: h.Self, Rel: "self"})
	}
	h.Lang = languageTag(first(f.Language, m.language))
	h.Authors = m.jsonAuthors(f.Authors, f.Author)
	h.Image = m.abs(first(f.Icon, f.Favicon))
	m.doc.Items = make([]Item, 0, len(f.Items))
	for _, it := range f.Items {
		if it != nil {
			m.doc.Items = append(m.doc.Items, m.jsonItem(it))
		}
	}
	m.doc.Seen = len(m.doc.Items)
}

func (m *mapper) jsonItem(f *jsonfeed.Item) Item {
	it := Item{GUID: strings.TrimSpace(f.ID), Title: strings.TrimSpace(f.Title), TitleText: true, Lang: f.Language}
	if it.Title != "" {
		it.TitleFrom = "title"
	}
	it.Summary = m.text(html.EscapeString(strings.TrimSpace(f.Summary)), "")
	it.Content = m.text(strings.TrimSpace(f.ContentHTML), "")
	if it.Content.Markup == "" {
		it.Content = m.text(html.EscapeString(strings.TrimSpace(f.ContentText)), "")
	}
	it.Authors = m.jsonAuthors(f.Authors, f.Author)
	if len(it.Authors) == 0 {
		it.Authors = m.doc.Feed.Authors
	}
	it.Published, it.Updated = m.date(f.DatePublished), m.date(f.DateModified)
	var c categories
	for _, t := range f.Tags {
		c.add(t, "", "")
	}
	it.Categories = c
	if f.Attachments != nil {
		for _, a := range *f.Attachments {
			if u := m.abs(a.URL); u != "" {
				it.Enclosures = append(it.Enclosures, Enclosure{URL: u, Type: a.MimeType, Length: size(a.SizeInBytes)})
			}
		}
	}
	for _, l := range []struct{ rule, link string }{{"link", f.URL}, {"external", f.ExternalURL}} {
		u := m.abs(l.link)
		if u == "" {
			continue
		}
		it.Links = append(it.Links, Link{URL: u, Rel: map[string]string{"link": "alternate", "external": "related"}[l.rule]})
		if it.Link == "" && canonical.IsWeb(u) {
			it.Link, it.LinkFrom = u, l.rule
		}
	}
	if it.Link == "" && len(it.Enclosures) > 0 && canonical.IsWeb(it.Enclosures[0].URL) {
		it.Link, it.LinkFrom = it.Enclosures[0].URL, "enclosure"
	}
	it.Image = m.abs(first(f.Image, f.BannerImage))
	m.bound(&it)
	return it
}

func (m *mapper) jsonAuthors(list []*jsonfeed.Author, single *jsonfeed.Author) people {
	var p people
	if len(list) == 0 && single != nil {
		list = []*jsonfeed.Author{single}
	}
	for _, a := range list {
		if a == nil {
			continue
		}
		author := sheaf.Author{Name: clean.PlainTitle(a.Name)}
		if address, ok := strings.CutPrefix(strings.TrimSpace(a.URL), "mailto:"); ok {
			author.Email, _, _ = strings.Cut(address, "?")
		} else {
			author.URL = m.abs(a.URL)
		}
		p.add(author)
	}
	return p
}

// jsonHubs reads the WebSub hubs of a JSON Feed, which the parser leaves out.
func (m *mapper) jsonHubs(text []byte) {
	var feed struct {
		Hubs []struct {
			Type string
			URL  string
		}
	}
	if !bytes.Contains(text, []byte(`"hubs"`)) || json.Unmarshal(text, &feed) != nil {
		return
	}
	for _, h := range feed.Hubs {
		if u := m.abs(h.URL); u != "" && strings.EqualFold(h.Type, "WebSub") {
			m.doc.Feed.Hubs = append(m.doc.Feed.Hubs, u)
		}
	}
}

func size(n int64) string {
	if n <= 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

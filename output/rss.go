package output

import (
	"encoding/xml"
	"strings"
	"time"

	"github.com/gorilla/feeds"
)

// The RSS types embed gorilla's; a field of the same name shadows the one that is too narrow. Foreign prefixes are literal, declared at
// the root.

type rssRoot struct {
	XMLName    xml.Name `xml:"rss"`
	Version    string   `xml:"version,attr"`
	Content    string   `xml:"xmlns:content,attr"`
	Atom       string   `xml:"xmlns:atom,attr"`
	DublinCore string   `xml:"xmlns:dc,attr"`
	Media      string   `xml:"xmlns:media,attr,omitempty"`
	Channel    *rssChannel
}

type rssChannel struct {
	*feeds.RssFeed
	Links []xmlLink
	Items string `xml:",innerxml"`
}

type rssItem struct {
	*feeds.RssItem
	Creator    string        `xml:"dc:creator,omitempty"`
	Categories []rssCategory `xml:"category"`
	Source     *rssSource    `xml:"source"`
	Links      []xmlLink
	Thumbnail  *xmlThumbnail
	Updated    string `xml:"atom:updated,omitempty"`
}

type rssCategory struct {
	Domain string `xml:"domain,attr,omitempty"`
	Term   string `xml:",chardata"`
}

type rssSource struct {
	URL  string `xml:"url,attr"`
	Name string `xml:",chardata"`
}

// asHTML escapes plain text for a description, which is HTML. Quotes need none and would show as &#39; where a stylesheet shows the feed.
var asHTML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func rssFragment(v *view) (fragment, error) {
	it := (&feeds.Rss{Feed: v.generic()}).RssFeed().Items[0]
	it.Comments = v.page
	it.Description = asHTML.Replace(v.summary)
	item := &rssItem{
		RssItem:   it,
		Creator:   v.byline,
		Source:    &rssSource{v.source(), v.lead.Outlet},
		Thumbnail: thumbnail(v.Item.Image),
		Updated:   rfc3339(v.Updated),
	}
	for _, topic := range v.Item.Topics {
		item.Categories = append(item.Categories, rssCategory{Term: topic})
	}
	for _, o := range v.outlets[:min(len(v.outlets), mostCategories)] {
		item.Categories = append(item.Categories, rssCategory{v.site.Feed("outlet"), o.name})
	}
	v.related(func(address, title string) {
		item.Links = append(item.Links, xmlLink{xml.Name{Local: "atom:link"}, address, "related", "text/html", title})
	})
	data, err := element(item, 2)
	return fragment{data: data, picture: item.Thumbnail != nil}, err
}

func rssDocument(h *head, items *fragments) ([]byte, error) {
	ch := (&feeds.Rss{Feed: h.generic()}).RssFeed()
	ch.Language, ch.Generator, ch.Docs = h.language, "sheaf", "https://www.rssboard.org/rss-specification"
	ch.Ttl = int(max(h.site.interval()/time.Minute, 1))
	ch.PubDate = ""
	root := &rssRoot{Version: "2.0", Content: nsContent, Atom: nsAtom, DublinCore: nsDublinCore, Channel: &rssChannel{RssFeed: ch}}
	if items.picture {
		root.Media = nsMedia
	}
	link := func(href, rel, kind string) {
		root.Channel.Links = append(root.Channel.Links, xmlLink{xml.Name{Local: "atom:link"}, href, rel, kind, ""})
	}
	link(h.address(".rss"), "self", typeRSS)
	link(h.address(".atom"), "alternate", typeAtom)
	link(h.address(".json"), "alternate", typeJSON)
	if h.site.Hub != "" {
		link(h.site.Hub, "hub", "")
	}
	root.Channel.Items = place
	return document{h.site, root}.with(items)
}

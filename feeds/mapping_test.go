package feeds

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sheaf"
)

// firstItem parses a document and gives its first item.
func firstItem(t *testing.T, doc string) Item {
	t.Helper()
	d := parseString(t, doc)
	if len(d.Items) == 0 {
		t.Fatalf("no items in %s", doc)
	}
	return d.Items[0]
}

// namespaces used by the documents of these tests.
const testNamespaces = ` xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"` +
	` xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:media="http://search.yahoo.com/mrss/" xmlns:content="http://purl.org/rss/1.0/modules/content/"` +
	` xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"`

func rssOf(item string) string {
	return `<rss version="2.0"` + testNamespaces + `><channel><title>Harbour</title><link>https://harbour.example/</link><item>` + item + `</item></channel></rss>`
}

func atomOf(entry string) string {
	return `<feed xmlns="http://www.w3.org/2005/Atom"` + strings.Replace(testNamespaces, ` xmlns:atom="http://www.w3.org/2005/Atom"`, "", 1) +
		`><title>Harbour</title><link href="https://harbour.example/"/><author><name>Desk</name></author><entry>` + entry + `</entry></feed>`
}

func TestLinkRules(t *testing.T) {
	for _, tt := range []struct{ name, doc, link, from string }{
		{"RSS link", rssOf(`<link>https://e.example/1</link><link/>`), "https://e.example/1", "link"},
		{"RSS link with white space", rssOf("<link>\n https://e.example/1 </link>"), "https://e.example/1", "link"},
		{"RSS link in an attribute", rssOf(`<link href="https://e.example/1"/>`), "https://e.example/1", "link"},
		{"RSS, the original beats the proxy", rssOf(`<link>https://p.example/</link><feedburner:origLink>https://e.example/1</feedburner:origLink>`), "https://e.example/1", "origlink"},
		{"RSS guid", rssOf(`<guid>https://e.example/1</guid>`), "https://e.example/1", "guid"},
		{"RSS guid, relative", rssOf(`<guid>/1</guid>`), "https://harbour.example/1", "guid"},
		{"RSS guid that is none", rssOf(`<guid isPermaLink=" False ">https://e.example/1</guid>`), "", ""},
		{"RSS guid that is a number", rssOf(`<guid>123</guid>`), "", ""},
		{"RSS Atom link", rssOf(`<atom:link href="https://e.example/1"/>`), "https://e.example/1", "alternate"},
		{"RSS Atom link to something else", rssOf(`<atom:link rel="related" href="https://e.example/1"/>`), "", ""},
		{"RSS enclosure", rssOf(`<enclosure url="https://e.example/1.mp3"/>`), "https://e.example/1.mp3", "enclosure"},
		{"RSS link too long", rssOf(`<link>https://e.example/` + strings.Repeat("a", maxURL) + `</link>`), "", ""},
		{"Atom alternate without type", atomOf(`<link href="https://e.example/1"/>`), "https://e.example/1", "link"},
		{"Atom alternate of HTML", atomOf(`<link type="application/json" href="https://e.example/0"/><link href="https://e.example/2"/><link type="text/html" href="https://e.example/1"/>`), "https://e.example/1", "link"},
		{"Atom, first of equals", atomOf(`<link href="https://e.example/1"/><link href="https://e.example/2"/>`), "https://e.example/1", "link"},
		{"Atom content elsewhere", atomOf(`<content src="https://e.example/1"/><id>https://e.example/2</id>`), "https://e.example/1", "content"},
		{"Atom id", atomOf(`<id>https://e.example/1</id>`), "https://e.example/1", "guid"},
		{"Atom id that is no address", atomOf(`<id>urn:1</id>`), "", ""},
		{"Atom enclosure", atomOf(`<link rel="enclosure" href="https://e.example/1"/>`), "https://e.example/1", "enclosure"},
		{"JSON url", `{"items":[{"url":"https://e.example/1","external_url":"https://e.example/2"}]}`, "https://e.example/1", "link"},
		{"JSON external", `{"items":[{"external_url":"https://e.example/1"}]}`, "https://e.example/1", "external"},
		{"JSON attachment", `{"items":[{"attachments":[{"url":"https://e.example/1"}]}]}`, "https://e.example/1", "enclosure"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if it := firstItem(t, tt.doc); it.Link != tt.link || it.LinkFrom != tt.from {
				t.Errorf("link %q from %q, want %q from %q", it.Link, it.LinkFrom, tt.link, tt.from)
			}
		})
	}
}

func TestDateRules(t *testing.T) {
	for _, tt := range []struct{ name, doc, published, updated string }{
		{"RSS", rssOf(`<pubDate>2026-01-01</pubDate><dc:date>2026-01-02</dc:date>`), "2026-01-01", "2026-01-02"},
		{"RSS, one that cannot be read", rssOf(`<pubDate>soon</pubDate><dc:date>2026-01-02</dc:date>`), "2026-01-02", "2026-01-02"},
		{"RSS, none that can be read", rssOf(`<pubDate>soon</pubDate>`), "soon", ""},
		{"RSS with Atom dates", rssOf(`<atom:published>2026-01-01</atom:published><atom:updated>2026-01-02</atom:updated>`), "2026-01-01", "2026-01-02"},
		{"RSS with terms", rssOf(`<dcterms:created>2026-01-01</dcterms:created><dcterms:modified>2026-01-02</dcterms:modified>`), "2026-01-01", "2026-01-02"},
		{"RSS, issued before created", rssOf(`<dcterms:created>2026-01-02</dcterms:created><dcterms:issued>2026-01-01</dcterms:issued>`), "2026-01-01", ""},
		{"Atom", atomOf(`<published>2026-01-01</published><updated>2026-01-02</updated>`), "2026-01-01", "2026-01-02"},
		{"Atom, updated alone", atomOf(`<updated>2026-01-02</updated>`), "", "2026-01-02"},
		{"Atom 0.3", `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><issued>2026-01-01</issued><modified>2026-01-02</modified></entry></feed>`, "2026-01-01", "2026-01-02"},
		{"JSON", `{"items":[{"date_published":"2026-01-01","date_modified":"2026-01-02"}]}`, "2026-01-01", "2026-01-02"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if it := firstItem(t, tt.doc); it.Published != tt.published || it.Updated != tt.updated {
				t.Errorf("published %q, updated %q, want %q and %q", it.Published, it.Updated, tt.published, tt.updated)
			}
		})
	}
}

func TestDateNotes(t *testing.T) {
	item := func(date string) string { return "<item><title>a</title><pubDate>" + date + "</pubDate></item>" }
	for _, tt := range []struct {
		name, items string
		want        []Note
	}{
		{"nothing doubtful", item("14 Jul 2026 09:05 GMT") + item("2026-07-14"), nil},
		{"a zone nobody knows", item("14 Jul 2026 09:05 XYZT") + item("14 Jul 2026 09:05 GMT"), []Note{{"date_zone_unknown", 1}}},
		{"day or month", item("03/04/2026") + item("05/06/2026"), []Note{{"date_order_guessed", 2}}},
		{"day or month, shown by a later one", item("03/04/2026") + item("14/06/2026"), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc := parseString(t, `<rss version="2.0"><channel><title>f</title>`+tt.items+"</channel></rss>")
			if diff := cmp.Diff(tt.want, doc.Notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAuthorRules(t *testing.T) {
	one := func(name string) []sheaf.Author { return []sheaf.Author{{Name: name}} }
	for _, tt := range []struct {
		name, doc string
		want      []sheaf.Author
	}{
		{"RSS author", rssOf(`<author>One</author><dc:creator>Two</dc:creator>`), one("One")},
		{"RSS creators", rssOf(`<dc:creator>One</dc:creator><dc:creator> Two </dc:creator><dc:creator>One</dc:creator>`), []sheaf.Author{{Name: "One"}, {Name: "Two"}}},
		{"RSS podcast", rssOf(`<itunes:author>One</itunes:author>`), one("One")},
		{"RSS Atom author", rssOf(`<atom:author><atom:name>One</atom:name><atom:uri>https://e.example/</atom:uri></atom:author>`), []sheaf.Author{{Name: "One", URL: "https://e.example/"}}},
		{"RSS, empty", rssOf(`<author> </author><dc:creator/>`), nil},
		{"Atom", atomOf(`<author><name>One</name><email>one@e.example</email><uri>/one</uri></author>`), []sheaf.Author{{Name: "One", Email: "one@e.example", URL: "https://harbour.example/one"}}},
		{"Atom, the source's", atomOf(`<source><author><name>One</name></author></source>`), one("One")},
		{"Atom, the feed's", atomOf(`<title>a</title>`), one("Desk")},
		{"JSON authors", `{"items":[{"authors":[{"name":"One"},{"url":"https://e.example/"}],"author":{"name":"Two"}}]}`, []sheaf.Author{{Name: "One"}, {URL: "https://e.example/"}}},
		{"JSON author", `{"items":[{"author":{"name":"One"}}]}`, one("One")},
		{"JSON, the feed's", `{"authors":[{"name":"One"}],"items":[{"id":"1"}]}`, one("One")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, firstItem(t, tt.doc).Authors, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("authors (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTextRules(t *testing.T) {
	for _, tt := range []struct{ name, doc, summary, content string }{
		{"RSS", rssOf(`<description>a</description><content:encoded>b</content:encoded>`), "a", "b"},
		{"RSS, content without its namespace", rssOf(`<description>a</description><encoded>b</encoded>`), "a", "b"},
		{"RSS with Atom texts", rssOf(`<atom:summary>a</atom:summary><atom:content type="html">b</atom:content>`), "a", "b"},
		{"RSS, Dublin Core before the podcast", rssOf(`<itunes:summary>b</itunes:summary><dc:description>a</dc:description>`), "a", ""},
		{"RSS, of the group of media", rssOf(`<media:group><media:description>a</media:description></media:group>`), "a", ""},
		{"RSS, not of a single picture", rssOf(`<media:content url="x"><media:description>a</media:description></media:content>`), "", ""},
		{"RSS, empty before full", rssOf(`<description/><itunes:summary>a</itunes:summary>`), "a", ""},
		{"Atom", atomOf(`<summary>a</summary><content>b</content>`), "a", "b"},
		{"JSON", `{"items":[{"summary":"a","content_html":"<p>b</p>","content_text":"c"}]}`, "a", "<p>b</p>"},
		{"JSON text", `{"items":[{"summary":"a<","content_text":"b<"}]}`, "a&lt;", "b&lt;"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if it := firstItem(t, tt.doc); it.Summary.Markup != tt.summary || it.Content.Markup != tt.content {
				t.Errorf("summary %q, content %q, want %q and %q", it.Summary.Markup, it.Content.Markup, tt.summary, tt.content)
			}
		})
	}
}

func TestPictureRules(t *testing.T) {
	for _, tt := range []struct{ name, doc, want string }{
		{"podcast", rssOf(`<media:content url="/m.jpg" medium="image"/><itunes:image href="/i.jpg"/>`), "https://harbour.example/i.jpg"},
		{"media, by type", rssOf(`<media:content url="/v.mp4" type="video/mp4"/><media:content url="/m" type="image/webp"/><media:thumbnail url="/t.jpg"/>`), "https://harbour.example/m"},
		{"media, by name", rssOf(`<media:content url="/m.JPG?w=1"/>`), "https://harbour.example/m.JPG?w=1"},
		{"enclosure", rssOf(`<enclosure url="/e.png" type="image/png"/><media:thumbnail url="/t.jpg"/>`), "https://harbour.example/e.png"},
		{"thumbnail in a group", atomOf(`<media:group><media:thumbnail url="/t.jpg"/></media:group>`), "https://harbour.example/t.jpg"},
		{"JSON", `{"home_page_url":"https://harbour.example/","items":[{"banner_image":"/b.jpg"}]}`, "https://harbour.example/b.jpg"},
		{"none", rssOf(`<enclosure url="/e.mp3" type="audio/mpeg"/>`), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := firstItem(t, tt.doc).Image; got != tt.want {
				t.Errorf("image = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHeader(t *testing.T) {
	for _, tt := range []struct {
		name, doc string
		want      Header
	}{
		{
			"RSS", `<rss version="0.91" xml:lang="de"` + testNamespaces + `><channel><title>Harbour &amp;amp; Co</title><link>https://harbour.example/</link><atom:link rel="self" href="/feed.xml"/>` +
				`<description>a</description><language>en_gb</language><managingEditor>desk@e.example (Desk)</managingEditor><category>c</category><image><url>/i.png</url></image>` +
				`<pubDate>2026-01-01</pubDate><lastBuildDate>2026-01-02</lastBuildDate><ttl>60</ttl></channel></rss>`,
			Header{
				Title: "Harbour &amp; Co", Summary: "a", Link: "https://harbour.example/", Self: "https://harbour.example/feed.xml", Lang: "en-gb",
				Links:   []Link{{URL: "https://harbour.example/", Rel: "alternate"}, {URL: "https://harbour.example/feed.xml", Rel: "self"}},
				Authors: []sheaf.Author{{Name: "Desk", Email: "desk@e.example"}}, Categories: []Category{{Term: "c"}}, Image: "https://harbour.example/i.png",
				Published: "2026-01-01", Updated: "2026-01-02", TTL: "60",
			},
		},
		{
			"Atom", `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><id>urn:F</id><title type="text">A &lt;b&gt;</title><subtitle>a</subtitle><link href="/"/><link rel="hub" href="https://hub.example/"/><logo>/l.png</logo><updated>2026-01-02</updated></feed>`,
			Header{
				ID: "urn:F", Title: "A <b>", TitleText: true, Summary: "a", Link: "https://harbour.example/", Lang: "de", Image: "https://harbour.example/l.png",
				Links:   []Link{{URL: "https://harbour.example/", Rel: "alternate"}, {URL: "https://hub.example/", Rel: "hub"}},
				Updated: "2026-01-02", Hubs: []string{"https://hub.example/"},
			},
		},
		{
			"JSON", `{"version":"https://jsonfeed.org/version/1.1","title":"A <b>","description":"a","home_page_url":"/","feed_url":"/f.json","language":"de","icon":"/i.png"}`,
			Header{
				ID: "https://harbour.example/f.json", Title: "A <b>", TitleText: true, Summary: "a", Link: "https://harbour.example/", Self: "https://harbour.example/f.json", Lang: "de",
				Links: []Link{{URL: "https://harbour.example/", Rel: "alternate"}, {URL: "https://harbour.example/f.json", Rel: "self"}}, Image: "https://harbour.example/i.png",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, parseString(t, tt.doc).Feed, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("header (-want +got):\n%s", diff)
			}
		})
	}
}

func TestItemLimits(t *testing.T) {
	it := firstItem(t, rssOf(`<title>`+strings.Repeat("é", maxTitle)+`</title>`+strings.Repeat(`<category>a</category><enclosure url="/e"/>`, 1)+categoriesOf(100)))
	if len(it.Title) > maxTitle || len(it.Categories) != maxCategories || !strings.HasSuffix(it.Title, "é") {
		t.Errorf("title of %d bytes, %d categories", len(it.Title), len(it.Categories))
	}
	doc := parseString(t, rssOf(`<title>`+strings.Repeat("é", maxTitle)+`</title>`+categoriesOf(100)+`<link>https://e.example/`+strings.Repeat("a", maxURL)+`</link>`))
	var codes []string
	for _, n := range doc.Notes {
		codes = append(codes, n.Code)
	}
	if diff := cmp.Diff([]string{"categories_cut", "title_cut", "url_dropped"}, codes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

// categoriesOf is n different labels.
func categoriesOf(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("<category>" + strings.Repeat("x", i+1) + "</category>")
	}
	return b.String()
}

func TestContentLocationIsTheBase(t *testing.T) {
	body := []byte(`<rss version="2.0"><channel><link>https://site.example/</link><item><link>a</link></item></channel></rss>`)
	for _, tt := range []struct{ name, url, location, want string }{
		{"the site", "https://harbour.example/x/feed.xml", "", "https://site.example/a"},
		{"the location", "https://harbour.example/x/feed.xml", "/y/feed.xml", "https://harbour.example/y/a"},
		{"the location alone", "", "https://harbour.example/y/", "https://harbour.example/y/a"},
		{"nothing but the site", "", "", "https://site.example/a"},
		{"a file", "file:///srv/feed.xml", "", "https://site.example/a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := Parse(Input{Body: body, URL: tt.url, ContentLocation: tt.location})
			if err != nil || doc.Items[0].Link != tt.want {
				t.Errorf("link = %q, %v, want %q", doc.Items[0].Link, err, tt.want)
			}
		})
	}
}

package websub

import (
	"net/http"
	"strings"
	"testing"
)

func TestDiscover(t *testing.T) {
	const base = "https://news.example/feed"
	for _, tt := range []struct {
		name string
		link []string
		hubs []string
		self string
		want Offer
	}{
		{"nothing", nil, nil, "", Offer{}},
		{"document", nil, []string{"https://hub.example/"}, "https://news.example/feed.xml", Offer{"https://hub.example/", "https://news.example/feed.xml"}},
		{"header", []string{`<https://hub.example/>; rel="hub"`, `</self>; rel=self`}, nil, "", Offer{"https://hub.example/", "https://news.example/self"}},
		{"one line", []string{`<https://hub.example/>; rel="hub", </self>; rel="self"`}, nil, "", Offer{"https://hub.example/", "https://news.example/self"}},
		{"header before document", []string{`<https://h.example/>; rel=hub, </h>; rel=self`}, []string{"https://d.example/"}, "https://d.example/", Offer{"https://h.example/", "https://news.example/h"}},
		{"hub in the header, self in the document", []string{`<https://h.example/>; rel=hub`}, nil, "https://d.example/f", Offer{"https://h.example/", "https://d.example/f"}},
		{"hub without self", []string{`<https://h.example/>; rel=hub`}, []string{"https://d.example/"}, "", Offer{}},
		{"self without hub", []string{`</self>; rel=self`}, nil, "https://d.example/", Offer{}},
		{"several relations", []string{`<https://h.example/>; title="a, b; rel=x"; REL="next HUB"`}, nil, "https://d.example/f", Offer{"https://h.example/", "https://d.example/f"}},
		{"the first rel counts", []string{`<https://h.example/>; rel=next; rel=hub`}, nil, "https://d.example/f", Offer{}},
		{"over http", nil, []string{"http://hub.example:80/x#y"}, "http://news.example/feed", Offer{"https://hub.example/x", "http://news.example/feed"}},
		{"the second hub can be used", nil, []string{"mailto:hub@example", "https://user:pw@h.example/", "https://h2.example/"}, "https://d.example/f", Offer{"https://h2.example/", "https://d.example/f"}},
		{"no address for a topic", nil, []string{"https://h.example/"}, "tag:news.example,2026:feed", Offer{}},
		{"an endless topic", nil, []string{"https://h.example/"}, "https://d.example/" + strings.Repeat("x", maxAddress), Offer{}},
		{"torn header", []string{`<https://h.example/; rel=hub`, `>`, `<`, `; rel=hub`, `<https://h.example/>; rel="hub`}, nil, "https://d.example/f", Offer{"https://h.example/", "https://d.example/f"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Discover(http.Header{"Link": tt.link}, base, tt.hubs, tt.self); got != tt.want {
				t.Errorf("Discover = %+v, want %+v", got, tt.want)
			}
		})
	}
}

// Whatever a header holds, what comes out can be asked over https.
func FuzzDiscover(f *testing.F) {
	f.Add(`<https://h.example/>; rel="hub", </s>; rel=self`, "https://news.example/", "")
	f.Add(`<//h.example>;rel=hub`, "http://news.example/", "http://news.example/feed")
	f.Add(`<a>;x="\`, ":", "")
	f.Fuzz(func(t *testing.T, link, base, self string) {
		o := Discover(http.Header{"Link": {link}}, base, nil, self)
		if o == (Offer{}) {
			return
		}
		hub := webAddress(o.Hub)
		if hub == nil || hub.Scheme != "https" || hub.User != nil || webAddress(o.Topic) == nil {
			t.Errorf("Discover(%q) = %+v", link, o)
		}
	})
}

package feeds

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"

	"sheaf/feeds/canonical"
)

// Limits on what is read of a web page that came instead of a feed.
const (
	maxPageHead   = 256 << 10 // bytes
	maxAlternates = 10
)

// alternates lists the feeds that a web page announces in its head, in their order.
func alternates(page []byte, base string) []Alternate {
	z := html.NewTokenizer(bytes.NewReader(page[:min(len(page), maxPageHead)]))
	var found []Alternate
	for len(found) < maxAlternates {
		switch z.Next() {
		case html.ErrorToken:
			return found
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			switch t.Data {
			case "base":
				if v := attributeOf(t, "href"); v != "" {
					base = canonical.Resolve(base, v)
				}
			case "link":
				if a, ok := alternate(t, base); ok {
					found = append(found, a)
				}
			}
		}
	}
	return found
}

func alternate(t html.Token, base string) (Alternate, bool) {
	a := Alternate{URL: canonical.Resolve(base, attributeOf(t, "href")), Title: attributeOf(t, "title"), Type: strings.ToLower(attributeOf(t, "type"))}
	if !strings.Contains(strings.ToLower(attributeOf(t, "rel")), "alternate") || attributeOf(t, "href") == "" {
		return a, false
	}
	switch a.Type {
	case "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml", "text/xml", "application/xml":
		return a, true
	case "application/json":
		return a, strings.Contains(a.URL, "feed")
	}
	return a, false
}

func attributeOf(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

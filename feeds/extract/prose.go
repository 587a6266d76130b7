package extract

import (
	"net/url"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"

	"sheaf/feeds/clean"
)

// prose is the text of the part of a page that reads like an article; empty if there is none.
func prose(markup, address string) string {
	base, err := url.Parse(address)
	if err != nil {
		base = &url.URL{}
	}
	doc, err := html.Parse(strings.NewReader(markup)) // the library's own parsing guesses the charset again, and often wrong
	if err != nil {
		return ""
	}
	parser := readability.NewParser()
	parser.DisableJSONLD = true
	found, err := parser.ParseAndMutate(doc, base)
	if err != nil || found.Node == nil {
		return ""
	}
	var b strings.Builder
	if err := found.RenderHTML(&b); err != nil {
		return ""
	}
	return clean.Markup(b.String(), "").Text
}

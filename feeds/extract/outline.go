package extract

import (
	"strings"

	"golang.org/x/net/html"

	"sheaf/feeds/clean"
)

// outline is a page as one pass of the tokenizer leaves it.
type outline struct {
	html      string // without scripts, styles and comments, within the bounds
	elements  int
	data      []string // JSON-LD blocks
	title     string   // of the title element
	ogTitle   string
	canonical string // as written; empty if there is none, or several that differ

	out   strings.Builder
	size  int    // of data
	body  bool   // the head is over
	split bool   // canonical links differ
	depth int    // open elements, those that need no end tag left out
	inner string // element around the text that comes next, if that is no markup
	kind  string // of the script around it
}

// outlineOf reads a page.
func outlineOf(text string) *outline {
	o := &outline{}
	o.out.Grow(min(len(text), maxHTML))
	z := html.NewTokenizer(strings.NewReader(text))
	for o.elements < maxElements && o.out.Len() < maxHTML {
		kind := z.Next()
		written := string(z.Raw()) // reading the name changes its letters
		switch kind {
		case html.ErrorToken:
			return o.done()
		case html.TextToken:
			o.text(written)
		case html.StartTagToken, html.SelfClosingTagToken:
			o.start(z.Token(), written)
		case html.EndTagToken:
			name, _ := z.TagName()
			o.end(string(name), written)
		}
	}
	return o.done()
}

func (o *outline) done() *outline {
	o.html = clean.Cut(o.out.String(), maxHTML)
	if o.split {
		o.canonical = ""
	}
	return o
}

// isSkipped tells the elements whose content is not looked at as markup and is never a part of the article.
func isSkipped(name string) bool {
	switch name {
	case "script", "style", "noscript", "iframe", "textarea", "noembed", "noframes", "xmp":
		return true
	}
	return false
}

// text keeps what is running text, JSON-LD, or the title of the page.
func (o *outline) text(written string) {
	switch {
	case o.inner == "title" && o.title == "":
		o.title = html.UnescapeString(written)
	case o.inner == "script" && o.kind == "application/ld+json" && o.size+len(written) <= maxData:
		o.data = append(o.data, written)
		o.size += len(written)
	}
	if !isSkipped(o.inner) {
		o.out.WriteString(written)
	}
}

// longTag is the length in bytes from which a tag is written anew, with only the attributes that say something about its content.
const longTag = 400

// start takes what a start tag says and keeps it.
func (o *outline) start(t html.Token, written string) {
	o.elements++
	o.inner = ""
	switch t.Data {
	case "title":
		o.inner = "title"
	case "body":
		o.body = true
	case "link":
		o.link(t)
	case "meta":
		if name := first(attribute(t, "property"), attribute(t, "name")); strings.EqualFold(name, "og:title") && o.ogTitle == "" {
			o.ogTitle = attribute(t, "content")
		}
	}
	switch {
	case isSkipped(t.Data):
		o.inner = t.Data
		o.kind = strings.ToLower(strings.TrimSpace(attribute(t, "type")))
	case t.Type == html.StartTagToken && nests(t.Data) && o.deepen():
	case len(written) <= longTag:
		o.out.WriteString(written)
	default:
		o.out.WriteString(slim(t).String())
	}
}

// end keeps an end tag, unless its start was left out.
func (o *outline) end(name, written string) {
	o.inner = ""
	if isSkipped(name) {
		return
	}
	if nests(name) && o.depth > 0 {
		o.depth--
		if o.depth >= maxDepth {
			return
		}
	}
	o.out.WriteString(written)
}

// deepen counts an element that opens, and reports whether it lies too deep to be kept. Its content is kept.
func (o *outline) deepen() bool {
	o.depth++
	return o.depth > maxDepth
}

// nests tells elements that stay open until their end tag.
func nests(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
		"p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "optgroup", "rp", "rt", "html", "head", "body", "title":
		return false
	}
	return true
}

// link notes the canonical address, which counts in the head of a page only: below, anybody's markup may stand.
func (o *outline) link(t html.Token) {
	address := strings.TrimSpace(attribute(t, "href"))
	if o.body || address == "" || !strings.EqualFold(strings.TrimSpace(attribute(t, "rel")), "canonical") {
		return
	}
	o.split = o.split || o.canonical != "" && address != o.canonical
	o.canonical = address
}

// slim is a tag with the attributes that tell prose from the rest, and none of them long.
func slim(t html.Token) html.Token {
	kept := t.Attr[:0]
	for _, a := range t.Attr {
		switch a.Key {
		case "class", "id", "role", "href", "hidden", "style", "aria-hidden", "itemprop", "rel", "lang", "dir", "property", "name", "content":
			if len(a.Val) <= longTag {
				kept = append(kept, a)
			}
		}
	}
	t.Attr = kept
	return t
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

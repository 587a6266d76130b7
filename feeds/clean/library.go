package clean

import (
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sheaf/feeds/canonical"
)

// policy allows the elements of text that UGCPolicy allows, without pictures.
var policy = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowStandardURLs()
	p.AllowRelativeURLs(false)
	p.AllowElements("b", "strong", "i", "em", "u", "s", "strike", "small", "sub", "sup", "tt", "code", "samp", "var", "dfn", "mark", "abbr",
		"acronym", "cite", "bdi", "bdo", "ruby", "rt", "rp", "q", "ins", "del", "p", "div", "ul", "ol", "li", "dl", "dt", "dd", "h1", "h2", "h3", "h4",
		"h5", "h6", "section", "article", "aside", "pre", "figure", "figcaption", "details", "summary", "blockquote", "br", "hr", "wbr")
	p.AllowTables()
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("cite").OnElements("q", "ins", "del", "blockquote")
	p.RequireNoFollowOnLinks(true)
	p.SkipElementsContent("svg", "math", "template", "textarea", "select", "title", "xmp", "applet", "plaintext")
	return p
}()

// byLibrary takes markup apart the long way.
func byLibrary(markup, base string) Fragment {
	markup = Absolute(markup, base)
	f := Fragment{HTML: balanced(policy.Sanitize(markup))}
	f.Text, f.Image = textOf(markup)
	return f
}

// balanced closes what is open and opens nothing that is not, as a browser would.
func balanced(markup string) string {
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(markup), root)
	if err != nil {
		return html.EscapeString(markup)
	}
	var b strings.Builder
	for _, n := range nodes {
		if err := html.Render(&b, n); err != nil {
			return html.EscapeString(markup)
		}
	}
	return strings.TrimSpace(b.String())
}

// textOf reads text and first picture with the tokenizer of x/net.
func textOf(markup string) (text, image string) {
	z := html.NewTokenizer(strings.NewReader(markup))
	var b strings.Builder
	skip := "" // element whose content is left out
	blocks := false
	for {
		kind := z.Next()
		switch kind {
		case html.ErrorToken:
			return Paragraphs(b.String(), !blocks), image
		case html.TextToken:
			if skip == "" {
				b.WriteString(strings.ReplaceAll(html.UnescapeString(string(z.Raw())), "\n", "\v"))
			}
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			t := z.Token()
			r := rules[t.Data]
			skip = skipped(skip, kind, t.Data, r)
			if r.block {
				blocks = true
				b.WriteByte('\n')
			}
			if t.Data == "img" && image == "" && kind != html.EndTagToken {
				image = pictureOf(t)
			}
		}
	}
}

// skipped follows the elements whose text is left out. One that is never closed must not swallow the rest: it ends at the next block.
func skipped(skip string, kind html.TokenType, name string, r rule) string {
	switch {
	case skip != "" && (kind == html.EndTagToken && name == skip || r.block && !r.mute && name != "br"):
		return ""
	case skip == "" && kind == html.StartTagToken && (r.raw || r.mute) && name != "title" && name != "select":
		return name
	}
	return skip
}

func pictureOf(t html.Token) string {
	src := ""
	for _, a := range t.Attr {
		switch a.Key {
		case "src":
			src = strings.TrimSpace(a.Val)
		case "width", "height":
			if a.Val == "0" || a.Val == "1" || a.Val == "1px" {
				return ""
			}
		}
	}
	if !canonical.IsWeb(src) || len(src) > 2048 {
		return ""
	}
	return src
}

// Absolute makes the addresses in markup absolute and leaves everything else as it is, byte for byte.
func Absolute(markup, base string) string {
	if base == "" || strings.IndexByte(markup, '<') < 0 {
		return markup
	}
	z := html.NewTokenizer(strings.NewReader(markup))
	var b strings.Builder
	b.Grow(len(markup) + 256)
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			b.Write(z.Raw())
			return b.String()
		}
		raw := string(z.Raw())
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			if t := z.Token(); resolveAttributes(&t, base) {
				raw = t.String()
			}
		}
		b.WriteString(raw)
	}
}

func resolveAttributes(t *html.Token, base string) (changed bool) {
	for i, a := range t.Attr {
		switch a.Key {
		case "href", "src", "cite", "poster", "action", "background", "data", "longdesc", "usemap", "codebase", "classid", "profile":
			if v := canonical.Resolve(base, a.Val); v != a.Val && strings.TrimSpace(a.Val) != v {
				t.Attr[i].Val = v
				changed = true
			}
		}
	}
	return changed
}

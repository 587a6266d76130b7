// Package extract finds the text of an article in its web page.
//
// Publishers who describe their pages for machines put the whole text into the articleBody of a JSON-LD block; that comes first. Else the
// readability heuristics, those of a browser's reading view, look for the part of the page that is prose. Either way the text goes through
// the rules of package clean and those for pages here.
//
// Pages are foreign bytes: size, number of elements and depth are bounded before anything that takes more than one pass sees them. All
// functions are pure and may be used concurrently.
package extract

import (
	"errors"
	"fmt"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"

	"sheaf/feeds/canonical"
	"sheaf/feeds/clean"
	"sheaf/feeds/transcode"
)

// MaxPage is the most of a page that is looked at, in bytes; the rest is cut off. What is left of it without scripts and styles is cut to
// 512 KiB and 16,000 elements, and what is nested deeper than 64 loses its tags.
const MaxPage = 2 << 20

// The bounds of what is searched for prose.
const (
	maxHTML     = clean.MaxMarkup
	maxElements = 16_000
	maxDepth    = 64        // the heuristics take time for every level
	maxData     = 512 << 10 // JSON-LD in all
)

// ErrNotPage says that the bytes are no web page.
var ErrNotPage = errors.New("not a web page")

// ErrNoArticle says that the page holds no text that could be an article: it is a list, a wall or a stub.
var ErrNoArticle = errors.New("no article in the page")

// Source says how a text was found.
type Source string

// The sources.
const (
	SourceData  Source = "json-ld"
	SourceProse Source = "readability"
)

// Page is what a web page says of its article.
type Page struct {
	Title     string // one line; empty if unknown
	Text      string // one paragraph a line, without furniture; never empty
	Wire      string // agency named by a dateline, which is cut off; empty if none
	Canonical string // address the page gives itself, cleaned, if it is a page of the same site; else empty
	By        Source
}

// Text finds the article in a page. url is the address that answered, contentType the header field as received, which may be empty. The
// error wraps ErrNotPage or ErrNoArticle.
func Text(page []byte, url, contentType string) (p Page, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			p, err = Page{}, fmt.Errorf("%w: reading it fails: %v", ErrNoArticle, cause)
		}
	}()
	if !isMarkup(contentType) {
		return Page{}, fmt.Errorf("%w but %.60q", ErrNotPage, contentType)
	}
	decoded, err := transcode.Decode(page[:min(len(page), MaxPage)], contentType)
	if err != nil {
		return Page{}, fmt.Errorf("%w: %w", ErrNotPage, err)
	}
	if noise := decoded.Notes["control_chars"]; noise > 8+len(page)/100 {
		return Page{}, fmt.Errorf("%w: its bytes are no text", ErrNotPage)
	}
	o := outlineOf(string(decoded.Text))
	if o.elements == 0 {
		return Page{}, fmt.Errorf("%w: it has no elements", ErrNotPage)
	}
	return o.article(url)
}

// isMarkup tells a content type that may be a page; servers that name none, or plain text, get the benefit of the doubt.
func isMarkup(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind, _, _ = strings.Cut(strings.ToLower(contentType), ";")
	}
	switch strings.TrimSpace(kind) {
	case "", "text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml":
		return true
	}
	return false
}

// enough is the length, in characters, from which an articleBody is taken for the whole text without looking at the page.
const enough = 600

// article picks the better of what the page declares and what it shows.
func (o *outline) article(url string) (Page, error) {
	declared := o.declared(url)
	p := Page{Title: clean.Title(first(declared.headline, o.ogTitle, o.title)), Canonical: o.address(url)}
	p.settle(declared.body, SourceData)
	if isWhole(p.Text) && !isRun(p.Text) {
		return p, nil
	}
	shown := Page{Title: p.Title, Canonical: p.Canonical}
	if shown.settle(prose(o.html, url), SourceProse); shown.betters(&p) {
		p = shown
	}
	if p.Text == "" {
		return Page{}, ErrNoArticle
	}
	return p, nil
}

// betters tells whether the text that the page shows is better than the one it declares: longer, if that may be a beginning only, or as
// long but in paragraphs.
func (p *Page) betters(declared *Page) bool {
	n, m := len(p.Text), len(declared.Text)
	if isWhole(declared.Text) {
		return !isRun(p.Text) && 10*n >= 9*m && 10*n <= 11*m
	}
	return n > m
}

// isWhole tells a declared text that is not just the beginning of one.
func isWhole(text string) bool { return utf8.RuneCountInString(text) >= enough && !isCutShort(text) }

// longestRun is the length in bytes up to which a text may be one paragraph.
const longestRun = 900

// isRun tells a text whose paragraphs were run together.
func isRun(text string) bool { return len(text) > longestRun && !strings.Contains(text, "\n") }

// settle takes a text, without its furniture, if it can be an article.
func (p *Page) settle(text string, by Source) {
	if isWall(text) {
		return
	}
	text = dropFurniture(withoutTitle(text, p.Title))
	body := clean.Article(text)
	if !isArticle(body.Text) {
		return
	}
	p.Text, p.Wire, p.By = body.Text, body.Wire, by
}

// withoutTitle drops a first line that repeats the title.
func withoutTitle(text, title string) string {
	line, rest, _ := strings.Cut(text, "\n")
	if title != "" && strings.EqualFold(line, title) {
		return rest
	}
	return text
}

// isCutShort tells a text that ends in an ellipsis.
func isCutShort(text string) bool {
	text = strings.TrimRight(text, " ])\n")
	return strings.HasSuffix(text, "…") || strings.HasSuffix(text, "...")
}

// address is the canonical address of the page, if the page names one of its own site. Encryption is never given up for it.
func (o *outline) address(url string) string {
	link := canonical.Resolve(url, o.canonical)
	if o.canonical == "" || !canonical.IsWeb(link) || canonical.IsHome(link) || len(link) > 2048 || !SameSite(link, url) {
		return ""
	}
	link = canonical.URL(link)
	if rest, ok := strings.CutPrefix(link, "http://"); ok && canonical.Scheme(url) == "https" {
		link = "https://" + rest
	}
	return link
}

// SameSite tells whether two web addresses have one registrable domain, or one host where there is none.
func SameSite(a, b string) bool { return site(a) != "" && site(a) == site(b) }

func site(address string) string {
	host := canonical.Host(address)
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}

func first(values ...string) string {
	for _, v := range values {
		if v = strings.TrimSpace(v); v != "" {
			return v
		}
	}
	return ""
}

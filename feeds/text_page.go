package feeds

import (
	"strings"

	"golang.org/x/net/html"

	"sheaf"
	"sheaf/feeds/canonical"
	"sheaf/feeds/clean"
)

// page is what a file of HTML says of itself.
type page struct {
	title, heading, lang, author, link string
	body                               string
}

// readPage fills an article from a page: its heading, what it says of language, author and address, and the text of its article, its
// main part, or its body.
func readPage(a *sheaf.Article, text string) {
	p := pageOf(clean.Cut(text, clean.MaxMarkup))
	a.Title = clean.Line(first(p.heading, p.title))
	a.Lang = first(a.Lang, languageTag(p.lang))
	if canonical.IsWeb(p.link) && !canonical.IsHome(p.link) {
		a.Link, a.URL, a.URLKey = p.link, canonical.URL(p.link), canonical.Key(p.link)
	}
	if p.author != "" {
		a.Authors = []sheaf.Author{person(p.author)}
	}
	f := clean.Markup(p.body, p.link)
	a.HTML, a.Image = f.HTML, f.Image
	body := f.Text
	if rest, ok := strings.CutPrefix(body, a.Title); a.Title != "" && ok && (rest == "" || rest[0] == '\n') {
		body = strings.TrimPrefix(rest, "\n")
	}
	setText(a, body)
	if a.Title == "" {
		a.Title = clean.Headline(a.Text, longTitle)
	}
}

// pageOf reads a page with the tokenizer.
func pageOf(text string) page {
	var p page
	z := html.NewTokenizer(strings.NewReader(text))
	into := (*string)(nil) // where text goes
	start, at := -1, 0     // of the article in text
	inner := ""            // element that holds it
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		before := at
		at += len(z.Raw())
		switch kind {
		case html.TextToken:
			if into != nil {
				*into += html.UnescapeString(string(z.Raw()))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			into = p.start(t, into)
			if rank(t.Data) > rank(inner) {
				inner, start = t.Data, at
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if s := string(name); s == "title" || s == "h1" {
				into = nil
			} else if s == inner && p.body == "" && s != "body" {
				p.body = text[start:before]
			}
		}
	}
	if p.body == "" {
		p.body = text[max(start, 0):]
	}
	return p
}

// rank orders the elements that may hold the article.
func rank(name string) int {
	switch name {
	case "body":
		return 1
	case "main":
		return 2
	case "article":
		return 3
	}
	return 0
}

// start takes what a start tag says, and returns where the text after it goes.
func (p *page) start(t html.Token, into *string) *string {
	switch t.Data {
	case "html":
		p.lang = attributeOf(t, "lang")
	case "title":
		if p.title == "" {
			return &p.title
		}
	case "h1":
		if p.heading == "" {
			return &p.heading
		}
	case "link":
		if strings.EqualFold(attributeOf(t, "rel"), "canonical") {
			p.link = attributeOf(t, "href")
		}
	case "meta":
		if strings.EqualFold(attributeOf(t, "name"), "author") {
			p.author = attributeOf(t, "content")
		}
	}
	return into
}

package extract

import (
	"encoding/json"
	"html"
	"strings"

	"sheaf/feeds/canonical"
	"sheaf/feeds/clean"
)

// declaration is an article as JSON-LD describes it.
type declaration struct {
	headline string
	body     string // plain text, one paragraph a line
}

// maxLevels is how deep objects are looked for in a JSON-LD block.
const maxLevels = 6

// declared finds the article that the page is about: the one that names the page's own address, else the longest.
func (o *outline) declared(url string) declaration {
	s := search{keys: map[string]bool{canonical.Key(url): true}}
	if own := o.address(url); own != "" {
		s.keys[canonical.Key(own)] = true
	}
	for _, block := range o.data {
		var v any
		if json.Unmarshal([]byte(block), &v) != nil && json.Unmarshal([]byte(mended(block)), &v) != nil {
			continue
		}
		s.walk(v, maxLevels)
	}
	s.best.body = plain(s.best.body, url)
	return s.best
}

// mended is a JSON-LD block without the two commonest faults: the marks of comments and sections around it, and bare line ends in strings.
func mended(block string) string {
	block = strings.TrimSpace(block)
	for _, mark := range [...]string{"//<![CDATA[", "//]]>", "//-->", "<![CDATA[", "]]>", "<!--", "-->"} {
		block = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(block, mark), mark))
	}
	var b strings.Builder
	inside, escaped := false, false
	for _, r := range block {
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = inside
		case r == '"':
			inside = !inside
		case inside && r == '\n':
			b.WriteString(`\n`)
			continue
		case inside && r < ' ':
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// search looks for articles in JSON-LD.
type search struct {
	keys map[string]bool // comparison forms of the addresses of the page
	best declaration
	own  bool // best names the address of the page
}

// walk looks at a value and at what it holds.
func (s *search) walk(v any, levels int) {
	if levels == 0 {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			s.walk(e, levels-1)
		}
	case map[string]any:
		s.object(v)
		for _, name := range [...]string{"@graph", "mainEntity", "mainEntityOfPage", "itemListElement", "item", "hasPart"} {
			s.walk(v[name], levels-1)
		}
	}
}

// object takes one object, if it is an article and better than the one before.
func (s *search) object(v map[string]any) {
	body, _ := v["articleBody"].(string)
	if body == "" || !isArticleType(v["@type"]) {
		return
	}
	own := s.keys[canonical.Key(addressOf(v["url"]))] || s.keys[canonical.Key(addressOf(v["mainEntityOfPage"]))] || s.keys[canonical.Key(addressOf(v["@id"]))]
	if s.own && !own || s.own == own && len(body) <= len(s.best.body) {
		return
	}
	headline, _ := v["headline"].(string)
	s.best, s.own = declaration{headline, body}, own
}

// isArticleType tells the types of schema.org whose articleBody is a report: NewsArticle and its kind, Report, BlogPosting and so on.
func isArticleType(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.HasSuffix(v, "Article") || strings.HasSuffix(v, "Posting") || strings.HasSuffix(v, "Report")
	case []any:
		for _, e := range v {
			if name, ok := e.(string); ok && isArticleType(name) {
				return true
			}
		}
	}
	return false
}

// addressOf is an address given as a string, or as an object with an id.
func addressOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		id, _ := v["@id"].(string)
		return id
	}
	return ""
}

// plain makes text of an articleBody, which is plain, or markup, or markup escaped once more.
func plain(body, url string) string {
	body = clean.Undouble(clean.Cut(body, clean.MaxMarkup))
	if strings.Contains(body, "&lt;") && !strings.Contains(body, "<") {
		body = html.UnescapeString(body)
	}
	if strings.Contains(body, "</") || strings.Contains(body, "<br") || strings.Contains(body, "<p>") {
		return clean.Markup(body, url).Text
	}
	return clean.Paragraphs(html.UnescapeString(body), true)
}

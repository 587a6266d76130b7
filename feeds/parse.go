package feeds

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mmcdole/gofeed/atom"
	jsonfeed "github.com/mmcdole/gofeed/json"
	"github.com/mmcdole/gofeed/rss"

	"sheaf/feeds/canonical"
	"sheaf/feeds/repair"
	"sheaf/feeds/transcode"
)

// MaxDocument is the largest feed document that is read, in bytes after content decoding.
const MaxDocument = 16 << 20

// Parse takes a feed document apart: charset, repair, limits, gofeed, and the mapping to our own values. It is pure, may be used
// concurrently, and returns a *ParseError for anything that is no feed. It never panics: hostile markup costs one document.
func Parse(in Input) (doc *Document, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			doc, err = nil, &ParseError{Code: CodePanic, Message: fmt.Sprintf("the parser failed on this document: %v", fault)}
		}
	}()
	if len(in.Body) > MaxDocument {
		return nil, &ParseError{Code: CodeTooLarge, Message: fmt.Sprintf("the document has more than %d bytes", MaxDocument)}
	}
	decoded, err := transcode.Decode(in.Body, in.ContentType)
	if err != nil {
		return nil, &ParseError{Code: CodeTooLarge, Message: "the document is too large", Err: err}
	}
	m := &mapper{base: documentBase(in), language: contentLanguage(in.ContentLanguage), pinned: in.ContentLocation != "", notes: decoded.Notes}
	m.doc = &Document{Encoding: decoded.Encoding}
	text := bytes.TrimLeft(decoded.Text, " \t\r\n\x00\ufeff")
	switch {
	case len(text) == 0:
		return nil, &ParseError{Code: CodeEmpty, Message: "the document is empty"}
	case text[0] == '[':
		return nil, &ParseError{Code: CodeJSONNotFeed, Message: "the document is JSON, but not a feed"}
	case text[0] == '{' && !bytes.Contains(text[:min(len(text), 2048)], []byte("<rss")):
		err = m.readJSON(text)
	default:
		err = m.readXML(text)
	}
	if err != nil {
		return nil, err
	}
	m.finish()
	return m.doc, nil
}

// documentBase is what relative addresses in a document are meant against, unless it says otherwise; empty if nothing is known.
func documentBase(in Input) string {
	base := in.URL
	if location := canonical.Resolve(base, in.ContentLocation); in.ContentLocation != "" && canonical.IsWeb(location) {
		base = location
	}
	if !canonical.IsWeb(base) {
		return ""
	}
	return base
}

func contentLanguage(field string) string {
	field, _, _ = strings.Cut(field, ",")
	return strings.TrimSpace(field)
}

// readXML repairs, checks, parses and maps a document of XML.
func (m *mapper) readXML(text []byte) error {
	r, err := repair.XML(text, m.base)
	if err == nil {
		err = repair.Check(r.Text)
	}
	if err != nil {
		return &ParseError{Code: CodeLimits, Message: "the document is refused", Err: err}
	}
	if r.Root == "" {
		return notFeed(text, r.First, m.base)
	}
	m.take(&r)
	if r.Root == "feed" {
		feed, err := (&atom.Parser{}).Parse(bytes.NewReader(r.Text))
		if err != nil {
			return syntaxError(err)
		}
		m.atom(feed)
		return nil
	}
	feed, err := (&rss.Parser{}).Parse(bytes.NewReader(r.Text))
	if err != nil {
		return syntaxError(err)
	}
	m.rss(feed)
	return nil
}

// readJSON does the same for JSON Feed. Odd types are reshaped only if the parser refuses them.
func (m *mapper) readJSON(text []byte) error {
	r, err := repair.JSON(text)
	if err != nil {
		return &ParseError{Code: CodeLimits, Message: "the document is refused", Err: err}
	}
	m.take(&r)
	feed, err := (&jsonfeed.Parser{}).Parse(bytes.NewReader(r.Text))
	if err != nil {
		reshaped, ok := repair.Reshape(r.Text)
		if !ok {
			return &ParseError{Code: CodeJSONNotFeed, Message: "the document is broken JSON", Err: err}
		}
		m.note("json_reshaped", 1)
		if feed, err = (&jsonfeed.Parser{}).Parse(bytes.NewReader(reshaped)); err != nil {
			return syntaxError(err)
		}
	}
	if !strings.Contains(feed.Version, "jsonfeed.org") && len(feed.Items) == 0 {
		return &ParseError{Code: CodeJSONNotFeed, Message: "the document is JSON, but not a feed"}
	}
	m.json(feed)
	m.jsonHubs(r.Text)
	return nil
}

func syntaxError(err error) error {
	return &ParseError{Code: CodeSyntax, Message: "the document cannot be read as a feed", Err: err}
}

// take keeps what repair found out.
func (m *mapper) take(r *repair.Result) {
	m.facts, m.partial = r.Facts, r.Partial
	m.doc.Truncated = r.Truncated
	m.doc.Seen = len(r.Facts.Items)
	for code, n := range r.Notes {
		m.note(code, n)
	}
	if r.Facts.Base != "" {
		m.base, m.pinned = r.Facts.Base, true
	}
}

// finish compares what the scanner saw with what the parser gave, and puts the notes in order.
func (m *mapper) finish() {
	if lost := m.doc.Seen - len(m.doc.Items); lost > 0 && m.doc.Format != "json" {
		m.note("items_lost", lost)
	}
	if m.guessed > 0 && !m.ordered {
		m.note("date_order_guessed", m.guessed)
	}
	if m.partial && len(m.doc.Items) > 1 {
		m.doc.Items = m.doc.Items[:len(m.doc.Items)-1]
		m.doc.Seen--
	}
	for code, n := range m.notes {
		m.doc.Notes = append(m.doc.Notes, Note{Code: code, Count: n})
	}
	slices.SortFunc(m.doc.Notes, func(a, b Note) int { return strings.Compare(a.Code, b.Code) })
}

// notFeed tells web pages from other documents.
func notFeed(text []byte, first, base string) error {
	head := bytes.ToLower(text[:min(len(text), 2048)])
	for _, mark := range []string{"<!doctype html", "<html", "<body"} {
		if bytes.Contains(head, []byte(mark)) && !strings.EqualFold(first, "opml") {
			return &ParseError{Code: CodeHTML, Message: "the document is a web page, not a feed", Alternates: alternates(text, base)}
		}
	}
	if first == "" {
		return &ParseError{Code: CodeNotFeed, Message: "the document is no feed: it has no markup"}
	}
	return &ParseError{Code: CodeNotFeed, Message: fmt.Sprintf("the document is no feed: it starts with the element %q", first)}
}

// CodeOf is the code of a ParseError in the chain of err, or empty.
func CodeOf(err error) Code {
	var pe *ParseError
	if errors.As(err, &pe) {
		return pe.Code
	}
	return ""
}

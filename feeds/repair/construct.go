package repair

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"

	"sheaf/feeds/canonical"
	"sheaf/feeds/transcode"
)

// liftedBody is the name under which the body of an RSS item is handed on.
const liftedBody = "content:encoded"

// lift is a text construct on its way out of the document.
type lift struct {
	depth    int // elements open inside which its content stands; 0: none is being lifted
	at       int // offset of its content in the output
	text     Text
	xml      bool // content is markup as elements, not as text
	base64   bool
	children int
	first    child
}

// child is the first element of a construct, by offsets in the output.
type child struct {
	name                   *name
	at, body, bodyEnd, end int
}

// isConstruct tells whether an element about to open holds running text.
func (s *scanner) isConstruct(n *name) bool {
	switch n.kind {
	case text:
		switch n.local {
		case "body", "fullitem":
			return s.isBody(n)
		case "abstract":
			return s.root.local == "channel"
		}
		return true
	case content:
		return s.isAtom(n.prefix)
	}
	return false
}

// aliasOf is the name a construct is handed on under, if its own means nothing to a parser.
func (s *scanner) aliasOf(n *name) string {
	switch n.local {
	case "body", "fullitem":
		return liftedBody
	case "abstract":
		return "description"
	case "description": // what some call the summary of an Atom entry
		if s.root.local == "feed" && s.isNative(n.prefix) && s.stack[len(s.stack)-1].name.local == "entry" {
			return "summary"
		}
	}
	return ""
}

// isBody tells the bodies that some RSS feeds give their items.
func (s *scanner) isBody(n *name) bool {
	if n.local != "body" && n.local != "fullitem" || s.root.local == "feed" || len(s.stack) == 0 {
		return false
	}
	return s.stack[len(s.stack)-1].name.kind == item
}

func (s *scanner) newLift(t *tag, e *element) lift {
	kind := strings.ToLower(strings.TrimSpace(s.value(t, "type")))
	mode := strings.ToLower(s.value(t, "mode"))
	atom := s.isAtom(t.name.prefix)
	l := lift{text: Text{Type: kind, Base: e.base}}
	l.base64 = atom && (mode == "base64" || isBinary(kind))
	l.xml = e.alias == liftedBody || atom && mode != "escaped" && (strings.Contains(kind, "xhtml") || strings.HasSuffix(kind, "xml") || mode == "xml")
	l.text.Plain = atom && (kind == "" || kind == "text" || kind == "text/plain")
	return l
}

// isBinary tells media types whose content is base64 (RFC 4287 section 4.1.3.3).
func isBinary(kind string) bool {
	if !strings.Contains(kind, "/") || strings.HasPrefix(kind, "text/") {
		return false
	}
	return !strings.Contains(kind, "xml") && !strings.Contains(kind, "html")
}

// enter notes a child of the construct whose tag has been written, depth elements being open around it.
func (l *lift) enter(depth int, e *element, closed bool) {
	if l.depth == 0 || depth != l.depth {
		return
	}
	if l.children++; l.children > 1 {
		return
	}
	l.first = child{name: e.name, at: e.at, body: e.body}
	if closed {
		l.first.bodyEnd, l.first.end = e.body, e.body
	}
}

// leave is called before the end tag of e, the innermost element, is written.
func (s *scanner) leave(e *element) {
	depth := len(s.stack)
	switch {
	case s.lift.depth > 0 && depth == s.lift.depth:
		s.finishLift(e)
	case s.lift.depth > 0:
		if depth == s.lift.depth+1 && s.lift.first.end == 0 {
			s.lift.first.bodyEnd = len(s.out)
			s.lift.first.end = len(s.out) + len("</>") + len(e.written())
		}
	case e.name.kind == address:
		s.leaveAddress(e, depth)
	case e.name.text == "author" && depth == 3 && s.root.local == "rss" && s.stack[1].name.local == "channel":
		if inner := s.out[e.body:]; bytes.IndexByte(inner, '<') < 0 {
			s.r.Facts.Author = string(unescape(bytes.Clone(bytes.TrimSpace(inner))))
		}
	}
}

// leaveAddress resolves an address written as text, and notes the exact ids of Atom.
func (s *scanner) leaveAddress(e *element, depth int) {
	inner := s.out[e.body:]
	if bytes.IndexByte(inner, '<') >= 0 && e.base == "" && e.name.local != "id" {
		return
	}
	v := strings.TrimSpace(string(appendContent(nil, inner)))
	if e.name.local == "id" {
		switch {
		case s.root.local != "feed" || !s.isNative(e.name.prefix):
		case depth == 2:
			s.r.Facts.ID = v
		case depth == 3 && s.stack[1].name.local == "entry" && len(s.r.Facts.Items) > 0:
			s.r.Facts.Items[len(s.r.Facts.Items)-1].ID = v
		}
		return
	}
	if e.base != "" && v != "" {
		s.out = append(s.out[:e.body], s.appendText(nil, escape(canonical.Resolve(e.base, v)))...)
	}
}

// takeSimple lifts the construct just opened at once, if it holds one run of text or one CDATA section: nearly all of them do.
func (s *scanner) takeSimple() {
	if s.lift.base64 || s.lift.xml {
		return
	}
	e := &s.stack[len(s.stack)-1]
	rest := s.in[s.pos:]
	value, size := s.simpleSection(rest)
	if size == 0 {
		size = bytes.IndexByte(rest, '<')
		if size < 0 || endsElement(rest[size:], e.name.text) == 0 {
			return
		}
		value = rest[:size]
		if bytes.IndexByte(value, '&') >= 0 || bytes.Contains(value, []byte("]]>")) {
			value = s.decoded(value)
		}
	}
	s.putText(e, bytes.TrimSpace(value))
	s.pos += size
}

// simpleSection reads a CDATA section with white space around it, and its length; 0 if there is none, or one with another inside.
func (s *scanner) simpleSection(rest []byte) (value []byte, size int) {
	start := len(rest) - len(bytes.TrimLeft(rest, " \t\r\n"))
	if !bytes.HasPrefix(rest[start:], []byte("<![CDATA[")) {
		return nil, 0
	}
	start += len("<![CDATA[")
	end := s.nextCDATAEnd(s.pos+start) - s.pos
	if end < 0 {
		return nil, 0
	}
	size = end + len("]]>")
	for size < len(rest) && isSpace(rest[size]) {
		size++
	}
	if endsElement(rest[size:], s.stack[len(s.stack)-1].name.text) == 0 || bytes.Contains(rest[start:end], []byte("<![CDATA[")) {
		return nil, 0
	}
	return rest[start:end], size
}

// endsElement is the length of the end tag of the named element at the start of b, or 0.
func endsElement(b []byte, name string) int {
	if !bytes.HasPrefix(b, []byte("</")) || len(b) < len(name)+3 || string(b[2:2+len(name)]) != name {
		return 0
	}
	i := 2 + len(name)
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	if i == len(b) || b[i] != '>' {
		return 0
	}
	return i + 1
}

// nextCDATAEnd is the offset of the first end mark from at on, or -1. It looks at every byte of the document once.
func (s *scanner) nextCDATAEnd(at int) int {
	if s.cdataEnd >= at || s.cdataEnd < 0 {
		return s.cdataEnd
	}
	s.cdataEnd = bytes.Index(s.in[at:], []byte("]]>"))
	if s.cdataEnd >= 0 {
		s.cdataEnd += at
	}
	return s.cdataEnd
}

// putText stores the value of the construct e and leaves a reference to it.
func (s *scanner) putText(e *element, value []byte) {
	s.lift.text.Value = string(value)
	s.lifted += len(value)
	s.out = append(s.out[:e.body], mark...)
	s.out = strconv.AppendInt(s.out, int64(len(s.r.Facts.texts)), 10)
	s.r.Facts.texts = append(s.r.Facts.texts, s.lift.text)
	s.lift = lift{}
}

// finishLift takes the content of e, the construct being lifted, out of the output.
func (s *scanner) finishLift(e *element) {
	l := &s.lift
	inner := s.out[l.at:]
	if l.children > 0 {
		l.text.Plain = false
		if l.text.Type == "" || l.text.Type == "text" {
			l.text.Type = "html"
		}
	}
	var value []byte
	switch {
	case l.xml && l.children > 0:
		value = appendMarkup(nil, s.unwrapped(inner))
	case l.children > 0:
		value = appendTagged(nil, inner)
	default:
		value = appendContent(nil, inner)
	}
	value = bytes.TrimSpace(value)
	if l.base64 {
		value = decodeBase64(value)
	}
	s.putText(e, value)
}

// unwrapped takes off the div that XHTML content is wrapped in (RFC 4287 section 3.1.1.3).
func (s *scanner) unwrapped(inner []byte) []byte {
	l := &s.lift
	c := l.first
	if c.name == nil || c.name.local != "div" || c.end == 0 {
		return inner
	}
	before, after := s.out[l.at:c.at], s.out[c.end:]
	if len(bytes.TrimSpace(before)) > 0 || len(bytes.TrimSpace(after)) > 0 {
		return inner
	}
	return s.out[c.body:c.bodyEnd]
}

func decodeBase64(value []byte) []byte {
	raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(string(value)), ""))
	if err != nil || !utf8.Valid(raw) {
		return value
	}
	raw, _ = transcode.Strip(raw)
	return bytes.TrimSpace(raw)
}

// sections calls text for each run outside CDATA sections and section for each of those. The input is what this package has written.
func sections(inner []byte, text, section func([]byte)) {
	for {
		i := bytes.Index(inner, []byte("<![CDATA["))
		if i < 0 {
			text(inner)
			return
		}
		text(inner[:i])
		inner = inner[i+len("<![CDATA["):]
		end := bytes.Index(inner, []byte("]]>"))
		if end < 0 {
			section(inner)
			return
		}
		section(inner[:end])
		inner = inner[end+len("]]>"):]
	}
}

// appendContent decodes text without elements.
func appendContent(out, inner []byte) []byte {
	sections(inner,
		func(t []byte) { out = append(out, unescape(bytes.Clone(t))...) },
		func(t []byte) { out = append(out, t...) })
	return out
}

// appendMarkup keeps elements and references; CDATA is text and becomes escaped.
func appendMarkup(out, inner []byte) []byte {
	sections(inner,
		func(t []byte) { out = append(out, t...) },
		func(t []byte) { out = append(out, escape(string(t))...) })
	return out
}

// appendTagged keeps tags as they are and decodes the text between them, which may hold more markup in escaped form.
func appendTagged(out, inner []byte) []byte {
	sections(inner, func(t []byte) {
		for len(t) > 0 {
			i := bytes.IndexByte(t, '<')
			if i < 0 {
				i = len(t)
			}
			out = append(out, unescape(bytes.Clone(t[:i]))...)
			t = t[i:]
			end := tagLength(t)
			out, t = append(out, t[:end]...), t[end:]
		}
	}, func(t []byte) { out = append(out, t...) })
	return out
}

// tagLength is the length of the tag at the start of t, quoted values respected.
func tagLength(t []byte) int {
	quoted := false
	for i, c := range t {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '>' && !quoted:
			return i + 1
		}
	}
	return len(t)
}

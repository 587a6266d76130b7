package clean

import (
	"bytes"
	"html"
	"strings"

	"sheaf/feeds/canonical"
)

// Fragment is article markup in the forms we keep.
type Fragment struct {
	HTML  string // safe and balanced: only elements of text, links to http, https and mailto; no pictures
	Text  string // plain, one paragraph a line; pictures' captions and embedded things left out
	Image string // address of the first picture; empty if none
}

// MaxMarkup is the most markup that is looked at, in bytes.
const MaxMarkup = 512 << 10

// Markup takes markup apart. Relative addresses in it are meant against base, which may be empty.
//
// The usual case is one pass of a small scanner, which writes nothing but elements and attributes from its own table and escaped text.
// Where it meets anything unusual (crossing tags, marks that never end) it gives up, and the markup goes the long way: bluemonday, then
// a browser's parser to balance it.
func Markup(markup, base string) Fragment {
	markup = Cut(markup, MaxMarkup)
	s := scanner{in: markup, base: base}
	if s.run() {
		return Fragment{HTML: string(bytes.TrimSpace(s.html)), Text: paragraphs(s.text, !s.blocks), Image: s.image}
	}
	return byLibrary(markup, base)
}

// node is an open element.
type node struct {
	name   string
	rule   rule
	silent bool // nothing was written for it
}

// scanner reads markup of the usual kind.
type scanner struct {
	in, base   string
	html, text []byte
	stack      []node
	image      string
	blocks     bool // an element that breaks lines was met
	mute       int  // open elements whose text does not count
	pre        int  // open elements whose line ends count
	attributes []pair
}

type pair struct{ name, value string }

// maxNodes is how deep the scanner follows.
const maxNodes = 64

// run reads the markup. It reports false if there is something in it that the scanner does not know how to handle.
func (s *scanner) run() bool {
	s.html = make([]byte, 0, len(s.in)+len(s.in)/8)
	s.text = make([]byte, 0, len(s.in))
	for rest := s.in; rest != ""; {
		i := strings.IndexByte(rest, '<')
		if i < 0 {
			i = len(rest)
		}
		s.characters(rest[:i])
		rest = rest[i:]
		if rest == "" {
			break
		}
		size, ok := s.markup(rest)
		if !ok {
			return false
		}
		rest = rest[size:]
	}
	for len(s.stack) > 0 {
		s.pop()
	}
	return true
}

// characters writes a run of text.
func (s *scanner) characters(t string) {
	if t == "" {
		return
	}
	if strings.IndexByte(t, '&') >= 0 {
		t = html.UnescapeString(t)
	}
	s.html = appendEscaped(s.html, t)
	if s.mute > 0 {
		return
	}
	start := len(s.text)
	s.text = append(s.text, t...)
	if s.pre > 0 {
		return
	}
	for i := start; i < len(s.text); i++ {
		if s.text[i] == '\n' {
			s.text[i] = '\v'
		}
	}
}

// appendEscaped writes text, or the value of an attribute, as HTML. Controls that a reference smuggled in are dropped.
func appendEscaped(out []byte, t string) []byte {
	done := 0
	for i := 0; i < len(t); i++ {
		with := ""
		switch c := t[i]; {
		case c == '<':
			with = "&lt;"
		case c == '>':
			with = "&gt;"
		case c == '&':
			with = "&amp;"
		case c == '"':
			with = "&#34;"
		case c >= ' ' && c != 0x7f || c == '\n' || c == '\t':
			continue
		}
		out = append(append(out, t[done:i]...), with...)
		done = i + 1
	}
	return append(out, t[done:]...)
}

// markup handles what starts with "<" and returns its length.
func (s *scanner) markup(rest string) (size int, ok bool) {
	if len(rest) < 2 {
		s.characters("<")
		return 1, true
	}
	switch c := rest[1]; {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		return s.start(rest)
	case c == '/':
		return s.end(rest)
	case c == '!':
		return comment(rest)
	case c == '?':
		return 0, false
	}
	s.characters("<")
	return 1, true
}

// comment is the length of an ordinary comment.
func comment(rest string) (size int, ok bool) {
	body, ok := strings.CutPrefix(rest, "<!--")
	if !ok || strings.HasPrefix(body, ">") || strings.HasPrefix(body, "->") {
		return 0, false
	}
	end := strings.Index(body, "-->")
	if end < 0 || strings.Contains(body[:end], "--!>") {
		return 0, false
	}
	return len("<!--") + end + len("-->"), true
}

// start handles a start tag.
func (s *scanner) start(rest string) (size int, ok bool) {
	name := elementName(rest[1:])
	size, ok = s.readAttributes(rest, 1+len(name))
	if !ok {
		return 0, false
	}
	if size == 0 {
		return len(rest), true // cut off inside the tag
	}
	name = lower(name)
	r, known := rules[name]
	if !known {
		return size, true
	}
	if r.raw {
		skip, ok := rawEnd(rest[size:], name)
		return size + skip, ok
	}
	s.place(name, r)
	return size, s.open(name, r)
}

// elementName is the name at the start of s, ended by white space, a slash or a bracket.
func elementName(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; isBlank(c) || c == '/' || c == '>' || c == '<' {
			return s[:i]
		}
	}
	return s
}

// rawEnd is the distance to the end of an element whose content is not looked at.
func rawEnd(rest, name string) (size int, ok bool) {
	for from := 0; ; {
		i := strings.Index(rest[from:], "</")
		if i < 0 {
			return 0, false
		}
		from += i + 2
		if len(rest) < from+len(name) || !strings.EqualFold(rest[from:from+len(name)], name) {
			continue
		}
		end := strings.IndexByte(rest[from:], '>')
		if end < 0 {
			return 0, false
		}
		return from + end + 1, true
	}
}

// place closes what the new element ends by being there, and breaks the line.
func (s *scanner) place(name string, r rule) {
	if r.block {
		s.blocks = true
		s.text = append(s.text, '\n')
		if top := s.top(); top == "p" && name != "br" {
			s.pop()
		}
	}
	if top := s.top(); top == name && (name == "li" || name == "tr" || name == "td" || name == "th" || name == "option") ||
		(name == "dt" || name == "dd") && (top == "dt" || top == "dd") || (name == "td" || name == "th") && (top == "td" || top == "th") {
		s.pop()
	}
}

func (s *scanner) top() string {
	if len(s.stack) == 0 {
		return ""
	}
	return s.stack[len(s.stack)-1].name
}

// open writes an element and enters it.
func (s *scanner) open(name string, r rule) bool {
	if name == "img" {
		s.picture()
		return true
	}
	if len(s.stack) == maxNodes || r.block && name != "br" && s.isOpen("p") || name == "a" && s.isOpen("a") {
		return false
	}
	silent := r.drop || r.table && !s.isOpen("table")
	start := len(s.html)
	if !silent {
		s.html = append(append(s.html, '<'), name...)
		written := s.writeAttributes(name, r)
		if name == "a" && written == 0 {
			s.html, silent = s.html[:start], true
		} else {
			s.html = append(s.html, '>')
		}
	}
	if r.void {
		return true
	}
	s.stack = append(s.stack, node{name, r, silent})
	if r.mute {
		s.mute++
	}
	if name == "pre" {
		s.pre++
	}
	return true
}

func (s *scanner) isOpen(name string) bool {
	for i := range s.stack {
		if s.stack[i].name == name {
			return true
		}
	}
	return false
}

// pop ends the innermost element.
func (s *scanner) pop() {
	n := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	if !n.silent {
		s.html = append(append(append(s.html, '<', '/'), n.name...), '>')
	}
	if n.rule.mute {
		s.mute--
	}
	if n.name == "pre" {
		s.pre--
	}
}

// end handles an end tag.
func (s *scanner) end(rest string) (size int, ok bool) {
	name := elementName(rest[2:])
	end := strings.IndexByte(rest, '>')
	if name == "" || end < 0 {
		return 0, false
	}
	size, name = end+1, lower(name)
	r, known := rules[name]
	if !known || r.void || r.raw {
		if r.block {
			s.text = append(s.text, '\n')
		}
		return size, true
	}
	if r.block {
		s.text = append(s.text, '\n')
	}
	for s.isOpen(name) {
		top := &s.stack[len(s.stack)-1]
		if top.name == name {
			s.pop()
			return size, true
		}
		if !top.rule.implied {
			return 0, false // crossing tags
		}
		s.pop()
	}
	return size, true
}

// picture notes the first picture that is more than a dot.
func (s *scanner) picture() {
	if s.image != "" {
		return
	}
	src := ""
	for _, a := range s.attributes {
		switch a.name {
		case "src":
			src = canonical.Resolve(s.base, html.UnescapeString(a.value))
		case "width", "height":
			if v := strings.TrimSpace(a.value); v == "0" || v == "1" || v == "1px" {
				return
			}
		}
	}
	if canonical.IsWeb(src) && len(src) <= 2048 {
		s.image = src
	}
}

package repair

import (
	"bytes"
	"fmt"
	"slices"
)

// element is an open element.
type element struct {
	name       *name
	at         int    // offset of its start tag in the output
	body       int    // offset after its start tag
	base       string // xml:base in scope; empty if none
	lang       string // xml:lang in scope
	namespaces int    // declarations in scope
	bases      int    // xml:base in scope
	construct  bool   // a text construct
	alias      string // name it is written under, if not its own
	bare       bool   // written without its prefix
}

// scanner rewrites one document.
type scanner struct {
	in           []byte
	pos          int
	out          []byte
	limit        int // bytes of output, lifted texts included
	lifted       int
	expanded     int // bytes written beyond those of references
	names        names
	stack        []element
	attributes   []attribute // reused from tag to tag
	entities     map[string][]byte
	namespaces   map[string]string // prefixes declared anywhere, the last one wins
	base         string            // address of the document
	root         *name
	constructs   int // open text constructs
	suppressed   int // start tags dropped for depth
	lift         lift
	channelEnd   int  // offset of the end tag of the last channel; 0 if none
	done         bool // the root has ended, or enough items are read
	noComment    bool // no comment ends after here
	cdataEnd     int  // offset of the next end of a CDATA section, -1 if there is none after pos
	firstChannel *name
	r            Result
}

// XML rewrites text, the document found at the address base, which may be empty. It fails only with an error wrapping ErrLimits. A
// Result without Root means that no feed is in there.
func XML(text []byte, base string) (Result, error) {
	s := &scanner{
		in: text, base: base, limit: len(text) + len(text)/2 + maxGrowthExtra,
		out: make([]byte, 0, len(text)/2+1024), names: newNames(), namespaces: make(map[string]string),
		r: Result{Notes: make(map[string]int)},
	}
	if err := s.run(); err != nil {
		return Result{}, err
	}
	s.finish()
	if s.root == nil {
		return Result{First: s.r.First, Notes: s.r.Notes}, nil
	}
	s.r.Root, s.r.Text = s.root.local, s.out
	return s.r, nil
}

func (s *scanner) note(code string) { s.r.Notes[code]++ }

func (s *scanner) run() error {
	for s.pos < len(s.in) && !s.done {
		if len(s.out)+s.lifted > s.limit || s.expanded > s.limit {
			return fmt.Errorf("%w: more than half as large again after repair", ErrLimits)
		}
		if len(s.names.known) > maxNames {
			return exceeded("names of elements and attributes", maxNames)
		}
		next := bytes.IndexByte(s.in[s.pos:], '<')
		if next < 0 {
			next = len(s.in) - s.pos
		}
		if next > 0 {
			s.text(s.in[s.pos : s.pos+next])
			s.pos += next
			continue
		}
		s.markup(s.in[s.pos:])
	}
	return nil
}

// markup handles what starts with "<" and moves on past it.
func (s *scanner) markup(rest []byte) {
	switch {
	case len(rest) > 1 && isNameStart(rest[1]):
		s.start(rest)
	case bytes.HasPrefix(rest, []byte("</")):
		s.end(rest)
	case bytes.HasPrefix(rest, []byte("<!--")):
		s.comment(rest)
	case len(rest) > 9 && bytes.EqualFold(rest[:9], []byte("<![CDATA[")):
		s.cdata(rest)
	case bytes.HasPrefix(rest, []byte("<!")):
		s.pos += s.doctype(rest)
	case bytes.HasPrefix(rest, []byte("<?")):
		s.instruction(rest)
	case len(rest) < 2:
		s.pos = len(s.in)
	default:
		s.literal()
	}
}

// literal takes the "<" at hand for a character.
func (s *scanner) literal() {
	if len(s.stack) > 0 {
		s.note("lt_escaped")
		s.out = append(s.out, "&lt;"...)
	}
	s.pos++
}

func (s *scanner) text(t []byte) {
	if len(s.stack) > 0 {
		s.out = s.appendText(s.out, t)
		return
	}
	if s.root == nil && len(bytes.TrimSpace(t)) > 0 {
		s.note("junk_before_root")
	}
}

func (s *scanner) comment(rest []byte) {
	end := -1
	if !s.noComment {
		end = bytes.Index(rest[4:], []byte("-->"))
	}
	if end < 0 {
		s.noComment = true
		s.note("comment_open")
		s.pos += 4
		return
	}
	s.pos += 4 + end + 3
}

func (s *scanner) instruction(rest []byte) {
	if len(s.stack) > 0 {
		s.note("pi_dropped")
	}
	size := bytes.IndexByte(rest[2:], '<') + 2
	if size < 2 {
		size = len(rest)
	}
	if end := bytes.Index(rest[:size], []byte("?>")); end >= 0 {
		size = end + 2
	} else if gt := bytes.IndexByte(rest[:size], '>'); gt > 0 {
		size = gt + 1 // never closed
	}
	s.pos += size
}

// cdata copies a section. One that never ends, or that swallows the next field's section, ends at the end tag of its element.
func (s *scanner) cdata(rest []byte) {
	const opening = len("<![CDATA[")
	end := s.nextCDATAEnd(s.pos+opening) - s.pos - opening
	if len(s.stack) == 0 {
		s.pos += opening // junk around the root
		return
	}
	closing := []byte("</" + s.stack[len(s.stack)-1].name.text)
	if end < 0 {
		s.note("cdata_open")
		stop := len(rest)
		if k := bytes.Index(rest, closing); k >= 0 {
			stop = k
		}
		s.appendCDATA(rest[opening:stop])
		s.pos += stop
		return
	}
	body := rest[opening : opening+end]
	if inner := bytes.Index(body, []byte("<![CDATA[")); inner >= 0 {
		if k := bytes.Index(body, closing); k >= 0 && k < inner {
			s.note("cdata_open")
			s.appendCDATA(body[:k])
			s.pos += opening + k
			return
		}
		s.note("cdata_nested")
		body = bytes.ReplaceAll(body, []byte("<![CDATA["), nil)
	}
	s.appendCDATA(body)
	s.pos += opening + end + 3
}

func (s *scanner) appendCDATA(body []byte) {
	s.out = append(s.out, "<![CDATA["...)
	s.out = append(s.out, body...)
	s.out = append(s.out, "]]>"...)
}

func (s *scanner) push(e element) {
	s.stack = append(s.stack, e)
	*e.name.fold++
	if e.construct {
		s.constructs++
	}
}

// closeTo writes end tags until depth elements are open.
func (s *scanner) closeTo(depth int) {
	for len(s.stack) > depth {
		e := &s.stack[len(s.stack)-1]
		s.leave(e)
		s.out = append(s.out, '<', '/')
		s.out = append(s.out, e.written()...)
		s.out = append(s.out, '>')
		s.stack = s.stack[:len(s.stack)-1]
		*e.name.fold--
		if e.construct {
			s.constructs--
		}
		if e.name.local == "channel" && len(s.stack) <= 1 {
			s.channelEnd = len(s.out)
		}
	}
}

// written is the name an element has in the output.
func (e *element) written() string {
	switch {
	case e.alias != "":
		return e.alias
	case e.bare:
		return e.name.text[len(e.name.prefix)+1:]
	}
	return e.name.text
}

// finish closes what the end of the document left open. Of the innermost item the child that is incomplete goes: half a link is worse
// than none.
func (s *scanner) finish() {
	if len(s.stack) > 0 && !s.done {
		s.r.Truncated = true
		s.note("truncated")
		s.dropIncomplete()
	}
	s.done = true
	s.closeTo(0)
	if s.root != nil && s.root.local == "channel" {
		s.out = append(s.out, "</rss>"...)
	}
}

func (s *scanner) dropIncomplete() {
	for k, e := range slices.Backward(s.stack) {
		switch e.name.local {
		case "item", "entry", "channel", "feed":
			if k+1 == len(s.stack) {
				return
			}
			s.r.Partial = e.name.kind == item
			s.out = s.out[:s.stack[k+1].at]
			for _, gone := range s.stack[k+1:] {
				*gone.name.fold--
			}
			s.stack = s.stack[:k+1]
			s.constructs, s.lift = 0, lift{}
			return
		}
	}
}

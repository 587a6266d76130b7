package repair

import (
	"bytes"
	"html"
	"strings"
)

// maxEntities bounds the entities recorded from one document.
const maxEntities = 1000

// doctype consumes a "<!" construct, recording internal entities, and returns its length. It ends early where the root starts inside
// it, because its own end is missing.
func (s *scanner) doctype(b []byte) int {
	depth := 0
	for i := 2; i < len(b); i++ {
		switch c := b[i]; c {
		case '"', '\'':
			end := bytes.IndexByte(b[i+1:min(len(b), i+1+maxEntity)], c)
			if end >= 0 {
				i += end + 1
			}
		case '[':
			depth++
		case ']':
			depth--
		case '<':
			switch {
			case bytes.HasPrefix(b[i:], []byte("<!ENTITY")):
				i += s.entity(b[i:]) - 1
			case depth <= 0 && i+1 < len(b) && isNameStart(b[i+1]):
				return i
			}
		case '>':
			if depth <= 0 {
				return i + 1
			}
		}
	}
	return len(b)
}

// entity records the declaration at the start of b, if it is of an internal entity, and returns its length. Values are decoded once and
// never expanded in one another.
func (s *scanner) entity(b []byte) int {
	const keyword = len("<!ENTITY")
	head := b[keyword:min(len(b), maxEntity+256)]
	start := bytes.IndexAny(head, "\"'>")
	if start < 0 || head[start] == '>' {
		return keyword
	}
	length := bytes.IndexByte(head[start+1:], head[start])
	if length < 0 {
		return keyword
	}
	name := strings.TrimSpace(string(head[:start]))
	value := string(head[start+1 : start+1+length])
	size := keyword + start + 1 + length + 1
	if name == "" || strings.ContainsAny(name, "% \t\r\n") || len(value) > maxEntity || len(s.entities) >= maxEntities {
		return size // of a parameter, or external
	}
	if s.entities == nil {
		s.entities = make(map[string][]byte)
	}
	if _, again := s.entities[name]; !again {
		s.note("entity_internal")
		var text []byte
		for _, r := range html.UnescapeString(value) {
			if isXML(r) {
				text = appendRune(text, r)
			}
		}
		s.entities[name] = text
	}
	return size
}

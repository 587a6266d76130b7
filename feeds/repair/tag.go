package repair

import "bytes"

// attribute is a name with its value as written, references and all.
type attribute struct {
	name  *name
	value []byte
}

// tag is a start tag as found.
type tag struct {
	name       *name
	attributes []attribute
	closed     bool // ends in "/>"
	size       int  // bytes of input
	open       bool // ended by the next "<"
}

// startTag reads the tag at the start of b. Size 0 means that there is none; ok is false if the input ends inside it.
func (s *scanner) startTag(b []byte) (t tag, ok bool) {
	if len(b) < 2 {
		return t, false
	}
	if !isNameStart(b[1]) {
		return t, true
	}
	i := nameEnd(b, 1)
	t.name = s.names.of(b[1:i])
	t.attributes = s.attributes[:0]
	for i < len(b) {
		switch c := b[i]; {
		case isSpace(c):
			i++
		case c == '>':
			t.size = i + 1
			s.attributes = t.attributes
			return t, true
		case c == '/' && i+1 < len(b) && b[i+1] == '>':
			t.closed, t.size = true, i+2
			s.attributes = t.attributes
			return t, true
		case c == '<':
			t.open, t.size = true, i
			s.attributes = t.attributes
			return t, true
		case isNameStart(c):
			end := nameEnd(b, i)
			value, next, whole := attributeValue(b, end)
			if !whole {
				return t, false
			}
			if value == nil {
				value = b[i:end]
			}
			if len(t.attributes) < maxAttributes {
				t.add(s.names.of(b[i:end]), value)
			}
			i = next
		default:
			i++
		}
	}
	return t, false
}

// attributeValue reads "= value" from i on; a nil value means that there is none. It reports false if the input ends inside it.
func attributeValue(b []byte, i int) (value []byte, next int, ok bool) {
	end := i
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	if i == len(b) || b[i] != '=' {
		return nil, end, true
	}
	i++
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	if i == len(b) {
		return nil, i, false
	}
	if q := b[i]; q == '"' || q == '\'' {
		n := bytes.IndexByte(b[i+1:], q)
		if n < 0 {
			return nil, i, false
		}
		return b[i+1 : i+1+n : i+1+n], i + n + 2, true
	}
	start := i
	for i < len(b) && !isSpace(b[i]) && b[i] != '>' {
		i++
	}
	return b[start:i:i], i, true
}

// add keeps the first attribute of a name.
func (t *tag) add(n *name, value []byte) {
	if n.text == "xmlns:xml" || n.text == "xmlns:xmlns" {
		return
	}
	for i := range t.attributes {
		if t.attributes[i].name.text == n.text {
			return
		}
	}
	t.attributes = append(t.attributes, attribute{n, value})
}

// value is the decoded value of the named attribute, or empty.
func (s *scanner) value(t *tag, name string) string {
	for i := range t.attributes {
		if t.attributes[i].name.text == name {
			return string(unescape(s.appendText(nil, t.attributes[i].value)))
		}
	}
	return ""
}

func (t *tag) has(name string) bool {
	for i := range t.attributes {
		if t.attributes[i].name.text == name {
			return true
		}
	}
	return false
}

// remove takes out the attributes that drop says yes to.
func (t *tag) remove(drop func(a *attribute) bool) {
	kept := t.attributes[:0]
	for i := range t.attributes {
		if !drop(&t.attributes[i]) {
			kept = append(kept, t.attributes[i])
		}
	}
	t.attributes = kept
}

// endTag reads the tag at the start of b, which starts with "</". Size 0 means that the input ends inside it; a nil name with a size
// means that it is none.
func (s *scanner) endTag(b []byte) (n *name, size int) {
	i := 2
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	start := i
	i = nameEnd(b, i)
	switch {
	case i == len(b):
		return nil, 0
	case start == i || !isNameStart(b[start]):
		return nil, 1
	}
	n = s.names.of(b[start:i])
	end := bytes.IndexAny(b[i:], "<>")
	switch {
	case end < 0:
		return nil, 0
	case b[i+end] == '<':
		return n, i + end
	}
	return n, i + end + 1
}

func nameEnd(b []byte, i int) int {
	for i < len(b) && isNameByte(b[i]) {
		i++
	}
	return i
}

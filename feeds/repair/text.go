package repair

import (
	"bytes"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"sheaf/feeds/transcode"
)

// appendText writes character data as XML: what XML knows stays a reference, every other reference becomes its character, a lone
// ampersand is escaped and the end mark of a CDATA section dropped.
func (s *scanner) appendText(out, t []byte) []byte {
	if bytes.IndexByte(t, '&') < 0 && bytes.IndexByte(t, '<') < 0 && !bytes.Contains(t, []byte("]]>")) {
		return append(out, t...)
	}
	for len(t) > 0 {
		i := bytes.IndexAny(t, "&]<")
		if i < 0 {
			return append(out, t...)
		}
		out = append(out, t[:i]...)
		t = t[i:]
		switch {
		case t[0] == '<':
			out, t = append(out, "&lt;"...), t[1:]
		case t[0] == '&':
			var size int
			out, size = s.appendReference(out, t)
			t = t[size:]
		case bytes.HasPrefix(t, []byte("]]>")):
			s.note("cdata_end_dropped")
			t = t[3:]
		default:
			out, t = append(out, ']'), t[1:]
		}
	}
	return out
}

// appendAttribute writes a value for use between double quotes.
func (s *scanner) appendAttribute(out, v []byte) []byte {
	start := len(out)
	out = s.appendText(out, v)
	if bytes.IndexByte(out[start:], '"') < 0 {
		return out
	}
	quoted := bytes.ReplaceAll(out[start:], []byte(`"`), []byte("&quot;"))
	return append(out[:start], quoted...)
}

// maxReference is the longest reference looked for, in bytes; the longest HTML name has 33.
const maxReference = 64

// appendReference writes what the ampersand at the start of t means, and returns how many bytes of t that used.
func (s *scanner) appendReference(out, t []byte) ([]byte, int) {
	end := bytes.IndexByte(t[:min(len(t), maxReference)], ';')
	if end < 2 {
		return s.appendAmpersand(out), 1
	}
	body := t[1:end]
	if body[0] == '#' {
		return s.appendNumeric(out, t, end)
	}
	switch string(body) {
	case "amp", "lt", "gt", "quot", "apos":
		return append(out, t[:end+1]...), end + 1
	}
	if value, ok := s.entities[string(body)]; ok {
		if s.expanded += len(value); s.expanded > s.limit {
			return out, end + 1 // the document is refused before long
		}
		return append(out, value...), end + 1
	}
	for _, c := range body {
		if !isNameByte(c) {
			return s.appendAmpersand(out), 1
		}
	}
	reference := string(t[:end+1])
	if value := html.UnescapeString(reference); value[0] != '&' && !strings.HasSuffix(value, ";") {
		for _, r := range value {
			out = appendRune(out, r)
		}
		return out, end + 1
	}
	return s.appendAmpersand(out), 1
}

// appendAmpersand escapes an ampersand that starts no reference.
func (s *scanner) appendAmpersand(out []byte) []byte {
	s.note("amp_escaped")
	if s.expanded += len("amp;"); s.expanded > s.limit {
		return out
	}
	return append(out, "&amp;"...)
}

// appendNumeric handles "&#…;" of end+1 bytes at the start of t.
func (s *scanner) appendNumeric(out, t []byte, end int) ([]byte, int) {
	code, ok := numeric(t[2:end])
	if !ok {
		return s.appendAmpersand(out), 1
	}
	if code >= 0xD800 && code <= 0xDBFF {
		if low, size := lowSurrogate(t[end+1:]); size > 0 {
			s.note("surrogates_joined")
			return appendRune(out, (code-0xD800)<<10|(low-0xDC00)+0x10000), end + 1 + size
		}
	}
	if !isXML(code) {
		s.note("reference_illegal")
		if code > utf8.MaxRune || code >= 0xD800 && code <= 0xDFFF {
			out = utf8.AppendRune(out, utf8.RuneError)
		}
		return out, end + 1
	}
	return appendRune(out, transcode.Windows1252(code)), end + 1
}

func lowSurrogate(t []byte) (code rune, size int) {
	end := bytes.IndexByte(t[:min(len(t), maxReference)], ';')
	if end < 3 || t[0] != '&' || t[1] != '#' {
		return 0, 0
	}
	code, ok := numeric(t[2:end])
	if !ok || code < 0xDC00 || code > 0xDFFF {
		return 0, 0
	}
	return code, end + 1
}

func numeric(digits []byte) (rune, bool) {
	base := 10
	if len(digits) > 0 && (digits[0] == 'x' || digits[0] == 'X') {
		base, digits = 16, digits[1:]
	}
	n, err := strconv.ParseUint(string(digits), base, 32)
	if err != nil {
		return 0, false
	}
	return rune(min(n, utf8.MaxRune+1)), true
}

// isXML tells the characters of XML 1.0, section 2.2.
func isXML(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= utf8.MaxRune
}

func appendRune(out []byte, r rune) []byte {
	switch r {
	case '<':
		return append(out, "&lt;"...)
	case '&':
		return append(out, "&amp;"...)
	case '>':
		return append(out, "&gt;"...)
	}
	return utf8.AppendRune(out, r)
}

// unescape undoes the five references of XML, in place. It serves text this package has written.
func unescape(t []byte) []byte {
	i := bytes.IndexByte(t, '&')
	if i < 0 {
		return t
	}
	out := t[:i]
	for i < len(t) {
		if t[i] != '&' {
			next := bytes.IndexByte(t[i:], '&')
			if next < 0 {
				next = len(t) - i
			}
			out = append(out, t[i:i+next]...)
			i += next
			continue
		}
		c, size := known(t[i:])
		out = append(out, c)
		i += size
	}
	return out
}

// known is the character of the XML reference at the start of t, which starts with an ampersand; size 1 if there is none.
func known(t []byte) (c byte, size int) {
	switch t = t[:min(len(t), len("&quot;"))]; {
	case bytes.HasPrefix(t, []byte("&lt;")):
		return '<', 4
	case bytes.HasPrefix(t, []byte("&gt;")):
		return '>', 4
	case bytes.HasPrefix(t, []byte("&amp;")):
		return '&', 5
	case string(t) == "&quot;":
		return '"', 6
	case string(t) == "&apos;":
		return '\'', 6
	}
	return '&', 1
}

// decoded is character data as the text it means: what appendText and unescape give together, in one step for the usual references.
func (s *scanner) decoded(t []byte) []byte {
	if bytes.Contains(t, []byte("]]>")) {
		return unescape(s.appendText(nil, t))
	}
	out := make([]byte, 0, len(t))
	for {
		i := bytes.IndexByte(t, '&')
		if i < 0 {
			return append(out, t...)
		}
		out = append(out, t[:i]...)
		t = t[i:]
		c, size := known(t)
		if size > 1 {
			out, t = append(out, c), t[size:]
			continue
		}
		start := len(out)
		out, size = s.appendReference(out, t)
		out = out[:start+len(unescape(out[start:]))]
		t = t[size:]
	}
}

package clean

import (
	"html"
	"strings"

	"sheaf/feeds/canonical"
)

// readAttributes reads the attributes of a start tag, from i on, into s.attributes, with values as written. It returns the length of
// the tag, 0 if the markup ends inside it, and false for what only a browser's parser should read.
func (s *scanner) readAttributes(rest string, i int) (size int, ok bool) {
	s.attributes = s.attributes[:0]
	for i < len(rest) {
		c := rest[i]
		switch {
		case c == '>':
			return i + 1, true
		case isBlank(c) || c == '/':
			i++
			continue
		case c == '"' || c == '\'' || c == '<' || c == '=':
			return 0, false
		}
		start := i
		for i < len(rest) && !isBlank(rest[i]) && rest[i] != '=' && rest[i] != '>' && rest[i] != '/' {
			if rest[i] == '<' || rest[i] == '"' {
				return 0, false
			}
			i++
		}
		name := lower(rest[start:i])
		value, next := readValue(rest, i)
		if next < 0 {
			return 0, true
		}
		i = next
		s.attributes = append(s.attributes, pair{name, value})
	}
	return 0, true
}

// readValue reads "= value" from i on. The next offset is -1 if the markup ends inside the value.
func readValue(rest string, i int) (value string, next int) {
	k := i
	for k < len(rest) && isBlank(rest[k]) {
		k++
	}
	if k == len(rest) || rest[k] != '=' {
		return "", i
	}
	k++
	for k < len(rest) && isBlank(rest[k]) {
		k++
	}
	if k == len(rest) {
		return "", -1
	}
	if q := rest[k]; q == '"' || q == '\'' {
		end := strings.IndexByte(rest[k+1:], q)
		if end < 0 {
			return "", -1
		}
		return rest[k+1 : k+1+end], k + end + 2
	}
	start := k
	for k < len(rest) && !isBlank(rest[k]) && rest[k] != '>' {
		k++
	}
	return rest[start:k], k
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// lower is s in lower case; the usual s is already.
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' {
			return strings.ToLower(s)
		}
	}
	return s
}

// writeAttributes writes the attributes that the table allows, once each, and returns how many.
func (s *scanner) writeAttributes(name string, r rule) int {
	written := 0
	for i, a := range s.attributes {
		if !r.allows(a.name) || s.repeated(i) {
			continue
		}
		value := html.UnescapeString(a.value)
		if a.name == "href" || a.name == "cite" {
			if value = safeAddress(s.base, value); value == "" {
				continue
			}
		} else if !isHarmless(a.name, value) {
			continue
		}
		if name == "a" && a.name != "href" && written == 0 {
			continue // a title alone makes no link
		}
		s.html = append(append(append(s.html, ' '), a.name...), '=', '"')
		s.html = append(appendEscaped(s.html, value), '"')
		written++
	}
	if name == "a" && written > 0 {
		s.html = append(s.html, ` rel="nofollow"`...)
	}
	return written
}

func (s *scanner) repeated(i int) bool {
	for _, a := range s.attributes[:i] {
		if a.name == s.attributes[i].name {
			return true
		}
	}
	return false
}

// safeAddress makes an address absolute; empty if it is none that a reader should follow.
func safeAddress(base, value string) string {
	value = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, value)
	value = strings.ReplaceAll(canonical.Resolve(base, value), " ", "%20")
	if len(value) > 2048 || !canonical.IsWeb(value) && canonical.Scheme(value) != "mailto" {
		return ""
	}
	return value
}

// isHarmless checks the values of the attributes that are no addresses.
func isHarmless(name, value string) bool {
	switch name {
	case "colspan", "rowspan", "start":
		return value != "" && len(value) < 4 && strings.Trim(value, "0123456789") == ""
	case "dir":
		return strings.EqualFold(value, "ltr") || strings.EqualFold(value, "rtl")
	case "lang":
		return len(value) > 1 && len(value) < 36 && strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == ""
	}
	return true
}

package clean

import (
	"html"
	"strings"
	"unicode/utf8"
)

// Title makes one line of plain text of a title or name whose markup nobody vouches for: references are decoded, up to twice, and tags
// of text removed, while what only looks like a tag stays.
func Title(s string) string {
	s = Undouble(s)
	for range 2 {
		if !hasReference(s) {
			break
		}
		s = html.UnescapeString(s)
	}
	if strings.IndexByte(s, '<') >= 0 {
		s = dropTags(unwrapCDATA(s))
	}
	return Line(s)
}

// PlainTitle makes one line of a title that is known to be text: what looks like a tag is none.
func PlainTitle(s string) string { return Line(Undouble(s)) }

// hasReference tells whether s holds a reference with its semicolon.
func hasReference(s string) bool {
	for {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			return false
		}
		s = s[i+1:]
		for k := 0; k < len(s) && k < 33; k++ {
			c := s[k]
			if c == ';' && k > 0 {
				return true
			}
			if c != '#' && !isAlphanumeric(c) {
				break
			}
		}
	}
}

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// unwrapCDATA takes off CDATA marks that were escaped once too often.
func unwrapCDATA(s string) string {
	if !strings.Contains(s, "<![CDATA[") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "<![CDATA[", ""), "]]>", "")
}

// dropTags removes the tags that titles are decorated with.
func dropTags(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i:]
		size, gap := decoration(s)
		if size == 0 {
			b.WriteByte('<')
			size = 1
		}
		if gap {
			b.WriteByte(' ')
		}
		s = s[size:]
	}
}

// decoration is the length of the tag at the start of s, if it is one of those, and whether it separates words.
func decoration(s string) (size int, gap bool) {
	i := 1
	if i < len(s) && s[i] == '/' {
		i++
	}
	start := i
	for i < len(s) && isAlphanumeric(s[i]) {
		i++
	}
	name := strings.ToLower(s[start:i])
	if i == len(s) || s[i] != '>' && s[i] != '/' && s[i] != ' ' && s[i] != '\t' && s[i] != '\n' {
		return 0, false
	}
	switch name {
	case "br", "p", "div", "li":
		gap = true
	case "a", "abbr", "b", "big", "blockquote", "cite", "code", "del", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img",
		"ins", "ol", "q", "s", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "ul", "wbr":
	default:
		return 0, false
	}
	end := strings.IndexAny(s[i:], "<>")
	if end < 0 || s[i+end] == '<' {
		return 0, false
	}
	return i + end + 1, gap
}

// separators stand between a headline and the name of its outlet.
var separators = [...]string{" - ", " | ", " — ", " – ", " :: ", " · "}

// WithoutOutlet cuts the name of an outlet off the end of a headline, if more than ten bytes remain.
func WithoutOutlet(title string, outlets ...string) string {
	for _, o := range outlets {
		if o == "" || !strings.HasSuffix(title, o) {
			continue
		}
		for _, sep := range separators {
			if rest, ok := strings.CutSuffix(title, sep+o); ok && len(rest) > 10 {
				return rest
			}
		}
	}
	return title
}

// Headline makes a title of a text: the first sentence of its first line, at most limit characters, cut at a word.
func Headline(text string, limit int) string {
	text, _, _ = strings.Cut(text, "\n")
	text = text[:sentence(text, 20)]
	return shorten(text, limit)
}

// Opening is the first sentences of a text that fit limit characters, as one line; the first of them is cut at a word if need be.
func Opening(text string, limit int) string {
	text = strings.Join(strings.Fields(Cut(text, 8*limit)), " ")
	end := sentence(text, 0)
	if utf8.RuneCountInString(text[:end]) > limit {
		return shorten(text[:end], limit)
	}
	for end < len(text) {
		next := end + sentence(text[end:], 1)
		if utf8.RuneCountInString(text[:next]) > limit {
			break
		}
		end = next
	}
	return strings.TrimSpace(text[:end])
}

// sentence is the length of the first sentence of s that is longer than least bytes.
func sentence(s string, least int) int {
	for i, r := range s {
		if i <= least || r != '.' && r != '!' && r != '?' && r != '。' && r != '！' && r != '？' {
			continue
		}
		end := i + utf8.RuneLen(r)
		for end < len(s) && strings.IndexByte("\"')", s[end]) >= 0 {
			end++
		}
		if end == len(s) || s[end] == ' ' || r > utf8.RuneSelf {
			return end
		}
	}
	return len(s)
}

func shorten(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n++; n == limit {
			s = s[:i]
			break
		}
	}
	if i := strings.LastIndexByte(s, ' '); i > len(s)/2 {
		s = s[:i]
	}
	return strings.TrimRight(s, " ,;:-") + "…"
}

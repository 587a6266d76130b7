package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences cuts s at every run of newlines, and after a full stop, question or exclamation mark that is followed by any number of
// closing quotes and then white space. The quotes and the white space belong to no sentence. Blank sentences are kept: callers that do
// not want them trim.
func Sentences(s string) []string {
	var sentences []string
	from := 0
	for at := 0; at < len(s); {
		if n := cutLength(s, at); n > 0 {
			sentences = append(sentences, s[from:at])
			at += n
			from = at
			continue
		}
		_, n := decode(s, at)
		at += n
	}
	return append(sentences, s[from:])
}

// cutLength is the length in bytes of the sentence boundary that begins at byte at of s; 0 if none does.
func cutLength(s string, at int) int {
	if at > 0 && isStop(s[at-1]) {
		if n := quotesAndSpace(s[at:]); n > 0 {
			return n
		}
	}
	n := 0
	for at+n < len(s) && s[at+n] == '\n' {
		n++
	}
	return n
}

func isStop(c byte) bool { return c == '.' || c == '!' || c == '?' }

// quotesAndSpace is the length of a run of closing quotes and then white space at the start of s; 0 without the white space.
func quotesAndSpace(s string) int {
	n := 0
	for n < len(s) {
		r, size := decode(s, n)
		if r != '"' && r != '”' && r != '’' && r != ')' {
			break
		}
		n += size
	}
	quotes := n
	for n < len(s) {
		r, size := decode(s, n)
		if !unicode.IsSpace(r) {
			break
		}
		n += size
	}
	if n == quotes {
		return 0
	}
	return n
}

// cutsSentence reports whether a boundary lies in the gap between two words, bytes from to to of s.
func cutsSentence(s string, from, to int) bool {
	for at := from; at < to; {
		if cutLength(s, at) > 0 {
			return true
		}
		_, n := decode(s, at)
		at += n
	}
	return false
}

// FirstSentences is the opening of s, to stand in for a title: whole sentences until 120 characters are reached, never more than 300.
func FirstSentences(s string) string {
	const enough, most = 120, 300
	var out strings.Builder
	length := 0
	for _, sentence := range Sentences(s) {
		trimmed := strings.TrimSpace(sentence)
		if trimmed == "" {
			continue
		}
		if length > 0 && length+utf8.RuneCountInString(sentence) > most {
			break
		}
		if length > 0 {
			out.WriteByte(' ')
			length++
		}
		out.WriteString(trimmed)
		length += utf8.RuneCountInString(trimmed)
		if length >= enough {
			break
		}
	}
	return Prefix(out.String(), most)
}

// Prefix is the first n characters of s, or all of it.
func Prefix(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// FieldsEnd is the byte offset at which the first n space-separated fields of s end; the length of s if it has no more than n.
func FieldsEnd(s string, n int) int {
	inside := false
	for i, r := range s {
		if !unicode.IsSpace(r) {
			inside = true
			continue
		}
		if inside {
			inside = false
			if n--; n == 0 {
				return i
			}
		}
	}
	return len(s)
}

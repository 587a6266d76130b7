// Package clean makes plain text and safe markup of what feeds carry.
//
// [Title] and [Line] give one line of text, [Markup] gives article markup made safe together with its text and first picture, in one
// pass, and [Article] takes the furniture out of an article's text. All functions are pure and may be used concurrently.
package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sheaf/feeds/transcode"
)

// Line collapses white space, trims, and drops controls and characters that cannot be seen.
func Line(s string) string {
	if isClean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			gap = b.Len() > 0
			continue
		case isInvisible(r) || unicode.IsControl(r):
			continue
		case gap:
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isClean tells strings that Line would not change, at little cost. It may say no to one of them.
func isClean[T string | []byte](s T) bool {
	before := byte(' ')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c <= ' ' {
			if c < ' ' || before == ' ' {
				return false
			}
		} else if c >= 0x7f && isOdd(s[i:]) {
			return false
		}
		before = c
	}
	return before != ' ' || len(s) == 0
}

// isOdd tells whether s may start with white space or an invisible character outside of ASCII.
func isOdd[T string | []byte](s T) bool {
	switch s[0] {
	case 0x7f, 0xe1: // delete, U+1680
		return true
	case 0xc2: // up to U+00A0, and U+00AD
		return len(s) < 2 || s[1] <= 0xa0 || s[1] == 0xad
	case 0xe2: // U+2000 to U+200F, U+2028 to U+202F, U+205F, U+2060
		return len(s) < 3 || s[1] == 0x80 && (s[2] <= 0x8f || s[2] >= 0xa8 && s[2] <= 0xaf) || s[1] == 0x81 && (s[2] == 0x9f || s[2] == 0xa0)
	case 0xe3: // U+3000
		return len(s) < 3 || s[1] == 0x80 && s[2] == 0x80
	case 0xef: // U+FEFF
		return len(s) < 3 || s[1] == 0xbb && s[2] == 0xbf
	}
	return false
}

func isInvisible(r rune) bool {
	return r == 0x200B || r == 0x2060 || r == 0xFEFF || r == 0xAD || r >= 0x202A && r <= 0x202E
}

// Undouble undoes UTF-8 that was read as windows-1252 and encoded again, if the whole string allows it.
func Undouble(s string) string {
	first := 0
	for first < len(s) && s[first] < utf8.RuneSelf {
		first++
	}
	if first == len(s) {
		return s
	}
	lead, _ := utf8.DecodeRuneInString(s[first:])
	if c, ok := byteOf(lead); !ok || c < 0xc2 || c > 0xf4 {
		return s // no sequence of UTF-8 starts like that
	}
	high := 0
	for _, r := range s[first:] {
		if r >= utf8.RuneSelf {
			if _, ok := byteOf(r); !ok {
				return s
			}
			high++
		}
	}
	if high < 2 {
		return s
	}
	raw := make([]byte, 0, len(s))
	for _, r := range s {
		c, _ := byteOf(r)
		raw = append(raw, c)
	}
	if !utf8.Valid(raw) {
		return s
	}
	raw, _ = transcode.Strip(raw)
	return string(raw)
}

// byteOf is the byte of windows-1252 that stands for a character.
func byteOf(r rune) (byte, bool) {
	if r <= 0xff {
		return byte(r), true
	}
	if r > 0x2122 {
		return 0, false
	}
	for c := rune(0x80); c <= 0x9f; c++ {
		if transcode.Windows1252(c) == r {
			return byte(c), true
		}
	}
	return 0, false
}

// Cut shortens s to at most size bytes, on a character boundary.
func Cut(s string, size int) string {
	if len(s) <= size {
		return s
	}
	for size > 0 && !utf8.RuneStart(s[size]) {
		size--
	}
	return s[:size]
}

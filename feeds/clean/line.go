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
func isClean(s string) bool {
	before := byte(' ')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c == 0x7f || c == ' ' && before == ' ' || c == 0xc2 || c == 0xe1 || c == 0xe2 || c == 0xe3 || c == 0xef {
			return false
		}
		before = c
	}
	return before != ' ' || s == ""
}

func isInvisible(r rune) bool {
	return r == 0x200B || r == 0x2060 || r == 0xFEFF || r == 0xAD || r >= 0x202A && r <= 0x202E
}

// Undouble undoes UTF-8 that was read as windows-1252 and encoded again, if the whole string allows it.
func Undouble(s string) string {
	high := 0
	for _, r := range s {
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

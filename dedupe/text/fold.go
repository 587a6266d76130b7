package text

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold drops accents: compatibility decomposition without the combining marks. Scripts whose marks carry the sound (Hindi, Thai, kana
// and all beyond) are composed again and keep them.
func Fold(s string) string {
	if isASCII(s) {
		return s
	}
	if beyondGreek(s) {
		return norm.NFKC.String(s)
	}
	decomposed := norm.NFKD.String(s)
	var b strings.Builder
	b.Grow(len(decomposed))
	for i, r := range decomposed {
		if r < utf8.RuneSelf || norm.NFKD.PropertiesString(decomposed[i:]).CCC() == 0 {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Key is the form in which words are compared: without full stops, folded, in lower case.
func Key(w string) string {
	if strings.IndexByte(w, '.') >= 0 {
		w = strings.ReplaceAll(w, ".", "")
	}
	return strings.ToLower(Fold(w))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// beyondGreek reports a letter of a script in which folding would destroy the word.
func beyondGreek(s string) bool {
	for _, r := range s {
		if r >= 0x0900 && (r < 0x1E00 || r >= 0x2E80 && r < 0xFB00 || r >= 0xFF66 && r < 0xFFDD) {
			return true
		}
	}
	return false
}

package text

import (
	"unicode"
	"unicode/utf8"
)

// class tells how a script writes words.
type class int

const (
	spaced   class = iota // words stand between spaces
	pairs                 // no spaces: Han, hiragana, Thai, Lao, Khmer, Burmese
	katakana              // no spaces, but a run is a word, mostly foreign
	hangul                // spaces between phrases
)

func classOf(r rune) class {
	switch {
	case r < 0x0E00:
		return spaced
	case r == 'ー' || unicode.Is(unicode.Katakana, r):
		return katakana
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return pairs
	case unicode.Is(unicode.Hangul, r):
		return hangul
	}
	return spaced
}

// unspaced reports a word with letters of a script that does not put spaces between words.
func unspaced(w string) bool {
	for _, r := range w {
		if classOf(r) != spaced {
			return true
		}
	}
	return false
}

// appendPairs cuts a run of an unspaced script into terms: overlapping pairs of characters, a lone character as itself, runs of katakana,
// Latin letters or digits whole; Korean gives the whole phrase besides its pairs.
func appendPairs(dst []string, s string) []string {
	for s != "" {
		run := sameClass(s)
		first, _ := utf8.DecodeRuneInString(run)
		c := classOf(first)
		if c == katakana || c == spaced || c == hangul {
			dst = append(dst, run)
		}
		if c == pairs || c == hangul && utf8.RuneCountInString(run) > 2 {
			dst = appendOverlapping(dst, run)
		}
		s = s[len(run):]
	}
	return dst
}

// sameClass is the longest prefix of s in one class.
func sameClass(s string) string {
	first, _ := utf8.DecodeRuneInString(s)
	c := classOf(first)
	for i, r := range s {
		if classOf(r) != c && !unicode.IsMark(r) {
			return s[:i]
		}
	}
	return s
}

func appendOverlapping(dst []string, run string) []string {
	starts := make([]int, 0, len(run)/3+2)
	for i, r := range run {
		if i == 0 || !unicode.IsMark(r) {
			starts = append(starts, i)
		}
	}
	starts = append(starts, len(run))
	if len(starts) < 3 {
		return append(dst, run)
	}
	for i := 0; i+2 < len(starts); i++ {
		dst = append(dst, run[starts[i]:starts[i+2]])
	}
	return dst
}

// UnspacedNames lists what can serve as names in a word of a script without capitals and spaces: runs of katakana and of Latin letters. Of
// words in other scripts there are none.
func UnspacedNames(word string) []string {
	if !unspaced(word) {
		return nil
	}
	var names []string
	for s := Key(word); s != ""; {
		run := sameClass(s)
		first, _ := utf8.DecodeRuneInString(run)
		c := classOf(first)
		if utf8.RuneCountInString(run) > 1 && (c == katakana || c == spaced && unicode.IsLetter(first)) {
			names = append(names, run)
		}
		s = s[len(run):]
	}
	return names
}

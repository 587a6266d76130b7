package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is one word of a text and where it stands.
type Word struct {
	Text  string // curly apostrophes straightened, a final 's or ' dropped
	Start int    // byte offsets in the text, before that cleaning
	End   int
	Opens bool // it is the first word of its sentence
}

// Words lists the words of s: longest runs of letters and digits, joined by single full stops, apostrophes, hyphens or ampersands. The
// text should be in normalization form C; combining marks belong to words in the scripts that cannot do without them.
func Words(s string) []Word { return AppendWords(make([]Word, 0, len(s)/6+1), s) }

// AppendWords appends the words of s to words, whose length must be 0: only its memory is used.
func AppendWords(words []Word, s string) []Word {
	for at := 0; ; {
		start, end := nextWord(s, at)
		if start < 0 {
			return words
		}
		opens := len(words) == 0 || cutsSentence(s, words[len(words)-1].End, start)
		if w := clean(s[start:end]); w != "" {
			words = append(words, Word{Text: w, Start: start, End: end, Opens: opens})
		}
		at = end
	}
}

// nextWord finds the first word of s at or after byte at; start is -1 if there is none.
func nextWord(s string, at int) (start, end int) {
	start = -1
	for at < len(s) {
		r, n := decode(s, at)
		inside := isWordRune(r) || start >= 0 && isScriptMark(r)
		switch {
		case inside && start < 0:
			start = at
		case inside:
		case start < 0:
			at += n
			continue
		default:
			if !isJoiner(r) || at+n >= len(s) {
				return start, at
			}
			if next, _ := decode(s, at+n); !isWordRune(next) {
				return start, at
			}
		}
		at += n
	}
	return start, at
}

func decode(s string, at int) (rune, int) {
	if c := s[at]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s[at:])
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// isScriptMark reports a mark without which words of its script fall apart, such as the vowel signs of Hindi and Thai. Accents of Latin,
// Greek and Cyrillic letters are not among them: normalization has composed those.
func isScriptMark(r rune) bool { return r >= 0x0590 && unicode.IsMark(r) }

func isJoiner(r rune) bool {
	return r == '.' || r == '\'' || r == '’' || r == '-' || r == '&'
}

func clean(w string) string {
	if strings.Contains(w, "’") {
		w = strings.ReplaceAll(w, "’", "'")
	}
	if s, ok := strings.CutSuffix(w, "'s"); ok {
		return s
	}
	return strings.TrimSuffix(w, "'")
}

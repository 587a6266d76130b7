package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Language holds the word lists and rules of one language. Values come from [For], are read-only and may be shared.
type Language struct {
	code      string
	stops     map[string]bool // keys of words that carry no subject
	nameStops map[string]bool // lower-case words that start no name
	stem      func(string) string
}

// Code is the language's primary subtag, "en"; "und" for the rules used where the language is unknown.
func (l *Language) Code() string { return l.code }

// For gives the rules for a BCP 47 tag, by its primary subtag. A language without lists of its own has no stop words. Outside
// English a stem is the beginning of a word.
func For(tag string) *Language {
	code := Primary(tag)
	if l, ok := languages[code]; ok {
		return l
	}
	return &Language{code: code, stem: truncate}
}

// Primary is the primary subtag of a BCP 47 tag in lower case, "und" if the tag is empty. Codes of one language that outlets use side by
// side come to one.
func Primary(tag string) string {
	code, _, _ := strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	switch code = strings.ToLower(strings.TrimSpace(code)); code {
	case "":
		return "und"
	case "nb", "nn":
		return "no"
	case "iw":
		return "he"
	case "in":
		return "id"
	case "fil":
		return "tl"
	}
	return code
}

// Stop reports whether a key is a word without a subject, such as "the" or "said".
func (l *Language) Stop(key string) bool { return l.stops[key] }

// Tokens are the terms of words, in order: parts between hyphens, folded, in lower case, without stop words and single letters, stemmed.
// Scripts without spaces give overlapping pairs of characters instead.
func (l *Language) Tokens(words []Word) []string {
	tokens := make([]string, 0, len(words))
	for _, w := range words {
		tokens = l.AppendTokens(tokens, w.Text)
	}
	return tokens
}

// AppendTokens appends the tokens of one word to dst.
func (l *Language) AppendTokens(dst []string, word string) []string {
	for part := range strings.SplitSeq(word, "-") {
		if unspaced(part) {
			dst = appendPairs(dst, Key(part))
			continue
		}
		k := Key(part)
		if l.stops[k] || tooShort(k) {
			continue
		}
		dst = append(dst, l.stem(k))
	}
	return dst
}

// Stem is the stem of a key in this language.
func (l *Language) Stem(key string) string { return l.stem(key) }

// tooShort reports a single character that is not a digit.
func tooShort(k string) bool {
	r, n := utf8.DecodeRuneInString(k)
	return n == len(k) && !unicode.IsDigit(r)
}

// AllDigits reports whether a token is a plain number.
func AllDigits(token string) bool {
	for _, r := range token {
		if !unicode.IsDigit(r) {
			return false
		}
	}
	return token != ""
}

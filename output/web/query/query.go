// Package query reads what people type into the search box, and marks in a text what they were looking for. Both sides of a search use it:
// the store for its index, the pages for their highlighting, so that what is marked is what was found.
package query

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Limits of a search: no honest one comes near them.
const (
	mostTerms   = 12
	mostLetters = 200 // characters of a query that are read
)

// Term is one thing to look for.
type Term struct {
	Words []string // folded; successive words of a phrase; never empty
	Open  bool     // the last word may go on: "elect*" finds "election"
	Not   bool     // it must not occur
}

// Query is what must occur, all of it. The zero value finds nothing.
type Query struct {
	Terms []Term
}

// Parse reads a search: words, "phrases in quotation marks", beginnings of words with an asterisk, and a minus before what must not occur.
// Anything can be parsed; what has neither letter nor digit is left out.
func Parse(s string) Query {
	s = Limited(s)
	var q Query
	for s != "" && len(q.Terms) < mostTerms {
		var t Term
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
		if rest, ok := strings.CutPrefix(s, "-"); ok {
			t.Not, s = true, rest
		}
		var text string
		text, s = next(s)
		t.Open = strings.HasSuffix(text, "*")
		for _, w := range Words(text) {
			t.Words = append(t.Words, w.Folded)
		}
		if len(t.Words) > 0 {
			q.Terms = append(q.Terms, t)
		}
	}
	return q
}

// Limited cuts a query at the most that is read of it.
func Limited(s string) string {
	n := 0
	for i := range s {
		if n++; n > mostLetters {
			return s[:i]
		}
	}
	return s
}

// next takes one phrase or word off the front.
func next(s string) (text, rest string) {
	for _, marks := range []string{`""`, "“”", "„“", "«»", "「」"} {
		opening, size := utf8.DecodeRuneInString(marks)
		inner, ok := strings.CutPrefix(s, string(opening))
		if !ok {
			continue
		}
		if text, rest, ok := strings.Cut(inner, marks[size:]); ok {
			return text, rest
		}
		s = inner
	}
	if i := strings.IndexFunc(s, unicode.IsSpace); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// Finds says that there is something to look for: a query of exclusions alone finds nothing.
func (q Query) Finds() bool {
	return slices.ContainsFunc(q.Terms, func(t Term) bool { return !t.Not })
}

// String is the query in its own language. Queries that mean the same have the same string.
func (q Query) String() string {
	var b strings.Builder
	for i, t := range q.Terms {
		if i > 0 {
			b.WriteByte(' ')
		}
		if t.Not {
			b.WriteByte('-')
		}
		text := strings.Join(t.Words, " ")
		if t.Open {
			text += "*"
		}
		if len(t.Words) > 1 {
			text = `"` + text + `"`
		}
		b.WriteString(text)
	}
	return b.String()
}

// Word is a word of a text.
type Word struct {
	Folded     string // without case and accents
	Start, End int    // bytes of the text
}

// Words takes a text apart. In scripts that put no spaces between words every character is one, so that any two together can be found.
func Words(s string) []Word {
	var words []Word
	start := -1
	end := func(i int) {
		if start >= 0 {
			if f := fold(s[start:i]); f != "" {
				words = append(words, Word{f, start, i})
			}
		}
		start = -1
	}
	for i, r := range s {
		switch {
		case unspaced(r):
			end(i)
			start = i
		case unicode.IsMark(r) && start >= 0:
		case unicode.IsLetter(r), unicode.IsDigit(r):
			if start >= 0 && endsUnspaced(s[start:i]) {
				end(i)
			}
			if start < 0 {
				start = i
			}
		default:
			end(i)
		}
	}
	end(len(s))
	return words
}

func unspaced(r rune) bool {
	return r >= 0x0e00 && unicode.IsLetter(r) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func endsUnspaced(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unspaced(r)
}

// fold takes case and accents off a word.
func fold(s string) string {
	if ascii(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(s)) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

package dedupe

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"sheaf"
	"sheaf/dedupe/text"
)

// term is one distinct term of an article with how often it occurs in its parts.
type term struct {
	hash  uint64
	key   string
	all   uint16 // in body and title
	lede  uint8  // in the first 60 words
	title uint8
	named bool // a token that is part of a name
}

// bag is an article taken apart, its texts still at hand. It is good until its vocabulary takes the next one apart.
type bag struct {
	title  string // as given, or made from the text
	body   string
	words  []text.Word // of body
	parsed []*word     // what they come to
	tokens []term      // in order of hash, as all sums are
	names  []term
}

// takeApart counts the terms of an article.
func (v *vocabulary) takeApart(a *sheaf.Article) *bag {
	v.begin()
	b := &bag{title: norm.NFC.String(a.Title)}
	if genericTitle(b.title) {
		b.title = ""
	}
	summary, full := norm.NFC.String(a.Summary), norm.NFC.String(a.Text)
	b.body = summary
	lede := len(summary)
	if full != "" {
		b.body = full
		if summary != "" && !strings.Contains(full, text.Prefix(summary, 40)) {
			b.body = summary + "\n" + full
		}
		lede = text.FieldsEnd(b.body, 60)
	}
	if b.title == "" && !genericTitle(a.Title) {
		b.title = text.FirstSentences(cmp.Or(full, summary))
	}
	v.split = text.AppendWords(v.split[:0], b.body)
	b.words = v.split
	v.parsed = v.parse(v.parsed[:0], b.words)
	b.parsed = v.parsed
	titleWords := text.Words(b.title)
	parsedTitle := v.parse(nil, titleWords)
	v.countNames(b, titleWords, parsedTitle)
	v.countTokens(b, parsedTitle, lede)
	return b
}

func (v *vocabulary) countNames(b *bag, titleWords []text.Word, parsedTitle []*word) {
	v.eachName(b.body, b.words, b.parsed, func(l *lexeme) {
		t := v.count(&v.nameCount, l)
		t.all = saturate(t.all)
	})
	for _, l := range v.titleNames(b, titleWords, parsedTitle) {
		t := v.count(&v.nameCount, l)
		t.all = saturate(t.all)
		t.title = saturate(t.title)
	}
}

// titleNames finds the names of a title. In Title Case capitals say nothing: there only what the body has as a name counts, and without a
// body every capitalized word but the first.
func (v *vocabulary) titleNames(b *bag, words []text.Word, parsed []*word) []*lexeme {
	var names []*lexeme
	if len(words) > 0 && !titleCase(v.language, words) {
		v.eachName(b.title, words, parsed, func(l *lexeme) { names = append(names, l) })
	} else {
		for _, w := range parsed {
			if l := v.names[w.key]; l != nil && l.round == v.round {
				names = append(names, l)
			}
		}
	}
	if b.body == "" && len(words) > 0 {
		for i, w := range words[1:] {
			if v.language.StartsName(w.Text) {
				names = append(names, v.name(parsed[i+1].key))
			}
		}
	}
	return names
}

// titleCase reports a title in which capitals say nothing, because most words have one. German writes all its nouns so.
func titleCase(l *text.Language, words []text.Word) bool {
	limit := 0.6
	if l.Code() == "de" {
		limit = 0.9
	}
	capitals := 0
	for _, w := range words {
		if text.IsUpper(w.Text) {
			capitals++
		}
	}
	return len(words) > 0 && float64(capitals)/float64(len(words)) >= limit
}

func (v *vocabulary) countTokens(b *bag, parsedTitle []*word, lede int) {
	c := &v.tokenCount
	for i, w := range b.parsed {
		for _, token := range w.tokens {
			t := v.count(c, token)
			t.all = saturate(t.all)
			if b.words[i].Start < lede {
				t.lede = saturate(t.lede)
			}
		}
	}
	for _, w := range parsedTitle {
		for _, token := range w.tokens {
			t := v.count(c, token)
			t.all = saturate(t.all)
			t.title = saturate(t.title)
		}
	}
	for _, name := range v.nameCount.lexemes {
		for _, stem := range name.stems {
			if stem.round == v.round {
				c.terms[stem.at].named = true
			}
		}
	}
	for i, l := range c.lexemes {
		if l.digit {
			c.terms[i].named = true
		}
	}
	b.tokens, b.names = byHash(c.terms), byHash(v.nameCount.terms)
}

func byHash(terms []term) []term {
	slices.SortFunc(terms, func(a, b term) int { return cmp.Compare(a.hash, b.hash) })
	return terms
}

// saturate adds one to a count and stops at the largest.
func saturate[T uint8 | uint16](n T) T { return max(n, n+1) }

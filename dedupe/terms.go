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

// bag is an article taken apart, its texts still at hand.
type bag struct {
	title  string // as given, or made from the text
	body   string
	words  []text.Word // of body
	tokens []term      // in order of hash, as all sums are
	names  []term
}

// takeApart counts the terms of an article.
func takeApart(l *text.Language, a *sheaf.Article) *bag {
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
	b.words = text.Words(b.body)
	titleWords := text.Words(b.title)
	b.countNames(l, titleWords)
	b.countTokens(l, titleWords, lede)
	return b
}

func (b *bag) countNames(l *text.Language, titleWords []text.Word) {
	c := newCounter(len(b.words) / 3)
	inBody := l.Names(b.body, b.words)
	for _, name := range inBody {
		c.at(name).all = saturate(c.at(name).all)
	}
	for _, name := range titleNames(l, b, titleWords, inBody) {
		t := c.at(name)
		t.all = saturate(t.all)
		t.title = saturate(t.title)
	}
	b.names = c.sorted()
}

// titleNames finds the names of a title. In Title Case capitals say nothing: there only what the body has as a name counts, and without a
// body every capitalized word but the first.
func titleNames(l *text.Language, b *bag, words []text.Word, inBody []string) []string {
	var names []string
	if len(words) > 0 && !titleCase(l, words) {
		names = l.Names(b.title, words)
	} else {
		for _, w := range words {
			if k := text.Key(w.Text); slices.Contains(inBody, k) {
				names = append(names, k)
			}
		}
	}
	if b.body == "" && len(words) > 0 {
		for _, w := range words[1:] {
			if l.StartsName(w.Text) {
				names = append(names, text.Key(w.Text))
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

func (b *bag) countTokens(l *text.Language, titleWords []text.Word, lede int) {
	c := newCounter(len(b.words) / 2)
	var buf []string
	for _, w := range b.words {
		buf = l.AppendTokens(buf[:0], w.Text)
		for _, token := range buf {
			t := c.at(token)
			t.all = saturate(t.all)
			if w.Start < lede {
				t.lede = saturate(t.lede)
			}
		}
	}
	for _, token := range l.Tokens(titleWords) {
		t := c.at(token)
		t.all = saturate(t.all)
		t.title = saturate(t.title)
	}
	for _, name := range b.names {
		for part := range strings.SplitSeq(name.key, " ") {
			if i, ok := c.index[l.Stem(part)]; ok {
				c.terms[i].named = true
			}
		}
	}
	for i := range c.terms {
		if text.AllDigits(c.terms[i].key) {
			c.terms[i].named = true
		}
	}
	b.tokens = c.sorted()
}

// counter counts terms by key.
type counter struct {
	index map[string]int
	terms []term
}

func newCounter(size int) *counter {
	return &counter{index: make(map[string]int, size), terms: make([]term, 0, size)}
}

// at is the entry of a key; the pointer is good until the next call.
func (c *counter) at(key string) *term {
	i, ok := c.index[key]
	if !ok {
		i = len(c.terms)
		c.index[key] = i
		c.terms = append(c.terms, term{key: key, hash: hashTerm(key)})
	}
	return &c.terms[i]
}

func (c *counter) sorted() []term {
	slices.SortFunc(c.terms, func(a, b term) int { return cmp.Compare(a.hash, b.hash) })
	return c.terms
}

// saturate adds one to a count and stops at the largest.
func saturate[T uint8 | uint16](n T) T { return max(n, n+1) }

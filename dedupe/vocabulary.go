package dedupe

import (
	"strings"
	"unicode/utf8"

	"sheaf/dedupe/text"
)

// vocabulary remembers what words come to, because the same ones come again and again. It holds no state that shows: an empty one gives the
// same results. It also counts the terms of one article at a time.
type vocabulary struct {
	language *text.Language
	words    map[string]*word   // as they stand in texts
	tokens   map[string]*lexeme // by key
	names    map[string]*lexeme // by key

	round      uint32 // of counting: one an article
	parsed     []*word
	split      []text.Word
	tokenCount tally
	nameCount  tally
	buf        []byte
}

// mostWords is how many words are remembered before all are forgotten: names and misprints never end.
const mostWords = 1 << 17

// word is what a word of a text comes to.
type word struct {
	key     string    // as text.Key
	tokens  []*lexeme // usually one, none for a word without a subject
	name    *lexeme   // counted where the word is part of a name; nil for single letters and stop words
	inside  []*lexeme // names in a word of a script without spaces
	shingle uint64    // hash for runs of words
	letters int       // bytes of what is hashed
}

// lexeme is a term that can be counted.
type lexeme struct {
	key   string
	hash  uint64
	stems []*lexeme // of a name: the tokens of its words
	digit bool      // it is a plain number
	round uint32    // in which it was counted last
	at    uint32    // its place in that count
}

// tally counts terms.
type tally struct {
	terms   []term
	lexemes []*lexeme // of the terms
}

func newVocabulary(l *text.Language) *vocabulary {
	v := &vocabulary{language: l}
	v.forget()
	return v
}

func (v *vocabulary) forget() {
	v.words, v.tokens, v.names = make(map[string]*word), make(map[string]*lexeme), make(map[string]*lexeme)
}

// parse appends what words come to.
func (v *vocabulary) parse(parsed []*word, words []text.Word) []*word {
	for _, w := range words {
		parsed = append(parsed, v.word(w.Text))
	}
	return parsed
}

// begin starts the count of another article.
func (v *vocabulary) begin() {
	if len(v.words) > mostWords {
		v.forget()
	}
	v.round++
	for _, t := range []*tally{&v.tokenCount, &v.nameCount} {
		t.terms, t.lexemes = t.terms[:0], t.lexemes[:0]
	}
}

// count is the entry of a term in a tally; the pointer is good until the next call.
func (v *vocabulary) count(t *tally, l *lexeme) *term {
	if l.round != v.round {
		l.round, l.at = v.round, uint32(len(t.terms))
		t.terms = append(t.terms, term{key: l.key, hash: l.hash})
		t.lexemes = append(t.lexemes, l)
	}
	return &t.terms[l.at]
}

// word looks a word up.
func (v *vocabulary) word(s string) *word {
	w, ok := v.words[s]
	if !ok {
		s = strings.Clone(s)
		w = v.learn(s)
		v.words[s] = w
	}
	return w
}

func (v *vocabulary) learn(s string) *word {
	folded := strings.ToLower(text.Fold(s))
	w := &word{key: text.Key(s), shingle: hashTerm(folded), letters: len(folded)}
	for _, token := range v.language.AppendTokens(nil, s) {
		w.tokens = append(w.tokens, v.token(token))
	}
	if utf8.RuneCountInString(w.key) > 1 && !v.language.Stop(w.key) {
		w.name = v.name(w.key)
	}
	for _, name := range text.UnspacedNames(s) {
		w.inside = append(w.inside, v.name(name))
	}
	return w
}

func (v *vocabulary) token(key string) *lexeme {
	l, ok := v.tokens[key]
	if !ok {
		key = strings.Clone(key)
		l = &lexeme{key: key, hash: hashTerm(key), digit: text.AllDigits(key)}
		v.tokens[key] = l
	}
	return l
}

func (v *vocabulary) name(key string) *lexeme {
	l, ok := v.names[key]
	if !ok {
		key = strings.Clone(key)
		l = &lexeme{key: key, hash: hashTerm(key)}
		for part := range strings.SplitSeq(key, " ") {
			l.stems = append(l.stems, v.token(v.language.Stem(part)))
		}
		v.names[key] = l
	}
	return l
}

// runName is the name that a run of words is as a whole.
func (v *vocabulary) runName(run []*word) *lexeme {
	v.buf = v.buf[:0]
	for i, w := range run {
		if i > 0 {
			v.buf = append(v.buf, ' ')
		}
		v.buf = append(v.buf, w.key...)
	}
	if l, ok := v.names[string(v.buf)]; ok {
		return l
	}
	return v.name(string(v.buf))
}

// eachName calls found for every name in a text, as often as it occurs; words are those of the text, parsed is what they come to.
func (v *vocabulary) eachName(s string, words []text.Word, parsed []*word, found func(*lexeme)) {
	for _, run := range v.language.NameRuns(s, words) {
		in := parsed[run[0]:run[1]]
		for _, w := range in {
			if w.name != nil {
				found(w.name)
			}
		}
		if len(in) > 1 {
			found(v.runName(in))
		}
	}
	for _, w := range parsed {
		for _, name := range w.inside {
			found(name)
		}
	}
}

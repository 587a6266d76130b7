package dedupe

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"sheaf"
	"sheaf/dedupe/text"
)

// Limits of what Evidence names.
const (
	mostTerms    = 8
	mostNames    = 6
	mostQuotes   = 3
	shortestRun  = 4 // words of a shared quotation
	rareInverse  = 4 // inverse document frequency from which a term counts as rare
	termConstant = 2.5
)

// Evidence is what two articles have in common, for people to judge by. It is made of their texts alone.
type Evidence struct {
	Terms       []string `json:"terms,omitempty"`       // shared words, rarest first, as they stand in the first article
	Names       []string `json:"names,omitempty"`       // shared names, whole ones before single words
	Quotes      []string `json:"quotes,omitempty"`      // shared runs of four or more words inside quotation marks, longest first
	Containment float64  `json:"containment,omitempty"` // share of the shorter text's five-word runs that both have, in 0–1
	Hours       float64  `json:"hours"`                 // from the first article to the second; negative if the second is older
}

// Compare finds what two articles of one language have in common; articles of two languages share names and quotations at most. Rarity is
// judged by the background tables of English, in other languages by length alone.
func Compare(a, b *sheaf.Article) (Evidence, error) {
	tables, err := EnglishTables()
	if err != nil {
		return Evidence{}, err
	}
	l := text.For(languageCode(a.Lang))
	bagA, bagB := newVocabulary(l).takeApart(a), newVocabulary(text.For(languageCode(b.Lang))).takeApart(b)
	fullA, fullB := wholeText(a), wholeText(b)
	names := sharedNames(l, fullA, fullB)
	sketchA, sketchB := sketchOf(bagA), sketchOf(bagB)
	return Evidence{
		Terms:       sharedTerms(l, tables, fullA, fullB, names),
		Names:       names,
		Quotes:      sharedQuotes(fullA, fullB),
		Containment: containment(&sketchA, &sketchB),
		Hours:       b.Time().Sub(a.Time()).Hours(),
	}, nil
}

// wholeText is all that an article says.
func wholeText(a *sheaf.Article) string {
	return norm.NFC.String(a.Title + "\n" + a.Summary + "\n" + a.Text)
}

// sharedTerms lists the rarest words of a that b has too, in any form of the word, without those that are part of a shared name.
func sharedTerms(l *text.Language, t *Tables, a, b string, names []string) []string {
	other := make(map[string]bool)
	for _, token := range l.Tokens(text.Words(b)) {
		other[token] = true
	}
	named := make(map[string]bool)
	for _, n := range names {
		for part := range strings.FieldsSeq(n) {
			named[l.Stem(text.Key(part))] = true
		}
	}
	type found struct {
		word    string
		inverse float64
	}
	var shared []found
	for _, w := range text.Words(a) {
		for _, token := range l.AppendTokens(nil, w.Text) {
			if !other[token] || named[token] || text.AllDigits(token) {
				continue
			}
			other[token] = false // once
			shared = append(shared, found{strings.ToLower(w.Text), inverse(t, token)})
		}
	}
	slices.SortStableFunc(shared, func(x, y found) int { return cmp.Compare(y.inverse, x.inverse) })
	var words []string
	for _, s := range shared {
		if len(words) == mostTerms || len(words) >= mostTerms/2 && s.inverse < rareInverse {
			break
		}
		words = append(words, s.word)
	}
	return words
}

func inverse(t *Tables, token string) float64 {
	return math.Log(float64(t.articles+1) / (float64(t.tokens[hashTerm(token)]) + termConstant))
}

// sharedNames lists the names that both texts have: whole names first, then single words that are part of none of these.
func sharedNames(l *text.Language, a, b string) []string {
	other := make(map[string]bool)
	for _, n := range l.Names(b, text.Words(b)) {
		other[n] = true
	}
	var whole, single []string
	for _, n := range l.Names(a, text.Words(a)) {
		if !other[n] {
			continue
		}
		other[n] = false // once
		if strings.Contains(n, " ") {
			whole = append(whole, n)
		} else {
			single = append(single, n)
		}
	}
	slices.SortStableFunc(whole, func(x, y string) int { return strings.Count(y, " ") - strings.Count(x, " ") })
	covered := " " + strings.Join(whole, " ") + " "
	for _, n := range single {
		if !strings.Contains(covered, " "+n+" ") {
			whole = append(whole, n)
		}
	}
	whole = whole[:min(len(whole), mostNames)]
	for i, n := range whole {
		whole[i] = capitalized(n)
	}
	return whole
}

// capitalized writes a name's words with capitals.
func capitalized(name string) string {
	words := strings.Fields(name)
	for i, w := range words {
		r := []rune(w)
		r[0] = unicode.ToUpper(r[0])
		words[i] = string(r)
	}
	return strings.Join(words, " ")
}

// sharedQuotes lists the longest runs of words that stand inside quotation marks in both texts, as they stand in a.
func sharedQuotes(a, b string) []string {
	runs := make(map[string]bool)
	for _, q := range quotations(b) {
		keys := keysOf(text.Words(q))
		for i := 0; i+shortestRun <= len(keys); i++ {
			runs[strings.Join(keys[i:i+shortestRun], " ")] = true
		}
	}
	var shared []string
	for _, q := range quotations(a) {
		words := text.Words(q)
		keys := keysOf(words)
		for i := 0; i+shortestRun <= len(keys); {
			end := i
			for end+shortestRun <= len(keys) && runs[strings.Join(keys[end:end+shortestRun], " ")] {
				end++
			}
			if end == i {
				i++
				continue
			}
			last := end + shortestRun - 2
			shared = append(shared, q[words[i].Start:words[last].End])
			i = last + 1
		}
	}
	slices.SortStableFunc(shared, func(x, y string) int { return len(y) - len(x) })
	shared = slices.Compact(shared)
	return shared[:min(len(shared), mostQuotes)]
}

// keysOf gives the words' keys: two spellings of a word have one.
func keysOf(words []text.Word) []string {
	keys := make([]string, len(words))
	for i, w := range words {
		keys[i] = text.Key(w.Text)
	}
	return keys
}

// quotations lists the passages of a text inside quotation marks. An opening mark that is never closed ends with its paragraph.
func quotations(s string) []string {
	var all []string
	for line := range strings.SplitSeq(s, "\n") {
		start := -1
		for i, r := range line {
			switch {
			case start >= 0 && strings.ContainsRune(`"”»“«」』`, r):
				all = append(all, line[start:i])
				start = -1
			case start < 0 && strings.ContainsRune(`"“„«»「『`, r):
				start = i + len(string(r))
			}
		}
		if start >= 0 {
			all = append(all, line[start:])
		}
	}
	return all
}

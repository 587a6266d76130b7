package dedupe

import (
	"slices"
	"strings"

	"sheaf/dedupe/text"
)

// The guards. Each objects to one way in which a probable match is wrong.
const (
	guardTemplate = "template" // issues of one outlet's column
	guardSlots    = "slots"    // one headline with another name, number or direction in it
	guardAside    = "aside"    // an opinion or explainer that is not close enough
	guardHistory  = "history"  // a look back and a new event
	guardName     = "name"     // one name and nothing else in common, where there are few stories to compare with
)

// asideFrom is the probability from which an aside and a report are together.
const asideFrom = 0.85

// object asks the guards about a candidate that is probable enough. The answer is empty if none objects.
func (s *stream) object(a *article, c *candidate) string {
	switch {
	case historic(a) != c.story.all(historic):
		return guardHistory
	case (a.kind == kindOpinion || c.story.all(isOpinion)) && c.p < asideFrom:
		return guardAside
	case s.onlyName(a, c):
		return guardName
	case slices.ContainsFunc(c.story.members, func(m *article) bool { return sameTemplate(s.language, a, m) }):
		return guardTemplate
	case s.otherSlots(a, c.headline()):
		return guardSlots
	}
	return ""
}

// onlyName reports a match that rests on one name, in a window too sparse to show how little that is. Two headlines on one event may well
// have no other word in common; two summaries have. A language without frequencies does not show what is rare.
func (s *stream) onlyName(a *article, c *candidate) bool {
	if s.sparse == 0 || s.tokens.static == nil || a.bare() || c.member.bare() {
		return false
	}
	return c.best.plain == 0 && c.best.rare <= 1
}

// bare reports a headline without a summary or text.
func (f *fingerprint) bare() bool { return f.scale[vLede] == 0 }

func historic(a *article) bool  { return a.kind == kindHistory }
func isOpinion(a *article) bool { return a.kind == kindOpinion }

// all reports whether every member has a property.
func (st *story) all(has func(*article) bool) bool {
	return !slices.ContainsFunc(st.members, func(m *article) bool { return !has(m) })
}

// headline is the member whose title is nearest, else the nearest in all.
func (c *candidate) headline() *article {
	if c.titled != nil {
		return c.titled
	}
	return c.member
}

// sameTemplate reports two issues of one column: an outlet's headlines that differ in dates and names alone, or that say nothing.
func sameTemplate(l *text.Language, a, m *article) bool {
	if a.outlet != m.outlet || a.outlet == "" {
		return false
	}
	if a.title == m.title {
		if a.sketch.total >= fewestShingles && m.sketch.total >= fewestShingles {
			return containment(&a.sketch, &m.sketch) < partLimit
		}
		return len(strings.Fields(a.title)) < 4
	}
	return a.mold == m.mold && a.mold != 0 && changedIssue(l, a.title, m.title)
}

// changedIssue reports headlines of one mold that differ in a day, a month, a direction or a name: not in a count, which may only have
// grown.
func changedIssue(l *text.Language, a, b string) bool {
	names := !titleCase(l, text.Words(a)) && !titleCase(l, text.Words(b))
	_, gaps := align(titleWords(l, a), titleWords(l, b))
	for _, g := range gaps {
		for _, w := range slices.Concat(g.a, g.b) {
			if calendar[w.key] || opposites[w.key] != "" || names && w.capital && !w.opening {
				return true
			}
		}
	}
	return false
}

// otherSlots reports a headline built like that of m with something else in one of its places.
func (s *stream) otherSlots(a, m *article) bool {
	const longest = 16
	if a.title == m.title || !a.headed || !m.headed {
		return false
	}
	x, y := titleWords(s.language, a.title), titleWords(s.language, m.title)
	if len(x) < 4 || len(y) < 4 {
		return opposed(a.title, m.title) && sharedPairs(a.title, m.title) >= 0.4
	}
	if max(len(x), len(y)) > longest {
		return false
	}
	loud := a.titleCase || m.titleCase // capitals say nothing
	if !loud && common(x, y) >= sameBuild && s.roleSwap(x, y) {
		return true
	}
	if otherVersion(x, y) {
		return true
	}
	shared, gaps := align(x, y)
	for _, g := range gaps {
		if len(g.a) == 1 && len(g.b) == 1 && isNumber(g.a[0].key) && isNumber(g.b[0].key) {
			shared++ // a count that may only have grown
		}
	}
	shorter, longer := float64(min(len(x), len(y))), float64(max(len(x), len(y)))
	if shared < 2 || float64(shared) < 0.5*shorter || float64(shared) < 0.4*longer {
		return false
	}
	if otherNumber(x, y) || hasOpposite(gaps) {
		return true
	}
	if loud {
		return false
	}
	names := 0
	for _, g := range gaps {
		if s.otherName(a, m, g) {
			names++
		}
	}
	return names > 1 || names > 0 && float64(shared) >= 0.6*shorter
}

// sameBuild is the share of words from which two headlines are built alike.
const sameBuild = 0.5

// common is the share of the words of the shorter headline that the other has, in any order.
func common(x, y []titleWord) float64 {
	if len(x) > len(y) {
		x, y = y, x
	}
	n := 0
	for _, w := range x {
		if position(y, w.key) >= 0 {
			n++
		}
	}
	return float64(n) / float64(len(x))
}

// hasOpposite reports a word on one side whose opposite is on the other.
func hasOpposite(gaps []gap) bool {
	var left, right []titleWord
	for _, g := range gaps {
		left, right = append(left, g.a...), append(right, g.b...)
	}
	for _, w := range left {
		if o := opposites[w.key]; o != "" && position(right, o) >= 0 && position(left, o) < 0 && position(right, w.key) < 0 {
			return true
		}
	}
	return false
}

// otherNumber reports another ordinal, or another number beside the same counting noun.
func otherNumber(x, y []titleWord) bool {
	named, other := numbered(x), numbered(y)
	for noun, n := range named {
		if m, ok := other[noun]; ok && m != n {
			return true
		}
	}
	return false
}

// otherVersion reports two versions of one thing: numbers with a full stop inside after the same name.
func otherVersion(x, y []titleWord) bool {
	for i := 1; i < len(x); i++ {
		if !isNumber(x[i].key) || !strings.Contains(x[i].raw, ".") || !x[i-1].capital {
			continue
		}
		for j := 1; j < len(y); j++ {
			if y[j-1].key == x[i-1].key && isNumber(y[j].key) && strings.Contains(y[j].raw, ".") {
				return x[i].key != y[j].key
			}
		}
	}
	return false
}

// numbered maps what is numbered to its number; ordinals stand under the noun after them.
func numbered(words []titleWord) map[string]string {
	numbers := make(map[string]string)
	for i, w := range words {
		switch {
		case isOrdinal(w.key) && i+1 < len(words):
			numbers["ordinal "+words[i+1].key] = w.key
		case !isNumber(w.key):
		case i > 0 && (counters[words[i-1].key]):
			numbers[words[i-1].key] = w.key
		case i+1 < len(words) && counters[words[i+1].key]:
			numbers[words[i+1].key] = w.key
		}
	}
	return numbers
}

// roleSwap reports two names that stand the other way round about the same word.
func (s *stream) roleSwap(x, y []titleWord) bool {
	if passive(x) != passive(y) {
		return false
	}
	for i, first := range x {
		j := position(y, first.key)
		if j < 0 || !first.capital || !y[j].capital || repeats(x, i) || repeats(y, j) {
			continue
		}
		for k := i + 1; k < len(x); k++ {
			l := position(y, x[k].key)
			if l < 0 || l >= j || !x[k].capital || !y[l].capital || repeats(x, k) || repeats(y, l) {
				continue
			}
			if s.sameVerb(x[i+1:k], y[l+1:j]) {
				return true
			}
		}
	}
	return false
}

// repeats reports a word that occurs again.
func repeats(words []titleWord, i int) bool {
	return position(words, words[i].key) != i || position(words[i+1:], words[i].key) >= 0
}

// sameVerb reports a word with a meaning of its own in both stretches.
func (s *stream) sameVerb(x, y []titleWord) bool {
	for _, w := range x {
		if !w.capital && !s.language.Stop(w.key) && position(y, w.key) >= 0 {
			return true
		}
	}
	return false
}

func passive(words []titleWord) bool {
	for _, by := range []string{"by", "von", "durch", "par", "por", "da", "dal"} {
		if position(words, by) >= 0 {
			return true
		}
	}
	return false
}

// otherName reports a gap with a name on each side, neither of which the other article mentions.
func (s *stream) otherName(a, m *article, g gap) bool {
	mine, theirs := s.firstName(g.a), s.firstName(g.b)
	if mine == "" || theirs == "" {
		return false
	}
	if kindred(mine, theirs) {
		return false
	}
	for _, w := range g.a {
		if w.capital && s.mentions(m, w.key) {
			return false
		}
	}
	for _, w := range g.b {
		if w.capital && s.mentions(a, w.key) {
			return false
		}
	}
	return true
}

// kindred reports names that may be forms of one: Australia, Australian.
func kindred(a, b string) bool {
	const stem = 3
	return len(a) >= stem && len(b) >= stem && a[:stem] == b[:stem]
}

// firstName is the key of the first word that is a name; empty if there is none. Where a capital need not mean a name, at the start of a
// headline and in German, the frequencies decide.
func (s *stream) firstName(words []titleWord) string {
	for _, w := range words {
		if !w.capital || s.language.Stop(w.key) || calendar[w.key] || isNumber(w.key) {
			continue
		}
		if w.opening && !s.mostlyName(w.key) {
			continue
		}
		return w.key
	}
	return ""
}

// mostlyName reports a word that is new, or that was a name more often than not where it was counted.
func (s *stream) mostlyName(key string) bool {
	token, name := s.tokens.frequency(hashTerm(s.language.Stem(key))), s.names.frequency(hashTerm(key))
	return token <= 3 || float64(name) >= 0.5*float64(token)
}

// frequency is the number of articles a term occurs in; 0 if it is unknown.
func (l *lexicon) frequency(hash uint64) uint32 {
	if id, ok := l.ids[hash]; ok {
		return l.df[id]
	}
	return l.static[hash]
}

// mentions reports whether an article has a word as a token.
func (s *stream) mentions(a *article, key string) bool {
	hash := hashTerm(s.language.Stem(key))
	tokens := a.tokens()
	_, ok := slices.BinarySearchFunc(tokens, hash, func(e entry, h uint64) int {
		switch x := s.tokens.hashes[e.id]; {
		case x < h:
			return -1
		case x > h:
			return 1
		}
		return 0
	})
	return ok
}

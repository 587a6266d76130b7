package dedupe

import (
	"cmp"
	"slices"

	"sheaf/dedupe/text"
)

const (
	acrossSpan  = 3 * dayMillis // how far apart in time reports in two languages may be
	acrossNames = 3             // names that must agree, one less if a number agrees too
)

// relateAcross links an article that starts a story with the article in every other language that shares most names with it. Languages are
// never mixed in a story: a link is all that names and numbers can carry.
func (g *Grouper) relateAcross(s *stream, a *article, b *bag) {
	for _, code := range g.languages() {
		if other := g.streams[code]; other != s {
			if m, n := other.sharesNames(a, b); m != nil {
				a.tie(m, 1-1/float64(1+n))
			}
		}
	}
}

// sharesNames finds the article of a stream, near in time, that shares most names and numbers, and how many they are.
func (s *stream) sharesNames(a *article, b *bag) (*article, int) {
	names, numbers := make(map[*article]int), make(map[*article]int)
	near := func(list []posting, count map[*article]int) {
		for _, p := range list {
			if m := s.articles[p.article]; m != nil && m.story != nil && max(a.at-m.at, m.at-a.at) <= acrossSpan {
				count[m]++
			}
		}
	}
	for _, t := range b.names {
		if id, ok := s.names.ids[t.hash]; ok && !isPhrase(t.key) {
			near(read(s.index.names, id), names)
		}
	}
	for _, t := range b.tokens {
		if id, ok := s.tokens.ids[t.hash]; ok && len(t.key) > 1 && text.AllDigits(t.key) {
			near(read(s.index.tokens, id), numbers)
		}
	}
	var found []*article
	for m, n := range names {
		if n >= acrossNames || n >= acrossNames-1 && numbers[m] > 0 {
			found = append(found, m)
		}
	}
	if len(found) == 0 {
		return nil, 0
	}
	best := slices.MinFunc(found, func(x, y *article) int {
		return cmp.Or(cmp.Compare(names[y]+numbers[y], names[x]+numbers[x]), cmp.Compare(x.index, y.index))
	})
	return best, names[best] + numbers[best]
}

// isPhrase reports a name of several words, whose words are names of their own.
func isPhrase(name string) bool {
	for i := range len(name) {
		if name[i] == ' ' {
			return true
		}
	}
	return false
}

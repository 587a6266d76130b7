package query

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Part is a piece of a text.
type Part struct {
	Text string
	Hit  bool // it was looked for
}

// Mark takes a text apart into what was looked for and what stands between. The parts together are the text.
func (q Query) Mark(s string) []Part {
	return cutAt(s, 0, len(s), q.hits(Words(s)))
}

// Snippet is a piece of about most characters of the text around the first place where most of what was looked for stands together, cut
// between words; false if none of it occurs.
func (q Query) Snippet(s string, most int) ([]Part, bool) {
	words := Words(s)
	hits := q.hits(words)
	if len(hits) == 0 || most <= 0 {
		return nil, false
	}
	best, count := hits[0], 0
	for i, h := range hits {
		n := 0
		for _, o := range hits[i:] {
			if o.end-h.start <= most {
				n++
			}
		}
		if n > count {
			best, count = h, n
		}
	}
	start, end := around(s, words, best, most)
	parts := cutAt(s, start, end, hits)
	if start > 0 {
		parts = append([]Part{{Text: "… "}}, parts...)
	}
	if end < len(s) {
		parts = append(parts, Part{Text: " …"})
	}
	return parts, true
}

// span is a range of bytes.
type span struct{ start, end int }

// hits lists where the query's terms occur, in order and not overlapping.
func (q Query) hits(words []Word) []span {
	var found []span
	for _, t := range q.Terms {
		if t.Not {
			continue
		}
		for i := 0; i+len(t.Words) <= len(words); i++ {
			if t.at(words[i:]) {
				found = append(found, span{words[i].Start, words[i+len(t.Words)-1].End})
			}
		}
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Or(a.start-b.start, b.end-a.end) })
	end := 0
	return slices.DeleteFunc(found, func(h span) bool {
		if h.start < end {
			return true
		}
		end = h.end
		return false
	})
}

// at says that the term stands at the beginning of the words, of which there are enough.
func (t Term) at(words []Word) bool {
	for i, w := range t.Words {
		if words[i].Folded == w {
			continue
		}
		if last := i == len(t.Words)-1; !last || !t.Open || !strings.HasPrefix(words[i].Folded, w) {
			return false
		}
	}
	return true
}

// around finds where to cut so that about most characters stay, a third of them before the hit.
func around(s string, words []Word, hit span, most int) (start, end int) {
	at, _ := slices.BinarySearchFunc(words, hit.start, func(w Word, start int) int { return w.Start - start })
	start, end = hit.start, hit.end
	for i := at - 1; i >= 0 && utf8.RuneCountInString(s[words[i].Start:hit.start]) <= most/3; i-- {
		start = words[i].Start
	}
	for i := at; i < len(words) && utf8.RuneCountInString(s[start:words[i].End]) <= most; i++ {
		end = max(end, words[i].End)
	}
	if len(words) > 0 && start == words[0].Start {
		start = 0
	}
	if len(words) > 0 && end == words[len(words)-1].End {
		end = len(s)
	}
	return start, end
}

// cutAt gives the parts of s between start and end.
func cutAt(s string, start, end int, hits []span) []Part {
	var parts []Part
	add := func(to int, hit bool) {
		if to > start {
			parts = append(parts, Part{s[start:to], hit})
			start = to
		}
	}
	for _, h := range hits {
		if h.start < start || h.end > end {
			continue
		}
		add(h.start, false)
		add(h.end, true)
	}
	add(end, false)
	return parts
}

package eval

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sheaf"
	"sheaf/dedupe/text"
)

// lessons are streams made of duels. Two events of one town, company or family are what a small collection is full of and what duels hardly
// ever hold: so every duel of short articles is also taught with the names of its events made the same, and both kinds by titles alone.
// Reports of one event share its names; a scorer that has seen no others takes a rare name in common for proof.
func lessons(duels []Stream) []Stream {
	plain := short(duels)
	var same []Stream
	for i := range plain {
		if s, ok := namesakes(&plain[i], 1+i%2); ok {
			same = append(same, s)
		}
	}
	return slices.Concat(titlesAlone(plain), same, titlesAlone(same))
}

// short lists the streams whose articles mostly have no texts beside their summaries.
func short(streams []Stream) []Stream {
	return slices.DeleteFunc(slices.Clone(streams), func(s Stream) bool { return fullTexts(&s) })
}

// fullTexts reports a stream whose articles have texts beside their summaries.
func fullTexts(s *Stream) bool {
	n := 0
	for i := range s.Items {
		if s.Items[i].Text != "" {
			n++
		}
	}
	return 2*n > len(s.Items)
}

// titlesAlone drops summaries and texts, the articles without a title, and the streams that are left with less than two labels.
func titlesAlone(streams []Stream) []Stream {
	var out []Stream
	for _, s := range streams {
		t := Stream{Name: s.Name + ", titles"}
		for _, it := range s.Items {
			if it.Title != "" {
				it.Summary, it.Text = "", ""
				t.Items = append(t.Items, it)
			}
		}
		if len(labelsOf(&t)) > 1 {
			out = append(out, t)
		}
	}
	return out
}

// namesakes gives the second event of a duel the most frequent names of the first in place of its own, n of them at most. Without a name
// that one event has and the other has not it fails.
func namesakes(s *Stream, n int) (Stream, bool) {
	labels := labelsOf(s)
	if len(labels) != 2 {
		return Stream{}, false
	}
	of, in := ownNames(s, labels[0]), ownNames(s, labels[1])
	n = min(n, len(of), len(in))
	if n == 0 {
		return Stream{}, false
	}
	as := make(map[string]string, n)
	for i := range n {
		as[in[i]] = of[i]
	}
	t := Stream{Name: s.Name + ", namesakes", Items: slices.Clone(s.Items)}
	for i := range t.Items {
		if it := &t.Items[i]; it.Label == labels[1] {
			it.Title, it.Summary, it.Text = rename(it.Title, as), rename(it.Summary, as), rename(it.Text, as)
		}
	}
	return t, true
}

// labelsOf lists the labels of a stream, sorted.
func labelsOf(s *Stream) []string {
	set := make(map[string]bool)
	for i := range s.Items {
		if s.Items[i].Scored {
			set[s.Items[i].Label] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// ownNames lists the single words that are names in two and more articles of a label and in none of another, those in most articles first.
func ownNames(s *Stream, label string) []string {
	const shortest, least = 4, 2
	mine, others := make(map[string]int), make(map[string]bool)
	for i := range s.Items {
		it := &s.Items[i]
		for name := range namesIn(&it.Article) {
			if it.Label != label {
				others[name] = true
				continue
			}
			mine[name]++
		}
	}
	var own []string
	for name, n := range mine {
		if n >= least && !others[name] && len(name) >= shortest {
			own = append(own, name)
		}
	}
	slices.SortFunc(own, func(a, b string) int { return cmp.Or(cmp.Compare(mine[b], mine[a]), strings.Compare(a, b)) })
	return own
}

// namesIn is the set of capitalized words inside the sentences of an article.
func namesIn(a *sheaf.Article) map[string]bool {
	l := text.For(a.Lang)
	set := make(map[string]bool)
	for _, s := range []string{a.Title, a.Summary, a.Text} {
		words := text.Words(s)
		for _, run := range l.NameRuns(s, words) {
			for _, w := range words[run[0]:run[1]] {
				if !w.Opens && text.IsUpper(w.Text) {
					set[w.Text] = true
				}
			}
		}
	}
	return set
}

// rename replaces whole words; what is joined to one by an apostrophe stays.
func rename(s string, as map[string]string) string {
	var b strings.Builder
	end := 0
	for _, w := range text.Words(s) {
		if to, ok := as[w.Text]; ok {
			b.WriteString(s[end:w.Start])
			b.WriteString(to)
			end = w.Start + len(w.Text)
		}
	}
	b.WriteString(s[end:])
	return b.String()
}

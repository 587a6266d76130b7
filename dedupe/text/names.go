package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names lists the names in a text, once for every occurrence: runs of capitalized words, each as a whole and word by word, as keys. A
// single word that opens a sentence counts only if the text has it inside a sentence too. s is the text the words were taken from.
// In scripts without capitals only katakana and Latin runs are names.
func (l *Language) Names(s string, words []Word) []string {
	var names []string
	for _, run := range l.NameRuns(s, words) {
		names = l.appendName(names, words[run[0]:run[1]])
	}
	for _, w := range words {
		names = append(names, UnspacedNames(w.Text)...)
	}
	return names
}

// NameRuns lists the runs of capitalized words that are names, those inside sentences first: what [Language.Names] takes names from. A run
// is the index of its first word and that after its last.
func (l *Language) NameRuns(s string, words []Word) [][2]int {
	const longest = 5
	runs := l.nameRuns(s, words)
	names := make([][2]int, 0, len(runs))
	for _, r := range runs {
		if !words[r[0]].Opens && r[1]-r[0] <= longest {
			names = append(names, r)
		}
	}
	for _, r := range runs {
		if n := r[1] - r[0]; words[r[0]].Opens && n <= longest && (n > 1 || standsInside(words, runs, words[r[0]].Text)) {
			names = append(names, r)
		}
	}
	return names
}

// standsInside reports whether a word is in a run that does not open a sentence.
func standsInside(words []Word, runs [][2]int, word string) bool {
	lower := strings.ToLower(word)
	for _, r := range runs {
		if words[r[0]].Opens {
			continue
		}
		for _, w := range words[r[0]:r[1]] {
			if w.Text == word || strings.EqualFold(w.Text, word) && strings.ToLower(w.Text) == lower {
				return true
			}
		}
	}
	return false
}

// nameRuns finds the runs of capitalized words, in order.
func (l *Language) nameRuns(s string, words []Word) [][2]int {
	var runs [][2]int
	for i := 0; i < len(words); {
		if !l.StartsName(words[i].Text) {
			i++
			continue
		}
		j := i + 1
		for j < len(words) && s[words[j-1].End:words[j].Start] == " " {
			if !l.StartsName(words[j].Text) && !l.linksName(words, j) {
				break
			}
			j++
		}
		runs = append(runs, [2]int{i, j})
		i = j
	}
	return runs
}

// StartsName reports whether w begins with a capital and is not a word such as a title or weekday that starts no name.
func (l *Language) StartsName(w string) bool {
	return IsUpper(w) && !l.nameStops[strings.ToLower(w)]
}

// linksName reports a small word such as "of" that stands inside a name because a capital follows.
func (l *Language) linksName(words []Word, j int) bool {
	return links[strings.ToLower(words[j].Text)] && j+1 < len(words) && IsUpper(words[j+1].Text)
}

// IsUpper reports whether w begins with a capital letter.
func IsUpper(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r)
}

func (l *Language) appendName(names []string, run []Word) []string {
	keys := make([]string, len(run))
	for i, w := range run {
		keys[i] = Key(w.Text)
		if utf8.RuneCountInString(keys[i]) > 1 && !l.stops[keys[i]] {
			names = append(names, keys[i])
		}
	}
	if len(keys) > 1 {
		names = append(names, strings.Join(keys, " "))
	}
	return names
}

// Package language tells in which language a text is, and doubts it where the text is too short to tell.
//
// Most scripts are written by one language and say it by themselves. Where several share one, the small words of sentences decide, helped by
// letters and word endings of their own. The lists are short and the answer for a headline is often "not sure": add the evidence of several
// texts from one source up before asking.
package language

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Evidence is what texts have shown. The zero value has seen none. Values may be copied.
type Evidence struct {
	scores  [maxProfiles]float32 // by profile
	words   float32              // of scripts that several languages share
	letters [maxScripts]float32  // by script
}

// looked is how much of a text is looked at, in bytes.
const looked = 2 << 10

// Of is the evidence of one text.
func Of(text string) Evidence {
	var e Evidence
	if len(text) > looked {
		text = text[:looked]
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), isBetween) {
		e.word(word)
	}
	return e
}

// isBetween tells what stands between words. Marks belong to words; an apostrophe parts them.
func isBetween(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

// Add puts the evidence of other texts beside that of e.
func (e *Evidence) Add(other *Evidence) {
	for i, s := range other.scores {
		e.scores[i] += s
	}
	for i, n := range other.letters {
		e.letters[i] += n
	}
	e.words += other.words
}

// Weights of what a word shows, shared out among the languages that have it.
const (
	wordWeight   = 1
	letterWeight = 0.6
	endingWeight = 0.4
	longWord     = 6 // characters, from which endings are looked at
)

// word takes in one word in lower case.
func (e *Evidence) word(w string) {
	own := uint64(0)
	shared := false
	n := 0
	for _, r := range w {
		n++
		s := scriptOf(r)
		e.letters[s] += scripts[s].weight
		shared = shared || scripts[s].code == ""
		if r >= utf8.RuneSelf {
			own |= tables.letters[r]
		}
	}
	if !shared {
		return
	}
	e.words++
	e.add(tables.words[w], wordWeight)
	e.add(own, letterWeight)
	if n >= longWord {
		e.add(endingOf(w), endingWeight)
	}
}

// endingOf finds the languages of the longest known ending of a word.
func endingOf(w string) uint64 {
	cut := len(w)
	var found uint64
	for n := 1; n <= longestEnding; n++ {
		_, size := utf8.DecodeLastRuneInString(w[:cut])
		cut -= size
		if mask := tables.endings[w[cut:]]; n > 1 && mask != 0 {
			found = mask
		}
	}
	return found
}

// add shares a weight out among languages.
func (e *Evidence) add(mask uint64, weight float32) {
	if mask == 0 {
		return
	}
	share := weight / float32(ones(mask))
	for ; mask != 0; mask &= mask - 1 {
		e.scores[lowest(mask)] += share
	}
}

// What makes a guess sure.
const (
	leastLead  = 1.2
	leastRatio = 1.5
	kinLead    = 1.2
	kinRatio   = 1.25
	leastShare = 0.1
	leastOwn   = 6    // letters of a script that only one language writes
	leastHan   = 12   // characters of Chinese: fewer may be Japanese
	leastKana  = 0.12 // of the letters of Japanese
	leastClear = 0.65 // of all letters in the script of the language: the rest are names and brands
)

// Best is the likeliest language as a BCP 47 tag, and whether the evidence suffices to say so. Without any evidence it is empty.
func (e *Evidence) Best() (code string, sure bool) {
	letters, all := e.letters, float32(0)
	letters[han], letters[kana] = letters[han]+letters[kana], 0 // one way of writing
	s := other
	for i, n := range letters {
		all += n
		if n > letters[s] {
			s = i
		}
	}
	clear := letters[s] >= leastClear*all
	switch {
	case s == other:
		return "", false
	case s == han && e.letters[kana] >= leastKana*letters[han]:
		return "ja", clear && letters[han] >= leastOwn
	case s == han:
		return "zh", clear && letters[han] >= leastHan*scripts[han].weight
	case scripts[s].code != "":
		return scripts[s].code, clear && letters[s] >= leastOwn
	}
	return e.byWords(s, clear)
}

// byWords finds the likeliest language of a script.
func (e *Evidence) byWords(script int, clear bool) (code string, sure bool) {
	best := -1
	for i := range tables.codes {
		if tables.scripts[i] == script && e.scores[i] > 0 && (best < 0 || e.scores[i] > e.scores[best]) {
			best = i
		}
	}
	if best < 0 {
		return "", false
	}
	code = tables.codes[best]
	sure = clear && e.scores[best] >= leastShare*e.words
	for i, other := range tables.codes {
		if !sure || other == code || tables.scripts[i] != script {
			continue
		}
		lead, ratio := float32(leastLead), float32(leastRatio)
		if tables.kin[best]&(1<<i) != 0 {
			lead, ratio = kinLead, kinRatio
		}
		sure = e.scores[best]-e.scores[i] >= lead && e.scores[best] >= ratio*e.scores[i]
	}
	return code, sure
}

// What it takes to deny a claim.
const (
	denyWords = 3    // score of another language, that it may not rest on a quoted title
	denyShare = 0.25 // of that, the most that the claimed one has
)

// Denies reports whether the evidence is plainly against a claim, given as a BCP 47 tag: it is surely another language, none of its
// relatives, and the text is long enough for that not to be a quotation. A language that is not known here is denied only by its script.
func (e *Evidence) Denies(claim string) bool {
	code, sure := e.Best()
	primary := Primary(claim)
	if !sure || primary == "" || related(code, primary) {
		return false
	}
	best, claimed, known := float32(0), float32(0), false
	for i, c := range tables.codes {
		if c == code {
			best = max(best, e.scores[i])
		}
		if c == primary {
			claimed, known = max(claimed, e.scores[i]), true
		}
	}
	switch {
	case !slices.Contains(tables.codes, code): // a script of its own
		return true
	case !known && !isEastern(primary):
		return false
	}
	return best >= denyWords && claimed <= denyShare*best
}

// isEastern tells the languages that are known by their scripts.
func isEastern(code string) bool {
	return slices.ContainsFunc(scripts[:], func(s script) bool { return s.code == code })
}

// Primary is the primary subtag of a BCP 47 tag in lower case. It is empty for what names no language: "und", "mul", the name of a
// language in place of its code.
func Primary(tag string) string {
	primary, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(tag), "_", "-"), "-")
	primary = strings.ToLower(primary)
	switch primary {
	case "und", "mul", "mis", "zxx":
		return ""
	}
	if n := len(primary); n < 2 || n > 3 || strings.Trim(primary, "abcdefghijklmnopqrstuvwxyz") != "" {
		return ""
	}
	return primary
}

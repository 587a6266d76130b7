package language

import (
	"math/bits"
	"slices"
	"strings"
)

// maxProfiles is how many languages the lists may have: one bit each.
const maxProfiles = 64

// tables are the lists in the form they are used in. A set of languages is a mask of bits, in the order of codes.
var tables = func() (t struct {
	codes   []string // BCP 47
	scripts []int
	kin     []uint64 // relatives, the language itself included
	words   map[string]uint64
	letters map[rune]uint64
	endings map[string]uint64
}) {
	var names []string
	for name := range smallWords {
		names = append(names, name)
	}
	slices.Sort(names)
	bit := make(map[string]uint64, len(names))
	t.words, t.letters, t.endings = make(map[string]uint64, 4096), make(map[rune]uint64), make(map[string]uint64)
	for i, name := range names {
		bit[name] = 1 << i
		code, _, _ := strings.Cut(name, "-")
		t.codes = append(t.codes, code)
		words := strings.FieldsFunc(smallWords[name], isBetween)
		t.scripts = append(t.scripts, scriptOfWord(words[0]))
		for _, w := range words {
			t.words[w] |= 1 << i
		}
	}
	for letters, list := range ownLetters {
		for _, r := range letters {
			for name := range strings.FieldsSeq(list) {
				t.letters[r] |= bit[name]
			}
		}
	}
	for name, list := range endings {
		for end := range strings.FieldsSeq(list) {
			t.endings[end] |= bit[name]
		}
	}
	for _, a := range t.codes {
		var kin uint64
		for i, b := range t.codes {
			if related(a, b) {
				kin |= 1 << i
			}
		}
		t.kin = append(t.kin, kin)
	}
	return t
}()

// longestEnding is the most characters of an ending.
const longestEnding = 6

func ones(mask uint64) int { return bits.OnesCount64(mask) }

func lowest(mask uint64) int { return bits.TrailingZeros64(mask) }

// relatives are languages so close that a short text, or a careless claim, may mean either.
var relatives = [...]string{"da no nb nn sv", "hr sr bs sh sl mk me", "id ms", "cs sk", "es gl ca pt ast eu", "ru uk be bg mk sr", "nl af fy", "tr az", "hi mr ne", "ar fa ur ps ckb ku", "zh yue ja"}

// related tells whether two languages are relatives, or the same.
func related(a, b string) bool {
	if a == b {
		return true
	}
	for _, list := range relatives {
		family := strings.Fields(list)
		if slices.Contains(family, a) && slices.Contains(family, b) {
			return true
		}
	}
	return false
}

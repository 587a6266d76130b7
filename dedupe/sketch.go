package dedupe

import (
	"slices"
	"strings"

	"sheaf/dedupe/text"
)

const (
	shingleWords   = 5   // words of a shingle
	shingleRunes   = 8   // characters of one, where words are not divided by spaces
	sketchSize     = 384 // shingles kept of an article
	copyLimit      = 0.5 // containment from which a text is a copy
	partLimit      = 0.3 // containment from which it has used the other text
	fewestShingles = 20  // of the shorter text
)

// sketch is the set of a text's shingles, or of those with the smallest hashes: two sketches hold the same part of what they share.
type sketch struct {
	hashes []uint32 // ascending
	total  int      // how many different shingles the text has
}

// sketchOf hashes every run of five words of a body.
func sketchOf(b *bag) sketch {
	keys := make([]string, 0, len(b.words))
	letters := 0
	for _, w := range b.words {
		k := strings.ToLower(text.Fold(w.Text))
		keys = append(keys, k)
		letters += len(k)
	}
	hashes := shingles(keys)
	if len(keys) > 0 && letters > 24*len(keys) {
		hashes = runeShingles(strings.Join(keys, ""))
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	s := sketch{total: len(hashes)}
	s.hashes = slices.Clone(hashes[:min(len(hashes), sketchSize)])
	return s
}

func shingles(keys []string) []uint32 {
	if len(keys) < shingleWords {
		return nil
	}
	hashes := make([]uint32, 0, len(keys))
	var words []uint64
	for _, k := range keys {
		words = append(words, hashTerm(k))
	}
	for i := 0; i+shingleWords <= len(words); i++ {
		hashes = append(hashes, hashRun(words[i:i+shingleWords]))
	}
	return hashes
}

// hashRun hashes a run of words by the hashes of its words, in order.
func hashRun(words []uint64) uint32 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range words {
		h = (h ^ w) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return uint32(h >> 32)
}

func runeShingles(s string) []uint32 {
	var hashes []uint32
	starts := make([]int, 0, len(s)/3)
	for i := range s {
		starts = append(starts, i)
	}
	starts = append(starts, len(s))
	for i := 0; i+shingleRunes < len(starts); i++ {
		hashes = append(hashes, uint32(hashTerm(s[starts[i]:starts[i+shingleRunes]])>>32))
	}
	return hashes
}

// containment is the share of the shorter text's shingles that the longer one has too, in 0–1: exact for texts that fit their sketches,
// else estimated on the hashes that both sketches cover. It is 0 if the shorter text is too short to tell.
func containment(a, b *sketch) float64 {
	if min(a.total, b.total) < fewestShingles {
		return 0
	}
	limit := min(a.limit(), b.limit())
	inA, inB, both := 0, 0, 0
	for i, j := 0, 0; ; {
		okA, okB := i < len(a.hashes) && a.hashes[i] <= limit, j < len(b.hashes) && b.hashes[j] <= limit
		if !okA && !okB {
			break
		}
		switch {
		case okA && okB && a.hashes[i] == b.hashes[j]:
			inA, inB, both = inA+1, inB+1, both+1
			i, j = i+1, j+1
		case okA && (!okB || a.hashes[i] < b.hashes[j]):
			inA++
			i++
		default:
			inB++
			j++
		}
	}
	shorter := inA
	if b.total < a.total {
		shorter = inB
	}
	if shorter == 0 {
		return 0
	}
	return float64(both) / float64(shorter)
}

// limit is the largest hash up to which the sketch is complete.
func (s *sketch) limit() uint32 {
	if s.total <= len(s.hashes) {
		return 1<<32 - 1
	}
	return s.hashes[len(s.hashes)-1]
}

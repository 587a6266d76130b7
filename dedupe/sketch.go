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
	letters := 0
	words := make([]uint64, len(b.parsed))
	for i, w := range b.parsed {
		words[i] = w.shingle
		letters += w.letters
	}
	if len(words) > 0 && letters > 24*len(words) {
		return *keepSmallest(runeShingles(b))
	}
	return *keepSmallest(shingles(words))
}

// keepSmallest makes a sketch of hashes, in any order and with repeats.
func keepSmallest(hashes []uint32) *sketch {
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	return &sketch{hashes: slices.Clone(hashes[:min(len(hashes), sketchSize)]), total: len(hashes)}
}

func shingles(words []uint64) []uint32 {
	if len(words) < shingleWords {
		return nil
	}
	hashes := make([]uint32, 0, len(words))
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

func runeShingles(b *bag) []uint32 {
	var joined strings.Builder
	for _, w := range b.words {
		joined.WriteString(strings.ToLower(text.Fold(w.Text)))
	}
	s := joined.String()
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
	both, shorter := overlap(a, b)
	return float64(both) / float64(max(1, shorter))
}

// overlap counts the hashes in both sketches, and those of the shorter text, among the hashes that both sketches cover.
func overlap(a, b *sketch) (both, least int) {
	limit := min(a.limit(), b.limit())
	mine, theirs := a.upTo(limit), b.upTo(limit)
	j := 0
	for _, h := range mine {
		for j < len(theirs) && theirs[j] < h {
			j++
		}
		if j < len(theirs) && theirs[j] == h {
			both++
		}
	}
	return both, shorter(a, b, mine, theirs)
}

// shorter is how many of the hashes that both sketches cover the shorter text has.
func shorter(a, b *sketch, mine, theirs []uint32) int {
	switch {
	case a.total < b.total:
		return len(mine)
	case a.total > b.total:
		return len(theirs)
	}
	return min(len(mine), len(theirs))
}

// unlike reports that the shorter text has next to nothing of the longer one, judged by its smallest hashes.
func unlike(a, b *sketch) bool {
	const looked, least = 48, 6
	if b.total < a.total {
		a, b = b, a
	}
	mine := a.upTo(b.limit())
	if len(mine) < looked {
		return false
	}
	both, j := 0, 0
	for _, h := range mine[:looked] {
		for j < len(b.hashes) && b.hashes[j] < h {
			j++
		}
		if j < len(b.hashes) && b.hashes[j] == h {
			both++
		}
	}
	return both < least
}

// upTo are the hashes up to a limit.
func (s *sketch) upTo(limit uint32) []uint32 {
	if len(s.hashes) == 0 || s.hashes[len(s.hashes)-1] <= limit {
		return s.hashes
	}
	n, found := slices.BinarySearch(s.hashes, limit)
	if found {
		n++
	}
	return s.hashes[:n]
}

// limit is the largest hash up to which the sketch is complete.
func (s *sketch) limit() uint32 {
	if s.total <= len(s.hashes) {
		return 1<<32 - 1
	}
	return s.hashes[len(s.hashes)-1]
}

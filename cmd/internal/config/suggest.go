package config

import (
	"maps"
	"slices"
	"strings"
)

// suggestion names the known key closest to a mistyped one, or all of them where none is close.
func suggestion(key string, known map[string]int) string {
	keys := slices.Sorted(maps.Keys(known))
	best, least := "", 3
	for _, k := range keys {
		if d := distance(strings.ToLower(key), k); d < least {
			best, least = k, d
		}
	}
	if best != "" {
		return "; did you mean " + best + "?"
	}
	return "; known here: " + strings.Join(keys, ", ")
}

// distance is the number of single-character edits between a and b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

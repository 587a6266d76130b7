package extract

import "strings"

// oftenFrom is in how many pages of a site a line must stand to belong to the site.
const oftenFrom = 3

// WithoutRepeated takes out of the texts of one site's pages the lines that stand in three of them or more. A text that would lose half of
// itself stays as it is: then it is the article that was printed several times.
func WithoutRepeated(texts []string) []string {
	count := make(map[string]int)
	for _, text := range texts {
		seen := make(map[string]bool)
		for l := range strings.SplitSeq(text, "\n") {
			if !seen[l] {
				seen[l] = true
				count[l]++
			}
		}
	}
	out := make([]string, len(texts))
	for i, text := range texts {
		var kept []string
		size := 0
		for l := range strings.SplitSeq(text, "\n") {
			if count[l] < oftenFrom {
				kept = append(kept, l)
				size += len(l) + 1
			}
		}
		if out[i] = strings.Join(kept, "\n"); 2*size < len(text) {
			out[i] = text
		}
	}
	return out
}

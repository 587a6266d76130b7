package dedupe

// briefTokens is how many different tokens make an article more than a headline and a few words.
const briefTokens = 12

// lift raises a threshold where the window is sparse, because with few stories to compare with likeness looks more striking than it is, and
// more so for a headline or little more: there a shared name or two look like much. A language without background frequencies keeps its
// threshold: there common words dilute all likeness.
func (s *stream) lift(threshold float64, a *article) float64 {
	const share, shareBrief = 0.16, 0.42
	switch {
	case s.tokens.static == nil:
		return threshold
	case a.nTokens < briefTokens:
		return threshold + shareBrief*s.sparse*(1-threshold)
	}
	return threshold + share*s.sparse*(1-threshold)
}

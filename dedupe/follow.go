package dedupe

const (
	followFrom = 0.9            // probability, were it not for time, from which a story follows a closed one
	followSpan = 90 * dayMillis // how long a closed story can be followed
	followMost = 4              // closed stories compared
)

// followed is the closed story that an article continues, and the probability, were it not for time; nil if there is none.
func (s *stream) followed(a *article, m *Model) (*story, float64) {
	p := s.open(a)
	defer p.close()
	var best *story
	most := 0.0
	for _, st := range s.retrieval.closed {
		c := candidate{story: st}
		p.consider(&c, coreSize)
		p.measureRuns(&c)
		c.features = c.measure(a, s.background, s.sparse)
		c.features[featureNew], c.features[featureOld], c.features[featureGap] = 1, 1, 0
		if c.p = m.Score(&c.features); c.p >= followFrom && c.p > most && s.object(a, &c) == "" {
			best, most = st, c.p
		}
	}
	return best, most
}

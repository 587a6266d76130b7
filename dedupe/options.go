package dedupe

import (
	"fmt"
	"time"
)

// Profile is how sure the Grouper must be before it puts two reports into one story.
type Profile string

// The profiles.
const (
	Strict   Profile = "strict"   // a false merge is worse than many missed ones
	Balanced Profile = "balanced" // the default
	Broad    Profile = "broad"    // rather one story too few
)

// threshold is the probability from which an article joins; 0 for an unknown profile.
func (p Profile) threshold() float64 {
	switch p {
	case Strict:
		return 0.94
	case Balanced, "":
		return 0.3
	case Broad:
		return 0.22
	}
	return 0
}

// Options shape a Grouper. The zero value is the default.
type Options struct {
	Profile     Profile       // empty: Balanced
	Model       *Model        // nil: DefaultModel
	Tables      *Tables       // background frequencies for English; nil: EnglishTables
	Threshold   float64       // probability in 0–1 from which an article joins a story; 0: the profile's
	Window      time.Duration // how long after its newest article a story accepts others; 0: 14 days
	Passes      int           // passes of Polish; 0: 3
	PolishAll   bool          // Polish looks at all articles, not only at those of the last 72 hours
	Constraints []Constraint  // editors' decisions, in the order they were made
	Oracle      Oracle        // for training; nil: the Grouper decides
}

// settings are Options with the defaults filled in.
type settings struct {
	profile   Profile
	model     *Model
	threshold float64
	window    int64 // milliseconds
	passes    int
	polishAll bool
	oracle    Oracle
}

func (o *Options) settings() (settings, error) {
	s := settings{
		profile:   o.Profile,
		model:     o.Model,
		threshold: o.Threshold,
		window:    o.Window.Milliseconds(),
		passes:    o.Passes,
		polishAll: o.PolishAll,
		oracle:    o.Oracle,
	}
	if s.profile == "" {
		s.profile = Balanced
	}
	if s.profile.threshold() == 0 {
		return settings{}, fmt.Errorf("unknown profile %q: want strict, balanced or broad", s.profile)
	}
	if s.threshold == 0 {
		s.threshold = s.profile.threshold()
	}
	if s.threshold < 0 || s.threshold > 1 {
		return settings{}, fmt.Errorf("threshold %v is no probability", s.threshold)
	}
	if s.window == 0 {
		s.window = (14 * 24 * time.Hour).Milliseconds()
	}
	if s.passes == 0 {
		s.passes = 3
	}
	if s.model == nil {
		m, err := DefaultModel()
		if err != nil {
			return settings{}, fmt.Errorf("read embedded model: %w", err)
		}
		s.model = m
	}
	return s, nil
}

package app

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"sheaf/cmd/internal/config"
	"sheaf/feeds"
)

// Level says how bad something is.
type Level string

// The levels.
const (
	LevelGood Level = "good"
	LevelPoor Level = "poor" // it works, and could be better
	LevelBad  Level = "bad"  // it does not work
)

// The areas of a diagnosis.
const (
	AreaConfiguration = "configuration"
	AreaClock         = "clock"
	AreaState         = "state"
	AreaDatabase      = "database"
	AreaOutput        = "output"
	AreaFeed          = "feed"
)

// Symptom is one thing a Doctor has looked at. Its JSON keys are an interface: added, never renamed.
type Symptom struct {
	Area    string `json:"area"`
	Subject string `json:"subject"` // the folder, file or address
	Level   Level  `json:"level"`
	Message string `json:"message"`
	Advice  string `json:"advice,omitzero"` // what to do; empty if nothing
}

// Doctor looks an installation over, beside the process that runs it. It changes nothing.
type Doctor struct {
	Config  *config.Config
	Path    string // of the configuration
	Version string
	Now     func() time.Time
	Offline bool // judge feeds by what is remembered of them; ask none
	All     bool // ask feeds that were read lately, too
}

// Examine looks at everything and gives what it finds, the feeds last. The error is that of ctx.
func (d *Doctor) Examine(ctx context.Context) ([]Symptom, error) {
	found := d.configuration()
	found = append(found, d.state()...)
	found = append(found, d.database(ctx)...)
	found = append(found, d.output()...)
	asked, skew, err := d.feeds(ctx)
	if err != nil {
		return nil, err
	}
	found = append(found, d.clock(skew))
	return append(found, asked...), ctx.Err()
}

// configuration judges what is allowed and still unwise. Faults have kept the configuration from being read.
func (d *Doctor) configuration() []Symptom {
	c := d.Config
	found := []Symptom{{AreaConfiguration, d.Path, LevelGood, fmt.Sprintf("%d feeds, %d channels, schedule %s", len(c.Feeds), len(c.Channels), c.Schedule), ""}}
	foreign := false
	for _, f := range c.Feeds {
		foreign = foreign || !config.IsLocal(f.URL)
	}
	if c.Fetch.Contact == "" && foreign {
		found = append(found, Symptom{AreaConfiguration, "fetch.contact", LevelPoor, "publishers cannot reach you", "name a page or an e-mail address; some servers refuse programs that do not"})
	}
	if u, err := url.Parse(c.Publish.BaseURL); err == nil && config.IsLocal(c.Publish.BaseURL) && foreign {
		found = append(found, Symptom{AreaConfiguration, "publish.base_url", LevelPoor, "the feeds name " + u.Host + ", which is this machine only", "set the address that subscribers see, before they subscribe"})
	}
	return found
}

// wrongClock is from where on a clock harms: dates of articles look as if to come, and servers' times to come back are missed.
const wrongClock = time.Minute

// clock compares ours with those of the servers that were asked.
func (d *Doctor) clock(skew []time.Duration) Symptom {
	s := Symptom{Area: AreaClock, Subject: "this machine"}
	switch off := median(skew); {
	case len(skew) == 0:
		s.Level, s.Message = LevelGood, "no server was asked, so nothing to compare it with"
	case off.Abs() > wrongClock:
		s.Level, s.Advice = LevelBad, "set the clock, and let a time service keep it right"
		direction := "ahead of"
		if off < 0 {
			direction = "behind"
		}
		s.Message = fmt.Sprintf("the clock is %s %s those of %d servers", off.Abs().Round(time.Second), direction, len(skew))
	default:
		s.Level, s.Message = LevelGood, fmt.Sprintf("within a minute of the clocks of %d servers", len(skew))
	}
	return s
}

// symptoms translates what is known of a feed's health.
func symptoms(feed string, health []feeds.Finding) []Symptom {
	var found []Symptom
	for _, h := range health {
		s := Symptom{AreaFeed, feeds.Redact(feed), LevelPoor, string(h.Condition) + ": " + h.Message, h.Advice}
		if h.Trouble {
			s.Level = LevelBad
		}
		found = append(found, s)
	}
	return found
}

package app

import (
	"slices"
	"time"

	"sheaf"
	"sheaf/output"
)

// Report says what one sweep did. Its JSON keys are an interface: added, never renamed.
type Report struct {
	Started  time.Time       `json:"started"`
	Seconds  float64         `json:"seconds"`
	Feeds    FeedCounts      `json:"feeds"`
	Failures []Failure       `json:"failures"`
	Articles ArticleCounts   `json:"articles"`
	Stories  int             `json:"stories"` // stored
	Channels []ChannelReport `json:"channels"`
	Top      []TopStory      `json:"top"` // of the first channel, most covered first
}

// FeedCounts says what became of the feeds.
type FeedCounts struct {
	Configured int `json:"configured"`
	Polled     int `json:"polled"`
	Unchanged  int `json:"unchanged"`
	Failed     int `json:"failed"`
	Failing    int `json:"failing"` // of the configured ones, those whose last poll failed, now or earlier
}

// ArticleCounts says how many articles came in and how many are stored.
type ArticleCounts struct {
	New    int `json:"new"`
	Stored int `json:"stored"`
}

// Failure is a feed that could not be read, and why.
type Failure struct {
	URL    string `json:"url"`
	Outlet string `json:"outlet,omitzero"`
	Error  string `json:"error"`
}

// ChannelReport says where a channel was published.
type ChannelReport struct {
	Name    string   `json:"name"`
	Stories int      `json:"stories"` // in its memory, newest activity first
	Files   []string `json:"files"`   // absolute paths
	Written int      `json:"written"` // of these, how many changed
}

// TopStory is a story as the receipt shows it.
type TopStory struct {
	ID          sheaf.StoryID `json:"id"`
	Title       string        `json:"title"`
	URL         string        `json:"url,omitzero"`
	Outlets     []string      `json:"outlets"` // first to report first
	Articles    int           `json:"articles"`
	Independent int           `json:"independent"` // outlets that report in their own words
	First       time.Time     `json:"first"`
}

// topStories picks the most widely covered of what a channel shows; among equals the most recent.
func topStories(memory []output.Emission, n int) []TopStory {
	var top []TopStory
	for i := range memory {
		e := &memory[i]
		if e.Into != "" || e.Hidden || len(e.Item.Reports) == 0 {
			continue
		}
		t := TopStory{ID: e.Story, Title: e.Item.Title, URL: e.Item.Link, Articles: len(e.Item.Reports)}
		own := map[string]bool{}
		for _, r := range e.Item.Reports {
			if !slices.Contains(t.Outlets, r.Outlet) {
				t.Outlets = append(t.Outlets, r.Outlet)
			}
			if r.Role == sheaf.RoleReport {
				own[r.Outlet] = true
			}
		}
		t.Independent, t.First = len(own), e.Item.Reports[0].Published
		top = append(top, t)
	}
	slices.SortStableFunc(top, func(a, b TopStory) int {
		if len(a.Outlets) != len(b.Outlets) {
			return len(b.Outlets) - len(a.Outlets)
		}
		return b.Independent - a.Independent
	})
	return top[:min(n, len(top))]
}

package config

import (
	"fmt"
	"os"
	"time"

	"sheaf"
	"sheaf/cmd/internal/schedule"
	"sheaf/dedupe"
	"sheaf/feeds"
	"sheaf/output"
)

// Polled lists the feeds.
func (c *Config) Polled() []sheaf.Feed {
	polled := make([]sheaf.Feed, len(c.Feeds))
	for i, f := range c.Feeds {
		polled[i] = sheaf.Feed{ID: sheaf.NewFeedID(f.URL), URL: f.URL, Outlet: f.Outlet, Owner: f.Owner, Lang: f.Language}
	}
	return polled
}

// Polling gives the manners of polling.
func (c *Config) Polling(version string) feeds.Options {
	o := feeds.Options{
		Version: version, Contact: c.Fetch.Contact, Parallel: c.Fetch.Parallel, Timeout: time.Duration(c.Fetch.Timeout),
		Interval: time.Duration(c.Fetch.Interval), MinInterval: time.Duration(c.Fetch.MinInterval), HostGap: time.Duration(c.Fetch.HostGap), Allow: c.Fetch.Allow,
		Authorization: map[sheaf.FeedID]string{}, Extract: map[sheaf.FeedID]bool{}, Quirks: map[sheaf.FeedID]feeds.Quirks{},
	}
	for _, f := range c.Feeds {
		if secret := f.Authorization.Reveal(); secret != "" {
			o.Authorization[sheaf.NewFeedID(f.URL)] = secret
		}
		if f.Extract {
			o.Extract[sheaf.NewFeedID(f.URL)] = true
		}
		if f.Zone != "" || len(f.KeepParams) > 0 {
			o.Quirks[sheaf.NewFeedID(f.URL)] = f.quirks()
		}
	}
	c.exceptions(&o)
	return o
}

// quirks is what the operator knows of the feed's documents.
func (f *Feed) quirks() feeds.Quirks {
	q := feeds.Quirks{Keep: f.KeepParams}
	if zone, err := time.LoadLocation(f.Zone); err == nil && f.Zone != "" { // checked when the file was read
		q.Zone = zone
	}
	return q
}

// Dedupe gives the options of grouping; it reads the model file if one is named.
func (c *Config) Dedupe() (dedupe.Options, error) {
	o := dedupe.Options{Profile: dedupe.Profile(c.Grouping.Profile)}
	if c.Grouping.Model == "" {
		return o, nil
	}
	data, err := os.ReadFile(c.Grouping.Model)
	if err != nil {
		return o, fmt.Errorf("read grouping model: %w", err)
	}
	if o.Model, err = dedupe.ParseModel(data); err != nil {
		return o, fmt.Errorf("read grouping model %s: %w", c.Grouping.Model, err)
	}
	return o, nil
}

// Site gives what all channels share.
func (c *Config) Site(version string) output.Site {
	zone, err := time.LoadLocation(c.Zone)
	if err != nil { // checked when the file was read
		zone = time.UTC
	}
	return output.Site{Title: c.Publish.Title, BaseURL: c.Publish.BaseURL, Hub: c.Publish.Hub, Version: version, Zone: zone, Interval: c.interval()}
}

// interval is the time between two sweeps, as told to readers; measured on a fixed day, so that documents do not change by themselves.
func (c *Config) interval() time.Duration {
	s, err := schedule.Parse(c.Schedule, c.Zone)
	if err != nil { // checked when the file was read
		return 0
	}
	first := s.Next(time.Date(2024, 1, 8, 9, 0, 0, 0, time.UTC))
	return s.Next(first).Sub(first)
}

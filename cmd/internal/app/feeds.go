package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sheaf"
	"sheaf/cmd/internal/config"
	"sheaf/feeds"
)

// FeedReport is one configured feed with what polling remembers of it.
type FeedReport struct {
	Feed   sheaf.Feed
	State  feeds.State     // zero: never polled
	Health []feeds.Finding // the worst first; empty for a feed that is well, or was never polled
}

// Name is the outlet as credited, as far as it is known: configured, else the feed's own title; empty before the first poll.
func (r FeedReport) Name() string {
	if r.Feed.Outlet != "" {
		return r.Feed.Outlet
	}
	return r.State.Title
}

// Feeds reports on the configured feeds in their order. It reads beside the process that polls; without a database all feeds count as
// never polled.
func Feeds(ctx context.Context, c *config.Config, now time.Time) (reports []FeedReport, err error) {
	states := map[sheaf.FeedID]feeds.State{}
	_, statErr := os.Stat(filepath.Join(c.State, databaseName))
	if !errors.Is(statErr, fs.ErrNotExist) {
		r, err := OpenReader(ctx, c)
		if err != nil {
			return nil, err
		}
		states, err = r.store.States(ctx)
		if err = errors.Join(err, r.Close()); err != nil {
			return nil, err
		}
	}
	for _, f := range c.Polled() {
		s := states[f.ID]
		reports = append(reports, FeedReport{Feed: f, State: s, Health: feeds.Health(s, now)})
	}
	return reports, nil
}

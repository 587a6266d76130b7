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
	"sheaf/feeds/websub"
)

// FeedReport is one configured feed with what polling remembers of it.
type FeedReport struct {
	Feed   sheaf.Feed
	State  feeds.State     // zero: never polled
	Lease  websub.Lease    // what its hub has granted; zero: nothing
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
	states, leases := map[sheaf.FeedID]feeds.State{}, map[sheaf.FeedID]websub.Lease{}
	_, statErr := os.Stat(filepath.Join(c.State, databaseName))
	if !errors.Is(statErr, fs.ErrNotExist) {
		r, err := OpenReader(ctx, c)
		if err != nil {
			return nil, err
		}
		var all []websub.Lease
		states, err = r.store.States(ctx)
		if err == nil {
			all, err = r.store.Leases(ctx)
		}
		if err = errors.Join(err, r.Close()); err != nil {
			return nil, err
		}
		for _, l := range all {
			leases[l.Feed] = l
		}
	}
	for _, f := range c.Polled() {
		s := states[f.ID]
		reports = append(reports, FeedReport{Feed: f, State: s, Lease: leases[f.ID], Health: feeds.Health(s, now)})
	}
	return reports, nil
}

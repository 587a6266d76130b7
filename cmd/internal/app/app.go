// Package app is the program as a value: it holds the store, the grouper and the caches between sweeps, runs sweeps, and serves what they
// publish. The daemon and the one-shot call the same [App.Sweep].
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"sheaf"
	"sheaf/cmd/internal/config"
	"sheaf/cmd/internal/front"
	"sheaf/cmd/internal/metrics"
	"sheaf/cmd/internal/store"
	"sheaf/dedupe"
	"sheaf/feeds"
	"sheaf/feeds/websub"
	"sheaf/output"
)

// databaseName is the file of the store in the state directory.
const databaseName = "sheaf.db"

// Options are what an App needs beside its configuration. Zero values mean defaults.
type Options struct {
	Version  string
	Group    string           // poll the feeds of this group alone; empty: all
	Force    bool             // poll feeds that are not due, too
	Spread   time.Duration    // time over which feeds long overdue are spread after a start; 0: all at once, as a one-shot wants
	Search   bool             // take in the words of articles, for pages that search; what one process leaves out the next takes in
	Strict   bool             // refuse a damaged database, instead of restoring the newest good backup
	Round    time.Duration    // after which a sweep starts no more fetches and leaves the rest to the next; 0: never, as a one-shot wants
	Log      *slog.Logger     // nil: none
	Now      func() time.Time // nil: time.Now
	Progress func(Progress)   // called during a sweep, from one goroutine; nil: none
	Metrics  *metrics.Metrics // nil: nothing is counted

	// Wait makes Open wait for the lock until ctx ends; Waiting is told at first who holds it.
	Wait    bool
	Waiting func(error) // nil: nobody is told
}

// Progress says how far a sweep has come.
type Progress struct {
	Phase               string // fetch, group, publish
	Done, Failed, Total int    // with fetch: feeds
}

// App is one running installation. It holds the lock of its state directory from Open to Close. Sweep may not be called twice at once.
type App struct {
	setup    // in force; changed between sweeps, by the goroutine that sweeps
	o        Options
	store    store.Store
	lock     *Lock
	poller   *feeds.Poller
	log      *slog.Logger
	now      func() time.Time
	progress func(Progress)
	strict   bool
	metrics  *metrics.Metrics
	rates    *front.Rates
	renewal  atomic.Pointer[renewal] // to be adopted by the next sweep; nil: none
	drain    chan struct{}           // closed: nothing new is begun
	ending   sync.Once

	grouped map[sheaf.FeedID]bool // the feeds to poll; nil: all
	hubs    *websub.Listener      // nil: no hub can reach us
	icons   *icons
	heard   chan struct{} // holds one while an announcement waits for a sweep

	troubled bool                     // the last sweep failed
	grouper  *dedupe.Grouper          // nil until the first grouping, and after a failed one
	warmed   time.Time                // when it was made from the store
	caches   map[string]*output.Cache // by channel
	looked   map[string]bool          // channels that have looked at the stories in this process
}

// Open takes the lock of the state directory and opens the database in it. A damaged database is replaced by the newest good backup, and
// without one begun anew; the damaged one is kept beside it. The error wraps ErrLocked if another process holds the lock, and ErrNewer if
// the database is for a newer version.
func Open(ctx context.Context, c *config.Config, o Options) (*App, error) {
	a := &App{
		setup: newSetup(c, o.Version), o: o, log: o.Log, now: o.Now, progress: o.Progress, metrics: o.Metrics,
		strict: o.Strict,
		rates:  front.NewRates(requestsPerSec, requestsAtOnce), drain: make(chan struct{}),
		caches: map[string]*output.Cache{}, looked: map[string]bool{},
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	if a.now == nil {
		a.now = time.Now
	}
	if a.progress == nil {
		a.progress = func(Progress) {}
	}
	if o.Group != "" {
		grouped, err := c.Grouped(o.Group)
		if err != nil {
			return nil, err
		}
		a.grouped = grouped
	}
	for _, warning := range c.Warnings() {
		a.log.Warn("configured, and better not left so", "what", warning)
	}
	lock, err := a.takeLock(ctx)
	if err != nil {
		return nil, err
	}
	a.lock = lock
	if a.store, err = a.openStore(ctx); err != nil {
		return nil, errors.Join(err, lock.Keep(), lock.Release())
	}
	if a.poller, err = feeds.NewPoller(a.store, a.polling(c)); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if err := a.openHubs(ctx, o.Version); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if a.icons, err = openIcons(c.State, wayOut{a}, feeds.UserAgent(a.polling(c)), a.now); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if err := output.Clean(c.Publish.Dir); err != nil {
		return nil, errors.Join(fmt.Errorf("tidy %s: %w", c.Publish.Dir, err), a.Close())
	}
	return a, nil
}

// takeLock takes the lock of the state directory, and waits for it if that is wanted.
func (a *App) takeLock(ctx context.Context) (*Lock, error) {
	if !a.o.Wait {
		return TakeLock(a.config.State, a.now())
	}
	return WaitLock(ctx, a.config.State, a.now, a.o.Waiting)
}

// polling gives the options of polling by a configuration, with the App's clock and eyes.
func (a *App) polling(c *config.Config) feeds.Options {
	p := c.Polling(a.o.Version)
	p.Now, p.Force, p.Spread, p.Round, p.Drain = a.now, a.o.Force, a.o.Spread, a.o.Round, a.drain
	p.Progress = func(f feeds.Progress) {
		a.progress(Progress{Phase: "fetch", Done: f.Done, Failed: f.Failed, Total: f.Total})
	}
	return p
}

// Finish makes the running sweep come to its end: no more fetches are started, those under way get ten seconds, and what came in is grouped
// and published. Later sweeps fetch nothing. It may be called at any time, from any goroutine.
func (a *App) Finish() { a.ending.Do(func() { close(a.drain) }) }

// finishing reports whether Finish has been called.
func (a *App) finishing() bool {
	select {
	case <-a.drain:
		return true
	default:
		return false
	}
}

// Close closes the connections and the database, and frees the lock.
func (a *App) Close() error {
	if a.poller != nil {
		a.poller.Close()
	}
	err := a.store.Close()
	if err != nil {
		a.lock.Spoil()
	}
	if a.icons != nil {
		err = errors.Join(err, a.icons.Close())
	}
	return errors.Join(err, a.lock.Release())
}

package app

import (
	"context"
	"net/http"
	"strings"
	"time"

	"sheaf"
	"sheaf/feeds"
	"sheaf/feeds/websub"
)

const (
	hubsEvery = time.Minute      // leases are looked at so often at least
	heardGap  = 10 * time.Second // between two sweeps that announcements start
)

// wayOut is the poller's client, whichever that is at the time.
type wayOut struct{ a *App }

// RoundTrip implements [http.RoundTripper].
func (w wayOut) RoundTrip(r *http.Request) (*http.Response, error) {
	return w.a.poller.Client().RoundTrip(r)
}

// openHubs makes the listener for hubs if there is an address at which they can call.
func (a *App) openHubs(ctx context.Context, version string) (err error) {
	a.heard = make(chan struct{}, 1)
	if a.config.WebSub.Callback == "" {
		return nil
	}
	a.hubs, err = websub.New(ctx, a.store, websub.Options{
		BaseURL: a.config.WebSub.Callback, Client: wayOut{a}, Agent: feeds.UserAgent(a.config.Polling(version)), Now: a.now,
		Heard: func() {
			select {
			case a.heard <- struct{}{}:
			default: // a sweep is on its way already
			}
		},
		Progress: a.logLease,
	})
	return err
}

// logLease tells of changes in what hubs do for us.
func (a *App) logLease(l websub.Lease) {
	log := a.log.With("feed", l.Feed, "hub", feeds.Redact(l.Hub))
	switch {
	case l.Failures == 1:
		log.Warn("hub does not announce the feed; it is polled as usual", "err", l.Error, "next", l.Next)
	case l.Failures > 1:
		log.Debug("hub still does not announce the feed", "err", l.Error, "next", l.Next)
	case l.Pending.Token == "" && l.Live.Token != "":
		log.Info("hub announces the feed", "until", l.Live.Until)
	}
}

// due is a feed to poll, with what hubs say of it.
func (a *App) due(f sheaf.Feed, s feeds.State) feeds.Due {
	d := feeds.Due{Feed: f, State: s, Held: a.grouped != nil && !a.grouped[f.ID]}
	if a.hubs != nil {
		d.Push = a.hubs.Push(f.ID, s.Polled)
	}
	return d
}

// follow takes up which hubs the feeds name after a poll. due is how they were before.
func (a *App) follow(ctx context.Context, due []feeds.Due, outcomes []feeds.Outcome) error {
	if a.hubs == nil {
		return nil
	}
	states := make(map[sheaf.FeedID]feeds.State, len(outcomes))
	for _, o := range outcomes {
		states[o.Feed.ID] = o.State
	}
	for i := range due {
		if s, polled := states[due[i].Feed.ID]; polled {
			due[i].State = s
		}
	}
	return a.hubs.Follow(ctx, feeds.Offers(due))
}

// mounted hands requests below the paths of other parts of the program to these, which have manners of their own.
func (a *App) mounted(next http.Handler) http.Handler {
	if a.hubs == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, websub.Path) {
			a.hubs.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// tendHubs asks hubs for leases and renews them until ctx ends.
func (a *App) tendHubs(ctx context.Context) {
	for ctx.Err() == nil {
		next, err := a.hubs.Tend(ctx)
		if err != nil && ctx.Err() == nil {
			a.log.Error("leases cannot be kept", "err", err)
		}
		wait := hubsEvery
		if err == nil && !next.IsZero() {
			wait = min(wait, max(next.Sub(a.now()), time.Second))
		}
		pause(ctx, wait)
	}
}

// heedHubs asks for a sweep when hubs have announced news, until ctx ends.
func (a *App) heedHubs(ctx context.Context, sweep func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-a.heard:
		}
		sweep()
		pause(ctx, heardGap)
	}
}

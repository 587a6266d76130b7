package websub

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"sheaf"
)

// Follow takes up what the feeds offer now. A feed that is not among them is no longer listened to: its hub is told so by a 410 when it
// calls. The error is the store's.
func (l *Listener) Follow(ctx context.Context, offers map[sheaf.FeedID]Offer) error {
	for _, lease := range l.Leases() {
		if offers[lease.Feed] != (Offer{}) {
			continue
		}
		if err := l.drop(ctx, lease.Feed); err != nil {
			return err
		}
	}
	for _, feed := range slices.Sorted(maps.Keys(offers)) {
		offer := offers[feed]
		err := l.update(ctx, feed, func(lease Lease) (Lease, bool) {
			return lease.offered(feed, offer), offer != (Offer{}) && lease.Offer != offer
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Tend asks hubs for the leases that are wanted or must be renewed, one after the other with a pause, and says when to tend to them
// again; the zero time means that there is nothing to tend to. A hub that fails is left alone for all feeds. A hub's failure is in the
// lease; the error is the store's or that of ctx.
func (l *Listener) Tend(ctx context.Context) (next time.Time, err error) {
	for _, lease := range l.Leases() {
		if now := l.o.Now(); now.Before(lease.Next) || now.Before(l.tired[lease.Hub]) {
			continue
		}
		if err := l.tend(ctx, lease); err != nil {
			return time.Time{}, err
		}
	}
	for _, lease := range l.Leases() {
		at := lease.Next
		if rest := l.tired[lease.Hub]; rest.After(at) {
			at = rest
		}
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	return next, nil
}

// tend asks the hub of one feed. What is asked for is stored first, so that the hub's question finds its answer.
func (l *Listener) tend(ctx context.Context, lease Lease) error {
	if lease.Pending.Token != "" {
		return l.fail(ctx, lease, &Error{Hub: lease.Hub, Err: errors.New("did not confirm what it was asked for")})
	}
	if err := l.pause(ctx); err != nil {
		return err
	}
	lease = lease.asked(newCallback(), l.o.Now())
	asking := func(latest Lease) (Lease, bool) { return lease, latest.Offer == lease.Offer }
	if err := l.update(ctx, lease.Feed, asking); err != nil {
		return err
	}
	err := l.ask(ctx, lease)
	var refusal *Error
	if !errors.As(err, &refusal) {
		return err
	}
	return l.fail(ctx, lease, refusal)
}

// fail notes that a pending callback has come to nothing, unless the hub has called meanwhile, whatever it answers.
func (l *Listener) fail(ctx context.Context, lease Lease, refusal *Error) error {
	return l.update(ctx, lease.Feed, func(latest Lease) (Lease, bool) {
		if latest.Pending.Token != lease.Pending.Token {
			return latest, false
		}
		latest = latest.failed(refusal, l.o.Now())
		if refusal.tired() {
			l.tired[lease.Hub] = latest.Next
		}
		return latest, true
	})
}

// pause keeps the gap since the last request.
func (l *Listener) pause(ctx context.Context) error {
	if wait := l.o.Gap - time.Since(l.asked); !l.asked.IsZero() && wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	l.asked = time.Now()
	return nil
}

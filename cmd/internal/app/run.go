package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"sheaf/cmd/internal/schedule"
)

// drain is how long running requests may take after the daemon was told to stop.
const drain = 10 * time.Second

// Run is the daemon: a sweep at once, then one at every time of the schedule, and the published documents over HTTP, until ctx ends. Then
// no new sweep starts, the running one is canceled at the next safe point, and open requests are finished. The error is nil for such
// an end. One for which Damaged holds is put right by the next Open.
func (a *App) Run(ctx context.Context) error {
	s, err := schedule.Parse(a.config.Schedule, a.config.Zone)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	if a.config.Listen != "" {
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", a.config.Listen)
		if err != nil {
			return fmt.Errorf("listen: %w", err)
		}
		if err := a.serve(ctx, group, listener); err != nil {
			return errors.Join(err, listener.Close())
		}
	}
	if a.hubs != nil {
		group.Go(func() error { a.tendHubs(ctx); return nil })
		group.Go(func() error { return a.heedHubs(ctx, a.pushed) })
	}
	group.Go(func() error { return a.sweeps(ctx, s) })
	return group.Wait()
}

// pushed sweeps because hubs have announced news, once more if that came too soon after the last poll of a feed. The error is one for which
// Damaged holds.
func (a *App) pushed(ctx context.Context) error {
	err := a.tick(ctx)
	if again := a.poller.Again(); err == nil && !again.IsZero() && pause(ctx, max(again.Sub(a.now()), heardGap)) {
		err = a.tick(ctx)
	}
	if !Damaged(err) {
		return nil // it has been logged
	}
	return err
}

// tick is one sweep of the daemon, logged.
func (a *App) tick(ctx context.Context) error {
	a.sweeping.Lock()
	defer a.sweeping.Unlock()
	if ctx.Err() != nil {
		return nil
	}
	r, err := a.Sweep(ctx)
	switch {
	case ctx.Err() != nil:
		a.log.Info("sweep stopped")
		return nil
	case err != nil:
		a.log.Error("sweep failed; what was published stays, and it is tried again in a minute", "err", err)
		return err
	}
	a.log.Info("sweep done", "polled", r.Feeds.Polled, "unchanged", r.Feeds.Unchanged, "failed", r.Feeds.Failed,
		"articles", r.Articles.New, "stories", r.Stories, "seconds", r.Seconds)
	return nil
}

// serve answers on the listener until ctx ends, then lets open requests finish.
func (a *App) serve(ctx context.Context, group *errgroup.Group, listener net.Listener) error {
	handler, err := a.pages()
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           a.mounted(handler),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    16 << 10,
	}
	a.log.Info("listening", "address", listener.Addr().String())
	group.Go(func() error {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("serve: %w", err)
		}
		return nil
	})
	group.Go(func() error {
		<-ctx.Done()
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
		defer cancel()
		if err := server.Shutdown(stop); err != nil {
			return fmt.Errorf("stop serving: %w", errors.Join(err, server.Close()))
		}
		return nil
	})
	return nil
}

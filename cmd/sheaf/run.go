package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/app"
	"sheaf/cmd/internal/systemd"
)

// How the daemon paces itself: feeds overdue at its start are asked over a while, and one slow host does not hold up a sweep.
const (
	spread = 10 * time.Minute
	round  = time.Minute
)

// startExtension is how much more time the service manager is asked for, again and again, while the daemon starts.
const startExtension = 30 * time.Second

func runCommand(g *global) *cobra.Command {
	var strict bool
	c := &cobra.Command{
		Use:   "run",
		Short: "Run as a daemon: sweep by schedule, serve the feeds",
		Long: `Run as a daemon: sweep by schedule, serve the feeds.

SIGHUP takes over a changed configuration in place; one with faults changes nothing. SIGTERM or SIGINT ends: what is being fetched gets
ten seconds, what came in is published, and all is over in under twenty.

Exit codes: 0 ended by a signal; 1 failed; 2 wrong usage; 75 another instance is at work; 78 the configuration is wrong, or the
database is for a newer version.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return g.runDaemon(c, strict) },
	}
	g.workFlags(c)
	strictFlag(c, &strict)
	return c
}

func (g *global) runDaemon(c *cobra.Command, strict bool) (err error) {
	manager, err := systemd.NewNotifier(os.Getenv)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, manager.Close()) }()
	sockets, err := systemd.Sockets(os.Getenv)
	if err != nil {
		return err
	}
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)

	around := app.Daemon{Hangup: hangup, Load: g.load, Sockets: sockets, Manager: manager, Watchdog: systemd.Watchdog(os.Getenv)}
	err = g.daemon(c, strict, around)
	if app.Damaged(err) && !strict { // opening it again puts it right; a second time is for whoever restarts us
		fmt.Fprintf(c.ErrOrStderr(), "sheaf: %v\n", err)
		err = g.daemon(c, strict, around)
	}
	return err
}

// daemon takes the installation and runs it until the context ends.
func (g *global) daemon(c *cobra.Command, strict bool, around app.Daemon) (err error) {
	started := stillStarting(c.Context(), around.Manager)
	a, err := g.open(c.Context(), c.ErrOrStderr(), slog.LevelInfo, app.Options{
		Spread: spread, Round: round, Search: true, Strict: strict, Waiting: func(held error) { around.Manager.Status("waiting: " + held.Error()) },
	})
	started()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return a.Run(c.Context(), around)
}

// stillStarting asks the service manager for more time until done is called: the lock may be held for a while, and a large database may
// have to be brought up to date.
func stillStarting(ctx context.Context, manager *systemd.Notifier) (done func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(startExtension / 3)
		defer ticker.Stop()
		for {
			manager.Extend(startExtension)
			select {
			case <-ticker.C:
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

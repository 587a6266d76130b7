package main

import (
	"errors"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/app"
)

// How the daemon paces itself: feeds overdue at its start are asked over a while, and one slow host does not hold up a sweep.
const (
	spread = 10 * time.Minute
	round  = time.Minute
)

func runCommand(g *global) *cobra.Command {
	var strict bool
	c := &cobra.Command{
		Use:   "run",
		Short: "Run as a daemon: sweep by schedule, serve the feeds",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o := app.Options{Log: g.log(c.ErrOrStderr(), slog.LevelInfo), Spread: spread, Round: round, Strict: strict}
			err := g.daemon(c, o)
			if app.Damaged(err) && !strict { // opening it again puts it right; a second time is for whoever restarts us
				o.Log.Error("the database is damaged", "err", err)
				err = g.daemon(c, o)
			}
			return err
		},
	}
	g.configFlags(c)
	g.loudnessFlags(c)
	strictFlag(c, &strict)
	return c
}

// daemon takes the installation and runs it until the context ends.
func (g *global) daemon(c *cobra.Command, o app.Options) (err error) {
	a, err := g.open(c.Context(), o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return a.Run(c.Context())
}

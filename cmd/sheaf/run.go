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
	c := &cobra.Command{
		Use:   "run",
		Short: "Run as a daemon: sweep by schedule, serve the feeds",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			a, err := g.open(c.Context(), app.Options{Log: g.log(c.ErrOrStderr(), slog.LevelInfo), Spread: spread, Round: round})
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, a.Close()) }()
			return a.Run(c.Context())
		},
	}
	g.configFlags(c)
	g.loudnessFlags(c)
	return c
}

package main

import (
	"errors"
	"log/slog"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/app"
)

func runCommand(g *global) *cobra.Command {
	c := &cobra.Command{
		Use:   "run",
		Short: "Run as a daemon: sweep by schedule, serve the feeds",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			a, err := g.open(c.Context(), app.Options{Log: g.log(c.ErrOrStderr(), slog.LevelInfo)})
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

package main

import (
	"errors"
	"log/slog"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/app"
)

func onceCommand(g *global) *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "once",
		Short: "Do one sweep: poll what is due, group, publish; then end",
		Long: `Do one sweep: poll the feeds that are due, group what is new, publish what changed; then end.

Exit codes: 0 done; 1 failed; 2 wrong usage; 3 some feeds failed, the rest is published; 75 another instance is at work;
78 the configuration is wrong; 130 interrupted.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			progress := newProgress(c.ErrOrStderr(), g.quiet || g.json)
			usual := slog.LevelError // the receipt tells of failed feeds
			a, err := g.open(c.Context(), app.Options{Force: force, Log: g.log(c.ErrOrStderr(), usual), Progress: progress.show})
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, a.Close()) }()
			report, err := a.Sweep(c.Context())
			progress.clear()
			if err != nil {
				return err
			}
			if err := g.print(c, report); err != nil {
				return err
			}
			if report.Feeds.Failed > 0 {
				return &codedError{nil, exitPartly}
			}
			return nil
		},
	}
	g.configFlags(c)
	g.loudnessFlags(c)
	c.Flags().BoolVar(&g.json, "json", false, "print the report as JSON")
	c.Flags().BoolVar(&force, "force", false, "poll feeds that are not due yet, as far as manners allow")
	return c
}

// print gives the report in the form asked for. Failures are told even to the quiet.
func (g *global) print(c *cobra.Command, r app.Report) error {
	if g.json {
		return writeJSON(c.OutOrStdout(), r)
	}
	if !g.quiet {
		if err := writeReceipt(c.OutOrStdout(), r, g.config); err != nil {
			return err
		}
	}
	return writeFailures(c.ErrOrStderr(), r)
}

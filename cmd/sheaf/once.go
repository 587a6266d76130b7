package main

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/app"
)

func onceCommand(g *global) *cobra.Command {
	var force, strict bool
	var group string
	c := &cobra.Command{
		Use:   "once",
		Short: "Do one sweep: poll what is due, group, publish; then end",
		Long: `Do one sweep: poll the feeds that are due, group what is new, publish what changed; then end.

Exit codes: 0 done; 1 failed; 2 wrong usage; 3 some feeds failed, the rest is published; 75 another instance is at work;
78 the configuration is wrong, or the database is for a newer version; 130 interrupted.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			report, err := g.sweep(c, app.Options{Force: force, Group: group, Strict: strict})
			if app.Damaged(err) && !strict { // opening it again puts it right
				fmt.Fprintf(c.ErrOrStderr(), "sheaf: %v\n", err)
				report, err = g.sweep(c, app.Options{Force: force, Group: group})
			}
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
	c.Flags().StringVar(&group, "group", "", "poll only the feeds of this group of the configuration")
	c.Flags().BoolVar(&force, "force", false, "poll feeds that are not due yet, as far as manners allow")
	strictFlag(c, &strict)
	return c
}

// strictFlag adds the option for those who want to look at damage themselves.
func strictFlag(c *cobra.Command, strict *bool) {
	c.Flags().BoolVar(strict, "strict", false, "fail if the database is damaged, instead of restoring the newest backup")
}

// sweep takes the installation, does one sweep, and frees it.
func (g *global) sweep(c *cobra.Command, o app.Options) (report app.Report, err error) {
	progress := newProgress(c.ErrOrStderr(), g.quiet || g.json)
	o.Log, o.Progress = g.log(c.ErrOrStderr(), slog.LevelError), progress.show // the receipt tells of failed feeds
	a, err := g.open(c.Context(), o)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	report, err = a.Sweep(c.Context())
	progress.clear()
	return report, err
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

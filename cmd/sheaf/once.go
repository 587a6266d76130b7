package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/app"
)

// finishBefore is how much of a deadline is left when fetching ends: for what is under way, for grouping and for publishing.
const finishBefore = 4 // a quarter

func onceCommand(g *global) *cobra.Command {
	var force, strict bool
	var group string
	var deadline time.Duration
	c := &cobra.Command{
		Use:   "once",
		Short: "Do one sweep: poll what is due, group, publish; then end",
		Long: `Do one sweep: poll the feeds that are due, group what is new, publish what changed; then end.

With --deadline no fetch is started in its last quarter; what came in until then is published, and the rest stays due.

Exit codes: 0 done; 1 failed; 2 wrong usage; 3 some feeds failed, the rest is published; 75 another instance is at work;
78 the configuration is wrong, or the database is for a newer version; 130 interrupted.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			ctx := c.Context()
			if deadline > 0 {
				limited, cancel := context.WithTimeoutCause(ctx, deadline, fmt.Errorf("the deadline of %s has passed", deadline))
				defer cancel()
				ctx = limited
			}
			report, err := g.sweep(ctx, c, app.Options{Force: force, Group: group, Strict: strict})
			if app.Damaged(err) && !strict { // opening it again puts it right
				fmt.Fprintf(c.ErrOrStderr(), "sheaf: %v\n", err)
				report, err = g.sweep(ctx, c, app.Options{Force: force, Group: group})
			}
			if err != nil {
				return late(c.Context(), ctx, err)
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
	g.workFlags(c)
	c.Flags().BoolVar(&g.json, "json", false, "print the report as JSON")
	c.Flags().StringVar(&group, "group", "", "poll only the feeds of this group of the configuration")
	c.Flags().BoolVar(&force, "force", false, "poll feeds that are not due yet, as far as manners allow")
	c.Flags().DurationVar(&deadline, "deadline", 0, "`time` in which all must be over, waiting included; 0 for none")
	strictFlag(c, &strict)
	return c
}

// strictFlag adds the option for those who want to look at damage themselves.
func strictFlag(c *cobra.Command, strict *bool) {
	c.Flags().BoolVar(strict, "strict", false, "fail if the database is damaged, instead of restoring the newest backup")
}

// late says so if an error comes of a deadline within the given one.
func late(whole, limited context.Context, err error) error {
	if whole.Err() == nil && limited.Err() != nil && !errors.Is(err, app.ErrLocked) {
		return fmt.Errorf("%w: %w", context.Cause(limited), err)
	}
	return err
}

// sweep takes the installation, does one sweep, and frees it.
func (g *global) sweep(ctx context.Context, c *cobra.Command, o app.Options) (report app.Report, err error) {
	progress := newProgress(c.ErrOrStderr(), g.quiet || g.json)
	o.Progress = progress.show
	a, err := g.open(ctx, c.ErrOrStderr(), slog.LevelError, o) // the receipt tells of failed feeds
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if end, ok := ctx.Deadline(); ok {
		left := time.Until(end)
		timer := time.AfterFunc(left-left/finishBefore, a.Finish)
		defer timer.Stop()
	}
	report, err = a.Sweep(ctx)
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

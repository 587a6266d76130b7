package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/app"
)

func doctorCommand(g *global) *cobra.Command {
	var offline, all bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Look everything over and say what to do",
		Long: `Look everything over: configuration, clock, folders and disk, database, published documents, feeds. Works beside a running sheaf and
changes nothing. A feed that was read in the last two hours is not asked again, nor is one whose server has asked for rest; the others are
asked once, at most eight hosts at a time.

Exit codes: 0 all works; 1 something of the installation does not; 2 wrong usage; 3 only some feeds do not; 78 the configuration is wrong;
130 interrupted.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			conf, err := g.load()
			if err != nil {
				return err
			}
			d := app.Doctor{Config: conf, Path: g.config, Version: version, Now: time.Now, Offline: offline, All: all}
			found, err := d.Examine(c.Context())
			if err != nil {
				return err
			}
			if g.json {
				err = writeJSON(c.OutOrStdout(), map[string]any{"symptoms": found})
			} else {
				err = writeSymptoms(c.OutOrStdout(), found, g.quiet)
			}
			if code := verdict(found); err == nil && code != 0 {
				return &codedError{nil, code}
			}
			return err
		},
	}
	g.configFlags(c)
	g.jsonFlag(c)
	c.Flags().BoolVarP(&g.quiet, "quiet", "q", false, "tell only what is not well")
	c.Flags().BoolVar(&offline, "offline", false, "ask no server: judge feeds by what is remembered of them")
	c.Flags().BoolVar(&all, "all", false, "ask feeds that were read lately, too")
	return c
}

// verdict is the exit code of a diagnosis.
func verdict(found []app.Symptom) int {
	code := 0
	for _, s := range found {
		switch {
		case s.Level != app.LevelBad:
		case s.Area != app.AreaFeed:
			return exitFailed
		default:
			code = exitPartly
		}
	}
	return code
}

// writeSymptoms prints a table, with what to do below what is not well.
func writeSymptoms(w io.Writer, found []app.Symptom, quiet bool) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range found {
		if quiet && s.Level == app.LevelGood {
			continue
		}
		fmt.Fprintf(table, "%s\t%s\t%s: %s\n", s.Level, s.Area, shorten(s.Subject), s.Message)
		if s.Advice != "" {
			fmt.Fprintf(table, "\t\t→ %s\n", s.Advice)
		}
	}
	return table.Flush()
}

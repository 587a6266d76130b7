package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/app"
)

func backupCommand(g *global) *cobra.Command {
	c := &cobra.Command{
		Use:   "backup [FILE]",
		Short: "Copy the database to a file, also while sheaf runs",
		Long: `Copy the database to a file, also while sheaf runs. The copy is one of a single moment, and is checked before it gets its name; a file of
that name is replaced. If FILE is a folder, the copy is put into it and named by its time. Without FILE it joins the daily backups in the
state directory.

The database holds no setting and no secret of yours: keep config.yaml as well. It does hold what hubs and sheaf have agreed on, so the copy
can be read by its owner only.

Exit codes: 0 done; 1 failed, nothing was replaced; 2 wrong usage; 78 the configuration is wrong; 130 interrupted.`,
		Example: "  sheaf backup /backups/sheaf.db",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			conf, err := g.load()
			if err != nil {
				return err
			}
			made, err := app.Backup(c.Context(), conf, first(args), time.Now())
			if err != nil {
				return err
			}
			if g.json {
				return writeJSON(c.OutOrStdout(), made)
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %.1f MB, schema %d, checked.\n", made.File, float64(made.Bytes)/1e6, made.Schema)
			return err
		},
	}
	g.configFlags(c)
	g.jsonFlag(c)
	return c
}

// first is the first of the arguments; empty without any.
func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

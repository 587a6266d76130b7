package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/app"
)

func restoreCommand(g *global) *cobra.Command {
	c := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of the database",
		Long: `Put a backup in the place of the database. Stop sheaf first. FILE is checked before anything is touched, and stays; the database that is
replaced is kept beside the new one, until you remove it. The next sweep brings a backup of an older version up to date, reads what the
feeds hold now, and publishes again.

What was told to receivers after the backup was made may be told again, under the same ids.

Exit codes: 0 done; 1 failed, nothing was replaced; 2 wrong usage; 75 sheaf is running; 78 the configuration is wrong, or the backup is for
a newer version; 130 interrupted.`,
		Example: "  sheaf restore /var/lib/sheaf/backups/sheaf-20261130T031500Z.db",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			conf, err := g.load()
			if err != nil {
				return err
			}
			r, err := app.Restore(c.Context(), conf, args[0], time.Now())
			if err != nil {
				return coded(err)
			}
			if g.json {
				return writeJSON(c.OutOrStdout(), map[string]string{"restored": r.From, "replaced": r.Aside})
			}
			fmt.Fprintf(c.OutOrStdout(), "Restored %s.\n", r.From)
			if r.Aside != "" {
				fmt.Fprintf(c.OutOrStdout(), "What it replaced is kept as %s.\n", r.Aside)
			}
			return nil
		},
	}
	g.configFlags(c)
	g.jsonFlag(c)
	return c
}

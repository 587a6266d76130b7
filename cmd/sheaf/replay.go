package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"sheaf"
	"sheaf/cmd/internal/app"
	"sheaf/cmd/internal/config"
)

func replayCommand(g *global) *cobra.Command {
	c := &cobra.Command{
		Use:   "replay",
		Short: "Group all stored articles again, from scratch, and compare",
		Long: `Group all stored articles again, from scratch, with all corrections, and compare with where they are. Nothing is changed.
Exit code 3: some articles would be elsewhere, because the configuration, the model or texts have changed since.`,
		Args: cobra.NoArgs,
		RunE: g.reading(func(c *cobra.Command, r *app.Reader, conf *config.Config, _ []string) error {
			constraints, err := r.Constraints(c.Context())
			if err != nil {
				return err
			}
			now, err := r.Placed(c.Context())
			if err != nil {
				return err
			}
			again, err := r.Replay(c.Context(), conf, constraints)
			if err != nil {
				return err
			}
			changes := now.Compare(again)
			if g.json {
				err = writeJSON(c.OutOrStdout(), map[string]any{"articles": len(now), "changes": changes, "placement": again})
			} else {
				fmt.Fprintf(c.OutOrStdout(), "%s grouped again; %s changed.\n", count(len(now), "article"), plural(len(changes), "story is", "stories are"))
				writeChanges(c, changes)
			}
			if err == nil && len(changes) > 0 {
				err = &codedError{nil, exitPartly}
			}
			return err
		}),
	}
	g.configFlags(c)
	c.Flags().BoolVar(&g.json, "json", false, "print as JSON, with the story of every article")
	return c
}

func backtestCommand(g *global) *cobra.Command {
	var against string
	c := &cobra.Command{
		Use:   "backtest --config NEW",
		Short: "Say what another configuration would change, and whether editors would agree",
		Long: `Group all stored articles under the current and under another configuration, neither told of the corrections; say which stories would
merge, split or change, and how many of the corrections each keeps by itself. Exit code 3: the new one keeps fewer.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			conf, err := config.Load(against, config.Overrides{State: g.state, Publish: g.publish})
			if err != nil {
				return &codedError{err, exitConfig}
			}
			changed, err := g.load()
			if err != nil {
				return err
			}
			r, err := app.OpenReader(c.Context(), conf)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, r.Close()) }()
			b, err := r.Backtest(c.Context(), conf, changed)
			if err != nil {
				return err
			}
			if err := g.writeBacktest(c, b); err != nil {
				return err
			}
			if b.Worse() {
				return &codedError{nil, exitPartly}
			}
			return nil
		},
	}
	g.configFlags(c)
	c.Flags().StringVar(&against, "against", envOr("SHEAF_CONFIG", "config.yaml"), "configuration `file` that is in use, and whose state is read")
	c.Flags().BoolVar(&g.json, "json", false, "print as JSON")
	return c
}

func (g *global) writeBacktest(c *cobra.Command, b app.Backtest) error {
	if g.json {
		return writeJSON(c.OutOrStdout(), b)
	}
	w := c.OutOrStdout()
	fmt.Fprintf(w, "%s: %s now, %s then; %s.\n", count(b.Articles, "article"), plural(b.Before, "story", "stories"), plural(b.After, "story", "stories"), count(len(b.Changes), "change"))
	writeChanges(c, b.Changes)
	fmt.Fprintf(w, "Of %s by editors %d are kept now, %d then.\n", count(b.Constraints, "constraint"), b.KeptBefore, b.KeptAfter)
	return nil
}

func writeChanges(c *cobra.Command, changes []app.Change) {
	for _, change := range changes {
		fmt.Fprintf(c.OutOrStdout(), "  %-6s %s → %s (%s)\n", change.Kind, beginnings(change.Before), beginnings(change.After), count(len(change.Members), "article"))
	}
}

// beginnings lists stories by the beginnings of their ids.
func beginnings(ids []sheaf.StoryID) string {
	parts := make([]string, len(ids))
	for i, id := range ids {
		parts[i] = string(id)[:min(8, len(id))]
	}
	return strings.Join(parts, " ")
}

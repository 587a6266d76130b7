package main

import (
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sheaf"
	"sheaf/cmd/internal/app"
	"sheaf/cmd/internal/config"
)

func storiesCommand(g *global) *cobra.Command {
	var since time.Duration
	var least int
	c := &cobra.Command{
		Use:   "stories",
		Short: "List the stories of a period, most covered first",
		Long:  "List the stories with a report in the period before the newest article, most covered first.",
		Args:  cobra.NoArgs,
		RunE: g.reading(func(c *cobra.Command, r *app.Reader, _ *config.Config, _ []string) error {
			newest, err := r.Newest(c.Context())
			if err != nil {
				return err
			}
			stories, err := r.Stories(c.Context(), newest.Add(-since))
			if err != nil {
				return err
			}
			return g.listStories(c, stories, least)
		}),
	}
	g.configFlags(c)
	c.Flags().DurationVar(&since, "since", 24*time.Hour, "length of the `period`")
	c.Flags().IntVar(&least, "min", 1, "least `number` of outlets")
	c.Flags().BoolVar(&g.json, "json", false, "print as JSON")
	return c
}

func (g *global) listStories(c *cobra.Command, stories []sheaf.Story, least int) error {
	views := []storyView{}
	for i := range stories {
		if v := viewOf(&stories[i]); v.Outlets >= least {
			v.Members = nil
			views = append(views, v)
		}
	}
	slices.SortStableFunc(views, func(a, b storyView) int {
		if a.Outlets != b.Outlets {
			return b.Outlets - a.Outlets
		}
		return b.Last.Compare(a.Last)
	})
	if g.json {
		return writeJSON(c.OutOrStdout(), map[string]any{"stories": views})
	}
	w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "outlets\tarticles\tlatest\tstory\ttitle")
	for _, v := range views {
		fmt.Fprintf(w, "%d\t%d\t%s\t%s\t%s\n", v.Outlets, v.Articles, clock(v.Last), v.ID[:8], v.Title)
	}
	return w.Flush()
}

func showCommand(g *global) *cobra.Command {
	c := &cobra.Command{
		Use:   "show STORY",
		Short: "Show a story with its reports",
		Long:  "Show a story with its reports. STORY is the id of a story or the beginning of one, or an article in it.",
		Args:  cobra.ExactArgs(1),
		RunE: g.reading(func(c *cobra.Command, r *app.Reader, _ *config.Config, args []string) error {
			story, err := r.Story(c.Context(), args[0])
			if err != nil {
				return err
			}
			v := viewOf(&story)
			if g.json {
				return writeJSON(c.OutOrStdout(), v)
			}
			writeStoryView(c.OutOrStdout(), v)
			for _, m := range v.Members {
				writeMember(c.OutOrStdout(), m)
			}
			return nil
		}),
	}
	g.configFlags(c)
	c.Flags().BoolVar(&g.json, "json", false, "print as JSON")
	return c
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/app"
	"sheaf/cmd/internal/config"
	"sheaf/cmd/internal/store"
)

// correcting makes a command that records a correction. A sweep carries it out: the running daemon's next one, or that of sheaf once.
func (g *global) correcting(c *cobra.Command, say func(context.Context, *app.Editor, []string) (store.Correction, error)) *cobra.Command {
	var author, reason string
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		conf, err := g.load()
		if err != nil {
			return err
		}
		e, err := app.OpenEditor(c.Context(), conf)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, e.Close()) }()
		e.Author, e.Reason = author, reason
		correction, err := say(c.Context(), e, args)
		if err != nil {
			return err
		}
		if g.json {
			return writeJSON(c.OutOrStdout(), correction)
		}
		verb := "recorded"
		if !correction.Undone.IsZero() {
			verb = "undone"
		}
		fmt.Fprintf(c.OutOrStdout(), "Correction %d (%s) is %s; the next sweep carries it out.\n", correction.Number, correction.Kind, verb)
		return nil
	}
	g.configFlags(c)
	c.Flags().StringVar(&author, "author", os.Getenv("USER"), "`name` recorded with the correction")
	c.Flags().StringVar(&reason, "reason", "", "`text` recorded with the correction")
	c.Flags().BoolVar(&g.json, "json", false, "print as JSON")
	return c
}

func mergeCommand(g *global) *cobra.Command {
	return g.correcting(&cobra.Command{
		Use: "merge STORY STORY", Short: "Say that two stories are one", Args: cobra.ExactArgs(2),
		Long: "Say that two stories are one, now and after every regrouping. STORY is the id of a story, the beginning of one, or an article in it.",
	}, func(ctx context.Context, e *app.Editor, args []string) (store.Correction, error) {
		return e.Merge(ctx, args[0], args[1])
	})
}

func splitCommand(g *global) *cobra.Command {
	return g.correcting(&cobra.Command{
		Use: "split STORY ARTICLE...", Short: "Say that articles of a story are a story of their own", Args: cobra.MinimumNArgs(2),
	}, func(ctx context.Context, e *app.Editor, args []string) (store.Correction, error) {
		return e.Split(ctx, args[0], args[1:])
	})
}

func pinCommand(g *global) *cobra.Command {
	return g.correcting(&cobra.Command{
		Use: "pin ARTICLE", Short: "Say that an article belongs where it is", Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, e *app.Editor, args []string) (store.Correction, error) {
		return e.Pin(ctx, args[0])
	})
}

func neverCommand(g *global) *cobra.Command {
	return g.correcting(&cobra.Command{
		Use: "never A B", Short: "Say that two articles or stories are never one story", Args: cobra.ExactArgs(2),
		Long: "Say that two articles, or all articles of two stories, are never in one story. They part at once if they are.",
	}, func(ctx context.Context, e *app.Editor, args []string) (store.Correction, error) {
		return e.Never(ctx, args[0], args[1])
	})
}

func undoCommand(g *global) *cobra.Command {
	return g.correcting(&cobra.Command{
		Use: "undo [NUMBER]", Short: "Take a correction back; without a number the last", Args: cobra.MaximumNArgs(1),
		Long: "Take a correction back; without a number the last that holds. With the next grouping, its articles go back to where\ngrouping alone would have them.",
	}, func(ctx context.Context, e *app.Editor, args []string) (store.Correction, error) {
		number := int64(0)
		if len(args) == 1 {
			n, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil || n < 1 {
				return store.Correction{}, &codedError{fmt.Errorf("%q is not the number of a correction; see sheaf corrections", args[0]), exitUsage}
			}
			number = n
		}
		return e.Undo(ctx, number)
	})
}

func correctionsCommand(g *global) *cobra.Command {
	c := &cobra.Command{
		Use:   "corrections",
		Short: "List what editors have said",
		Args:  cobra.NoArgs,
		RunE: g.reading(func(c *cobra.Command, r *app.Reader, _ *config.Config, _ []string) error {
			all, err := r.Corrections(c.Context())
			if err != nil {
				return err
			}
			if g.json {
				return writeJSON(c.OutOrStdout(), map[string]any{"corrections": all})
			}
			for _, correction := range all {
				writeCorrection(c.OutOrStdout(), correction)
			}
			return nil
		}),
	}
	g.configFlags(c)
	c.Flags().BoolVar(&g.json, "json", false, "print as JSON")
	c.AddCommand(exportCorrectionsCommand(g))
	return c
}

func writeCorrection(w io.Writer, c store.Correction) {
	fmt.Fprintf(w, "%d  %s  %s %s", c.Number, clock(c.At), c.Kind, strings.Join(c.Subjects, " "))
	if c.Author != "" {
		fmt.Fprintf(w, ", by %s", c.Author)
	}
	if c.Reason != "" {
		fmt.Fprintf(w, ": %s", c.Reason)
	}
	if !c.Undone.IsZero() {
		fmt.Fprintf(w, " (undone %s)", clock(c.Undone))
	}
	fmt.Fprintln(w)
}

func exportCorrectionsCommand(g *global) *cobra.Command {
	c := &cobra.Command{
		Use:   "export",
		Short: "Write the corrections that hold as labeled cases, for sheaf eval and sheaf train",
		Args:  cobra.NoArgs,
		RunE: g.reading(func(c *cobra.Command, r *app.Reader, _ *config.Config, _ []string) error {
			cases, err := r.Cases(c.Context())
			if err != nil {
				return err
			}
			encoder := json.NewEncoder(c.OutOrStdout())
			encoder.SetEscapeHTML(false)
			for _, k := range cases {
				if err := encoder.Encode(k); err != nil {
					return err
				}
			}
			return nil
		}),
	}
	g.configFlags(c)
	return c
}

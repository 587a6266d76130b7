package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"sheaf/dedupe"
	"sheaf/dedupe/eval"
)

func evalCommand() *cobra.Command {
	var flags groupingFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "eval FILE.jsonl[.gz]...",
		Short: "Group labelled articles and score the stories",
		Long: `Eval groups every stream of a file on its own and compares the stories with the labels. Articles without a label are grouped, not scored.
A file of several streams is scored as the mean over them, with the share of streams in which no story mixes two labels.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := flags.options()
			if err != nil {
				return err
			}
			for _, path := range args {
				if err := evalFile(c, path, o, asJSON); err != nil {
					return err
				}
			}
			return nil
		},
	}
	flags.register(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a file")
	return c
}

func evalFile(c *cobra.Command, path string, o dedupe.Options, asJSON bool) error {
	streams, err := readStreams(c, path)
	if err != nil {
		return err
	}
	if len(streams) == 0 {
		return fmt.Errorf("eval %s: %w", path, errNoArticles)
	}
	groupings := make([]eval.Grouping, len(streams))
	for i := range streams {
		decisions, err := eval.Group(streams[i].Articles(), o)
		if err != nil {
			return err
		}
		groupings[i] = eval.Stories(decisions)
	}
	r := eval.Evaluate(streams, groupings)
	if asJSON {
		return printEvalJSON(c.OutOrStdout(), path, r)
	}
	return printEval(c.OutOrStdout(), path, r)
}

var errNoArticles = errors.New("no articles")

// evalJSON is the object printed by eval --json.
type evalJSON struct {
	File       string             `json:"file"`
	All        measures           `json:"all"`
	Macro      macro              `json:"macro"`
	Sets       map[string]setJSON `json:"sets"`
	Stories    int                `json:"stories"`
	Gold       int                `json:"gold"`
	Streams    int                `json:"streams"`
	NeverMixed *float64           `json:"never_mixed,omitempty"`
}

type measures struct {
	B3       eval.PRF `json:"b3"`
	Pairwise eval.PRF `json:"pairwise"`
	AMI      float64  `json:"ami"`
}

type macro struct {
	B3       float64 `json:"b3"`
	Pairwise float64 `json:"pairwise"`
}

type setJSON struct {
	B3       eval.PRF `json:"b3"`
	Pairwise eval.PRF `json:"pairwise"`
	AMI      float64  `json:"ami"`
}

func printEvalJSON(w io.Writer, path string, r eval.Report) error {
	out := evalJSON{
		File:    path,
		All:     measures{r.All.B3, r.All.Pairwise, r.All.AMI},
		Macro:   macro{r.MacroB3, r.MacroPair},
		Sets:    make(map[string]setJSON, len(r.Sets)),
		Stories: r.All.Stories,
		Gold:    r.All.Gold,
		Streams: r.Streams,
	}
	for name, s := range r.Sets {
		out.Sets[name] = setJSON{s.B3, s.Pairwise, s.AMI}
	}
	if r.Streams > 1 {
		out.NeverMixed = &r.NeverMixed
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(out)
}

func printEval(w io.Writer, path string, r eval.Report) error {
	row := func(name string, b3, pair eval.PRF, ami float64) string {
		return fmt.Sprintf("%-10s B-cubed %.4f %.4f %.4f   pairwise %.4f %.4f %.4f   AMI %.4f\n", name, b3.P, b3.R, b3.F, pair.P, pair.R, pair.F, ami)
	}
	text := fmt.Sprintf("%s: %d articles scored in %d stream(s), %d stories for %d\n", path, r.All.Items, r.Streams, r.All.Stories, r.All.Gold)
	text += row("all", r.All.B3, r.All.Pairwise, r.All.AMI)
	for _, name := range slices.Sorted(maps.Keys(r.Sets)) {
		s := r.Sets[name]
		text += row(name, s.B3, s.Pairwise, s.AMI)
	}
	if r.Streams > 1 {
		text += fmt.Sprintf("never mixed %.4f\n", r.NeverMixed)
	} else {
		text += fmt.Sprintf("macro      B-cubed %.4f   pairwise %.4f\nunlabelled %d in labelled stories, %d merged\n", r.MacroB3, r.MacroPair, r.NoiseIn, r.NoiseMerged)
	}
	_, err := io.WriteString(w, text)
	return err
}

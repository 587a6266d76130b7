package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"sheaf"
	"sheaf/cmd/internal/app"
	"sheaf/cmd/internal/config"
	"sheaf/cmd/internal/store"
	"sheaf/dedupe"
)

// explanation is what explain prints. Its JSON keys are an interface: added, never renamed.
type explanation struct {
	Article  placedView       `json:"article"`
	Other    *placedView      `json:"other,omitempty"` // the second article, or the member most like the first
	Same     *bool            `json:"same_story,omitempty"`
	Decision dedupe.Decision  `json:"decision"`
	Evidence *dedupe.Evidence `json:"evidence,omitempty"`
}

// placedView is an article and its place.
type placedView struct {
	ID     sheaf.ArticleID `json:"id"`
	Outlet string          `json:"outlet"`
	Title  string          `json:"title"`
	URL    string          `json:"url,omitzero"`
	Story  sheaf.StoryID   `json:"story"`
	Role   sheaf.Role      `json:"role"`
}

func viewOfPlaced(p *store.Placed) placedView {
	return placedView{p.ID, p.Outlet.Name, p.Title, p.URL, p.Story, p.Role}
}

func explainCommand(g *global) *cobra.Command {
	c := &cobra.Command{
		Use:   "explain ARTICLE [ARTICLE]",
		Short: "Say why an article is in its story, or why two are, or are not, in one",
		Long:  "Say why an article is in its story; with a second one, why the two are, or are not, in one story.\nARTICLE is the id of an article, the beginning of one, or its address.",
		Args:  cobra.RangeArgs(1, 2),
		RunE: g.reading(func(c *cobra.Command, r *app.Reader, _ *config.Config, args []string) error {
			e, err := explain(c, r, args)
			if err != nil {
				return err
			}
			if g.json {
				return writeJSON(c.OutOrStdout(), e)
			}
			writeExplanation(c.OutOrStdout(), e)
			return nil
		}),
	}
	g.configFlags(c)
	c.Flags().BoolVar(&g.json, "json", false, "print as JSON")
	return c
}

// explain looks up the articles and compares them: the first with the second or, alone, with the member that decided.
func explain(c *cobra.Command, r *app.Reader, references []string) (explanation, error) {
	first, err := r.Article(c.Context(), references[0])
	if err != nil {
		return explanation{}, err
	}
	e := explanation{Article: viewOfPlaced(&first), Decision: first.Decision}
	other := string(first.Decision.Compared())
	if len(references) == 2 {
		other = references[1]
	}
	if other == "" {
		return e, nil
	}
	second, err := r.Article(c.Context(), other)
	if err != nil {
		return explanation{}, err
	}
	view, same := viewOfPlaced(&second), first.Story == second.Story
	evidence, err := dedupe.Compare(&first.Article, &second.Article)
	e.Other, e.Same, e.Evidence = &view, &same, &evidence
	if len(references) == 2 && second.Decision.Compared() == first.ID {
		e.Decision = second.Decision
	}
	return e, err
}

// mostTerms is how many terms of a score are printed; --json has all.
const mostTerms = 8

func writeExplanation(w io.Writer, e explanation) {
	writePlaced(w, e.Article)
	d := e.Decision
	fmt.Fprintf(w, "\nWhy: %s", d.Reason.Sentence())
	switch {
	case d.CopyOf != "":
		fmt.Fprintf(w, " (%.0f %% of the shorter text)", 100*d.Score)
	case d.Score > 0:
		fmt.Fprintf(w, " (probability %.2f, threshold %.2f)", d.Score, d.Threshold)
	}
	fmt.Fprintln(w, ".")
	if d.Guard != "" {
		fmt.Fprintf(w, "The rule: %s.\n", d.Guard)
	}
	if d.RunnerUp != nil {
		fmt.Fprintf(w, "Next best: story %s (%.2f).\n", d.RunnerUp.Story, d.RunnerUp.Score)
	}
	if e.Other == nil {
		return
	}
	fmt.Fprintln(w)
	writePlaced(w, *e.Other)
	if *e.Same {
		fmt.Fprintln(w, "\nThe two are in one story. They share")
	} else {
		fmt.Fprintln(w, "\nThe two are in different stories. They share")
	}
	writeEvidence(w, e.Evidence)
	writeWeights(w, d)
}

func writePlaced(w io.Writer, p placedView) {
	fmt.Fprintf(w, "%s\n  %s, article %s, %s in story %s\n", p.Title, p.Outlet, p.ID, p.Role, p.Story)
}

func writeEvidence(w io.Writer, e *dedupe.Evidence) {
	line := func(what string, list []string) {
		if len(list) > 0 {
			fmt.Fprintf(w, "  %s: %s\n", what, strings.Join(list, ", "))
		}
	}
	line("names", e.Names)
	line("words", e.Terms)
	for _, q := range e.Quotes {
		fmt.Fprintf(w, "  quotation: %q\n", q)
	}
	if e.Containment > 0 {
		fmt.Fprintf(w, "  %.0f %% of the shorter text's runs of five words\n", 100*e.Containment)
	}
	fmt.Fprintf(w, "  %.1f hours lie between them\n", e.Hours)
}

// writeWeights prints what each feature added to the score, the strongest first.
func writeWeights(w io.Writer, d dedupe.Decision) {
	if len(d.Contributions) == 0 {
		return
	}
	fmt.Fprintln(w, "\nWhat spoke for it, and against (docs/grouping.md names the terms):")
	for _, c := range d.Contributions[:min(len(d.Contributions), mostTerms)] {
		fmt.Fprintf(w, "  %-24s %+.2f\n", c.Term, c.Weight)
	}
}

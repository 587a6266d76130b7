package main

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"sheaf"
	"sheaf/dedupe"
	"sheaf/dedupe/eval"
)

func groupCommand() *cobra.Command {
	var flags groupingFlags
	c := &cobra.Command{
		Use:   "group FILE.jsonl[.gz]",
		Short: "Group a file of articles into stories",
		Long: `Group reads one article a line (stream, id, outlet, title, summary, text, published, lang, url), groups every stream on its own, and
prints one JSON line for each article in the order of the file. The story is named by the article that founded it. "-" reads standard input.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := flags.options()
			if err != nil {
				return err
			}
			streams, err := readStreams(c, args[0])
			if err != nil {
				return err
			}
			return groupStreams(c.OutOrStdout(), streams, o)
		},
	}
	flags.register(c)
	return c
}

// groupLine is what is printed of one article.
type groupLine struct {
	Stream   string          `json:"stream"`
	ID       sheaf.ArticleID `json:"id"`
	Story    sheaf.ArticleID `json:"story"`    // founder of the story
	Decision string          `json:"decision"` // join or start
	Reason   dedupe.Reason   `json:"reason"`
	Score    float64         `json:"score"`
}

func groupStreams(w io.Writer, streams []eval.Stream, o dedupe.Options) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for i := range streams {
		decisions, err := eval.Group(streams[i].Articles(), o)
		if err != nil {
			return err
		}
		for j := range streams[i].Items {
			d := decisions[streams[i].Items[j].ID]
			l := groupLine{Stream: streams[i].Name, ID: d.Article, Story: d.Founder, Decision: "join", Reason: d.Reason, Score: d.Score}
			if d.Founder == d.Article {
				l.Decision = "start"
			}
			if err := enc.Encode(l); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/app"
	"sheaf/cmd/internal/config"
	"sheaf/output"
	"sheaf/output/digest"
)

func digestCommand(g *global) *cobra.Command {
	var (
		format, name string
		since        time.Duration
		top          int
	)
	c := &cobra.Command{
		Use:   "digest",
		Short: "Write a press review of a period",
		Long: `Write a press review: the most independently covered stories of the period before the newest article, each with all its reports.
The order of clips is fixed: more independent reports first, then more outlets, then the older story.`,
		Args: cobra.NoArgs,
		RunE: g.reading(func(c *cobra.Command, r *app.Reader, conf *config.Config, _ []string) error {
			write, ok := map[string]func(digest.Review, io.Writer) error{
				"html": digest.Review.WriteHTML, "md": digest.Review.WriteMarkdown, "csv": digest.Review.WriteCSV, "json": digest.Review.WriteJSON,
			}[format]
			if !ok {
				return &codedError{fmt.Errorf("--format %s: use one of html, md, csv, json", format), exitUsage}
			}
			channel, err := channelNamed(conf, name)
			if err != nil {
				return err
			}
			channel.Top = top
			newest, err := r.Newest(c.Context())
			if err != nil {
				return err
			}
			to := newest.Add(time.Second)
			stories, err := r.Stories(c.Context(), to.Add(-since))
			if err != nil {
				return err
			}
			return write(digest.New(conf.Site(version), channel, stories, to.Add(-since), to), c.OutOrStdout())
		}),
	}
	g.configFlags(c)
	c.Flags().StringVar(&format, "format", "md", "`form`: html, md, csv or json")
	c.Flags().StringVar(&name, "channel", "", "`name` of the channel whose rules hold; without it the first")
	c.Flags().DurationVar(&since, "since", 24*time.Hour, "length of the `period`")
	completeFlag(c, "format", cobra.FixedCompletions([]string{"html", "md", "csv", "json"}, cobra.ShellCompDirectiveNoFileComp))
	completeFlag(c, "channel", g.completeChannels)
	c.Flags().IntVar(&top, "top", 10, "`number` of stories, at most")
	return c
}

// channelNamed finds a channel; an empty name means the first.
func channelNamed(conf *config.Config, name string) (output.Channel, error) {
	channels := conf.Output()
	for _, ch := range channels {
		if ch.Name == name || name == "" {
			return ch, nil
		}
	}
	return output.Channel{}, &codedError{fmt.Errorf("no channel is named %s", name), exitUsage}
}

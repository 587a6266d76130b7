package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// documentFormats are the forms a channel is published in.
var documentFormats = []string{"rss", "atom", "json"}

func channelCommand(g *global) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "channel NAME",
		Short: "Print a published channel",
		Args:  cobra.ExactArgs(1),

		ValidArgsFunction: g.completeChannels,
		RunE: func(c *cobra.Command, args []string) error {
			conf, err := g.load()
			if err != nil {
				return err
			}
			if !slices.Contains(documentFormats, format) {
				return &codedError{fmt.Errorf("--format %s: use one of %s", format, strings.Join(documentFormats, ", ")), exitUsage}
			}
			var names []string
			for _, ch := range conf.Channels {
				names = append(names, ch.Name)
			}
			if !slices.Contains(names, args[0]) {
				return &codedError{fmt.Errorf("no channel is named %s; there are %s", args[0], strings.Join(names, ", ")), exitUsage}
			}
			data, err := os.ReadFile(filepath.Join(conf.Publish.Dir, args[0]+"."+format))
			if err != nil {
				return fmt.Errorf("%w; has there been a sweep yet?", err)
			}
			_, err = c.OutOrStdout().Write(data)
			return err
		},
	}
	g.configFlags(c)
	c.Flags().StringVar(&format, "format", "atom", "`form` of the document: rss, atom or json")
	completeFlag(c, "format", cobra.FixedCompletions(documentFormats, cobra.ShellCompDirectiveNoFileComp))
	return c
}

package main

import (
	"slices"

	"github.com/spf13/cobra"
)

// Scripts for four shells come with cobra as `sheaf completion SHELL`. They ask the program itself for what may follow, so that names out of
// the configuration are offered, too. A configuration that cannot be read offers nothing: a shell is no place for its faults.

// completeChannels offers the names of the configured channels as the first argument, or as the value of an option.
func (g *global) completeChannels(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	conf, err := g.load()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []cobra.Completion
	for _, ch := range conf.Channels {
		names = append(names, cobra.CompletionWithDesc(ch.Name, ch.Title))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeFeeds offers the addresses of the configured feeds that were not named yet.
func (g *global) completeFeeds(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	conf, err := g.load()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var addresses []cobra.Completion
	for _, f := range conf.Feeds {
		if !slices.Contains(args, f.URL) {
			addresses = append(addresses, cobra.CompletionWithDesc(f.URL, f.Outlet))
		}
	}
	return addresses, cobra.ShellCompDirectiveNoFileComp
}

// completeFlag offers values for an option that c has.
func completeFlag(c *cobra.Command, name string, f cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(name, f); err != nil {
		panic(err) // no such option: a mistake in this program, met by every test
	}
}

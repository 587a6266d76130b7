package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/config"
)

func checkCommand(g *global) *cobra.Command {
	c := &cobra.Command{
		Use:   "check",
		Short: "Check the configuration and say what it means",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			conf, err := g.load()
			if g.json {
				return checkJSON(c, conf, err)
			}
			if err != nil || g.quiet {
				return err
			}
			for _, w := range conf.Warnings() {
				fmt.Fprintf(c.ErrOrStderr(), "warning: %s\n", w)
			}
			fmt.Fprintf(c.OutOrStdout(), "%s is good: %d feeds into %d channels, %s.\n", g.config, len(conf.Feeds), len(conf.Channels), "schedule "+conf.Schedule)
			fmt.Fprintf(c.OutOrStdout(), "State in %s, feeds published in %s as %s.\n", conf.State, conf.Publish.Dir, conf.Publish.BaseURL)
			return nil
		},
	}
	g.configFlags(c)
	c.Flags().BoolVar(&g.json, "json", false, "print the faults as JSON")
	c.Flags().BoolVarP(&g.quiet, "quiet", "q", false, "say nothing if all is well")
	return c
}

// checkJSON prints the faults, or what is better not left so, as one document and keeps the exit code.
func checkJSON(c *cobra.Command, conf *config.Config, err error) error {
	faults, warnings := []config.Fault{}, []string{}
	if conf != nil {
		warnings = append(warnings, conf.Warnings()...)
	}
	var e *config.Error
	if errors.As(err, &e) {
		faults = e.Faults
	}
	if failed := writeJSON(c.OutOrStdout(), map[string]any{"faults": faults, "warnings": warnings}); failed != nil {
		return failed
	}
	if err != nil {
		return &codedError{nil, exitConfig}
	}
	return nil
}

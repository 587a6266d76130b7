package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/manual"
)

func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages into a directory",
		Long:  "Write the manual pages into a directory, one for each command: sheaf.1, sheaf-once.1 and so on. `man -l DIR/sheaf.1` shows one.",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("write manual: %w", err)
			}
			for _, p := range manual.Pages(c.Root(), manual.Options{Version: version, Appendix: appendix()}) {
				if err := os.WriteFile(filepath.Join(args[0], p.Name), []byte(p.Text), 0o644); err != nil {
					return fmt.Errorf("write manual: %w", err)
				}
			}
			return nil
		},
	}
}

// appendix is what holds for the whole program.
func appendix() []manual.Section {
	code := func(n int, meaning string) manual.Term { return manual.Term{Word: fmt.Sprint(n), Meaning: meaning} }
	return []manual.Section{
		{Title: "EXIT STATUS", Terms: []manual.Term{
			code(0, "Done."),
			code(exitFailed, "Failed; what was stored stays stored."),
			code(exitUsage, "Wrong usage."),
			code(exitPartly, "Partly done: some feeds failed, the rest is published."),
			code(exitLocked, "Another instance holds the state directory: try later."),
			code(exitConfig, "The configuration is wrong; sheaf check says where."),
			code(exitInterrupted, "Interrupted."),
		}},
		{Title: "ENVIRONMENT", Terms: []manual.Term{
			{Word: "SHEAF_CONFIG, SHEAF_STATE, SHEAF_PUBLISH", Meaning: "Stand in for the options --config, --state and --publish."},
		}},
		{Title: "FILES", Terms: []manual.Term{
			{Word: "/etc/sheaf/config.yaml", Meaning: "The configuration of the installed service; every key is explained in it."},
			{Word: "/var/lib/sheaf", Meaning: "Its state."},
			{Word: "/var/cache/sheaf", Meaning: "What it publishes."},
		}},
	}
}

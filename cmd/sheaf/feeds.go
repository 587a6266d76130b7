package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/app"
	"sheaf/cmd/internal/config"
	"sheaf/feeds"
)

func feedsCommand(g *global) *cobra.Command {
	c := &cobra.Command{
		Use:   "feeds",
		Short: "List, add, remove and test the feeds that are polled",
		Long: `List, add, remove and test the feeds that are polled. What changes the configuration keeps its comments, order and layout; a running
daemon takes it up when it is started again.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(feedsListCommand(g), feedsAddCommand(g), feedsRemoveCommand(g), feedsTestCommand(g), feedsImportCommand(g), feedsExportCommand(g))
	return c
}

// jsonFlag adds the option for machines.
func (g *global) jsonFlag(c *cobra.Command) {
	c.Flags().BoolVar(&g.json, "json", false, "print one JSON document")
}

// feedAddress reads the address of a feed as people write it: a file by its path, a site without its scheme, or with the scheme feed.
func feedAddress(arg string) (string, error) {
	address := config.Unfeed(strings.TrimSpace(arg))
	if _, err := os.Stat(address); err == nil || filepath.IsAbs(address) || strings.HasPrefix(address, ".") {
		address = "file:" + address
	}
	host, _, _ := strings.Cut(address, "/")
	name, _, _ := strings.Cut(host, ":")
	if strings.Contains(name, ".") || name == "localhost" {
		address = "https://" + address
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	address, err = config.Address(address, dir)
	if err != nil {
		return "", &codedError{err, exitUsage}
	}
	return address, nil
}

// editConfig changes the configuration file; what is wrong with it, or would be, has its own exit code.
func (g *global) editConfig(change func(data []byte) ([]byte, error)) error {
	err := config.Edit(g.config, change)
	var faulty *config.Error
	if errors.As(err, &faulty) {
		return &codedError{err, exitConfig}
	}
	return err
}

// feedJSON is a configured feed as printed.
type feedJSON struct {
	ID       string `json:"id"`
	URL      string `json:"url"`
	Outlet   string `json:"outlet,omitempty"`
	Owner    string `json:"owner,omitempty"`
	Language string `json:"language,omitempty"`
}

func describeConfigured(r app.FeedReport) feedJSON {
	return feedJSON{ID: string(r.Feed.ID), URL: r.Feed.URL, Outlet: r.Feed.Outlet, Owner: r.Feed.Owner, Language: r.Feed.Lang}
}

// findingJSON is something an operator may want to know.
type findingJSON struct {
	Condition feeds.Condition `json:"condition"`
	Trouble   bool            `json:"trouble"`
	Message   string          `json:"message"`
	Advice    string          `json:"advice,omitempty"`
}

func describeFindings(findings []feeds.Finding) []findingJSON {
	out := make([]findingJSON, len(findings))
	for i, f := range findings {
		out[i] = findingJSON(f)
	}
	return out
}

// writeFinding prints a finding on one line.
func writeFinding(w io.Writer, f feeds.Finding) {
	fmt.Fprintf(w, "  %s: %s", f.Condition, f.Message)
	if f.Advice != "" {
		fmt.Fprintf(w, "; %s", f.Advice)
	}
	fmt.Fprintln(w)
}

// distance is a span between two instants in its largest unit, such as 5m, 3h or 2d.
func distance(d time.Duration) string {
	d = d.Abs()
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%dd", d/(24*time.Hour))
	case d >= 2*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d >= 2*time.Minute:
		return fmt.Sprintf("%dm", d/time.Minute)
	}
	return fmt.Sprintf("%ds", d/time.Second)
}

package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/app"
)

func feedsListCommand(g *global) *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List the configured feeds and how each is doing",
		Long:  "List the configured feeds: when each was last read, when it is due, and what is wrong with it. Works beside a running daemon.",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			conf, err := g.load()
			if err != nil {
				return err
			}
			now := time.Now()
			reports, err := app.Feeds(c.Context(), conf, now)
			if err != nil {
				return err
			}
			if g.json {
				return writeJSON(c.OutOrStdout(), map[string]any{"feeds": listedFeeds(reports)})
			}
			return writeFeeds(c.OutOrStdout(), reports, now)
		},
	}
	g.configFlags(c)
	g.jsonFlag(c)
	return c
}

// listedFeed is one feed of `sheaf feeds list --json`.
type listedFeed struct {
	feedJSON
	Title     string        `json:"title,omitempty"`
	Site      string        `json:"site,omitempty"`
	Condition string        `json:"condition"` // well, never polled, or that of the first finding
	Polled    string        `json:"polled,omitempty"`
	Succeeded string        `json:"succeeded,omitempty"`
	Next      string        `json:"next,omitempty"`
	Status    int           `json:"status,omitempty"`
	Failures  int           `json:"failures"`
	Error     string        `json:"error,omitempty"`
	Hub       *hubJSON      `json:"hub,omitempty"` // that announces its news, or was asked to
	Findings  []findingJSON `json:"findings"`
}

// hubJSON is what a hub does for a feed.
type hubJSON struct {
	URL   string `json:"url"`
	Until string `json:"until,omitempty"` // end of its lease
	Heard string `json:"heard,omitempty"` // last announcement that was true
	Error string `json:"error,omitempty"`
}

func describeHub(r app.FeedReport) *hubJSON {
	if r.Lease.Hub == "" {
		return nil
	}
	return &hubJSON{URL: r.Lease.Hub, Until: instant(r.Lease.Live.Until), Heard: instant(r.State.Announced.Heard), Error: r.Lease.Error}
}

func listedFeeds(reports []app.FeedReport) []listedFeed {
	listed := make([]listedFeed, len(reports))
	for i, r := range reports {
		s := &r.State
		listed[i] = listedFeed{
			feedJSON: describeConfigured(r), Title: s.Title, Site: s.Site, Condition: condition(r),
			Polled: instant(s.Polled), Succeeded: instant(s.Succeeded), Next: instant(s.Next),
			Status: s.Status, Failures: s.Failures, Error: s.Error, Hub: describeHub(r), Findings: describeFindings(r.Health),
		}
	}
	return listed
}

// condition is one word on a feed.
func condition(r app.FeedReport) string {
	switch {
	case len(r.Health) > 0:
		return string(r.Health[0].Condition)
	case r.State.Polled.IsZero():
		return "never polled"
	}
	return "well"
}

// writeFeeds prints a table, and below it what can be done about feeds that are not well.
func writeFeeds(w io.Writer, reports []app.FeedReport, now time.Time) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tOUTLET\tREAD\tNEXT\tFAILURES\tHEALTH\tADDRESS")
	for _, r := range reports {
		read, next := "never", "now"
		if at := r.State.Succeeded; !at.IsZero() {
			read = distance(now.Sub(at)) + " ago"
		}
		if at := r.State.Next; at.After(now) {
			next = "in " + distance(at.Sub(now))
		}
		fmt.Fprintf(table, "%.8s\t%s\t%s\t%s\t%d\t%s\t%s\n", r.Feed.ID, short(r.Name(), 32), read, next, r.State.Failures, condition(r), r.Feed.URL)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, r := range reports {
		if len(r.Health) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(r.Name()+" "+r.Feed.URL))
		for _, f := range r.Health {
			writeFinding(w, f)
		}
	}
	return nil
}

// short cuts text to at most n characters.
func short(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	if s == "" {
		return "-"
	}
	return s
}

package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sheaf"
	"sheaf/cmd/internal/app"
	"sheaf/cmd/internal/config"
	"sheaf/feeds"
)

func feedsAddCommand(g *global) *cobra.Command {
	var entry config.Entry
	c := &cobra.Command{
		Use:   "add ADDRESS",
		Short: "Find the feed at an address and add it to the configuration",
		Long: `Find the feed at an address and add it to the configuration. One request is made; where the address is a web page, one more, for the
best of the feeds the page names. Nothing is asked of you, and nothing but the list of feeds in the file is changed.`,
		Example: "  sheaf feeds add https://example.org/feed.xml --outlet 'Example News'\n  sheaf feeds add example.org",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return g.addFeed(c, entry, args[0])
		},
	}
	g.configFlags(c)
	g.jsonFlag(c)
	c.Flags().StringVar(&entry.Outlet, "outlet", "", "`name` to credit, instead of the feed's own title")
	c.Flags().StringVar(&entry.Owner, "owner", "", "family of outlets it belongs to")
	c.Flags().StringVar(&entry.Language, "language", "", "`tag` of its language, if the feed does not say or lies")
	return c
}

func (g *global) addFeed(c *cobra.Command, entry config.Entry, arg string) error {
	address, err := feedAddress(arg)
	if err != nil {
		return err
	}
	conf, err := g.load()
	if err != nil {
		return err
	}
	if f, ok := conf.Find(address); ok {
		return fmt.Errorf("%s is configured already", f.URL)
	}
	scout, err := app.NewScout(conf, version)
	if err != nil {
		return err
	}
	defer scout.Close()
	d := scout.Look(c.Context(), address, false)
	if d.Err != nil {
		return notFound(d)
	}
	if f, ok := conf.Find(d.Feed); ok {
		return fmt.Errorf("%s leads to %s, which is configured already", arg, f.URL)
	}
	entry.URL = d.Feed
	err = g.editConfig(func(data []byte) ([]byte, error) { return config.AddFeeds(g.config, data, []config.Entry{entry}) })
	if err != nil {
		return err
	}
	if g.json {
		return writeJSON(c.OutOrStdout(), map[string]any{"added": entryJSON(entry), "found": describeDiscovery(d, time.Now())})
	}
	return writeAdded(c.OutOrStdout(), g.config, entry, d)
}

// notFound tells why there is no feed at an address, and what could be tried.
func notFound(d app.Discovery) error {
	var fe *feeds.FetchError
	if errors.As(d.Err, &fe) && fe.Code == feeds.FetchHTML && len(d.Named) == 0 && len(d.Tried) == 0 {
		return fmt.Errorf("%w; the page names no feed: `sheaf feeds test %s` tries the usual addresses", d.Err, d.Asked)
	}
	return d.Err
}

func entryJSON(e config.Entry) feedJSON {
	return feedJSON{ID: string(sheaf.NewFeedID(e.URL)), URL: e.URL, Outlet: e.Outlet, Owner: e.Owner, Language: e.Language}
}

func writeAdded(w io.Writer, file string, e config.Entry, d app.Discovery) error {
	fmt.Fprintf(w, "Added %s to %s.\n", e.URL, file)
	writeFound(w, d, time.Now())
	credit := e.Outlet
	if credit == "" {
		credit = d.Found.Title
	}
	if credit != "" {
		fmt.Fprintf(w, "  credited as %s\n", credit)
	}
	return writeOthers(w, d)
}

func feedsRemoveCommand(g *global) *cobra.Command {
	c := &cobra.Command{
		Use:   "remove ADDRESS|OUTLET|ID...",
		Short: "Remove feeds from the configuration",
		Long: `Remove feeds from the configuration: by address, by id or its beginning, or all of an outlet by its name. Articles already read stay
until they expire.`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: g.completeFeeds,
		RunE: func(c *cobra.Command, args []string) error {
			return g.removeFeeds(c, args)
		},
	}
	g.configFlags(c)
	g.jsonFlag(c)
	return c
}

func (g *global) removeFeeds(c *cobra.Command, args []string) error {
	conf, err := g.load()
	if err != nil {
		return err
	}
	reports, err := app.Feeds(c.Context(), conf, time.Now())
	if err != nil {
		return err
	}
	var gone []app.FeedReport
	for _, arg := range args {
		found, err := matching(reports, arg)
		if err != nil {
			return err
		}
		gone = append(gone, found...)
	}
	removed := make([]feedJSON, 0, len(gone))
	var addresses []string
	seen := map[string]bool{}
	for _, r := range gone {
		if !seen[r.Feed.URL] {
			seen[r.Feed.URL] = true
			addresses = append(addresses, r.Feed.URL)
			removed = append(removed, describeConfigured(r))
		}
	}
	err = g.editConfig(func(data []byte) ([]byte, error) { return config.RemoveFeeds(g.config, data, addresses) })
	if err != nil {
		return err
	}
	if g.json {
		return writeJSON(c.OutOrStdout(), map[string]any{"removed": removed})
	}
	for _, f := range removed {
		fmt.Fprintf(c.OutOrStdout(), "Removed %s from %s.\n", strings.TrimSpace(f.Outlet+" "+f.URL), g.config)
	}
	return nil
}

// shortestID is how much of an id is enough to name a feed, if it is the only one.
const shortestID = 4

// matching finds the feeds that an argument means: the one at an address, else all of an outlet, else the one of an id.
func matching(reports []app.FeedReport, arg string) ([]app.FeedReport, error) {
	address, err := feedAddress(arg)
	key := config.AddressKey(address)
	var exact, byID, byOutlet []app.FeedReport
	for _, r := range reports {
		switch {
		case arg == r.Feed.URL, err == nil && key == config.AddressKey(r.Feed.URL):
			exact = append(exact, r)
		case len(arg) >= shortestID && strings.HasPrefix(string(r.Feed.ID), arg):
			byID = append(byID, r)
		case r.Name() != "" && sheaf.Outlet{Name: arg}.ID() == sheaf.Outlet{Name: r.Name()}.ID():
			byOutlet = append(byOutlet, r)
		}
	}
	switch {
	case len(exact) > 0:
		return exact, nil
	case len(byOutlet) > 0:
		return byOutlet, nil
	case len(byID) == 1:
		return byID, nil
	case len(byID) > 1:
		return nil, fmt.Errorf("%s begins the ids of %d feeds; give more of it", arg, len(byID))
	}
	return nil, fmt.Errorf("no configured feed has the address, outlet or id %s; `sheaf feeds list` shows them", arg)
}

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sheaf"
	"sheaf/cmd/internal/app"
	"sheaf/cmd/internal/config"
	"sheaf/feeds"
)

func feedsTestCommand(g *global) *cobra.Command {
	c := &cobra.Command{
		Use:   "test ADDRESS|FILE",
		Short: "Find the feed at an address and show what would be read",
		Long: `Find the feed at an address and show what would be read. Where the address is a web page, the feeds it names are listed and the best of
them is read; where it names none, the usual addresses on its host are tried. Nothing is stored or changed.

Exit codes: 0 a feed was found; 1 none; 2 wrong usage; 78 the configuration is wrong.`,
		Example: "  sheaf feeds test example.org\n  sheaf feeds test ./feed.xml",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return g.testFeed(c, args[0])
		},
	}
	g.configFlags(c)
	g.jsonFlag(c)
	return c
}

func (g *global) testFeed(c *cobra.Command, arg string) error {
	address, err := feedAddress(arg)
	if err != nil {
		return err
	}
	conf, err := g.loadIfThere(c)
	if err != nil {
		return err
	}
	scout, err := app.NewScout(conf, version)
	if err != nil {
		return err
	}
	defer scout.Close()
	d, now := scout.Look(c.Context(), address, true), time.Now()
	if err := c.Context().Err(); err != nil {
		return err
	}
	if g.json {
		if err := writeJSON(c.OutOrStdout(), describeDiscovery(d, now)); err != nil {
			return err
		}
		if d.Err != nil {
			return &codedError{nil, exitFailed}
		}
		return nil
	}
	return writeDiscovery(c.OutOrStdout(), d, now)
}

// loadIfThere reads the configuration for its manners. Without a file, and without an option that names one, the defaults do.
func (g *global) loadIfThere(c *cobra.Command) (*config.Config, error) {
	if _, err := os.Stat(g.config); errors.Is(err, fs.ErrNotExist) && !c.Flags().Changed("config") {
		return config.Parse(g.config, nil, config.Overrides{})
	}
	return g.load()
}

// discoveryJSON is the document of `sheaf feeds test --json`.
type discoveryJSON struct {
	Asked     string            `json:"asked"`
	Feed      string            `json:"feed,omitempty"` // the address to configure
	Error     string            `json:"error,omitempty"`
	Code      string            `json:"code,omitempty"`
	Title     string            `json:"title,omitempty"`
	Site      string            `json:"site,omitempty"`
	Language  string            `json:"language,omitempty"`
	Format    string            `json:"format,omitempty"`
	Encoding  string            `json:"encoding,omitempty"`
	Articles  int               `json:"articles"`
	Newest    string            `json:"newest,omitempty"`
	Oldest    string            `json:"oldest,omitempty"`
	Truncated bool              `json:"truncated,omitempty"`
	Capable   bool              `json:"capable"` // unchanged documents need not be sent again
	Notes     []feeds.Note      `json:"notes"`
	Problems  []findingJSON     `json:"problems"`
	Named     []feeds.Alternate `json:"named"` // feeds the page names
	Tried     []attemptJSON     `json:"tried"`
	Requests  int               `json:"requests"`
}

type attemptJSON struct {
	URL   string `json:"url"`
	Error string `json:"error,omitempty"`
}

func describeDiscovery(d app.Discovery, now time.Time) discoveryJSON {
	newest, oldest := span(d.Found.Articles)
	j := discoveryJSON{
		Asked: d.Asked, Feed: d.Feed, Title: d.Found.Title, Site: d.Found.Site, Language: d.Found.Lang, Format: d.Found.Format, Encoding: d.Found.Encoding,
		Articles: len(d.Found.Articles), Newest: instant(newest), Oldest: instant(oldest), Truncated: d.Found.Truncated, Capable: d.Found.Capable,
		Notes: append([]feeds.Note{}, d.Found.Notes...), Problems: describeFindings(problems(d, now)),
		Named: append([]feeds.Alternate{}, d.Named...), Tried: []attemptJSON{}, Requests: d.Requests,
	}
	for _, a := range d.Tried {
		t := attemptJSON{URL: a.URL}
		if a.Err != nil {
			t.Error = a.Err.Error()
		}
		j.Tried = append(j.Tried, t)
	}
	if d.Err != nil {
		j.Error = d.Err.Error()
		var fe *feeds.FetchError
		if errors.As(d.Err, &fe) {
			j.Code = string(fe.Code)
		}
	}
	return j
}

// span is the newest and the oldest time that articles claim; zero if none does.
func span(articles []sheaf.Article) (newest, oldest time.Time) {
	for i := range articles {
		at := articles[i].Published
		if at.IsZero() {
			continue
		}
		if newest.IsZero() || at.After(newest) {
			newest = at
		}
		if oldest.IsZero() || at.Before(oldest) {
			oldest = at
		}
	}
	return newest, oldest
}

// problems are what a first look shows, with advice.
func problems(d app.Discovery, now time.Time) []feeds.Finding {
	if d.Err != nil {
		return nil
	}
	var found []feeds.Finding
	q := feeds.Quality{Items: len(d.Found.Articles)}
	for i := range d.Found.Articles {
		switch at := d.Found.Articles[i].Published; {
		case at.IsZero():
			q.Undated++
		case at.After(now.Add(time.Hour)):
			q.Future++
		case at.After(q.Newest):
			q.Newest = at
		}
	}
	if q.Items == 0 {
		found = append(found, feeds.Finding{Condition: "empty", Trouble: true, Message: "there are no articles in it", Advice: "look whether the outlet has another feed"})
	}
	if d.Found.Truncated {
		found = append(found, feeds.Finding{Condition: "truncated", Message: "the end of the document was missing", Advice: "what was complete is read; tell the outlet if it stays so"})
	}
	if d.Found.Moved {
		found = append(found, feeds.Finding{Condition: feeds.ConditionMoved, Message: "has moved to " + d.Found.URL, Advice: "configure that address"})
	}
	found = append(found, feeds.Health(feeds.State{Quality: q}, now)...)
	if !d.Found.Capable && !strings.HasPrefix(d.Feed, "file:") {
		found = append(found, feeds.Finding{Condition: feeds.ConditionWasteful, Message: "the server sends neither ETag nor Last-Modified", Advice: "it is polled less often, since every answer is the whole document"})
	}
	return found
}

// shown is how many articles a look prints.
const shown = 5

// writeDiscovery prints a look for people. Its error says that there is no feed.
func writeDiscovery(w io.Writer, d app.Discovery, now time.Time) error {
	for _, a := range d.Tried {
		if a.Err != nil {
			fmt.Fprintf(w, "%s: no feed\n", a.URL)
		}
	}
	if d.Err != nil {
		return errors.Join(writeOthers(w, d), d.Err)
	}
	fmt.Fprintln(w, d.Feed)
	writeFound(w, d, now)
	for _, n := range d.Found.Notes {
		fmt.Fprintf(w, "  mended: %s, %d\n", n.Code, n.Count)
	}
	for _, f := range problems(d, now) {
		writeFinding(w, f)
	}
	articles := slices.Clone(d.Found.Articles)
	slices.SortStableFunc(articles, func(a, b sheaf.Article) int { return b.Time().Compare(a.Time()) })
	for _, a := range articles[:min(shown, len(articles))] {
		fmt.Fprintf(w, "  %s  %s\n", cmp.Or(instant(a.Published), "no date             "), a.Title)
	}
	return writeOthers(w, d)
}

// writeFound prints what a feed is and holds.
func writeFound(w io.Writer, d app.Discovery, now time.Time) {
	parts := []string{cmp.Or(d.Found.Title, "no title")}
	if d.Found.Format != "" {
		parts = append(parts, strings.TrimSpace(d.Found.Format+" "+d.Found.Encoding))
	}
	if d.Found.Lang != "" {
		parts = append(parts, d.Found.Lang)
	}
	fmt.Fprintf(w, "  %s\n  %d articles", strings.Join(parts, ", "), len(d.Found.Articles))
	if newest, oldest := span(d.Found.Articles); !newest.IsZero() {
		age := distance(now.Sub(newest)) + " ago"
		if newest.After(now) {
			age = "in the future"
		}
		fmt.Fprintf(w, ", newest %s (%s), oldest %s", instant(newest), age, instant(oldest))
	}
	fmt.Fprintln(w)
}

// writeOthers lists the feeds a page names beside the one that was read.
func writeOthers(w io.Writer, d app.Discovery) error {
	var b strings.Builder
	for _, a := range d.Named {
		if a.URL != d.Feed {
			fmt.Fprintf(&b, "  %s  %s\n", a.URL, a.Title)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "The page names these feeds, too:\n%s", b.String())
	return err
}

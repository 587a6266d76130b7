package app

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"sheaf"
	"sheaf/cmd/internal/config"
	"sheaf/feeds"
)

// Scout looks at addresses that need not be configured. It keeps nothing and is for one person's questions, not for loops.
type Scout struct {
	poller *feeds.Poller
	known  map[sheaf.FeedID]sheaf.Feed
	gap    time.Duration
}

// usualGap is the time between two requests to one host if none is configured.
const usualGap = time.Second

// NewScout gives a Scout with the manners of a configuration, log-ins of configured feeds included.
func NewScout(c *config.Config, version string) (*Scout, error) {
	o := c.Polling(version)
	p, err := feeds.NewPoller(nil, o) // looking stores nothing
	if err != nil {
		return nil, err
	}
	s := &Scout{poller: p, known: map[sheaf.FeedID]sheaf.Feed{}, gap: cmp.Or(o.HostGap, usualGap)}
	for _, f := range c.Polled() {
		s.known[f.ID] = f
	}
	return s, nil
}

// Close closes the connections.
func (s *Scout) Close() { s.poller.Close() }

// Discovery is what a look at an address has found.
type Discovery struct {
	Asked    string            // the address looked at
	Feed     string            // address of the feed found, fit to be configured; empty: none was found
	Found    feeds.Probed      // what is in it; without a feed, what is known of the page
	Named    []feeds.Alternate // with a web page: the feeds it names, the best first
	Tried    []Attempt         // common addresses asked because the page names no feed
	Requests int               // made, redirects not counted
	Err      error             // why there is no feed
}

// Attempt is one address tried.
type Attempt struct {
	URL string
	Err error // nil: a feed
}

// commonPaths are where feeds lie on sites that do not say so, the commonest first.
var commonPaths = []string{"/feed", "/rss", "/rss.xml", "/atom.xml", "/feed.xml", "/index.xml", "/feed.json"}

// Look asks for an address. If a web page is there, it goes on to the best of the feeds the page names. If the page names none and guess
// is set, the common addresses on its host are asked one after the other, with the pause that is due between two requests to a host,
// until one is a feed or the host refuses. The page is asked for once.
func (s *Scout) Look(ctx context.Context, address string, guess bool) Discovery {
	d := Discovery{Asked: address}
	page := s.probe(ctx, address, &d)
	if !isPage(d.Err) {
		return d
	}
	d.Named = ranked(page.Alternates)
	switch {
	case len(d.Named) > 0:
		next := d.Named[0].URL
		if err := trusted(next, address); err != nil {
			d.Err = err
			return d
		}
		s.probe(ctx, next, &d)
	case guess:
		s.guess(ctx, page.URL, &d)
	}
	return d
}

// probe makes one request and takes down what came of it.
func (s *Scout) probe(ctx context.Context, address string, d *Discovery) feeds.Probed {
	feed, ok := s.known[sheaf.NewFeedID(address)]
	if !ok {
		feed = sheaf.Feed{ID: sheaf.NewFeedID(address), URL: address}
	}
	d.Requests++
	d.Found, d.Err = s.poller.Probe(ctx, feed)
	if d.Err == nil {
		d.Feed = address
		if d.Found.Moved {
			d.Feed = d.Found.URL
		}
	}
	return d.Found
}

// guess asks the common addresses on the host of a page.
func (s *Scout) guess(ctx context.Context, page string, d *Discovery) {
	base, err := url.Parse(page)
	if err != nil || trusted(page, d.Asked) != nil {
		return
	}
	none := d.Err
	for _, path := range commonPaths {
		if !pause(ctx, s.gap) {
			d.Err = context.Cause(ctx)
			return
		}
		address := (&url.URL{Scheme: base.Scheme, Host: base.Host, Path: path}).String()
		s.probe(ctx, address, d)
		d.Tried = append(d.Tried, Attempt{address, d.Err})
		if d.Err == nil {
			return
		}
		if !goesOn(d.Err) {
			break
		}
	}
	d.Err = none
}

// goesOn reports whether a failure says nothing about the other addresses of the host.
func goesOn(err error) bool {
	var fe *feeds.FetchError
	if !errors.As(err, &fe) {
		return true // a document that is no feed
	}
	switch fe.Code {
	case feeds.FetchMissing, feeds.FetchGone, feeds.FetchHTML, feeds.FetchEmpty, feeds.FetchRedirect, feeds.FetchStatus:
		return true
	}
	return false
}

// isPage reports whether a web page came.
func isPage(err error) bool {
	var fe *feeds.FetchError
	return errors.As(err, &fe) && fe.Code == feeds.FetchHTML
}

// ranked puts the feeds of a page into order: in that of the page, those of comments last.
func ranked(named []feeds.Alternate) []feeds.Alternate {
	named = slices.Clone(named)
	slices.SortStableFunc(named, func(a, b feeds.Alternate) int { return cmp.Compare(ofComments(a), ofComments(b)) })
	return named
}

func ofComments(a feeds.Alternate) int {
	if strings.Contains(strings.ToLower(a.Title+" "+a.URL), "comment") {
		return 1
	}
	return 0
}

// trusted refuses an address that a page gives and that would be allowed only if the operator had written it: a private host, a port of
// its own. What the operator has written is asked.
func trusted(address, asked string) error {
	u, err := url.Parse(address)
	if err != nil {
		return &feeds.FetchError{URL: feeds.Redact(address), Code: feeds.FetchAddress, Err: errors.New("not an address")}
	}
	if own, err := url.Parse(asked); err == nil && own.Host == u.Host {
		return nil
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return &feeds.FetchError{URL: feeds.Redact(address), Code: feeds.FetchAddress, Err: errors.New("the page names an address that is not followed")}
	}
	if config.IsLocal(address) || u.Port() != "" {
		return &feeds.FetchError{
			URL: feeds.Redact(address), Code: feeds.FetchPrivate, Err: errors.New("the page names an address that may be private"),
			Advice: "give that address itself if you trust it",
		}
	}
	return nil
}

// pause waits, and reports whether ctx goes on.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

package web

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"time"

	"sheaf"
)

// outletsPage is what outlets.html shows.
type outletsPage struct {
	*frame
	Trouble []feedLine // feeds that bring no news
	Flawed  []feedLine // feeds that could do better
	Well    []feedLine // all others
	Feeds   int
}

// feedLine is a feed with where its outlet's stories are.
type feedLine struct {
	Feed
	Name string // the outlet, else the host
	Page string // empty: no story yet
}

// outlets answers with how the polled feeds are.
func (p *pages) outlets(ctx context.Context, t target) (*answer, error) {
	if p.Desk == nil {
		return nil, nil
	}
	f, err := p.frame(ctx, "/outlets")
	if err != nil {
		return nil, err
	}
	feeds, err := p.Desk.Feeds(ctx)
	if err != nil {
		return nil, err
	}
	if t.data {
		return data(struct {
			Feeds []Feed `json:"feeds"`
		}{feeds})
	}
	outlets := make([]sheaf.OutletID, len(feeds))
	for i, feed := range feeds {
		outlets[i] = sheaf.Outlet{Name: feed.Outlet}.ID()
	}
	known, err := p.Stories.Reporting(ctx, outlets)
	if err != nil {
		return nil, err
	}
	f.Title, f.Data, f.Canonical = "Outlets", f.To("/outlets/data.json"), p.full("/outlets")
	page := &outletsPage{frame: f, Feeds: len(feeds)}
	for i, feed := range feeds {
		l := feedLine{Feed: feed, Name: cmp.Or(feed.Outlet, hostOf(feed.URL))}
		if known[outlets[i]] {
			l.Page = f.toPage(outletPath(outlets[i]))
		}
		switch {
		case slices.ContainsFunc(feed.Findings, func(x Finding) bool { return x.Trouble }):
			page.Trouble = append(page.Trouble, l)
		case len(feed.Findings) > 0:
			page.Flawed = append(page.Flawed, l)
		default:
			page.Well = append(page.Well, l)
		}
	}
	return rendered("outlets.html", page)
}

// hostOf is the server of an address, or the address where it has none.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Host
}

// statusJSON is the state of the program in numbers, for programs.
type statusJSON struct {
	Title    string    `json:"title"`
	Version  string    `json:"version,omitzero"`
	Updated  time.Time `json:"updated,omitzero"` // last poll
	Newest   time.Time `json:"newest,omitzero"`  // report
	Feeds    int       `json:"feeds"`
	Failing  int       `json:"failing"` // feeds that bring no news
	Articles int       `json:"articles"`
	Stories  int       `json:"stories"`
	Channels []string  `json:"channels"`
}

// status answers with counts.
func (p *pages) status(ctx context.Context) (*answer, error) {
	f, err := p.frame(ctx, "/status.json")
	if err != nil || p.Desk == nil {
		return nil, err
	}
	j := statusJSON{Title: f.Site, Version: p.Site.Version, Updated: f.Updated, Newest: f.Newest, Channels: []string{}}
	if j.Articles, j.Stories, err = p.Desk.Totals(ctx); err != nil {
		return nil, err
	}
	feeds, err := p.Desk.Feeds(ctx)
	if err != nil {
		return nil, err
	}
	j.Feeds = len(feeds)
	for _, feed := range feeds {
		if slices.ContainsFunc(feed.Findings, func(x Finding) bool { return x.Trouble }) {
			j.Failing++
		}
	}
	for _, c := range p.Channels {
		j.Channels = append(j.Channels, c.Name)
	}
	return data(j)
}

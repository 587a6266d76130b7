package app

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"

	"sheaf/cmd/internal/config"
	"sheaf/cmd/internal/store"
	"sheaf/output"
	"sheaf/output/opml"
	"sheaf/output/web"
)

// pages are the pages and the documents of the channels of a setup.
func (a *App) pages(s setup) (http.Handler, error) {
	o, err := pageOptions(s.config, a.store, s.site, a.now)
	if err != nil {
		return nil, err
	}
	o.Edit, o.Icons = a.editing(s), a.icons
	o.Channels = s.channels
	o.Fail = func(err error) { a.log.Error("answer failed", "err", err) }
	handler, err := web.Handler(o)
	if err != nil {
		return nil, fmt.Errorf("set up pages: %w", err)
	}
	return handler, nil
}

// pageOptions says what the pages of an installation are made from.
func pageOptions(c *config.Config, s store.Store, site output.Site, now func() time.Time) (web.Options, error) {
	channels := c.Output()
	o := web.Options{Dir: c.Publish.Dir, Site: site, Channels: channels, Stories: s, Desk: &desk{c, s, now}, Now: now}
	if len(channels) > 0 {
		o.Snippets = channels[0].Snippets
	}
	list, err := feedList(c)
	o.Files = []output.File{list}
	return o, err
}

// feedList is the list of the polled feeds that may be told to anybody, as OPML.
func feedList(c *config.Config) (output.File, error) {
	var b bytes.Buffer
	err := opml.Write(&b, c.Publish.Title+": feeds", c.Open())
	return output.File{Name: "feeds.opml", Type: "text/x-opml", Data: b.Bytes()}, err
}

// PublishSite writes the pages of an installation as files into a folder, for a host that only serves files, and says how many changed.
func (r *Reader) PublishSite(ctx context.Context, c *config.Config, version, dir string) (int, error) {
	o, err := pageOptions(c, r.store, c.Site(version), time.Now)
	if err != nil {
		return 0, err
	}
	return output.PublishTree(dir, web.Export(ctx, o))
}

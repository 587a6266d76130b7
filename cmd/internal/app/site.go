package app

import (
	"bytes"
	"fmt"
	"net/http"

	"sheaf/output"
	"sheaf/output/opml"
	"sheaf/output/web"
)

// pages is everything the public address answers.
func (a *App) pages() (http.Handler, error) {
	list, err := a.feedList()
	if err != nil {
		return nil, err
	}
	handler, err := web.Handler(web.Options{
		Dir: a.config.Publish.Dir, Site: a.site, Channels: a.channels, Stories: a.store, Files: []output.File{list},
		Fail: func(err error) { a.log.Error("answer failed", "err", err) },
	})
	if err != nil {
		return nil, fmt.Errorf("set up pages: %w", err)
	}
	return handler, nil
}

// feedList is the list of the polled feeds that may be told to anybody, as OPML.
func (a *App) feedList() (output.File, error) {
	var b bytes.Buffer
	err := opml.Write(&b, a.config.Publish.Title+": feeds", a.config.Open())
	return output.File{Name: "feeds.opml", Type: "text/x-opml", Data: b.Bytes()}, err
}

package config

import (
	"strings"

	"sheaf/output/opml"
)

// List gives the configured feeds in their order, each in the folder of its outlet.
func (c *Config) List() []opml.Feed {
	list := make([]opml.Feed, len(c.Feeds))
	for i := range c.Feeds {
		list[i] = c.Feeds[i].entry()
	}
	return list
}

// Open gives those of the configured feeds that anybody can poll: what is on this machine is left out, and what asks for a log-in or has
// parameters in its address, since one may be a key.
func (c *Config) Open() []opml.Feed {
	var list []opml.Feed
	for i := range c.Feeds {
		f := &c.Feeds[i]
		if f.Authorization.Reveal() == "" && !strings.Contains(f.URL, "?") && !IsLocal(f.URL) {
			list = append(list, f.entry())
		}
	}
	return list
}

func (f *Feed) entry() opml.Feed {
	e := opml.Feed{Title: f.Outlet, URL: f.URL}
	if f.Outlet != "" {
		e.Folder = []string{f.Outlet}
	}
	return e
}

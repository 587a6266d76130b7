package app

import (
	"fmt"
	"log/slog"
	"net/http"

	"sheaf/cmd/internal/config"
	"sheaf/cmd/internal/schedule"
	"sheaf/feeds"
	"sheaf/output"
)

// setup is what a configuration comes to. It is made as a whole and does not change; a reload puts another in its place.
type setup struct {
	config   *config.Config
	channels []output.Channel
	site     output.Site
}

func newSetup(c *config.Config, version string) setup {
	return setup{config: c, channels: c.Output(), site: c.Site(version)}
}

// renewal is a configuration read anew, with all that can be wrong with it tried.
type renewal struct {
	setup
	schedule schedule.Schedule
	pages    http.Handler
}

// renew tries a configuration without using it. The keys that hold from start to end are kept as they are, with a warning if they differ.
func (a *App) renew(c *config.Config, present *config.Config) (*renewal, error) {
	keepFixed(c, present, a.log)
	r := &renewal{setup: newSetup(c, a.o.Version)}
	var err error
	if r.schedule, err = schedule.Parse(c.Schedule, c.Zone); err != nil {
		return nil, err
	}
	if _, err := c.Dedupe(); err != nil {
		return nil, err
	}
	trial, err := feeds.NewPoller(a.store, a.polling(c))
	if err != nil {
		return nil, err
	}
	trial.Close()
	if r.pages, err = a.public(r.setup); err != nil {
		return nil, err
	}
	return r, nil
}

// keepFixed puts the keys that cannot change in a running process back to what they are.
func keepFixed(c, present *config.Config, log *slog.Logger) {
	for _, key := range []struct {
		name         string
		next, before *string
	}{
		{"state", &c.State, &present.State},
		{"publish.dir", &c.Publish.Dir, &present.Publish.Dir},
		{"listen", &c.Listen, &present.Listen},
		{"admin.listen", &c.Admin.Listen, &present.Admin.Listen},
		{"log", &c.Log, &present.Log},
		{"websub.callback", &c.WebSub.Callback, &present.WebSub.Callback},
	} {
		if *key.next != *key.before {
			log.Warn("changed key needs a restart", "key", key.name, "now", *key.before, "then", *key.next)
			*key.next = *key.before
		}
	}
}

// adopt takes over the setup that a reload has left, between two sweeps. It is called by the goroutine that sweeps.
func (a *App) adopt() error {
	r := a.renewal.Swap(nil)
	if r == nil {
		return nil
	}
	if err := a.poller.Reconfigure(a.polling(r.config)); err != nil {
		return fmt.Errorf("take over the new configuration: %w", err)
	}
	a.setup = r.setup
	a.forget()
	return nil
}

// forget drops what is remembered between sweeps to save work; it is all in the store.
func (a *App) forget() {
	a.grouper = nil
	a.caches, a.looked = map[string]*output.Cache{}, map[string]bool{}
}

package app

import (
	"context"
	"errors"

	"sheaf/cmd/internal/config"
)

// reloads reads the configuration again at every hangup, until ctx ends.
func (d *daemon) reloads(ctx context.Context) {
	for {
		select {
		case <-d.Hangup:
			d.reload()
		case <-ctx.Done():
			return
		}
	}
}

// reload takes over the configuration as it is now. One with a fault changes nothing (B60).
func (d *daemon) reload() {
	d.Manager.Reloading()
	defer d.Manager.Ready()
	next, err := d.load()
	d.metrics.Reloaded(err == nil, channelNames(next), d.now())
	if err != nil {
		d.log.Error("configuration not taken over; the one before stays in force", "faults", faultsOf(err))
		d.Manager.Status("the changed configuration has faults; the one before stays in force")
		return
	}
	d.present = next.config
	d.renewal.Store(next)
	d.use(next.pages, next.config)
	d.loop.Reschedule(next.schedule)
	d.loop.Wake()
	d.log.Info("configuration taken over", "feeds", len(next.config.Feeds), "channels", len(next.channels))
}

// load reads the configuration and tries all that can be wrong with it.
func (d *daemon) load() (*renewal, error) {
	if d.Load == nil {
		return nil, errors.New("there is no file to read it from")
	}
	c, err := d.Load()
	if err != nil {
		return nil, err
	}
	return d.renew(c, d.present)
}

// faultsOf lists what is wrong, one by one.
func faultsOf(err error) []string {
	var faulty *config.Error
	if !errors.As(err, &faulty) {
		return []string{err.Error()}
	}
	var all []string
	for _, f := range faulty.Faults {
		all = append(all, f.String())
	}
	return all
}

func channelNames(r *renewal) []string {
	if r == nil {
		return nil
	}
	var names []string
	for _, c := range r.channels {
		names = append(names, c.Name)
	}
	return names
}

package app

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"sheaf/cmd/internal/store"
	"sheaf/feeds"
	"sheaf/output"
)

// topShown is how many stories a report names.
const topShown = 8

// Sweep does one run of everything: poll what is due, group what is new, publish what changed. A feed that fails is in the report and
// stops nothing; an error means that the sweep itself could not go on. What was stored before an error stays stored and is taken up by
// the next sweep. An error for which Damaged holds is put right by the next Open.
func (a *App) Sweep(ctx context.Context) (Report, error) {
	r, err := a.sweep(ctx)
	return r, a.diagnose(ctx, err)
}

func (a *App) sweep(ctx context.Context) (Report, error) {
	start := a.now()
	r := Report{Started: start.UTC(), Failures: []Failure{}, Channels: []ChannelReport{}, Top: []TopStory{}}
	before, err := a.store.Totals(ctx)
	if err != nil {
		return r, err
	}
	if err := a.poll(ctx, &r); err != nil {
		return r, fmt.Errorf("poll: %w", err)
	}
	if err := a.group(ctx); err != nil {
		return r, fmt.Errorf("group: %w", err)
	}
	if err := a.publish(ctx, &r); err != nil {
		return r, fmt.Errorf("publish: %w", err)
	}
	if err := a.store.Index(ctx); err != nil {
		return r, err
	}
	after, err := a.store.Totals(ctx)
	if err != nil {
		return r, err
	}
	if _, err := a.store.Expire(ctx, a.now().Add(-time.Duration(a.config.Keep))); err != nil {
		return r, err
	}
	if err := a.tend(ctx); err != nil {
		return r, err
	}
	r.Articles = ArticleCounts{New: after.Articles - before.Articles, Stored: after.Articles}
	r.Stories = after.Stories
	r.Seconds = a.now().Sub(start).Seconds()
	return r, nil
}

// poll asks the feeds that are due; articles and states are stored as they come in.
func (a *App) poll(ctx context.Context, r *Report) error {
	states, err := a.store.States(ctx)
	if err != nil {
		return err
	}
	var due []feeds.Due
	for _, f := range a.config.Polled() {
		due = append(due, a.due(f, states[f.ID]))
	}
	r.Feeds.Configured = len(due)
	outcomes, err := a.poller.Poll(ctx, due)
	for _, outcome := range outcomes {
		a.count(outcome, r)
	}
	if err != nil {
		return err
	}
	return a.follow(ctx, due, outcomes)
}

// count enters one outcome in the report and the log.
func (a *App) count(o feeds.Outcome, r *Report) {
	r.Feeds.Polled++
	log := a.log.With("feed", feeds.Redact(o.Feed.URL))
	for _, n := range o.Notes {
		log.Debug("feed mended", "note", n.Code, "count", n.Count)
	}
	switch {
	case o.Err != nil:
		r.Feeds.Failed++
		outlet := o.Feed.Outlet
		if outlet == "" {
			outlet = o.State.Title
		}
		r.Failures = append(r.Failures, Failure{URL: feeds.Redact(o.Feed.URL), Outlet: outlet, Error: o.Err.Error()})
		log.Warn("feed failed", "err", o.Err, "failures", o.State.Failures, "next", o.State.Next)
	case o.Unchanged:
		r.Feeds.Unchanged++
	}
}

// publish renders every channel and replaces the files that changed. A channel that cannot be published keeps its last good files and
// does not stop the others.
func (a *App) publish(ctx context.Context, r *Report) error {
	a.progress(Progress{Phase: "publish"})
	merges, err := a.store.Merges(ctx)
	if err != nil {
		return err
	}
	for i, c := range a.channels {
		memory, err := a.advance(ctx, i, merges)
		if err != nil {
			return fmt.Errorf("channel %s: %w", c.Name, err)
		}
		report, err := a.render(c, memory)
		if err != nil {
			return fmt.Errorf("channel %s: %w", c.Name, err)
		}
		r.Channels = append(r.Channels, report)
		if i == 0 {
			r.Top = append(r.Top, topStories(memory, topShown)...)
		}
	}
	return a.accompany(ctx, r)
}

// accompany publishes what goes with the channels and tells those who want to know; that may fail without harm.
func (a *App) accompany(ctx context.Context, r *Report) error {
	list, err := output.Subscriptions(a.site, a.channels)
	if err != nil {
		return err
	}
	if _, err := output.Publish(a.config.Publish.Dir, []output.File{output.Stylesheet(), list}); err != nil {
		return err
	}
	a.ping(ctx, r)
	return a.deliver(ctx)
}

// advance brings the memory of channel i up to date and stores it, with messages about what is new, before anything is published from it.
func (a *App) advance(ctx context.Context, i int, merges []output.Merge) ([]output.Emission, error) {
	c := a.channels[i]
	memory, err := a.store.Memory(ctx, c.Name)
	if err != nil {
		return nil, err
	}
	next, changed, err := a.look(ctx, i, memory, merges)
	if err != nil || !changed {
		return memory.Emissions, err
	}
	messages, err := a.messages(c, memory, next)
	if err != nil {
		return nil, err
	}
	return next.Emissions, a.store.SaveMemory(ctx, c.Name, next, messages...)
}

// look makes the new memory of channel i from the stories that changed since it last looked, and those that may only have waited to
// settle then. Without any there is nothing to store, except in the first sweep of a process, whose configuration may be new.
func (a *App) look(ctx context.Context, i int, memory store.Memory, merges []output.Merge) (store.Memory, bool, error) {
	c := a.channels[i]
	if c.Profile == output.ProfileDigest {
		return a.digests(ctx, i, memory)
	}
	stories, mark, err := a.store.Stories(ctx, store.StoryQuery{After: memory.Seen, Since: memory.At.Add(-c.Settle)})
	if err != nil || len(stories) == 0 && a.looked[c.Name] {
		return memory, false, err
	}
	a.looked[c.Name] = true
	now := a.now()
	return store.Memory{Emissions: c.Advance(memory.Emissions, stories, merges, now), Seen: mark, At: now}, true, nil
}

func (a *App) render(c output.Channel, memory []output.Emission) (ChannelReport, error) {
	report := ChannelReport{Name: c.Name, Files: []string{}}
	for i := range memory {
		if memory[i].Into == "" && !memory[i].Hidden {
			report.Stories++
		}
	}
	cache := a.caches[c.Name]
	if cache == nil {
		cache = &output.Cache{}
		a.caches[c.Name] = cache
	}
	files, err := c.Render(a.site, memory, cache)
	if err != nil {
		return report, err
	}
	written, err := output.Publish(a.config.Publish.Dir, files)
	for _, f := range files {
		report.Files = append(report.Files, filepath.Join(a.config.Publish.Dir, f.Name))
	}
	report.Written = len(written)
	return report, err
}

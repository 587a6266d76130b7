package app

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"sheaf/cmd/internal/metrics"
	"sheaf/cmd/internal/store"
	"sheaf/output"
)

const (
	topShown    = 8                  // stories that a report names
	aheadAtMost = 7 * 24 * time.Hour // of the clock before the newest article, where retention is concerned
)

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
	if err := a.adopt(); err != nil {
		return r, err
	}
	before, err := a.store.Totals(ctx)
	if err != nil {
		return r, err
	}
	for _, stage := range []struct {
		name string
		do   func(context.Context, *Report) error
	}{{metrics.StagePoll, a.poll}, {metrics.StageGroup, a.group}, {metrics.StagePublish, a.publish}} {
		began := time.Now()
		if err := stage.do(ctx, &r); err != nil {
			return r, fmt.Errorf("%s: %w", stage.name, err)
		}
		a.metrics.Stage(stage.name, time.Since(began))
	}
	if err := a.index(ctx); err != nil {
		return r, err
	}
	after, err := a.store.Totals(ctx)
	if err != nil {
		return r, err
	}
	if err := a.expire(ctx); err != nil {
		return r, err
	}
	if err := a.tend(ctx); err != nil {
		return r, err
	}
	r.Articles = ArticleCounts{New: after.Articles - before.Articles, Stored: after.Articles}
	r.Stories = after.Stories
	r.Seconds = a.now().Sub(start).Seconds()
	a.metrics.Stored(r.Articles.New, r.Articles.Stored, r.Stories)
	return r, nil
}

// index follows what pages show and, where somebody can search, what they find.
func (a *App) index(ctx context.Context) error {
	if err := a.store.Index(ctx); err != nil || !a.o.Search {
		return err
	}
	return a.store.IndexWords(ctx)
}

// expire drops what has been kept long enough. The newest article has its say: a clock that leaps ahead by years must not empty the store.
func (a *App) expire(ctx context.Context) error {
	newest, err := a.store.Newest(ctx)
	if err != nil {
		return err
	}
	now := a.now()
	if latest := newest.Add(aheadAtMost); !newest.IsZero() && latest.Before(now) {
		now = latest
	}
	_, err = a.store.Expire(ctx, now.Add(-time.Duration(a.config.Keep)))
	return err
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
		a.metrics.Published(report.Name, report.Stories, report.Written)
		if report.Written > 0 {
			a.log.Info("channel published", "channel", report.Name, "stories", report.Stories, "files", report.Written)
		}
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

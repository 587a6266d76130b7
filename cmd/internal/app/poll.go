package app

import (
	"context"
	"errors"

	"sheaf"
	"sheaf/cmd/internal/metrics"
	"sheaf/feeds"
)

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
	for _, o := range outcomes {
		a.count(o, states[o.Feed.ID], r)
		states[o.Feed.ID] = o.State
	}
	if len(outcomes) > 0 {
		a.log.Info("feeds polled", "polled", r.Feeds.Polled, "unchanged", r.Feeds.Unchanged, "failed", r.Feeds.Failed)
	}
	a.tellOf(due, states, r)
	if err != nil {
		return err
	}
	return a.follow(ctx, due, outcomes)
}

// count enters one outcome in the report, the metrics and the log; before is the state that the feed was in.
func (a *App) count(o feeds.Outcome, before feeds.State, r *Report) {
	r.Feeds.Polled++
	result := metrics.FetchNew
	switch {
	case o.Err != nil:
		result = metrics.FetchFailed
		r.Feeds.Failed++
		outlet := o.Feed.Outlet
		if outlet == "" {
			outlet = o.State.Title
		}
		r.Failures = append(r.Failures, Failure{URL: feeds.Redact(o.Feed.URL), Outlet: outlet, Error: o.Err.Error()})
	case o.Unchanged:
		result = metrics.FetchUnchanged
		r.Feeds.Unchanged++
	}
	a.metrics.Fetched(result, failureCode(o), o.State.Took)
	a.logOutcome(o, before)
}

// failureCode is the class of a failure, for a label.
func failureCode(o feeds.Outcome) string {
	var fe *feeds.FetchError
	if errors.As(o.Err, &fe) {
		return string(fe.Code)
	}
	return "parse"
}

// logOutcome says once when a feed begins to fail, fails otherwise than before, or is well again.
func (a *App) logOutcome(o feeds.Outcome, before feeds.State) {
	log := a.log.With("feed", feeds.Redact(o.Feed.URL))
	for _, n := range o.Notes {
		log.Debug("feed mended", "note", n.Code, "count", n.Count)
	}
	switch news := before.Failures == 0 || before.Code != o.State.Code; {
	case o.Err != nil && news:
		log.Warn("feed failed", "err", o.Err, "next", o.State.Next)
	case o.Err != nil:
		log.Debug("feed failed again", "err", o.Err, "failures", o.State.Failures, "next", o.State.Next)
	case before.Failures > 0:
		log.Info("feed is well again", "failures", before.Failures)
	}
}

// tellOf gives the metrics the feeds as they are now.
func (a *App) tellOf(due []feeds.Due, states map[sheaf.FeedID]feeds.State, r *Report) {
	told := make([]metrics.Feed, 0, len(due))
	for _, d := range due {
		s := states[d.Feed.ID]
		f := metrics.Feed{Name: feeds.Redact(d.Feed.URL), Failures: s.Failures, Succeeded: s.Succeeded, Next: s.Next, Took: s.Took}
		if s.Failures > 0 {
			r.Feeds.Failing++
		}
		for _, finding := range feeds.Health(s, a.now()) {
			f.Conditions = append(f.Conditions, string(finding.Condition))
		}
		told = append(told, f)
	}
	a.metrics.Feeds(told)
}

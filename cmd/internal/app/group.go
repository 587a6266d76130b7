package app

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"sheaf"
	"sheaf/cmd/internal/store"
	"sheaf/dedupe"
)

// lookBack is how far before the newest article the grouper remembers: the document frequencies of 30 days, and every story that is open.
const lookBack = 30 * 24 * time.Hour

// grouperAge is how long a grouper is used before it is made anew from the store, as a restart would: it numbers every term it has ever met,
// and new names and misprints never end.
const grouperAge = 7 * 24 * time.Hour

// group decides about the articles that are stored and not yet grouped, and carries out corrections. Without either, nothing is touched: a
// sweep that brings no news changes no story.
func (a *App) group(ctx context.Context, _ *Report) error {
	pending, err := a.store.Pending(ctx)
	if err != nil {
		return err
	}
	corrections, err := a.store.Corrections(ctx)
	if err != nil {
		return err
	}
	applied, err := a.store.Applied(ctx)
	if err != nil {
		return err
	}
	version := store.Version(corrections)
	if len(pending) == 0 && version == applied {
		return nil
	}
	a.progress(Progress{Phase: "group", Total: len(pending)})
	if version != applied || a.now().Sub(a.warmed) >= grouperAge {
		a.grouper = nil // it knows the corrections of before, or too much
	}
	g, moved, err := a.warm(ctx, constraints(corrections), subjects(store.UndoneSince(corrections, applied)))
	if err != nil {
		return err
	}
	a.grouper = nil // until its decisions are stored
	decisions := append(moved, g.Add(pending)...)
	decisions = append(decisions, g.Polish()...)
	ids, err := a.identify(ctx, g, decisions)
	if err != nil {
		return err
	}
	o := outcome(g, decisions, ids, a.now())
	o.Applied = version
	if err := a.store.SaveGrouping(ctx, o); err != nil {
		return err
	}
	a.grouper = g
	return nil
}

// warm gives the grouper as the last sweep left it, with the decisions that corrections made since then ask for, and those about articles
// that corrections no longer hold.
func (a *App) warm(ctx context.Context, constraints []dedupe.Constraint, released []sheaf.ArticleID) (*dedupe.Grouper, []dedupe.Decision, error) {
	if a.grouper != nil {
		return a.grouper, nil, nil
	}
	o, err := a.config.Dedupe()
	if err != nil {
		return nil, nil, err
	}
	g, err := dedupe.New(o)
	if err != nil {
		return nil, nil, fmt.Errorf("set up grouping: %w", err)
	}
	newest, err := a.store.Newest(ctx)
	if err != nil {
		return nil, nil, err
	}
	records, err := a.store.Records(ctx, newest.Add(-lookBack), append(subjects(constraints), released...))
	if err != nil {
		return nil, nil, err
	}
	if err := g.Restore(records); err != nil {
		return nil, nil, fmt.Errorf("restore grouping: %w: %w", store.ErrDamaged, err)
	}
	moved, err := g.Constrain(constraints...)
	if err != nil {
		return nil, nil, fmt.Errorf("carry out corrections: %w", err)
	}
	a.warmed = a.now()
	return g, append(moved, g.Release(released...)...), nil
}

// subjects lists the articles that constraints are about.
func subjects(constraints []dedupe.Constraint) []sheaf.ArticleID {
	ids := make([]sheaf.ArticleID, 0, 2*len(constraints))
	for _, c := range constraints {
		ids = append(ids, c.A, c.B)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// outcome gathers what one grouping changed, under the ids that stories go by from now on.
func outcome(g *dedupe.Grouper, decisions []dedupe.Decision, ids identity, now time.Time) store.Grouping {
	g.Rename(ids.names)
	o := store.Grouping{Decisions: decisions, Renamed: ids.names, Merges: ids.merges(now)}
	touched := map[sheaf.StoryID]sheaf.ArticleID{} // with its founder
	seen := map[sheaf.ArticleID]bool{}
	for i := range decisions {
		d := &decisions[i]
		if d.From != "" && d.From != d.Story {
			touched[ids.of(d.From)] = ""
		}
		d.Story = ids.of(d.Story)
		if !seen[d.Article] {
			seen[d.Article] = true
			o.Records = append(o.Records, g.Record(d.Article))
		}
	}
	for _, d := range decisions {
		touched[d.Story] = d.Founder
	}
	for _, id := range slices.Sorted(maps.Keys(touched)) {
		lead := g.Lead(id)
		if lead == "" {
			continue // it has no member any more
		}
		o.Stories = append(o.Stories, store.Story{ID: id, Founder: cmp.Or(touched[id], lead), Lead: lead, Related: g.Related(id), Follows: g.Follows(id)})
	}
	return o
}

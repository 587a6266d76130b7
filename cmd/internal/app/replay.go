package app

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sheaf"
	"sheaf/cmd/internal/config"
	"sheaf/dedupe"
)

// Placement says in which story every article is.
type Placement map[sheaf.ArticleID]sheaf.StoryID

// Replay groups every stored article from scratch, in the runs in which they were grouped first, and says where each ends up. Under the
// configuration that the installation ran with it is where they are.
func (r *Reader) Replay(ctx context.Context, c *config.Config, constraints []dedupe.Constraint) (Placement, error) {
	o, err := c.Dedupe()
	if err != nil {
		return nil, err
	}
	g, err := dedupe.New(o)
	if err != nil {
		return nil, fmt.Errorf("set up grouping: %w", err)
	}
	if _, err := g.Constrain(constraints...); err != nil {
		return nil, err
	}
	batches, err := r.store.Batches(ctx)
	if err != nil {
		return nil, err
	}
	placed := Placement{}
	for _, batch := range batches {
		articles := make([]sheaf.Article, len(batch))
		for i := range batch {
			articles[i] = batch[i].Article
		}
		for _, d := range append(g.Add(articles), g.Polish()...) {
			placed[d.Article] = d.Story
		}
	}
	return placed, nil
}

// Placed says where every grouped article is.
func (r *Reader) Placed(ctx context.Context) (Placement, error) {
	batches, err := r.store.Batches(ctx)
	if err != nil {
		return nil, err
	}
	placed := Placement{}
	for _, batch := range batches {
		for i := range batch {
			placed[batch[i].ID] = batch[i].Story
		}
	}
	return placed, nil
}

// Constraints gives what the corrections that hold ask for.
func (r *Reader) Constraints(ctx context.Context) ([]dedupe.Constraint, error) {
	corrections, err := r.Corrections(ctx)
	return constraints(corrections), err
}

// Change is a story of one placement whose articles are placed otherwise in another.
type Change struct {
	Kind    string            `json:"kind"`    // merge: of Before into one; split: of one into After; change: both
	Before  []sheaf.StoryID   `json:"before"`  // stories of the first placement
	After   []sheaf.StoryID   `json:"after"`   // stories of the second
	Members []sheaf.ArticleID `json:"members"` // all articles of these
}

// Compare lists what another placement of the same articles changes: each group of stories that exchange articles once, by its first story.
func (p Placement) Compare(other Placement) []Change {
	sides := [2]map[sheaf.StoryID][]sheaf.ArticleID{p.stories(), other.stories()}
	var changes []Change
	seen := map[sheaf.StoryID]bool{}
	for _, id := range slices.Sorted(maps.Keys(sides[0])) {
		if seen[id] {
			continue
		}
		c := p.connected(other, sides, id)
		for _, s := range c.Before {
			seen[s] = true
		}
		if len(c.Before) > 1 || len(c.After) > 1 {
			changes = append(changes, c)
		}
	}
	return changes
}

// stories lists the articles of every story, in order.
func (p Placement) stories() map[sheaf.StoryID][]sheaf.ArticleID {
	stories := map[sheaf.StoryID][]sheaf.ArticleID{}
	for _, a := range slices.Sorted(maps.Keys(p)) {
		stories[p[a]] = append(stories[p[a]], a)
	}
	return stories
}

// connected follows articles from story to story on both sides until no other is reached.
func (p Placement) connected(other Placement, sides [2]map[sheaf.StoryID][]sheaf.ArticleID, start sheaf.StoryID) Change {
	before, after := map[sheaf.StoryID]bool{start: true}, map[sheaf.StoryID]bool{}
	members := map[sheaf.ArticleID]bool{}
	for queue := slices.Clone(sides[0][start]); len(queue) > 0; queue = queue[1:] {
		a := queue[0]
		if members[a] {
			continue
		}
		members[a] = true
		if s := other[a]; s != "" && !after[s] {
			after[s] = true
			queue = append(queue, sides[1][s]...)
		}
		if s := p[a]; s != "" && !before[s] {
			before[s] = true
			queue = append(queue, sides[0][s]...)
		}
	}
	c := Change{Kind: "change", Before: slices.Sorted(maps.Keys(before)), After: slices.Sorted(maps.Keys(after)), Members: slices.Sorted(maps.Keys(members))}
	switch {
	case len(c.After) == 1:
		c.Kind = "merge"
	case len(c.Before) == 1:
		c.Kind = "split"
	}
	return c
}

// Kept counts the constraints that a placement keeps, of those whose articles it places.
func (p Placement) Kept(constraints []dedupe.Constraint) (kept, of int) {
	for _, c := range constraints {
		a, b := p[c.A], p[c.B]
		if a == "" || b == "" {
			continue
		}
		of++
		if (a == b) == c.Together {
			kept++
		}
	}
	return kept, of
}

// Backtest is what another configuration would change.
type Backtest struct {
	Articles    int      `json:"articles"`
	Before      int      `json:"stories_before"`
	After       int      `json:"stories_after"`
	Changes     []Change `json:"changes"`
	Constraints int      `json:"constraints"` // of corrections, about articles that are still there
	KeptBefore  int      `json:"kept_before"` // of these, without being told
	KeptAfter   int      `json:"kept_after"`
}

// Worse says that the other configuration contradicts editors more often.
func (b Backtest) Worse() bool { return b.KeptAfter < b.KeptBefore }

// Backtest replays the stored articles under two configurations, neither told of the corrections, and compares the two.
func (r *Reader) Backtest(ctx context.Context, old, new *config.Config) (Backtest, error) {
	before, err := r.Replay(ctx, old, nil)
	if err != nil {
		return Backtest{}, err
	}
	after, err := r.Replay(ctx, new, nil)
	if err != nil {
		return Backtest{}, err
	}
	constraints, err := r.Constraints(ctx)
	if err != nil {
		return Backtest{}, err
	}
	b := Backtest{Articles: len(before), Before: len(before.stories()), After: len(after.stories()), Changes: before.Compare(after)}
	b.KeptBefore, b.Constraints = before.Kept(constraints)
	b.KeptAfter, _ = after.Kept(constraints)
	slices.SortStableFunc(b.Changes, func(x, y Change) int {
		return cmp.Or(len(y.Members)-len(x.Members), strings.Compare(string(x.Before[0]), string(y.Before[0])))
	})
	return b, nil
}

package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"sheaf"
	"sheaf/cmd/internal/store"
	"sheaf/dedupe"
)

// Case is an article of a correction with the story an editor put it in, in the form that evaluation and training read, one a line.
type Case struct {
	Stream    string          `json:"stream"` // one for each correction
	ID        sheaf.ArticleID `json:"id"`
	Outlet    string          `json:"outlet"`
	Owner     string          `json:"owner,omitzero"`
	Title     string          `json:"title"`
	Summary   string          `json:"summary"`
	Text      string          `json:"text"`
	Published time.Time       `json:"published"`
	Lang      string          `json:"lang"`
	URL       string          `json:"url,omitzero"`
	Label     string          `json:"label"`
	Set       string          `json:"set"`
}

// Cases gives the corrections that hold as labeled cases. Articles that have expired are left out.
func (r *Reader) Cases(ctx context.Context) ([]Case, error) {
	corrections, err := r.Corrections(ctx)
	if err != nil {
		return nil, err
	}
	var cases []Case
	for _, c := range corrections {
		if !c.Undone.IsZero() {
			continue
		}
		stream := fmt.Sprintf("correction-%d", c.Number)
		labels := labelsOf(c.Constraints)
		for _, id := range slices.Sorted(maps.Keys(labels)) {
			placed, err := r.store.Placed(ctx, id)
			if errors.Is(err, store.ErrNoArticle) {
				continue
			}
			if err != nil {
				return nil, err
			}
			a := &placed.Article
			cases = append(cases, Case{
				stream, a.ID, a.Outlet.Name, a.Outlet.Owner, a.Title, a.Summary, a.Text, a.Time().UTC(), a.Lang, a.URL, stream + "-" + string(labels[id]), "corrections",
			})
		}
	}
	return cases, nil
}

// labelsOf names the story of every article of a correction by the first article that must be in it.
func labelsOf(constraints []dedupe.Constraint) map[sheaf.ArticleID]sheaf.ArticleID {
	label := map[sheaf.ArticleID]sheaf.ArticleID{}
	for _, c := range constraints {
		for _, id := range []sheaf.ArticleID{c.A, c.B} {
			if _, ok := label[id]; !ok {
				label[id] = id
			}
		}
	}
	for _, c := range constraints {
		if from, into := label[c.B], label[c.A]; c.Together && from != into {
			for id, l := range label {
				if l == from {
					label[id] = into
				}
			}
		}
	}
	return label
}

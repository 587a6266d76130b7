package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"sheaf"
	"sheaf/cmd/internal/config"
	"sheaf/cmd/internal/store"
	"sheaf/cmd/internal/store/sqlite"
	"sheaf/dedupe"
)

// The kinds of corrections.
const (
	correctMerge = "merge"
	correctSplit = "split"
	correctPin   = "pin"
	correctNever = "never"
)

// mostPairs bounds the constraints of one correction: two stories of a hundred articles each.
const mostPairs = 10_000

// Why a correction is not recorded.
var (
	ErrNothing   = errors.New("nothing to correct") // it would change nothing
	ErrElsewhere = errors.New("not in the story")   // an article that was to be split off is in another story
	ErrTooMany   = errors.New("too many articles to keep apart one by one")
)

// Editor records corrections beside the process that runs the installation, which carries them out in its next sweep.
type Editor struct {
	Reader
	Author, Reason string           // recorded with every correction
	Now            func() time.Time //
}

// OpenEditor opens the database of an installation for corrections.
func OpenEditor(ctx context.Context, c *config.Config) (*Editor, error) {
	db, err := sqlite.OpenBeside(ctx, filepath.Join(c.State, databaseName))
	if err != nil {
		return nil, fmt.Errorf("%w; has there been a sweep yet?", err)
	}
	return &Editor{Reader: Reader{db}, Now: time.Now}, nil
}

// Merge says that two stories are one. The id that was published first survives.
func (e *Editor) Merge(ctx context.Context, a, b string) (store.Correction, error) {
	first, second, err := e.two(ctx, a, b)
	if err != nil {
		return store.Correction{}, err
	}
	if first.ID == second.ID {
		return store.Correction{}, fmt.Errorf("%w: %s and %s are in one story already", ErrNothing, a, b)
	}
	all := append(slices.Clone(first.Members), second.Members...)
	anchor := earliest(all)
	var constraints []dedupe.Constraint
	for _, m := range all {
		if m.ID != anchor {
			constraints = append(constraints, dedupe.Constraint{A: anchor, B: m.ID, Together: true})
		}
	}
	return e.save(ctx, correctMerge, constraints, string(first.ID), string(second.ID))
}

// Split says that articles of a story are a story of their own.
func (e *Editor) Split(ctx context.Context, reference string, references []string) (store.Correction, error) {
	story, err := e.Story(ctx, reference)
	if err != nil {
		return store.Correction{}, err
	}
	subjects := []string{string(story.ID)}
	var out []sheaf.Member
	for _, r := range references {
		placed, err := e.Article(ctx, r)
		if err != nil {
			return store.Correction{}, err
		}
		m := story.Member(placed.ID)
		if m == nil {
			return store.Correction{}, fmt.Errorf("article %s: %w %s but in %s", r, ErrElsewhere, story.ID, placed.Story)
		}
		out, subjects = append(out, *m), append(subjects, string(m.ID))
	}
	rest := slices.DeleteFunc(slices.Clone(story.Members), func(m sheaf.Member) bool {
		return slices.ContainsFunc(out, func(o sheaf.Member) bool { return o.ID == m.ID })
	})
	if len(rest) == 0 {
		return store.Correction{}, fmt.Errorf("%w: these are all articles of the story", ErrNothing)
	}
	constraints, err := apart(out, rest)
	if err != nil {
		return store.Correction{}, err
	}
	for _, m := range out[1:] {
		constraints = append(constraints, dedupe.Constraint{A: out[0].ID, B: m.ID, Together: true})
	}
	return e.save(ctx, correctSplit, constraints, subjects...)
}

// Pin says that an article belongs where it is, whatever comes.
func (e *Editor) Pin(ctx context.Context, reference string) (store.Correction, error) {
	placed, err := e.Article(ctx, reference)
	if err != nil {
		return store.Correction{}, err
	}
	story, err := e.store.Story(ctx, placed.Story)
	if err != nil {
		return store.Correction{}, err
	}
	others := slices.DeleteFunc(slices.Clone(story.Members), func(m sheaf.Member) bool { return m.ID == placed.ID })
	if len(others) == 0 {
		return store.Correction{}, fmt.Errorf("%w: the article is alone in its story; keep others away with never", ErrNothing)
	}
	return e.save(ctx, correctPin, []dedupe.Constraint{{A: earliest(others), B: placed.ID, Together: true}}, string(placed.ID))
}

// Never says that two articles, or all articles of two stories, are never in one story.
func (e *Editor) Never(ctx context.Context, a, b string) (store.Correction, error) {
	first, subjectA, err := e.members(ctx, a)
	if err != nil {
		return store.Correction{}, err
	}
	second, subjectB, err := e.members(ctx, b)
	if err != nil {
		return store.Correction{}, err
	}
	if subjectA == subjectB {
		return store.Correction{}, fmt.Errorf("%w: %s and %s are the same", ErrNothing, a, b)
	}
	constraints, err := apart(first, second)
	if err != nil {
		return store.Correction{}, err
	}
	return e.save(ctx, correctNever, constraints, subjectA, subjectB)
}

// Undo takes a correction back; number 0 means the last that holds. With the next grouping its articles go back to where grouping alone
// would have them.
func (e *Editor) Undo(ctx context.Context, number int64) (store.Correction, error) {
	all, err := e.Corrections(ctx)
	if err != nil {
		return store.Correction{}, err
	}
	for i := len(all) - 1; i >= 0; i-- {
		c := all[i]
		if !c.Undone.IsZero() || number != 0 && c.Number != number {
			continue
		}
		c.Undone = e.Now().UTC()
		_, err := e.store.SaveCorrection(ctx, c)
		return c, err
	}
	if number != 0 {
		return store.Correction{}, fmt.Errorf("%w: no correction %d holds", ErrNothing, number)
	}
	return store.Correction{}, fmt.Errorf("%w: no correction holds", ErrNothing)
}

// Corrections lists what editors have said, oldest first.
func (r *Reader) Corrections(ctx context.Context) ([]store.Correction, error) {
	return r.store.Corrections(ctx)
}

func (e *Editor) two(ctx context.Context, a, b string) (first, second sheaf.Story, err error) {
	if first, err = e.Story(ctx, a); err != nil {
		return first, second, err
	}
	second, err = e.Story(ctx, b)
	return first, second, err
}

// members gives the articles that a reference means: an article, or all of a story. The subject is the id it was found under.
func (e *Editor) members(ctx context.Context, reference string) ([]sheaf.Member, string, error) {
	placed, err := e.Article(ctx, reference)
	if err == nil {
		return []sheaf.Member{placed.Member}, string(placed.ID), nil
	}
	if !errors.Is(err, store.ErrNoArticle) {
		return nil, "", err
	}
	story, err := e.Story(ctx, reference)
	return story.Members, string(story.ID), err
}

// apart keeps every article of one list from every one of the other. Copies go with their originals and need no constraints of their own,
// unless there is nothing else.
func apart(a, b []sheaf.Member) ([]dedupe.Constraint, error) {
	if len(a)*len(b) > mostPairs {
		return nil, fmt.Errorf("%d × %d articles: %w", len(a), len(b), ErrTooMany)
	}
	var constraints []dedupe.Constraint
	for _, x := range a {
		for _, y := range b {
			constraints = append(constraints, dedupe.Constraint{A: x.ID, B: y.ID})
		}
	}
	return constraints, nil
}

// earliest is the article that was seen first.
func earliest(members []sheaf.Member) sheaf.ArticleID {
	first := slices.MinFunc(members, func(a, b sheaf.Member) int {
		if c := a.FirstSeen.Compare(b.FirstSeen); c != 0 {
			return c
		}
		return a.Time().Compare(b.Time())
	})
	return first.ID
}

func (e *Editor) save(ctx context.Context, kind string, constraints []dedupe.Constraint, subjects ...string) (store.Correction, error) {
	c := store.Correction{Kind: kind, Subjects: subjects, Constraints: constraints, Author: e.Author, Reason: e.Reason, At: e.Now().UTC()}
	n, err := e.store.SaveCorrection(ctx, c)
	c.Number = n
	return c, err
}

// constraints lists what the corrections that hold ask of the grouper, in their order.
func constraints(corrections []store.Correction) []dedupe.Constraint {
	var all []dedupe.Constraint
	for _, c := range corrections {
		if c.Undone.IsZero() {
			all = append(all, c.Constraints...)
		}
	}
	return all
}

package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"sheaf"
	"sheaf/cmd/internal/config"
	"sheaf/cmd/internal/store"
	"sheaf/cmd/internal/store/sqlite"
	"sheaf/feeds/canonical"
)

// Reader answers questions about an installation beside the process that runs it. It changes nothing and needs no lock.
type Reader struct {
	store store.Store
}

// What can be wrong with a reference.
var (
	ErrAmbiguous = errors.New("ambiguous")               // it fits several things
	ErrUnknown   = errors.New("no story and no article") // it fits nothing
)

// OpenReader opens the database of an installation.
func OpenReader(ctx context.Context, c *config.Config) (*Reader, error) {
	db, err := sqlite.OpenReadOnly(ctx, filepath.Join(c.State, databaseName))
	if err != nil {
		return nil, fmt.Errorf("%w; has there been a sweep yet?", err)
	}
	return &Reader{db}, nil
}

// Close closes the database.
func (r *Reader) Close() error { return r.store.Close() }

// Stories lists the stories with a report at or after since, by id.
func (r *Reader) Stories(ctx context.Context, since time.Time) ([]sheaf.Story, error) {
	stories, _, err := r.store.Stories(ctx, store.StoryQuery{After: 1 << 62, Since: since})
	return stories, err
}

// Newest is the time of the newest article.
func (r *Reader) Newest(ctx context.Context) (time.Time, error) { return r.store.Newest(ctx) }

// Story finds a story by its id, the beginning of one, or an article in it.
func (r *Reader) Story(ctx context.Context, reference string) (sheaf.Story, error) {
	ids, err := r.store.StoryIDs(ctx, strings.TrimPrefix(reference, "urn:uuid:"))
	switch {
	case err != nil:
		return sheaf.Story{}, err
	case len(ids) == 1:
		return r.store.Story(ctx, ids[0])
	case len(ids) > 1:
		return sheaf.Story{}, fmt.Errorf("story %s: %w, begins %d ids; give more of it", reference, ErrAmbiguous, len(ids))
	}
	placed, err := r.Article(ctx, reference)
	if err != nil {
		return sheaf.Story{}, fmt.Errorf("%w is %s", ErrUnknown, reference)
	}
	return r.store.Story(ctx, placed.Story)
}

// Article finds an article by its id, the beginning of one, or its address.
func (r *Reader) Article(ctx context.Context, reference string) (store.Placed, error) {
	key := ""
	if strings.Contains(reference, "://") {
		key = canonical.Key(canonical.URL(reference))
	}
	ids, err := r.store.ArticleIDs(ctx, reference, key)
	switch {
	case err != nil:
		return store.Placed{}, err
	case len(ids) == 0:
		return store.Placed{}, fmt.Errorf("article %s: %w", reference, store.ErrNoArticle)
	case len(ids) > 1:
		return store.Placed{}, fmt.Errorf("article %s: %w, begins %d ids; give more of it", reference, ErrAmbiguous, len(ids))
	}
	return r.store.Placed(ctx, ids[0])
}

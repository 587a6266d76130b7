package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"sheaf"
	"sheaf/cmd/internal/store"
	"sheaf/output"
)

// Pasts gives stories as they are stored, with what was published under their ids.
func (db *DB) Pasts(ctx context.Context, ids []sheaf.StoryID) ([]store.Past, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, fmt.Errorf("read stories: %w", err)
	}
	stories, err := db.stories(ctx, `id IN (SELECT value FROM json_each($1))`, string(list))
	if err != nil {
		return nil, fmt.Errorf("read stories: %w", err)
	}
	pasts := make([]store.Past, 0, len(stories))
	index := make(map[sheaf.StoryID]int, len(stories))
	for _, s := range stories {
		if len(s.Members) > 0 {
			index[s.ID] = len(pasts)
			pasts = append(pasts, store.Past{Story: s})
		}
	}
	const q = `SELECT story_id, emitted_at, emission FROM emission WHERE story_id IN (SELECT value FROM json_each($1)) ORDER BY emitted_at`
	rows, err := db.read.QueryContext(ctx, q, string(list))
	if err != nil {
		return nil, fmt.Errorf("read what was published: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scanShown(rows, pasts, index); err != nil {
			return nil, fmt.Errorf("read what was published: %w", err)
		}
	}
	for i := range pasts {
		slices.Sort(pasts[i].Shown)
		pasts[i].Shown = slices.Compact(pasts[i].Shown)
	}
	return pasts, rows.Err()
}

// scanShown adds one published item, the earliest first, to the story it is about.
func scanShown(rows *sql.Rows, pasts []store.Past, index map[sheaf.StoryID]int) error {
	var (
		id  sheaf.StoryID
		at  int64
		raw []byte
		e   output.Emission
	)
	if err := rows.Scan(&id, &at, &raw); err != nil {
		return unreadable(err)
	}
	i, ok := index[id]
	if !ok {
		return nil
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return unreadable(err)
	}
	if pasts[i].Emitted.IsZero() {
		pasts[i].Emitted = fromMillis(at)
	}
	for _, r := range e.Item.Reports {
		pasts[i].Shown = append(pasts[i].Shown, r.Article)
	}
	return nil
}

// renameStories moves what is stored under old ids to new ones, all at once: two may change places.
func renameStories(ctx context.Context, tx *sql.Tx, renamed map[sheaf.StoryID]sheaf.StoryID) error {
	if len(renamed) == 0 {
		return nil
	}
	list, err := json.Marshal(renamed)
	if err != nil {
		return err
	}
	const q = `UPDATE decision SET story_id = (SELECT value FROM json_each($1) WHERE key = story_id)
		WHERE story_id IN (SELECT key FROM json_each($1))`
	if _, err := tx.ExecContext(ctx, q, string(list)); err != nil {
		return fmt.Errorf("rename stories: %w", err)
	}
	return nil
}

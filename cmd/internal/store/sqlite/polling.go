package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"sheaf"
	"sheaf/feeds"
)

// States gives what is remembered of every feed ever polled.
func (db *DB) States(ctx context.Context) (map[sheaf.FeedID]feeds.State, error) {
	rows, err := db.read.QueryContext(ctx, `SELECT id, next_due, state FROM feed`)
	if err != nil {
		return nil, fmt.Errorf("read feed states: %w", err)
	}
	defer rows.Close()
	states := map[sheaf.FeedID]feeds.State{}
	for rows.Next() {
		var (
			id   sheaf.FeedID
			next int64
			raw  string
			s    feeds.State
		)
		if err := rows.Scan(&id, &next, &raw); err != nil {
			return nil, fmt.Errorf("read feed states: %w", unreadable(err))
		}
		if err := json.Unmarshal([]byte(raw), &s); err != nil {
			return nil, fmt.Errorf("read state of feed %s: %w", id, unreadable(err))
		}
		s.Next = fromMillis(next)
		states[id] = s
	}
	return states, rows.Err()
}

// Lease commits the next poll of a feed and nothing else.
func (db *DB) Lease(ctx context.Context, feed sheaf.FeedID, next time.Time) error {
	const q = `INSERT INTO feed (id, url, next_due, state) VALUES ($1, '', $2, '{}') ON CONFLICT (id) DO UPDATE SET next_due = excluded.next_due`
	if _, err := db.write.ExecContext(ctx, q, feed, millis(next)); err != nil {
		return fmt.Errorf("lease feed %s: %w", feed, err)
	}
	return nil
}

// Save stores the state and the articles of one poll together: never a validator without the articles it stands for.
func (db *DB) Save(ctx context.Context, o feeds.Outcome) error {
	state, err := json.Marshal(o.State)
	if err != nil {
		return fmt.Errorf("save feed %s: %w", o.Feed.URL, err)
	}
	return db.inTx(ctx, "save feed "+o.Feed.URL, func(ctx context.Context, tx *sql.Tx) error {
		if err := saveArticles(ctx, tx, o.Articles); err != nil {
			return err
		}
		const q = `INSERT INTO feed (id, url, next_due, state) VALUES ($1, $2, $3, $4)
			ON CONFLICT (id) DO UPDATE SET url = excluded.url, next_due = excluded.next_due, state = excluded.state`
		_, err := tx.ExecContext(ctx, q, o.Feed.ID, o.Feed.URL, millis(o.State.Next), string(state))
		return err
	})
}

package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"sheaf/cmd/internal/store"
	"sheaf/output"
	"sheaf/output/notify"
)

// Memory gives what a channel remembers, by id of the item.
func (db *DB) Memory(ctx context.Context, channel string) (store.Memory, error) {
	var m store.Memory
	var at int64
	err := db.read.QueryRowContext(ctx, `SELECT seen, seen_at FROM channel WHERE name = $1`, channel).Scan(&m.Seen, &at)
	m.At = fromMillis(at)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return m, fmt.Errorf("read memory of channel %s: %w", channel, err)
	}
	rows, err := db.read.QueryContext(ctx, `SELECT emission FROM emission WHERE channel = $1 ORDER BY id`, channel)
	if err != nil {
		return m, fmt.Errorf("read memory of channel %s: %w", channel, err)
	}
	defer rows.Close()
	for rows.Next() {
		var raw []byte
		var e output.Emission
		if err := rows.Scan(&raw); err != nil {
			return m, fmt.Errorf("read memory of channel %s: %w", channel, unreadable(err))
		}
		if err := json.Unmarshal(raw, &e); err != nil {
			return m, fmt.Errorf("read memory of channel %s: %w", channel, unreadable(err))
		}
		m.Emissions = append(m.Emissions, e)
	}
	return m, rows.Err()
}

// SaveMemory writes the rows that changed, removes those that are gone, fills the outbox, and syncs the database.
func (db *DB) SaveMemory(ctx context.Context, channel string, m store.Memory, messages ...notify.Message) error {
	err := db.inTx(ctx, "save memory of channel "+channel, func(ctx context.Context, tx *sql.Tx) error {
		const mark = `INSERT INTO channel (name, seen, seen_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET seen = excluded.seen, seen_at = excluded.seen_at`
		if _, err := tx.ExecContext(ctx, mark, channel, m.Seen, millis(m.At)); err != nil {
			return err
		}
		if err := saveEmissions(ctx, tx, channel, m); err != nil {
			return err
		}
		return putMessages(ctx, tx, messages)
	})
	if err != nil {
		return err
	}
	return db.sync(ctx)
}

// saveEmissions writes what changed. When an item was first published stays as it was.
func saveEmissions(ctx context.Context, tx *sql.Tx, channel string, m store.Memory) error {
	stored, err := emissionTexts(ctx, tx, channel)
	if err != nil {
		return err
	}
	const q = `INSERT INTO emission (channel, id, story_id, emitted_at, live, emission) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (channel, id) DO UPDATE SET story_id = excluded.story_id, live = excluded.live, emission = excluded.emission`
	for _, e := range m.Emissions {
		text, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if old, ok := stored[e.ID]; !ok || old != string(text) {
			if _, err := tx.ExecContext(ctx, q, channel, e.ID, e.Story, millis(m.At), e.Live(), string(text)); err != nil {
				return err
			}
		}
		delete(stored, e.ID)
	}
	for id := range stored {
		if _, err := tx.ExecContext(ctx, `DELETE FROM emission WHERE channel = $1 AND id = $2`, channel, id); err != nil {
			return err
		}
	}
	return nil
}

func emissionTexts(ctx context.Context, tx *sql.Tx, channel string) (map[string]string, error) {
	rows, err := tx.QueryContext(ctx, `SELECT id, emission FROM emission WHERE channel = $1`, channel)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	texts := map[string]string{}
	for rows.Next() {
		var id, text string
		if err := rows.Scan(&id, &text); err != nil {
			return nil, err
		}
		texts[id] = text
	}
	return texts, rows.Err()
}

// sync forces every commit so far to the disk.
func (db *DB) sync(ctx context.Context) error {
	if err := db.checkpoint(ctx, "FULL"); err != nil {
		return fmt.Errorf("sync database: %w", err)
	}
	return nil
}

// checkpoint folds the log into the database.
func (db *DB) checkpoint(ctx context.Context, mode string) error {
	var busy, log, done int
	return db.write.QueryRowContext(ctx, `PRAGMA wal_checkpoint(`+mode+`)`).Scan(&busy, &log, &done)
}

// Totals counts what is stored.
func (db *DB) Totals(ctx context.Context) (store.Totals, error) {
	var t store.Totals
	const q = `SELECT (SELECT count(*) FROM feed), (SELECT count(*) FROM article), (SELECT count(*) FROM story)`
	if err := db.read.QueryRowContext(ctx, q).Scan(&t.Feeds, &t.Articles, &t.Stories); err != nil {
		return t, fmt.Errorf("count what is stored: %w", err)
	}
	return t, nil
}

package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"sheaf/cmd/internal/store"
	"sheaf/output"
)

// Emissions gives what a channel remembers of what it has published, by id.
func (db *DB) Emissions(ctx context.Context, channel string) ([]output.Emission, error) {
	rows, err := db.read.QueryContext(ctx, `SELECT emission FROM emission WHERE channel = $1 ORDER BY id`, channel)
	if err != nil {
		return nil, fmt.Errorf("read emissions of %s: %w", channel, err)
	}
	defer rows.Close()
	var emissions []output.Emission
	for rows.Next() {
		var raw []byte
		var e output.Emission
		if err := rows.Scan(&raw); err != nil {
			return nil, fmt.Errorf("read emissions of %s: %w", channel, err)
		}
		if err := json.Unmarshal(raw, &e); err != nil {
			return nil, fmt.Errorf("read emissions of %s: %w", channel, err)
		}
		emissions = append(emissions, e)
	}
	return emissions, rows.Err()
}

// SaveEmissions writes the rows that changed and removes those that are gone. What is about to be published is synced to the disk first,
// so that nothing is published that the database could forget.
func (db *DB) SaveEmissions(ctx context.Context, channel string, emissions []output.Emission) error {
	err := db.inTx(ctx, "save emissions of "+channel, func(tx *sql.Tx) error {
		stored, err := emissionTexts(ctx, tx, channel)
		if err != nil {
			return err
		}
		const q = `INSERT INTO emission (channel, id, emission) VALUES ($1, $2, $3) ON CONFLICT (channel, id) DO UPDATE SET emission = excluded.emission`
		for _, e := range emissions {
			text, err := json.Marshal(e)
			if err != nil {
				return err
			}
			if old, ok := stored[e.ID]; !ok || old != string(text) {
				if _, err := tx.ExecContext(ctx, q, channel, e.ID, string(text)); err != nil {
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
	})
	if err != nil {
		return err
	}
	return db.sync(ctx)
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
	var busy, log, done int
	if err := db.write.QueryRowContext(ctx, `PRAGMA wal_checkpoint(FULL)`).Scan(&busy, &log, &done); err != nil {
		return fmt.Errorf("sync database: %w", err)
	}
	return nil
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

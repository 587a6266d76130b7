package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"sheaf/cmd/internal/store"
)

// Corrections lists what editors have said.
func (db *DB) Corrections(ctx context.Context) ([]store.Correction, error) {
	rows, err := db.read.QueryContext(ctx, `SELECT correction FROM correction ORDER BY number`)
	if err != nil {
		return nil, fmt.Errorf("read corrections: %w", err)
	}
	defer rows.Close()
	var all []store.Correction
	for rows.Next() {
		var raw []byte
		var c store.Correction
		if err := rows.Scan(&raw); err != nil {
			return nil, fmt.Errorf("read corrections: %w", unreadable(err))
		}
		if err := json.Unmarshal(raw, &c); err != nil {
			return nil, fmt.Errorf("read corrections: %w", unreadable(err))
		}
		all = append(all, c)
	}
	return all, rows.Err()
}

// SaveCorrection adds or replaces a correction. SQLite's own lock keeps it apart from the writer of everything else.
func (db *DB) SaveCorrection(ctx context.Context, c store.Correction) (int64, error) {
	err := db.inTx(ctx, "save correction", func(ctx context.Context, tx *sql.Tx) error {
		if c.Number == 0 {
			if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(number), 0) + 1 FROM correction`).Scan(&c.Number); err != nil {
				return err
			}
		}
		text, err := json.Marshal(c)
		if err != nil {
			return err
		}
		const q = `INSERT INTO correction (number, correction) VALUES ($1, $2) ON CONFLICT (number) DO UPDATE SET correction = excluded.correction`
		_, err = tx.ExecContext(ctx, q, c.Number, string(text))
		return err
	})
	return c.Number, err
}

// Applied is the version of the corrections that the grouping is in keeping with.
func (db *DB) Applied(ctx context.Context) (int64, error) {
	var v int64
	if err := db.read.QueryRowContext(ctx, `SELECT value FROM counter WHERE name = 'corrections'`).Scan(&v); err != nil {
		return 0, fmt.Errorf("read version of corrections: %w", err)
	}
	return v, nil
}

// Batches lists the grouped articles run by run.
func (db *DB) Batches(ctx context.Context) ([][]store.Placed, error) {
	const q = `SELECT ` + articleColumns + `, d.story_id, d.role, d.copy_of, a.text FROM decision d JOIN article a ON a.id = d.article_id ORDER BY d.batch, d.decided`
	placed, err := queryPlaced(ctx, db.read, q)
	if err != nil {
		return nil, fmt.Errorf("read grouped articles: %w", err)
	}
	runs, err := ids[runNumber](ctx, db.read, `SELECT CAST(d.batch AS TEXT) FROM decision d JOIN article a ON a.id = d.article_id ORDER BY d.batch, d.decided`)
	if err != nil {
		return nil, err
	}
	var batches [][]store.Placed
	for i := range placed {
		if i == 0 || runs[i] != runs[i-1] {
			batches = append(batches, nil)
		}
		last := &batches[len(batches)-1]
		*last = append(*last, store.Placed{Member: placed[i].Member, Story: placed[i].story})
	}
	return batches, nil
}

// runNumber is the number of a run of grouping, as text.
type runNumber string

package sqlite

import (
	"context"
	"database/sql"
	"time"
)

// Expire drops the articles stored before the given time with everything that hangs on them.
func (db *DB) Expire(ctx context.Context, before time.Time) (int, error) {
	var dropped int64
	err := db.inTx(ctx, "expire", func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM outbox WHERE done_at <> 0 AND done_at < $1`, millis(before)); err != nil {
			return err
		}
		const remember = `INSERT INTO article_alias (id, article_id) SELECT id, id FROM article WHERE added_at < $1 ON CONFLICT (id) DO NOTHING`
		if _, err := tx.ExecContext(ctx, remember, millis(before)); err != nil {
			return err
		}
		for _, table := range []string{"decision", "pending"} {
			q := `DELETE FROM ` + table + ` WHERE article_id IN (SELECT id FROM article WHERE added_at < $1)`
			if _, err := tx.ExecContext(ctx, q, millis(before)); err != nil {
				return err
			}
		}
		result, err := tx.ExecContext(ctx, `DELETE FROM article WHERE added_at < $1`, millis(before))
		if err != nil {
			return err
		}
		if dropped, err = result.RowsAffected(); err != nil || dropped == 0 {
			return err
		}
		return dropEmptyStories(ctx, tx)
	})
	return int(dropped), err
}

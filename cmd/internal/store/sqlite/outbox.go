package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"sheaf/output/notify"
)

// putMessages adds messages to the outbox; one that it has seen stays as it is.
func putMessages(ctx context.Context, tx *sql.Tx, messages []notify.Message) error {
	const q = `INSERT INTO outbox (id, next_at, done_at, message) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING`
	for _, m := range messages {
		text, err := json.Marshal(m)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, q, m.ID, millis(m.Next), millis(m.Done), string(text)); err != nil {
			return err
		}
	}
	return nil
}

// Outbox lists the messages that may be tried now.
func (db *DB) Outbox(ctx context.Context, now time.Time) ([]notify.Message, error) {
	rows, err := db.read.QueryContext(ctx, `SELECT message FROM outbox WHERE done_at = 0 AND next_at <= $1 ORDER BY next_at, id`, millis(now))
	if err != nil {
		return nil, fmt.Errorf("read outbox: %w", err)
	}
	defer rows.Close()
	var messages []notify.Message
	for rows.Next() {
		var raw []byte
		var m notify.Message
		if err := rows.Scan(&raw); err != nil {
			return nil, fmt.Errorf("read outbox: %w", unreadable(err))
		}
		if err := json.Unmarshal(raw, &m); err != nil {
			return nil, fmt.Errorf("read outbox: %w", unreadable(err))
		}
		messages = append(messages, m)
	}
	return messages, rows.Err()
}

// SaveMessage stores what became of an attempt.
func (db *DB) SaveMessage(ctx context.Context, m notify.Message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("save message %s: %w", m.ID, err)
	}
	const q = `UPDATE outbox SET next_at = $2, done_at = $3, message = $4 WHERE id = $1`
	if _, err := db.write.ExecContext(ctx, q, m.ID, millis(m.Next), millis(m.Done), string(text)); err != nil {
		return fmt.Errorf("save message %s: %w", m.ID, err)
	}
	return nil
}

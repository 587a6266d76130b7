package sqlite

import (
	"context"
	"encoding/json"
	"fmt"

	"sheaf"
	"sheaf/feeds/websub"
)

// Leases lists what hubs have granted, by feed.
func (db *DB) Leases(ctx context.Context) ([]websub.Lease, error) {
	rows, err := db.read.QueryContext(ctx, `SELECT lease FROM lease ORDER BY feed_id`)
	if err != nil {
		return nil, fmt.Errorf("read leases: %w", err)
	}
	defer rows.Close()
	var all []websub.Lease
	for rows.Next() {
		var raw []byte
		var l websub.Lease
		if err := rows.Scan(&raw); err != nil {
			return nil, fmt.Errorf("read leases: %w", unreadable(err))
		}
		if err := json.Unmarshal(raw, &l); err != nil {
			return nil, fmt.Errorf("read leases: %w", unreadable(err))
		}
		all = append(all, l)
	}
	return all, rows.Err()
}

// SaveLease adds or replaces the lease of a feed.
func (db *DB) SaveLease(ctx context.Context, l websub.Lease) error {
	text, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("save lease of feed %s: %w", l.Feed, err)
	}
	const q = `INSERT INTO lease (feed_id, lease) VALUES ($1, $2) ON CONFLICT (feed_id) DO UPDATE SET lease = excluded.lease`
	if _, err := db.write.ExecContext(ctx, q, l.Feed, string(text)); err != nil {
		return fmt.Errorf("save lease of feed %s: %w", l.Feed, err)
	}
	return nil
}

// DropLease forgets the lease of a feed.
func (db *DB) DropLease(ctx context.Context, feed sheaf.FeedID) error {
	if _, err := db.write.ExecContext(ctx, `DELETE FROM lease WHERE feed_id = $1`, feed); err != nil {
		return fmt.Errorf("drop lease of feed %s: %w", feed, err)
	}
	return nil
}

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
)

// watch is the one connection that is asked for changes: SQLite counts those that others made since the connection was opened.
type watch struct {
	mu    sync.Mutex
	conn  *sql.Conn
	epoch int64 // connections opened so far
}

// Revision is a number that changes with the content of the file.
func (db *DB) Revision(ctx context.Context) (int64, error) {
	w := &db.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.conn == nil {
		conn, err := db.read.Conn(ctx)
		if err != nil {
			return 0, fmt.Errorf("look for changes: %w", err)
		}
		w.conn, w.epoch = conn, w.epoch+1
	}
	var version int64
	if err := w.conn.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&version); err != nil {
		err = errors.Join(err, w.conn.Close())
		w.conn = nil
		return 0, fmt.Errorf("look for changes: %w", err)
	}
	return w.epoch<<32 | version, nil
}

func (w *watch) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.conn == nil {
		return nil
	}
	err := w.conn.Close()
	w.conn = nil
	return err
}

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"sheaf/cmd/internal/store"
)

// shrinkStep is how many pages go back to the file system in one transaction, so that the log stays small.
const shrinkStep = 4096

// Space says how much room the database takes.
func (db *DB) Space(ctx context.Context) (store.Space, error) {
	var pages, free, size int64
	const q = `SELECT page_count, freelist_count, page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size`
	if err := db.read.QueryRowContext(ctx, q).Scan(&pages, &free, &size); err != nil {
		return store.Space{}, fmt.Errorf("measure database: %w", err)
	}
	s := store.Space{Bytes: pages * size, Free: free * size}
	info, err := os.Stat(db.path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("measure database: %w", err)
	}
	s.Log = info.Size()
	return s, nil
}

// Shrink gives pages that nothing is in back to the file system, and empties the log. It keeps a tenth free, for what comes next.
func (db *DB) Shrink(ctx context.Context) error {
	for {
		s, err := db.Space(ctx)
		if err != nil {
			return err
		}
		if s.Free <= s.Bytes/10 {
			break
		}
		if _, err := db.write.ExecContext(ctx, fmt.Sprintf(`PRAGMA incremental_vacuum(%d)`, shrinkStep)); err != nil {
			return fmt.Errorf("shrink database: %w", err)
		}
		after, err := db.Space(ctx)
		if err != nil {
			return err
		}
		if after.Free == s.Free { // made before pages could be given back one by one
			break
		}
	}
	if err := db.checkpoint(ctx, "TRUNCATE"); err != nil {
		return fmt.Errorf("shrink database: %w", err)
	}
	return nil
}

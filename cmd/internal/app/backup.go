package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sheaf/cmd/internal/config"
	"sheaf/cmd/internal/store/backup"
	"sheaf/cmd/internal/store/sqlite"
)

// BackedUp says what a backup is.
type BackedUp struct {
	File   string    `json:"file"`
	Bytes  int64     `json:"bytes"`
	Schema int       `json:"schema"`
	Taken  time.Time `json:"taken"`
}

// Backup copies the database of an installation to a file, beside the process that writes it. An existing file is replaced once the copy is
// whole and checked. If path is a folder the copy goes into it, named by its time; if path is empty, to the daily backups.
func Backup(ctx context.Context, c *config.Config, path string, now time.Time) (BackedUp, error) {
	database := filepath.Join(c.State, databaseName)
	if _, err := os.Stat(database); errors.Is(err, fs.ErrNotExist) {
		return BackedUp{}, fmt.Errorf("there is no database in %s; has there been a sweep yet?", c.State)
	}
	folder := filepath.Join(c.State, backupFolder)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		folder, path = path, ""
	}
	if path == "" {
		made, err := backup.Folder{Path: folder}.Make(ctx, database, now)
		if err != nil {
			return BackedUp{}, err
		}
		path = made.Path
	} else if err := sqlite.Backup(ctx, database, path); err != nil {
		return BackedUp{}, err
	}
	b := BackedUp{File: path, Taken: now.UTC().Truncate(time.Second)}
	info, err := os.Stat(path)
	if err != nil {
		return b, fmt.Errorf("back up: %w", err)
	}
	b.Bytes = info.Size()
	b.Schema, err = sqlite.Inspect(ctx, path)
	return b, err
}

// Restore puts the backup in a file in the place of the database of an installation, which nobody may be running meanwhile. The error wraps
// ErrLocked if somebody is, and ErrNewer if the backup is for a newer version.
func Restore(ctx context.Context, c *config.Config, path string, now time.Time) (r backup.Restored, err error) {
	lock, err := TakeLock(c.State, now)
	if err != nil {
		return r, err
	}
	database := filepath.Join(c.State, databaseName)
	err = backup.Resume(database)
	if err == nil {
		r, err = backup.Restore(ctx, database, path, now)
	}
	if err != nil && !lock.Clean() { // the database is still the one of before, and what was wrong with it, too
		err = errors.Join(err, lock.Keep())
	}
	return r, errors.Join(err, lock.Release())
}

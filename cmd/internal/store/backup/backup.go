// Package backup keeps copies of a database in a folder and puts them back: when the operator asks, and when the database is damaged.
//
// Whoever calls Restore or Recover holds the lock of the state directory; Make works beside a writer.
package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sheaf/cmd/internal/store/sqlite"
)

// Folder is where backups of one database lie. It is made by the first.
type Folder struct {
	Path string
}

// Copy is one backup in a folder.
type Copy struct {
	Path  string
	Taken time.Time
	Bytes int64
}

// stamp is the form of times in names: it sorts, and every file system takes it.
const stamp = "20060102T150405Z"

// Names of backups are prefix, stamp, suffix.
const (
	prefix = "sheaf-"
	suffix = ".db"
)

// Make backs up the database to the folder.
func (f Folder) Make(ctx context.Context, database string, now time.Time) (Copy, error) {
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return Copy{}, fmt.Errorf("make folder of backups: %w", err)
	}
	c := Copy{Path: filepath.Join(f.Path, prefix+now.UTC().Format(stamp)+suffix), Taken: now.UTC().Truncate(time.Second)}
	if err := sqlite.Backup(ctx, database, c.Path); err != nil {
		return Copy{}, err
	}
	info, err := os.Stat(c.Path)
	if err != nil {
		return Copy{}, fmt.Errorf("back up: %w", err)
	}
	c.Bytes = info.Size()
	return c, nil
}

// List gives the backups, the newest first; none if there is no folder.
func (f Folder) List() ([]Copy, error) {
	entries, err := os.ReadDir(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list backups: %w", err)
	}
	var copies []Copy
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), prefix)
		taken, err := time.Parse(stamp+suffix, rest)
		if !ok || err != nil {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return nil, fmt.Errorf("list backups: %w", err)
		}
		copies = append(copies, Copy{filepath.Join(f.Path, e.Name()), taken, info.Size()})
	}
	slices.SortFunc(copies, func(a, b Copy) int { return cmp.Compare(b.Path, a.Path) })
	return copies, nil
}

// Prune removes backups taken before a time, and what backups that were cut short have left. The newest one stays, however old it is.
func (f Folder) Prune(before time.Time) error {
	copies, err := f.List()
	if err != nil {
		return err
	}
	leftovers, err := filepath.Glob(filepath.Join(f.Path, prefix+"*"+suffix+sqlite.TemporarySuffix+"*"))
	if err != nil {
		return fmt.Errorf("prune backups: %w", err)
	}
	var errs []error
	for _, path := range leftovers {
		errs = append(errs, os.Remove(path))
	}
	for i, c := range copies {
		if i > 0 && c.Taken.Before(before) {
			errs = append(errs, os.Remove(c.Path))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("prune backups: %w", err)
	}
	return nil
}

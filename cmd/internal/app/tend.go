package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	// backupFolder is in the state directory.
	backupFolder = "backups"
	// tendedName is an empty file in the state directory whose time says when the database was last tended.
	tendedName = "tended"
	// tendingHour is when the first sweep tends the database, on the clock of the configured zone: when least is published.
	tendingHour = 3
)

// tend does, in the first sweep of every night, what keeps the database well for years: it looks for damage, makes a backup, drops old ones
// and gives room back. Only damage is an error; what else goes wrong is logged and tried again the next night.
func (a *App) tend(ctx context.Context) error {
	path := filepath.Join(a.config.State, tendedName)
	info, err := os.Stat(path)
	if err == nil && !tendingDue(info.ModTime(), a.now().In(a.site.Zone)) {
		return nil
	}
	first := errors.Is(err, fs.ErrNotExist) // a new installation has nothing to tend yet
	if !first {
		if err := a.store.Check(ctx); Damaged(err) {
			return err
		}
		for _, err := range []error{a.backUp(ctx), a.store.Shrink(ctx)} {
			if err != nil {
				a.log.Error("database not tended", "err", err)
			}
		}
	}
	if err := touch(path, a.now()); err != nil {
		a.log.Error("database not tended", "err", err)
	}
	return ctx.Err()
}

// tendingDue reports whether a night has begun since the last time. A last time that is to come was written by a wrong clock.
func tendingDue(last, now time.Time) bool {
	night := time.Date(now.Year(), now.Month(), now.Day(), tendingHour, 0, 0, 0, now.Location())
	if night.After(now) {
		night = night.AddDate(0, 0, -1)
	}
	return last.Before(night) || last.After(now.Add(time.Hour))
}

// backUp makes the backup of the night, unless that would fill the disk, and drops those that are old.
func (a *App) backUp(ctx context.Context) error {
	keep := time.Duration(a.config.Backups)
	if keep == 0 {
		return nil
	}
	space, err := a.store.Space(ctx)
	if err != nil {
		return err
	}
	f := a.backups()
	if err := f.Prune(a.now().Add(-keep)); err != nil {
		return err
	}
	if free, err := freeSpace(a.config.State); err == nil && free < 2*uint64(space.Bytes+space.Log) {
		return fmt.Errorf("no backup: it takes up to %d MB, and only %d MB are free on the disk of %s; free some, or lower backups or retention",
			(space.Bytes+space.Log)>>20, free>>20, a.config.State)
	}
	c, err := f.Make(ctx, a.databasePath(), a.now())
	if err != nil {
		return err
	}
	a.log.Info("database backed up", "backup", c.Path, "bytes", c.Bytes)
	return nil
}

// touch makes a file bear a time.
func touch(path string, at time.Time) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Chtimes(path, at, at))
}

package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sheaf/cmd/internal/store"
	"sheaf/cmd/internal/store/backup"
	"sheaf/cmd/internal/store/sqlite"
)

// Sizes up to which a database is read through when it is opened. A check takes about five seconds a gigabyte.
const (
	checkedAlways = 32 << 20 // bytes: for a tenth of a second, always
	checkedAfter  = 2 << 30  // after an end that was not clean; larger ones wait for the night
)

// keptAside is how many damaged databases are kept: a failing disk must not be filled up, too.
const keptAside = 2

// ErrNewer means that the database is for a newer version of sheaf.
var ErrNewer = sqlite.ErrNewer

// Damaged reports whether an error says that the database is damaged. Open puts that right.
func Damaged(err error) bool { return sqlite.Damaged(err) }

func (a *App) databasePath() string { return filepath.Join(a.config.State, databaseName) }

// backups is the folder of the daily backups.
func (a *App) backups() backup.Folder {
	return backup.Folder{Path: filepath.Join(a.config.State, backupFolder)}
}

// openStore opens the database, after making sure that it can be.
func (a *App) openStore(ctx context.Context) (store.Store, error) {
	if err := backup.Resume(a.databasePath()); err != nil {
		return nil, fmt.Errorf("resume replacing the database: %w", err)
	}
	err := a.prepare(ctx)
	if err == nil {
		var db *sqlite.DB
		if db, err = sqlite.Open(ctx, a.databasePath()); err == nil {
			return db, nil
		}
	}
	if !Damaged(err) || a.strict {
		return nil, err
	}
	aside, err := a.recover(ctx, err)
	if err != nil {
		return nil, err
	}
	if err := a.beforeMigration(ctx); err != nil {
		return nil, err
	}
	db, err := sqlite.Open(ctx, a.databasePath())
	if err != nil {
		return nil, err
	}
	a.salvage(ctx, db, aside)
	return db, nil
}

// prepare looks for damage as far as there is reason to.
func (a *App) prepare(ctx context.Context) error {
	info, err := os.Stat(a.databasePath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it begins here
	}
	if err != nil {
		return err
	}
	if damage := a.lock.Damage(); damage != "" {
		return fmt.Errorf("%w: met before: %s", store.ErrDamaged, damage)
	}
	if size := info.Size(); size <= checkedAlways || !a.lock.Clean() && size <= checkedAfter {
		if _, err := sqlite.CheckFile(ctx, a.databasePath()); err != nil {
			return err
		}
	}
	return a.beforeMigration(ctx)
}

// beforeMigration makes a backup if opening the database is going to change its schema.
func (a *App) beforeMigration(ctx context.Context) error {
	has, err := sqlite.Inspect(ctx, a.databasePath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	makes, err := sqlite.Schema()
	if err != nil || has == 0 || has == makes {
		return err
	}
	c, err := a.backups().Make(ctx, a.databasePath(), a.now())
	if err != nil {
		return fmt.Errorf("before the database is brought up to date: %w", err)
	}
	a.log.Info("database is brought up to date", "from", has, "to", makes, "backup", c.Path)
	return nil
}

// recover replaces the damaged database, tells of it, and says where it lies now.
func (a *App) recover(ctx context.Context, damage error) (aside string, err error) {
	r, err := backup.Recover(ctx, a.databasePath(), a.backups(), a.now())
	if err != nil {
		return "", errors.Join(damage, err)
	}
	what := "no good backup was found, so it begins anew: the feeds are read again, history is lost"
	if r.From != "" {
		what = "the backup of " + r.Taken.Format(time.RFC3339) + " takes its place"
	}
	a.log.Error("the database was damaged; "+what, "damage", damage, "backup", r.From, "kept", r.Aside)
	return r.Aside, backup.DropCorrupt(a.databasePath(), keptAside)
}

// salvage takes over from the damaged database what editors have said, as far as it can still be read: nobody will say it again, while the
// feeds will.
func (a *App) salvage(ctx context.Context, db store.Store, aside string) {
	old, err := sqlite.OpenReadOnly(ctx, aside)
	if err != nil {
		a.log.Error("what editors have said lately cannot be read from the damaged database", "err", err)
		return
	}
	said, err := old.Corrections(ctx)
	for _, c := range said {
		if _, failed := db.SaveCorrection(ctx, c); failed != nil {
			err = errors.Join(err, failed)
			break
		}
	}
	if err = errors.Join(err, old.Close()); err != nil {
		a.log.Error("what editors have said lately cannot be read from the damaged database", "err", err)
	}
}

// diagnose looks at the error of a sweep. The first time that something goes wrong the database is read through; what is found is left to
// the next holder of the lock.
func (a *App) diagnose(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		a.troubled = a.troubled && err != nil
		return err
	}
	if !Damaged(err) && !a.troubled {
		if found := a.store.Check(ctx); Damaged(found) {
			err = errors.Join(err, found)
		}
	}
	a.troubled = true
	if !Damaged(err) {
		return err
	}
	return errors.Join(err, a.lock.NoteDamage(err))
}

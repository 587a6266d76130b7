package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sheaf/cmd/internal/store/sqlite"
)

// Restored says what took the place of a database.
type Restored struct {
	From  string    // the backup; empty: there was no good one, and the database begins anew
	Taken time.Time // when the backup was made; zero if that is not known
	Aside string    // where the database that was replaced lies now; empty: there was none
}

// Restore puts a copy of the file from in the place of the database, whose own file is kept beside it. Before anything is touched the copy is
// checked: it must be sound, and no newer than this version. An older one is brought up to date when it is opened.
func Restore(ctx context.Context, database, from string, now time.Time) (Restored, error) {
	r := Restored{From: from}
	err := stage(ctx, database, from)
	if err == nil {
		r.Aside, err = swap(database, "replaced", now)
	}
	if err != nil {
		return Restored{}, fmt.Errorf("restore %s: %w", from, err)
	}
	return r, nil
}

// Recover sets a damaged database aside and restores the newest good backup. Without one nothing is there afterwards, and the next Open
// begins anew: the feeds are read again, and only history is lost. Backups that are damaged themselves are passed over.
func Recover(ctx context.Context, database string, f Folder, now time.Time) (r Restored, err error) {
	copies, err := f.List()
	if err != nil {
		return r, err
	}
	for _, c := range copies {
		err := stage(ctx, database, c.Path)
		if err == nil {
			r.From, r.Taken = c.Path, c.Taken
			break
		}
		if !sqlite.Damaged(err) && !errors.Is(err, sqlite.ErrNewer) {
			return r, fmt.Errorf("restore %s: %w", c.Path, err)
		}
	}
	if r.From == "" {
		r.Aside, err = putAside(database, "corrupt", now)
	} else {
		r.Aside, err = swap(database, "corrupt", now)
	}
	if err != nil {
		return r, fmt.Errorf("set the damaged database aside: %w", err)
	}
	return r, nil
}

// Resume finishes or undoes a replacement that was cut short. It is called before the database is opened.
func Resume(database string) error {
	if !exists(staged(database)) {
		return nil
	}
	if exists(database) { // it had not begun, or the copy is not whole
		return discard(staged(database))
	}
	return sqlite.Install(staged(database), database)
}

// staged is where the copy waits that is to take the place of the database.
func staged(database string) string { return database + ".restored" + sqlite.TemporarySuffix }

// stage copies a backup to where it waits, and checks the copy.
func stage(ctx context.Context, database, from string) error {
	err := duplicate(ctx, from, staged(database))
	if err == nil {
		_, err = sqlite.CheckFile(ctx, staged(database))
	}
	if err != nil {
		return errors.Join(err, discard(staged(database)))
	}
	return nil
}

// swap puts the copy that waits in the place of the database. Cut short, it is finished by Resume.
func swap(database, why string, now time.Time) (aside string, err error) {
	if aside, err = putAside(database, why, now); err != nil {
		return "", errors.Join(err, discard(staged(database)))
	}
	return aside, sqlite.Install(staged(database), database)
}

// logs are the suffixes of the files that belong to a database while it is open, or after its process died.
var logs = []string{"-wal", "-shm", "-journal"}

// putAside renames the database and its log out of the way. The log goes first: were it found beside another database, SQLite would replay it
// there.
func putAside(database, why string, now time.Time) (string, error) {
	aside := database + "." + why + "-" + now.UTC().Format(stamp)
	for n := 2; exists(aside); n++ {
		aside = fmt.Sprintf("%s.%s-%s-%d", database, why, now.UTC().Format(stamp), n)
	}
	for _, suffix := range logs {
		if err := os.Rename(database+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if err := os.Rename(database, aside); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	return aside, nil
}

// DropCorrupt removes all but the newest few of the databases that Recover has set aside.
func DropCorrupt(database string, keep int) error {
	paths, err := filepath.Glob(database + ".corrupt-*")
	if err != nil {
		return fmt.Errorf("drop damaged databases: %w", err)
	}
	paths = slices.DeleteFunc(paths, func(p string) bool {
		return slices.ContainsFunc(logs, func(suffix string) bool { return strings.HasSuffix(p, suffix) })
	})
	slices.Sort(paths)
	var errs []error
	for _, path := range paths[:max(0, len(paths)-keep)] {
		errs = append(errs, discard(path))
	}
	return errors.Join(errs...)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// duplicate copies a file, for its owner only. A file that is being written is refused by the check of the copy, or is a good copy.
func duplicate(ctx context.Context, from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := discard(to); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err == nil {
		err = out.Sync() // before anything else is moved
	}
	return errors.Join(err, out.Close(), ctx.Err())
}

// discard removes a database with its logs.
func discard(path string) error {
	var errs []error
	for _, suffix := range append([]string{""}, logs...) {
		if err := os.Remove(path + suffix); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

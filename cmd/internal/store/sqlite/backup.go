package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Backup writes a compact copy of the database at from, as it stands at this moment, to the file to, beside whoever writes it. The copy is
// checked and on the disk before it gets its name; a file of that name is replaced. It can be read by its owner only.
//
// The file at from must exist. Of a damaged database there is no copy: the error is one for which Damaged holds.
func Backup(ctx context.Context, from, to string) error {
	db, err := connectFile(from)
	if err != nil {
		return err
	}
	temporary := to + TemporarySuffix
	err = errors.Join(copyInto(ctx, db, temporary), db.Close())
	if err == nil {
		_, err = CheckFile(ctx, temporary)
	}
	if err == nil {
		err = Install(temporary, to)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("back up %s: %w", from, err), removeIfThere(temporary))
	}
	return nil
}

// TemporarySuffix ends the name of a backup that is not whole yet.
const TemporarySuffix = ".tmp"

// copyInto makes the file first, so that nobody else can ever read it: SQLite would make it by the umask.
func copyInto(ctx context.Context, db *sql.DB, path string) error {
	if err := removeIfThere(path); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, `VACUUM INTO $1`, path)
	return err
}

// Install gives a whole file its name, replacing what had it, once its content is on the disk.
func Install(temporary, path string) error {
	file, err := os.OpenFile(temporary, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

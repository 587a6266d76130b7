package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	driver "modernc.org/sqlite"

	"sheaf/cmd/internal/store"
)

// Primary result codes that a sound database never gives (https://www.sqlite.org/rescode.html); the low byte of a code is the primary one.
const (
	resultCorrupt    = 11
	resultConstraint = 19 // no statement of ours can break one: an index contradicts its table
	resultNotADB     = 26
)

// Damaged reports whether an error of this package says that the database is damaged, rather than that it could not be reached.
func Damaged(err error) bool {
	var e *driver.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xff {
		case resultCorrupt, resultConstraint, resultNotADB:
			return true
		}
	}
	return errors.Is(err, store.ErrDamaged)
}

// unreadable marks an error of taking a stored value apart: what was written well and cannot be read is damaged.
func unreadable(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", store.ErrDamaged, err)
}

// Check reads the whole database and looks for damage: an error for which Damaged holds. Readers and the writer go on meanwhile. It has a
// connection of its own, since FTS5's part of the check takes what an old one remembers of the index for what must be there.
func (db *DB) Check(ctx context.Context) error {
	fresh, err := connectFile(db.path)
	if err != nil {
		return err
	}
	if err := errors.Join(checkPages(ctx, fresh), fresh.Close()); err != nil {
		return fmt.Errorf("check database: %w", err)
	}
	return nil
}

// CheckFile looks for damage in the database at path and gives the version of its schema, 0 for none yet. Beside what Check sees it finds
// a schema that the migrations did not make. It brings nothing up to date, and refuses no version but a newer one. The caller sees to it
// that nobody writes.
func CheckFile(ctx context.Context, path string) (schema int, err error) {
	return checkFile(ctx, path, checkPages)
}

// Inspect is CheckFile without reading more than the schema: its time does not depend on how much is stored.
func Inspect(ctx context.Context, path string) (schema int, err error) {
	return checkFile(ctx, path, func(context.Context, *sql.DB) error { return nil })
}

func checkFile(ctx context.Context, path string, check func(context.Context, *sql.DB) error) (schema int, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, fmt.Errorf("check database: %w", err)
	}
	if info.Size() == 0 {
		return 0, fmt.Errorf("check database %s: %w: the file is empty", path, store.ErrDamaged)
	}
	db, err := connectFile(path)
	if err != nil {
		return 0, err
	}
	if err = check(ctx, db); err == nil {
		schema, err = checkMigrations(ctx, db, migrations)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return 0, fmt.Errorf("check database %s: %w", path, err)
	}
	return schema, nil
}

// Schema is the version of the schema that this program makes.
func Schema() (int, error) {
	steps, err := readMigrations(migrations)
	return len(steps), err
}

// checkPages is SQLite's full check. It takes hardly longer than the quick one, since either reads every page and most pages are texts.
func checkPages(ctx context.Context, db *sql.DB) error {
	var found string
	err := db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&found)
	if err == nil && found != "ok" {
		return fmt.Errorf("%w: %s", store.ErrDamaged, strings.ReplaceAll(found, "\n", " "))
	}
	return err
}

// checkMigrations compares what a database says of its schema with the migrations, and gives its version.
func checkMigrations(ctx context.Context, db *sql.DB, dir fs.FS) (int, error) {
	steps, err := readMigrations(dir)
	if err != nil {
		return 0, err
	}
	has, err := schemaOf(ctx, db)
	if err != nil || len(has) == 0 {
		return 0, err
	}
	applied, err := appliedMigrations(ctx, db)
	switch {
	case err != nil: // also: no table schema_migration
		return 0, unreadable(err)
	case len(applied) > len(steps):
		return len(applied), fmt.Errorf("schema %d, this version knows %d: %w", len(applied), len(steps), ErrNewer)
	}
	steps = steps[:len(applied)]
	if err := compareApplied(applied, steps); err != nil {
		return 0, err
	}
	want, err := schemaMade(ctx, steps)
	if err != nil {
		return 0, err
	}
	for name, text := range want {
		if has[name] != text {
			return 0, fmt.Errorf("%w: %s is not what version %d makes it", store.ErrDamaged, name, len(steps))
		}
	}
	return len(applied), nil
}

// schemaMade is the schema that migrations make.
func schemaMade(ctx context.Context, steps []migration) (map[string]string, error) {
	memory, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer memory.Close()
	memory.SetMaxOpenConns(1) // each connection would have a memory of its own
	if _, err := memory.ExecContext(ctx, migrationTable); err != nil {
		return nil, err
	}
	for _, step := range steps {
		if _, err := memory.ExecContext(ctx, step.text); err != nil {
			return nil, fmt.Errorf("migration %d: %w", step.version, err)
		}
	}
	return schemaOf(ctx, memory)
}

// schemaOf gives the statements of a schema by name, without what SQLite adds by itself.
func schemaOf(ctx context.Context, db *sql.DB) (map[string]string, error) {
	rows, err := db.QueryContext(ctx, `SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~'`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	schema := map[string]string{}
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			return nil, unreadable(err)
		}
		schema[name] = text
	}
	return schema, rows.Err()
}

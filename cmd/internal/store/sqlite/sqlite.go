// Package sqlite is the store in one file: SQLite in pure Go, write-ahead log, one writing connection and several reading ones.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // registers the driver

	"sheaf/cmd/internal/store"
)

// DB is an open database. Its methods may be called concurrently.
type DB struct {
	write *sql.DB // one connection: SQLite has one writer, and waiting in Go beats "database is locked"
	read  *sql.DB
	watch watch
	path  string
}

var _ store.Store = (*DB)(nil)

// readers is how many connections read at once, beside the one that is asked for changes.
const readers = 4

// Open opens or creates the database at path and brings its schema up to date. It refuses a database written by a newer version.
func Open(ctx context.Context, path string) (*DB, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	db := &DB{path: path}
	var err error
	if db.write, err = connect(path, writing); err != nil {
		return nil, err
	}
	db.write.SetMaxOpenConns(1)
	if err := db.migrate(ctx, migrations); err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), db.write.Close())
	}
	if db.read, err = connect(path, reading); err != nil {
		return nil, errors.Join(err, db.write.Close())
	}
	db.read.SetMaxOpenConns(readers + 1)
	return db, nil
}

// OpenReadOnly opens a database that exists, for reading beside the process that writes it. Methods that write fail.
func OpenReadOnly(ctx context.Context, path string) (*DB, error) {
	db, err := openBeside(ctx, path)
	if err != nil {
		return nil, err
	}
	db.write = db.read
	return db, nil
}

// OpenBeside opens a database that exists beside the process that holds its lock, for SaveCorrection and for reading.
func OpenBeside(ctx context.Context, path string) (*DB, error) {
	db, err := openBeside(ctx, path)
	if err != nil {
		return nil, err
	}
	if db.write, err = connect(path, writing); err != nil {
		return nil, errors.Join(err, db.read.Close())
	}
	db.write.SetMaxOpenConns(1)
	return db, nil
}

func openBeside(ctx context.Context, path string) (*DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	read, err := connect(path, reading)
	if err != nil {
		return nil, err
	}
	read.SetMaxOpenConns(readers + 1)
	db := &DB{read: read, path: path}
	if err := db.checkSchema(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), read.Close())
	}
	return db, nil
}

// connectFile opens the database at path as it is, changing none of its settings, on one connection.
func connectFile(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=rw&_busy_timeout=5000")
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// The options of connections. What shapes the file is for those that write: a reader that asked for the write-ahead log, too, would want a
// lock for it and now and then be told that the database is locked, since no time-out is heeded there.
const (
	writing = "_txlock=immediate&_auto_vacuum=incremental&_pragma=page_size(8192)&_pragma=journal_mode(WAL)"
	reading = "_pragma=query_only(1)"
)

// connect opens a pool. Pages that nothing is in can be given back one by one (see Shrink). NORMAL syncs at checkpoints only: power loss may take the last commits, never the database, and what it takes
// is fetched again; what is published is synced first (see SaveMemory).
func connect(path, option string) (*sql.DB, error) {
	dsn := "file:" + (&url.URL{Path: path}).EscapedPath() +
		"?_pragma=busy_timeout(5000)&" + option + "&_pragma=synchronous(NORMAL)&_pragma=cache_size(-32000)&_pragma=wal_autocheckpoint(8000)&_pragma=temp_store(MEMORY)"
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	return db, nil
}

// Close closes the database, and folds the log into it if this process wrote it.
func (db *DB) Close() error {
	unwatched := db.watch.close()
	if db.write == db.read {
		return errors.Join(unwatched, db.read.Close())
	}
	_, err := db.write.Exec("PRAGMA optimize")
	if err != nil {
		err = fmt.Errorf("close database: %w", err)
	}
	return errors.Join(unwatched, err, db.read.Close(), db.write.Close())
}

// inTx runs f in one writing transaction and commits if it succeeds. A canceled context ends the transaction; f is given one that does not
// end, since the driver starts a goroutine for every statement of one that can.
func (db *DB) inTx(ctx context.Context, what string, f func(context.Context, *sql.Tx) error) error {
	tx, err := db.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := f(context.WithoutCancel(ctx), tx); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", what, err), ignoreDone(tx.Rollback()))
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// ignoreDone drops the error of rolling back what a canceled context has rolled back already.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// millis is a time as stored; 0 for none.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// fromMillis is the time stored as ms.
func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

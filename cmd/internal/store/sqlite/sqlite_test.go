package sqlite

import (
	"errors"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"sheaf/cmd/internal/store"
	"sheaf/cmd/internal/store/storetest"
)

func open(t *testing.T, path string) *DB {
	t.Helper()
	db, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // closing twice is an error we do not care about here
	return db
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) (store.Store, func() store.Store) {
		path := filepath.Join(t.TempDir(), "with space & percent%", "sheaf.db")
		db := open(t, path)
		return db, func() store.Store {
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			db = open(t, path)
			return db
		}
	})
}

func TestOpenRefusesNewerSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sheaf.db")
	db := open(t, path)
	if _, err := db.write.Exec(`INSERT INTO schema_migration VALUES (1000, 'x', 0)`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path); !errors.Is(err, ErrNewer) {
		t.Errorf("Open = %v, want ErrNewer", err)
	}
}

func TestOpenRefusesEditedMigration(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sheaf.db")
	db := open(t, path)
	if _, err := db.write.Exec(`UPDATE schema_migration SET checksum = 'x'`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path); !Damaged(err) {
		t.Errorf("Open = %v, want damage", err)
	}
}

func TestOpenReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sheaf.db")
	if _, err := OpenReadOnly(t.Context(), path); err == nil {
		t.Error("a database that does not exist was opened")
	}
	writer := open(t, path)
	if _, err := writer.write.Exec(`INSERT INTO feed VALUES ('f', 'u', 0, '{}')`); err != nil {
		t.Fatal(err)
	}
	reader, err := OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if totals, err := reader.Totals(t.Context()); err != nil || totals.Feeds != 1 {
		t.Errorf("beside the writer, totals = %+v, %v", totals, err)
	}
	if err := reader.Lease(t.Context(), "f", time.Now()); err == nil {
		t.Error("a reader wrote")
	}
	if err := reader.Close(); err != nil {
		t.Error(err)
	}
	if _, err := writer.write.Exec(`DELETE FROM schema_migration`); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReadOnly(t.Context(), path); !errors.Is(err, ErrOlder) {
		t.Errorf("an older database: %v, want ErrOlder", err)
	}
}

func TestReadMigrationsRefusesGaps(t *testing.T) {
	if _, err := readMigrations(fstest.MapFS{"migrations/0002_x.sql": {Data: []byte("SELECT 1")}}); err == nil {
		t.Error("a missing first migration was accepted")
	}
}

// Versions of SQLite before 3.51.3 can lose a committed transaction when a checkpoint and a commit overlap.
func TestSQLiteVersion(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "sheaf.db"))
	var fixed bool
	const q = `SELECT CAST(substr(sqlite_version(), 3, 2) AS INT) > 51 OR sqlite_version() LIKE '3.51.%' AND CAST(substr(sqlite_version(), 6) AS INT) >= 3`
	if err := db.read.QueryRow(q).Scan(&fixed); err != nil || !fixed {
		t.Errorf("SQLite is older than 3.51.3 (%v)", err)
	}
}

func TestReadersCannotWrite(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "sheaf.db"))
	if _, err := db.read.Exec(`DELETE FROM feed`); err == nil {
		t.Error("a reading connection wrote")
	}
	var mode string
	if err := db.read.QueryRow(`PRAGMA journal_mode`).Scan(&mode); err != nil || mode != "wal" {
		t.Errorf("journal mode = %q, %v; want wal", mode, err)
	}
}

package sqlite

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"sheaf/cmd/internal/store"
)

// filled gives a database with some articles in it, closed.
func filled(t *testing.T, feeds, articles int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sheaf.db")
	db := open(t, path)
	for f := range feeds {
		if err := db.Save(t.Context(), document(f, articles)); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBackup(t *testing.T) {
	path := filled(t, 2, 5)
	writer := open(t, path)
	if err := writer.Save(t.Context(), document(2, 5)); err != nil { // in the log, not in the file
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "it's a copy?.db")
	for range 2 { // the second replaces the first
		if err := Backup(t.Context(), path, to); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(to); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("backup is %v, %v; want it for its owner only", info.Mode(), err)
	}
	if left, err := filepath.Glob(to + TemporarySuffix + "*"); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
	if schema, err := CheckFile(t.Context(), to); err != nil || schema != 1 {
		t.Errorf("CheckFile = %d, %v; want schema 1", schema, err)
	}
	reader, err := OpenReadOnly(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if totals, err := reader.Totals(t.Context()); err != nil || totals.Articles != 15 {
		t.Errorf("backup holds %+v, %v; want 15 articles", totals, err)
	}
}

func TestBackupOfNothing(t *testing.T) {
	dir := t.TempDir()
	to := filepath.Join(dir, "copy.db")
	if err := Backup(t.Context(), filepath.Join(dir, "missing.db"), to); err == nil || Damaged(err) {
		t.Errorf("Backup of a missing file = %v, want an error that is no damage", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("left over: %v, %v", entries, err)
	}
}

// A good backup is not replaced by the copy of a damaged database.
func TestBackupOfDamage(t *testing.T) {
	path := filled(t, 2, 40)
	to := filepath.Join(t.TempDir(), "copy.db")
	if err := Backup(t.Context(), path, to); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range data[4096:] { // all pages but the first
		data[4096+i] ^= 0x55
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Backup(t.Context(), path, to); !Damaged(err) {
		t.Errorf("Backup of a damaged database = %v, want damage", err)
	}
	if now, err := os.ReadFile(to); err != nil || !bytes.Equal(now, good) {
		t.Errorf("the good backup was touched (%v)", err)
	}
}

func TestCheckFile(t *testing.T) {
	statement := func(text string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			db, err := connectFile(path)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.ExecContext(t.Context(), text); err != nil {
				t.Fatal(err)
			}
		}
	}
	content := func(data []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tt := range []struct {
		name    string
		spoil   func(*testing.T, string)
		damaged bool
		wraps   error
	}{
		{"sound", func(*testing.T, string) {}, false, nil},
		{"empty", content(nil), true, nil},
		{"another file", content([]byte("Dear diary, this is no database at all, and long enough to look at.")), true, nil},
		{"half a header", content([]byte("SQLite format 3\x00\x10")), true, nil},
		{"table missing", statement(`DROP TABLE pending`), true, nil},
		{"column renamed", statement(`ALTER TABLE article RENAME COLUMN title TO titel`), true, nil},
		{"index missing", statement(`DROP INDEX story_last`), true, nil},
		{"migrations forgotten", statement(`DROP TABLE schema_migration`), true, nil},
		{"other migration", statement(`UPDATE schema_migration SET checksum = 'x'`), true, nil},
		{"newer", statement(`INSERT INTO schema_migration VALUES (2, 'x', 0)`), false, ErrNewer},
		{"missing", func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}, false, fs.ErrNotExist},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filled(t, 1, 3)
			tt.spoil(t, path)
			schema, err := CheckFile(t.Context(), path)
			if Damaged(err) != tt.damaged || tt.wraps != nil && !errors.Is(err, tt.wraps) || tt.name == "sound" && schema != 1 {
				t.Errorf("CheckFile = %d, %v; want damage %v, %v", schema, err, tt.damaged, tt.wraps)
			}
		})
	}
}

// What an older version has left is brought up to date with its content kept; what it does not have yet is no damage.
func TestMigrateOlder(t *testing.T) {
	path := filled(t, 1, 3)
	dir := fstest.MapFS{}
	if err := fs.WalkDir(migrations, "migrations", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(migrations, name)
		dir[name] = &fstest.MapFile{Data: data}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	dir["migrations/0002_flavor.sql"] = &fstest.MapFile{Data: []byte(`ALTER TABLE article ADD COLUMN flavor TEXT NOT NULL DEFAULT 'plain'; CREATE INDEX article_flavor ON article (flavor)`)}
	db, err := connectFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if schema, err := checkMigrations(t.Context(), db, dir); err != nil || schema != 1 {
		t.Errorf("before: schema %d, %v; want 1 and no damage", schema, err)
	}
	if err := (&DB{write: db, path: path}).migrate(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if schema, err := checkMigrations(t.Context(), db, dir); err != nil || schema != 2 {
		t.Errorf("after: schema %d, %v; want 2 and no damage", schema, err)
	}
	var n int
	if err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM article WHERE flavor = 'plain'`).Scan(&n); err != nil || n != 3 {
		t.Errorf("%d articles came along, %v; want 3", n, err)
	}
	if _, err := CheckFile(t.Context(), path); !errors.Is(err, ErrNewer) { // for the version without the second step
		t.Errorf("the older version says %v, want ErrNewer", err)
	}
}

// A stored value that cannot be taken apart is damage, wherever it is met.
func TestUnreadable(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "sheaf.db"))
	for _, q := range []string{
		`INSERT INTO feed VALUES ('f', 'u', 0, '{"etag":')`,
		`INSERT INTO correction VALUES (1, 'x')`,
		`INSERT INTO outbox VALUES ('m', 0, 0, '[')`,
		`INSERT INTO emission VALUES ('c', 'i', 's', 0, 1, '{"id":7}')`,
		`INSERT INTO lease VALUES ('f', '"')`,
		`INSERT INTO story VALUES ('s', '', '', '', '{', 1, 1)`,
		`INSERT INTO story_merge VALUES ('s', 't', 'yesterday')`,
	} {
		if _, err := db.write.ExecContext(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	for name, read := range map[string]func() error{
		"States":      func() error { _, err := db.States(t.Context()); return err },
		"Corrections": func() error { _, err := db.Corrections(t.Context()); return err },
		"Outbox":      func() error { _, err := db.Outbox(t.Context(), fromMillis(1)); return err },
		"Memory":      func() error { _, err := db.Memory(t.Context(), "c"); return err },
		"Stories":     func() error { _, _, err := db.Stories(t.Context(), store.StoryQuery{}); return err },
		"Leases":      func() error { _, err := db.Leases(t.Context()); return err },
		"Merges":      func() error { _, err := db.Merges(t.Context()); return err },
	} {
		if err := read(); !Damaged(err) {
			t.Errorf("%s = %v, want damage", name, err)
		}
	}
	if err := db.Check(t.Context()); err != nil {
		t.Errorf("Check = %v: the pages themselves are sound", err)
	}
}

func TestSpace(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "sheaf.db"))
	for f := range 40 {
		if err := db.Save(t.Context(), document(f, 20)); err != nil {
			t.Fatal(err)
		}
	}
	full, err := db.Space(t.Context())
	if err != nil || full.Bytes < 1<<20 || full.Log == 0 {
		t.Fatalf("Space = %+v, %v; want some megabytes, and a log", full, err)
	}
	if _, err := db.Expire(t.Context(), fromMillis(1<<52)); err != nil {
		t.Fatal(err)
	}
	emptied, err := db.Space(t.Context())
	if err != nil || emptied.Free < emptied.Bytes/2 {
		t.Errorf("after everything has expired, Space = %+v, %v; want most of it free", emptied, err)
	}
	if err := db.Shrink(t.Context()); err != nil {
		t.Fatal(err)
	}
	shrunk, err := db.Space(t.Context())
	if err != nil || shrunk.Bytes > full.Bytes/4 || shrunk.Free > shrunk.Bytes/10 || shrunk.Log != 0 {
		t.Errorf("shrunk from %+v to %+v, %v", full, shrunk, err)
	}
	if err := db.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

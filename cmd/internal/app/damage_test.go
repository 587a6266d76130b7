package app

import (
	"bytes"
	"database/sql"
	"errors"
	"flag"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sheaf/cmd/internal/config"
	"sheaf/cmd/internal/store"
	"sheaf/cmd/internal/store/backup"
)

// sample gives the installation of the bundled feeds with its state and its documents in a directory of the test.
func sample(t *testing.T, dir string) *config.Config {
	t.Helper()
	c, err := config.Load("../../../config.yaml", config.Overrides{State: filepath.Join(dir, "var"), Publish: filepath.Join(dir, "public")})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// once does what `sheaf once` does: a sweep, and another if the first met damage.
func once(t *testing.T, c *config.Config, o Options) error {
	t.Helper()
	var err error
	for range 2 {
		var a *App
		if a, err = Open(t.Context(), c, o); err != nil {
			return err
		}
		_, err = a.Sweep(t.Context())
		if err = errors.Join(err, a.Close()); !Damaged(err) {
			return err
		}
	}
	return err
}

// damages are what may happen to the files of a database: F39 of the specification of faults, and what a disk or a hand does beside.
func damages(size int64) map[string]func(data, log []byte) (newData, newLog []byte) {
	return map[string]func(data, log []byte) ([]byte, []byte){
		"truncated to nothing":    func([]byte, []byte) ([]byte, []byte) { return nil, nil },
		"truncated to a byte":     func(data, _ []byte) ([]byte, []byte) { return data[:1], nil },
		"truncated in the header": func(data, _ []byte) ([]byte, []byte) { return data[:60], nil },
		"truncated to a page":     func(data, _ []byte) ([]byte, []byte) { return data[:4096], nil },
		"truncated to half":       func(data, _ []byte) ([]byte, []byte) { return data[:size/2], nil },
		"truncated by a byte":     func(data, _ []byte) ([]byte, []byte) { return data[:size-1], nil },
		"zeroed":                  func(data, _ []byte) ([]byte, []byte) { return make([]byte, len(data)), nil },
		"second half zeroed":      func(data, _ []byte) ([]byte, []byte) { clear(data[size/2:]); return data, nil },
		"other content":           func([]byte, []byte) ([]byte, []byte) { return []byte(strings.Repeat("Dear diary. ", 1000)), nil },
		"log zeroed":              func(data, log []byte) ([]byte, []byte) { return data, make([]byte, len(log)) },
		"log half zeroed":         func(data, log []byte) ([]byte, []byte) { clear(log[len(log)/2:]); return data, log },
		"log truncated":           func(data, log []byte) ([]byte, []byte) { return data, log[:len(log)*2/3] },
		"log deleted":             func(data, _ []byte) ([]byte, []byte) { return data, nil },
		"log of another":          func(data, log []byte) ([]byte, []byte) { return data[:4096], log },
	}
}

// killed gives the folder of an installation that was killed: most of the database is in its log.
func killed(t *testing.T) (dir string, data, log []byte) {
	t.Helper()
	dir = t.TempDir()
	c := sample(t, dir)
	a := open(t, c, Options{})
	sweep(t, a)
	path := filepath.Join(c.State, databaseName)
	var err error
	if data, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	if log, err = os.ReadFile(path + "-wal"); err != nil || len(log) == 0 {
		t.Fatalf("no log: %v", err)
	}
	return dir, data, log
}

// Whatever happened to the database, the next run ends well and publishes: with what the newest backup held, or anew.
func TestDamage(t *testing.T) {
	_, data, log := killed(t)
	for name, damage := range damages(int64(len(data))) {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c := sample(t, dir)
			newData, newLog := damage(bytes.Clone(data), bytes.Clone(log))
			plant(t, c, newData, newLog)
			if err := once(t, c, Options{}); err != nil {
				t.Fatal(err)
			}
			mustPublish(t, c)
			if err := once(t, c, Options{Strict: true}); err != nil {
				t.Errorf("the run after it: %v", err)
			}
		})
	}
}

// plant makes a state directory as a killed process leaves it, with these files.
func plant(t *testing.T, c *config.Config, data, log []byte) {
	t.Helper()
	if err := os.MkdirAll(c.State, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(c.State, databaseName)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if log != nil {
		if err := os.WriteFile(path+"-wal", log, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(c.State, "lock"), []byte("process 1 (sheaf once), since yesterday\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func mustPublish(t *testing.T, c *config.Config) {
	t.Helper()
	for _, suffix := range []string{".rss", ".atom", ".json"} {
		if data, err := os.ReadFile(filepath.Join(c.Publish.Dir, "stories"+suffix)); err != nil || !bytes.Contains(data, []byte("All 245 safe")) {
			t.Errorf("stories%s was not published well: %v", suffix, err)
		}
	}
}

// faults asks for as many faults as the specification names; without it some must do.
var faults = flag.Bool("faults", false, "try every fault, which takes a minute")

// One byte of the database is flipped, at every one of many places.
func TestFlippedBytes(t *testing.T) {
	places := 40
	if *faults {
		places = 200
	}
	whole := t.TempDir()
	c := sample(t, whole)
	if err := once(t, c, Options{}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(c.State, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	restored := 0
	for i := range places {
		at := len(data) * i / places
		if i < places/4 {
			at = i * 37 // the header and the schema
		}
		dir := t.TempDir()
		c := sample(t, dir)
		flipped := bytes.Clone(data)
		if flipped[at] ^= 0xff; i%2 == 0 {
			flipped[at] ^= 0xff ^ 1<<(i/2%8) // one bit
		}
		plant(t, c, flipped, nil)
		if err := once(t, c, Options{}); err != nil {
			t.Errorf("byte %d flipped: %v", at, err)
			continue
		}
		mustPublish(t, c)
		if kept, err := filepath.Glob(filepath.Join(c.State, "*.corrupt-*")); err != nil || len(kept) > 0 {
			restored++
		}
	}
	t.Logf("of %d flipped bytes, %d were seen and made the database begin anew", places, restored)
}

// With a backup there is no need to begin anew. The run tells what happened, and keeps what was damaged.
func TestDamageRestoresBackup(t *testing.T) {
	dir := t.TempDir()
	c := sample(t, dir)
	if err := once(t, c, Options{}); err != nil {
		t.Fatal(err)
	}
	taken := time.Now().AddDate(0, 0, -1)
	made, err := Backup(t.Context(), c, filepath.Join(c.State), taken)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(c.State, backupFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(made.File, filepath.Join(folder, filepath.Base(made.File))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.State, databaseName), []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), c, Options{Strict: true}); !Damaged(err) {
		t.Errorf("strictly, Open = %v, want damage", err)
	}
	var log bytes.Buffer
	a := open(t, c, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if totals, err := a.store.Totals(t.Context()); err != nil || totals.Articles == 0 {
		t.Errorf("after the restore there are %+v, %v; want the articles of the backup", totals, err)
	}
	for _, want := range []string{"the database was damaged", "takes its place", filepath.Base(made.File), ".corrupt-"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not tell %q: %s", want, log.String())
		}
	}
}

// Damage that no check of the pages sees is met in a sweep. That sweep fails clearly, and the next start puts it right.
func TestDamageMetInSweep(t *testing.T) {
	dir := t.TempDir()
	c := sample(t, dir)
	sweepOnce(t, c)
	execute(t, c, `UPDATE feed SET state = substr(state, 1, 10)`)
	a, err := Open(t.Context(), c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = a.Sweep(t.Context()); !Damaged(err) {
		t.Errorf("Sweep = %v, want damage", err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), c, Options{Strict: true}); !Damaged(err) {
		t.Errorf("the next start, strictly: %v, want damage", err)
	}
	if err := once(t, c, Options{}); err != nil {
		t.Fatal(err)
	}
	mustPublish(t, c)
}

// What editors have said is taken over from the damaged database, since no feed says it again.
func TestDamageKeepsCorrections(t *testing.T) {
	dir := t.TempDir()
	c := sample(t, dir)
	if err := once(t, c, Options{}); err != nil {
		t.Fatal(err)
	}
	said := store.Correction{Kind: correctNever, Author: "desk", Subjects: []string{"a", "b"}, At: time.Now().UTC().Truncate(time.Second)}
	editor, err := OpenEditor(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if said.Number, err = editor.store.SaveCorrection(t.Context(), said); err != nil {
		t.Fatal(err)
	}
	if err := editor.Close(); err != nil {
		t.Fatal(err)
	}
	execute(t, c, `UPDATE feed SET state = substr(state, 1, 10)`)
	if err := once(t, c, Options{}); err != nil {
		t.Fatal(err)
	}
	r, err := OpenReader(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if kept, err := r.store.Corrections(t.Context()); err != nil || len(kept) != 1 || kept[0].Author != "desk" || kept[0].Number != said.Number {
		t.Errorf("corrections afterwards: %+v, %v; want the one of before", kept, err)
	}
	if aside, err := filepath.Glob(filepath.Join(c.State, "*.corrupt-*Z")); err != nil || len(aside) != 1 {
		t.Errorf("set aside: %v, %v; want one database", aside, err)
	}
}

// execute changes a database behind the back of the store.
func execute(t *testing.T, c *config.Config, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(c.State, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// A database for a newer version is refused and left alone, however it came there.
func TestNewerIsRefused(t *testing.T) {
	dir := t.TempDir()
	c := sample(t, dir)
	if err := once(t, c, Options{}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(c.State, databaseName)
	execute(t, c, `INSERT INTO schema_migration VALUES (1000, 'x', 0)`)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), c, Options{}); !errors.Is(err, ErrNewer) {
		t.Errorf("Open = %v, want ErrNewer", err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the newer database was touched: %v", err)
	}
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a log was left beside it: %v", err)
	}
	if _, err := Restore(t.Context(), c, path, time.Now()); !errors.Is(err, ErrNewer) {
		t.Errorf("Restore = %v, want ErrNewer", err)
	}
	r, err := backup.Recover(t.Context(), path, backup.Folder{Path: t.TempDir()}, time.Now())
	if err != nil || r.From != "" {
		t.Errorf("Recover = %+v, %v", r, err)
	}
}

package backup

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sheaf"
	"sheaf/cmd/internal/store/sqlite"
	"sheaf/feeds"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// database makes one that knows a number of feeds, or adds feeds to the one that is there, and closes it.
func database(t *testing.T, path string, polled ...string) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range polled {
		if err := db.Save(t.Context(), feeds.Outcome{Feed: sheaf.Feed{ID: sheaf.NewFeedID(url), URL: url}, State: feeds.State{Next: noon}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// polled counts the feeds that a database knows.
func polled(t *testing.T, path string) int {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	totals, err := db.Totals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return totals.Feeds
}

// names lists what is in a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	list := make([]string, len(entries))
	for i, e := range entries {
		list[i] = e.Name()
	}
	return list
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestMakeListPrune(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sheaf.db")
	database(t, path, "https://a.example/")
	f := Folder{filepath.Join(dir, "backups")}
	if copies, err := f.List(); err != nil || copies != nil {
		t.Errorf("List before the first = %v, %v; want none", copies, err)
	}
	for _, days := range []int{3, 2, 0} {
		if _, err := f.Make(t.Context(), path, noon.AddDate(0, 0, -days)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(f.Path, "notes.txt"), []byte("not ours"))
	write(t, filepath.Join(f.Path, "sheaf-20261129T120000Z.db.tmp"), []byte("cut short"))
	copies, err := f.List()
	if err != nil || len(copies) != 3 || !copies[0].Taken.Equal(noon) || copies[0].Bytes == 0 {
		t.Fatalf("List = %+v, %v; want three, the newest first", copies, err)
	}
	if err := f.Prune(noon.AddDate(0, 0, -2)); err != nil {
		t.Fatal(err)
	}
	want := []string{"notes.txt", "sheaf-20261128T120000Z.db", "sheaf-20261130T120000Z.db"}
	if got := names(t, f.Path); !slices.Equal(got, want) {
		t.Errorf("after Prune: %v, want %v", got, want)
	}
	if err := f.Prune(noon.AddDate(1, 0, 0)); err != nil {
		t.Fatal(err)
	}
	if copies, err := f.List(); err != nil || len(copies) != 1 || !copies[0].Taken.Equal(noon) {
		t.Errorf("after a year: %+v, %v; want the newest kept", copies, err)
	}
}

func TestRestore(t *testing.T) {
	for _, tt := range []struct {
		name string
		from func(t *testing.T, good string) string // the file to restore
		ok   bool
	}{
		{"good", func(_ *testing.T, good string) string { return good }, true},
		{"missing", func(_ *testing.T, good string) string { return good + ".gone" }, false},
		{"no database", func(t *testing.T, good string) string {
			write(t, good, []byte("Dear diary"))
			return good
		}, false},
		{"cut short", func(t *testing.T, good string) string {
			if err := os.Truncate(good, 9000); err != nil {
				t.Fatal(err)
			}
			return good
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "sheaf.db")
			database(t, path, "https://a.example/")
			c, err := Folder{filepath.Join(dir, "backups")}.Make(t.Context(), path, noon)
			if err != nil {
				t.Fatal(err)
			}
			database(t, path, "https://b.example/")
			before := names(t, dir)
			r, err := Restore(t.Context(), path, tt.from(t, c.Path), noon)
			if (err == nil) != tt.ok {
				t.Fatalf("Restore = %+v, %v; want success %v", r, err, tt.ok)
			}
			if !tt.ok {
				if got := names(t, dir); !slices.Equal(got, before) || polled(t, path) != 2 {
					t.Errorf("a refused restore left %v with %d feeds, want %v with 2", got, polled(t, path), before)
				}
				return
			}
			if got := polled(t, path); got != 1 {
				t.Errorf("%d feeds after the restore, want the 1 of the backup", got)
			}
			if r.Aside != path+".replaced-20261130T120000Z" || polled(t, r.Aside) != 2 {
				t.Errorf("the replaced database lies in %q", r.Aside)
			}
		})
	}
}

// A log without its database is never replayed into the one that comes in its place.
func TestRestoreLeavesNoLog(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sheaf.db")
	database(t, path, "https://a.example/")
	c, err := Folder{dir}.Make(t.Context(), path, noon)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Lease(t.Context(), "f", noon); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(path + "-wal") // as a kill would leave it
	if err != nil || len(log) == 0 {
		t.Fatalf("no log to test with: %v", err)
	}
	r, err := Restore(t.Context(), path, c.Path, noon)
	if err != nil {
		t.Fatal(err)
	}
	if exists(path + "-wal") {
		t.Error("the old log lies beside the restored database")
	}
	if kept, err := os.ReadFile(r.Aside + "-wal"); err != nil || !bytes.Equal(kept, log) {
		t.Errorf("the log was not kept with its database: %v", err)
	}
}

func TestRecover(t *testing.T) {
	garbage := []byte("garbage garbage garbage")
	for _, tt := range []struct {
		name    string
		backups map[string]bool // by date: sound or not
		feeds   int
		taken   string
	}{
		{"no backup", nil, 0, ""},
		{"one", map[string]bool{"2026-11-29": true}, 1, "2026-11-29"},
		{"the newest is damaged", map[string]bool{"2026-11-28": true, "2026-11-29": false}, 1, "2026-11-28"},
		{"all are damaged", map[string]bool{"2026-11-28": false, "2026-11-29": false}, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path, f := filepath.Join(dir, "sheaf.db"), Folder{filepath.Join(dir, "backups")}
			database(t, path, "https://a.example/")
			for date, sound := range tt.backups {
				day, err := time.Parse(time.DateOnly, date)
				if err != nil {
					t.Fatal(err)
				}
				c, err := f.Make(t.Context(), path, day)
				if err != nil {
					t.Fatal(err)
				}
				if !sound {
					write(t, c.Path, garbage)
				}
			}
			write(t, path, garbage)
			r, err := Recover(t.Context(), path, f, noon)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(r.Aside); err != nil || !bytes.Equal(got, garbage) {
				t.Errorf("the damaged database is not kept in %q: %v", r.Aside, err)
			}
			if taken := r.Taken.Format(time.DateOnly); r.From != "" && taken != tt.taken || (r.From == "") != (tt.taken == "") {
				t.Errorf("restored %q of %s, want the backup of %q", r.From, taken, tt.taken)
			}
			if got := polled(t, path); got != tt.feeds {
				t.Errorf("%d feeds afterwards, want %d", got, tt.feeds)
			}
		})
	}
}

// Whatever point a replacement is cut short at, the next start has a database: the old one or the new one, never none.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sheaf.db")
	database(t, path, "https://a.example/")
	backup := filepath.Join(dir, "copy.db")
	if err := sqlite.Backup(t.Context(), path, backup); err != nil {
		t.Fatal(err)
	}
	database(t, path, "https://b.example/")
	if err := Resume(path); err != nil || polled(t, path) != 2 {
		t.Errorf("with nothing to resume: %v, %d feeds", err, polled(t, path))
	}
	write(t, staged(path), []byte("half a co"))
	if err := Resume(path); err != nil || polled(t, path) != 2 || exists(staged(path)) {
		t.Errorf("cut short while copying: %v, %d feeds; want the 2 of before, and the copy gone", err, polled(t, path))
	}
	if err := stage(t.Context(), path, backup); err != nil {
		t.Fatal(err)
	}
	if _, err := putAside(path, "replaced", noon); err != nil {
		t.Fatal(err)
	}
	if err := Resume(path); err != nil || polled(t, path) != 1 {
		t.Errorf("cut short between the renames: %v, %d feeds; want the 1 of the backup", err, polled(t, path))
	}
}

package app

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTendingDue(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) time.Time {
		v, err := time.ParseInLocation("2006-01-02 15:04", text, berlin)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, tt := range []struct {
		name, last, now string
		want            bool
	}{
		{"same evening", "2026-11-30 18:00", "2026-11-30 23:59", false},
		{"before the hour", "2026-11-30 18:00", "2026-12-01 02:59", false},
		{"at the hour", "2026-11-30 18:00", "2026-12-01 03:00", true},
		{"done at the hour", "2026-12-01 03:00", "2026-12-01 03:15", false},
		{"after a week", "2026-11-23 18:00", "2026-11-30 01:00", true},
		{"the night without that hour", "2026-03-28 18:00", "2026-03-29 03:00", true},
		{"the clock was years ahead", "2036-11-30 18:00", "2026-11-30 19:00", true},
		{"the clock was minutes ahead", "2026-11-30 19:20", "2026-11-30 19:00", false},
	} {
		if got := tendingDue(at(tt.last), at(tt.now)); got != tt.want {
			t.Errorf("%s: tendingDue(%s, %s) = %v, want %v", tt.name, tt.last, tt.now, got, tt.want)
		}
	}
}

// Every night one backup is made, and those that are older than configured go.
func TestNightlyBackups(t *testing.T) {
	feed := filepath.Join(t.TempDir(), "feed.rss")
	if err := os.WriteFile(feed, []byte(rss(item(1, "Ferry hits bridge"))), 0o644); err != nil {
		t.Fatal(err)
	}
	c := settings(t, "backups: 2d", "file:"+feed)
	now := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	var log bytes.Buffer
	a := open(t, c, Options{Now: func() time.Time { return now }, Log: slog.New(slog.NewTextHandler(&log, nil))})
	for range 5 * 24 / 4 {
		sweep(t, a)
		now = now.Add(4 * time.Hour)
	}
	copies, err := a.backups().List()
	if err != nil {
		t.Fatal(err)
	}
	var taken []string
	for _, b := range copies {
		taken = append(taken, b.Taken.Format("02 15:04"))
	}
	if want := []string{"07 04:00", "06 04:00", "05 04:00"}; !slices.Equal(taken, want) {
		t.Errorf("backups taken %v, want %v", taken, want)
	}
	if got := strings.Count(log.String(), "database backed up"); got != 5 || strings.Contains(log.String(), "not tended") {
		t.Errorf("%d backups in five nights, want 5\n%s", got, log.String())
	}
}

func TestNoBackups(t *testing.T) {
	c := settings(t, "backups: '0'", "file:nothing.rss")
	now := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	a := open(t, c, Options{Now: func() time.Time { return now }})
	for range 3 {
		sweep(t, a)
		now = now.AddDate(0, 0, 1)
	}
	if _, err := os.Stat(filepath.Join(c.State, backupFolder)); err == nil {
		t.Error("a backup was made, though none was wanted")
	}
}

// The nightly look finds what nothing has stumbled over, and leaves word of it.
func TestTendingFindsDamage(t *testing.T) {
	c := settings(t, "", "file:nothing.rss")
	now := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	a, err := Open(t.Context(), c, Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	sweep(t, a)
	// An index that says to be of another column than it was made of.
	execute(t, c, `INSERT INTO story VALUES ('s', '', '', '', '[]', 1, 2); PRAGMA writable_schema = 1; PRAGMA schema_version = 1000;
		UPDATE sqlite_schema SET sql = replace(sql, '(last_at)', '(changed)') WHERE name = 'story_last'`)
	now = now.AddDate(0, 0, 1)
	if _, err := a.Sweep(t.Context()); !Damaged(err) {
		t.Errorf("Sweep = %v, want damage", err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), c, Options{Strict: true}); !Damaged(err) {
		t.Errorf("Open = %v, want damage", err)
	}
}

func TestFreeSpace(t *testing.T) {
	if free, err := freeSpace(t.TempDir()); err != nil || free == 0 {
		t.Errorf("freeSpace = %d, %v", free, err)
	}
	if _, err := freeSpace(filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Error("the free space of nothing is known")
	}
}

func TestLockTellsHowItEnded(t *testing.T) {
	state := t.TempDir()
	take := func() *Lock {
		t.Helper()
		l, err := TakeLock(state, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	release := func(l *Lock) {
		t.Helper()
		if err := l.Release(); err != nil {
			t.Fatal(err)
		}
	}
	l := take()
	if !l.Clean() || l.Damage() != "" {
		t.Error("the first holder finds something")
	}
	release(l)
	l = take()
	if !l.Clean() {
		t.Error("an end that was clean does not look so")
	}
	if err := l.file.Close(); err != nil { // as the kernel does when the process is killed
		t.Fatal(err)
	}
	l = take()
	if l.Clean() || l.Damage() != "" {
		t.Errorf("a holder that was killed left %q", l.before)
	}
	if err := l.NoteDamage(os.ErrInvalid); err != nil {
		t.Fatal(err)
	}
	release(l)
	l = take()
	if l.Clean() || l.Damage() != os.ErrInvalid.Error() {
		t.Errorf("damage was noted; Damage = %q", l.Damage())
	}
	if err := l.Keep(); err != nil {
		t.Fatal(err)
	}
	release(l)
	if l = take(); l.Damage() != os.ErrInvalid.Error() {
		t.Errorf("the word that was kept is %q", l.Damage())
	}
	release(l)
}

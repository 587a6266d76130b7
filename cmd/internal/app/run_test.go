package app

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sheaf/cmd/internal/config"
)

// record is a log that may be read while it is written.
type record struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements [io.Writer].
func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.Write(p)
}

func (r *record) count(text string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Count(r.b.String(), text)
}

// startDaemon runs one without a listener in a bubble with its own time, and gives what stops it.
func startDaemon(t *testing.T, c *config.Config) (log *record, stop func() error) {
	t.Helper()
	log = &record{}
	a, err := Open(t.Context(), c, Options{Log: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx, Daemon{}) }()
	synctest.Wait()
	return log, func() error {
		cancel()
		err := <-done
		if failed := a.Close(); failed != nil {
			t.Error(failed)
		}
		return err
	}
}

// A place that cannot be written, whoever runs: a file lies where the folder should be.
func TestDaemonRetriesEveryMinute(t *testing.T) {
	feed := filepath.Join(t.TempDir(), "feed.rss")
	write := func(items ...string) {
		t.Helper()
		if err := os.WriteFile(feed, []byte(rss(items...)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(item(1, "Ferry hits bridge"))
	c := settings(t, "listen: ''\nschedule: '@every 6h'\nchannels: [{name: stories, settle: '0'}]", "file:"+feed)
	document, moved := filepath.Join(c.Publish.Dir, "stories.rss"), c.Publish.Dir+".moved"
	synctest.Test(t, func(t *testing.T) {
		log, stop := startDaemon(t, c)
		before, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		write(item(1, "Ferry hits bridge"), item(2, "Rates rise in Calvoria"))
		if err := os.Rename(c.Publish.Dir, moved); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(c.Publish.Dir, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		time.Sleep(6*time.Hour + 10*time.Minute + time.Second)
		synctest.Wait()
		if failed := log.count("sweep failed"); failed != 11 {
			t.Errorf("%d failures in ten minutes, want one a minute", failed)
		}
		if err := os.Remove(c.Publish.Dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(moved, c.Publish.Dir); err != nil {
			t.Fatal(err)
		}
		if kept, err := os.ReadFile(document); err != nil || !bytes.Equal(kept, before) {
			t.Errorf("the last good document was touched: %v", err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if data, err := os.ReadFile(document); err != nil || !bytes.Contains(data, []byte("Rates rise")) {
			t.Errorf("a minute after the cause went, the news is not published: %v", err)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// Damage met by the daemon ends it with an error that says so, and the next one works.
func TestDaemonMeetsDamage(t *testing.T) {
	c := settings(t, "listen: ''\nschedule: '@every 6h'", "file:nothing.rss")
	synctest.Test(t, func(t *testing.T) {
		_, stop := startDaemon(t, c)
		execute(t, c, `UPDATE feed SET state = '{'`)
		time.Sleep(7 * time.Hour)
		synctest.Wait()
		if err := stop(); !Damaged(err) {
			t.Errorf("Run = %v, want damage", err)
		}
		log, stop := startDaemon(t, c)
		if log.count("the database was damaged") != 1 || log.count("sweep done") != 1 {
			t.Errorf("the next daemon did not put it right: %s", log.b.String())
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

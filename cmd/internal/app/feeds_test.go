package app

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sheaf/cmd/internal/config"
	"sheaf/feeds"
)

func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

func TestFeeds(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "config.yaml")
	c, err := config.Parse(file, []byte("feeds: [{url: 'file:good.rss'}, {url: 'file:missing.rss', outlet: Beta}]\n"), config.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "good.rss"), []byte(alphaFeed), 0o600); err != nil {
		t.Fatal(err)
	}
	reports, err := Feeds(t.Context(), c, time.Now())
	if err != nil || len(reports) != 2 || reports[0].Name() != "" || reports[1].Name() != "Beta" || !reports[0].State.Polled.IsZero() {
		t.Fatalf("before the first sweep: %+v, %v, want two feeds never polled", reports, err)
	}
	a, err := Open(t.Context(), c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	reports, err = Feeds(t.Context(), c, time.Now()) // beside the App, which holds the lock
	if err != nil {
		t.Fatal(err)
	}
	if r := reports[0]; r.Name() != "Alpha News" || r.State.Succeeded.IsZero() || len(r.Health) != 0 {
		t.Errorf("the good feed: %+v", r)
	}
	if r := reports[1]; len(r.Health) != 1 || r.Health[0].Condition != feeds.ConditionFailing || r.State.Failures != 1 {
		t.Errorf("the missing feed: %+v", r)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.State, databaseName), []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Feeds(t.Context(), c, time.Now()); err == nil {
		t.Error("a broken database is no error")
	}
}

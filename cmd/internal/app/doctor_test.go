package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sheaf/cmd/internal/config"
)

// examine gives what a doctor finds, one line a symptom.
func examine(t *testing.T, d Doctor) string {
	t.Helper()
	if d.Now == nil {
		d.Now = time.Now
	}
	found, err := d.Examine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range found {
		if s.Level != LevelGood && s.Advice == "" {
			t.Errorf("nothing is said about what to do: %+v", s)
		}
		fmt.Fprintf(&b, "%s %s %s: %s\n", s.Level, s.Area, s.Subject, s.Message)
	}
	return b.String()
}

// clinic is a server of feeds well and unwell, and an installation that polls them.
func clinic(t *testing.T) (c *config.Config, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	mux := http.NewServeMux()
	mux.HandleFunc("/good", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, rss(item(1, "Ferry hits bridge"))) })
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/good", http.StatusMovedPermanently)
	})
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<!DOCTYPE html><html><body>Hello</body></html>")
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	var addresses []string
	for _, path := range []string{"/good", "/moved", "/missing", "/page"} {
		addresses = append(addresses, server.URL+path)
	}
	return settings(t, "fetch: {host_gap: 1ms}\nchannels: [{name: stories, settle: '0'}]", addresses...), asked
}

func TestDoctor(t *testing.T) {
	c, asked := clinic(t)
	before := examine(t, Doctor{Config: c})
	for _, want := range []string{"poor state", "poor database", "poor output", "/good: answers with 1 articles", "poor feed", "/moved: the feed is at", "bad feed", "404", "good clock"} {
		if !strings.Contains(before, want) {
			t.Errorf("before the first sweep nothing tells %q:\n%s", want, before)
		}
	}
	a, err := Open(t.Context(), c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	sweep(t, a)
	asked.Store(0)
	beside := examine(t, Doctor{Config: c}) // while the lock is held
	for _, want := range []string{"good state", "sound", "stories.rss: valid, 1 items", "/good: read at", "MB free"} {
		if !strings.Contains(beside, want) {
			t.Errorf("after a sweep nothing tells %q:\n%s", want, beside)
		}
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("%d requests, want 2: for the feeds that could not be read", n)
	}
	asked.Store(0)
	examine(t, Doctor{Config: c, Offline: true})
	if n := asked.Load(); n != 0 {
		t.Errorf("offline, %d requests", n)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestDoctorClock(t *testing.T) {
	c, _ := clinic(t)
	for _, tt := range []struct {
		off  time.Duration
		want string
	}{
		{0, "good clock this machine: within a minute"},
		{30 * time.Second, "good clock"},
		{2 * time.Hour, "bad clock this machine: the clock is 2h0m0s ahead of"},
		{-26 * time.Hour, "bad clock this machine: the clock is 26h0m0s behind"},
	} {
		got := examine(t, Doctor{Config: c, All: true, Now: func() time.Time { return time.Now().Add(tt.off).Truncate(time.Hour / 60 / 60) }})
		got = strings.ReplaceAll(got, "1h59m59s", "2h0m0s") // the server may look at its clock a second later
		got = strings.ReplaceAll(got, "26h0m1s", "26h0m0s")
		if !strings.Contains(got, tt.want) {
			t.Errorf("with the clock %s off, want %q:\n%s", tt.off, tt.want, got)
		}
	}
}

// Each thing that can be wrong with an installation is found, and said to be what it is.
func TestDoctorFindsFaults(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(t *testing.T, c *config.Config)
		want  []string
	}{
		{"damaged database", func(t *testing.T, c *config.Config) {
			overwrite(t, filepath.Join(c.State, databaseName), "garbage")
		}, []string{"bad database", "not a database"}},
		{"database for a newer version", func(t *testing.T, c *config.Config) {
			execute(t, c, `INSERT INTO schema_migration VALUES (1000, 'x', 0)`)
		}, []string{"bad database", "newer version"}},
		{"others may look", func(t *testing.T, c *config.Config) {
			if err := os.Chmod(c.State, 0o755); err != nil {
				t.Fatal(err)
			}
		}, []string{"poor state", "others may look into it (mode 0755)"}},
		{"set aside", func(t *testing.T, c *config.Config) {
			overwrite(t, filepath.Join(c.State, databaseName+".corrupt-20261130T120000Z"), "")
		}, []string{"poor database", "1 files of databases that were set aside"}},
		{"torn document", func(t *testing.T, c *config.Config) {
			data, err := os.ReadFile(filepath.Join(c.Publish.Dir, "stories.atom"))
			if err != nil {
				t.Fatal(err)
			}
			overwrite(t, filepath.Join(c.Publish.Dir, "stories.atom"), string(data[:len(data)/2]))
		}, []string{"bad output", "stories.atom: readers have to mend it"}},
		{"other twin", func(t *testing.T, c *config.Config) {
			overwrite(t, filepath.Join(c.Publish.Dir, "stories.rss.gz"), "x")
		}, []string{"bad output", "stories.rss: its compressed twin is not the same"}},
		{"missing document", func(t *testing.T, c *config.Config) {
			if err := os.Remove(filepath.Join(c.Publish.Dir, "stories.json")); err != nil {
				t.Fatal(err)
			}
		}, []string{"poor output", "stories.json: not published yet"}},
		{"a file for a folder", func(t *testing.T, c *config.Config) {
			if err := os.RemoveAll(c.Publish.Dir); err != nil {
				t.Fatal(err)
			}
			overwrite(t, c.Publish.Dir, "")
		}, []string{"bad output", "it cannot be written"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			feed := filepath.Join(t.TempDir(), "feed.rss")
			overwrite(t, feed, rss(item(1, "Ferry hits bridge")))
			c := settings(t, "channels: [{name: stories, settle: '0'}]", "file:"+feed)
			if err := once(t, c, Options{}); err != nil {
				t.Fatal(err)
			}
			if well := examine(t, Doctor{Config: c}); strings.Contains(well, "bad ") || strings.Contains(well, "poor ") {
				t.Errorf("well, and yet:\n%s", well)
			}
			tt.spoil(t, c)
			got := examine(t, Doctor{Config: c})
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("nothing tells %q:\n%s", want, got)
				}
			}
		})
	}
}

func overwrite(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

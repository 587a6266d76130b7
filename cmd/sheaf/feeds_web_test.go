package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const alphaFeed = `<?xml version="1.0"?><rss version="2.0"><channel><title>Alpha News</title><link>https://alpha.example/</link><language>en</language>
<item><title>Ferry hits bridge</title><guid>1</guid><pubDate>Mon, 02 Nov 2026 10:00:00 +0000</pubDate></item></channel></rss>`

// outletSite is a site with a page that names two feeds, a page that names none, and an address that has moved for good. It counts.
func outletSite(t *testing.T) (base string, hits *int) {
	t.Helper()
	hits = new(int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*hits++
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, `<!DOCTYPE html><html><head><link rel="alternate" type="application/rss+xml" href="/news.xml" title="News">
				<link rel="alternate" type="application/atom+xml" href="/sports.xml" title="Sports"></head><body>x</body></html>`)
		case "/plain":
			fmt.Fprint(w, `<!DOCTYPE html><html><head><title>x</title></head><body>x</body></html>`)
		case "/old":
			http.Redirect(w, r, "/rss", http.StatusMovedPermanently)
		case "/news.xml", "/rss":
			w.Header().Set("ETag", `"a"`)
			fmt.Fprint(w, alphaFeed)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, hits
}

// atShell runs the program with a configuration of its own and gives what it prints.
func atShell(t *testing.T, file string, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(context.Background(), append(args, "--config", file), stdio{strings.NewReader(""), &o, &e})
	return o.String(), e.String(), code
}

func writeConfig(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte("fetch: {host_gap: 1ms}\n"+text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestFeedsAdd(t *testing.T) {
	for _, tt := range []struct {
		name, path string
		configured string // path of a feed configured before
		added      string // path; empty: none
		hits, code int
		says       string
	}{
		{"a feed", "/rss", "", "/rss", 1, 0, "credited as Alpha News"},
		{"a page", "/", "", "/news.xml", 2, 0, "sports.xml  Sports"},
		{"moved for good", "/old", "", "/rss", 2, 0, "1 articles, newest 2026-11-02"},
		{"configured, nothing asked", "/rss/", "/rss", "", 0, exitFailed, "configured already"},
		{"a page whose feed is configured", "/", "/news.xml", "", 2, exitFailed, "configured already"},
		{"a page without feeds", "/plain", "", "", 1, exitFailed, "sheaf feeds test"},
		{"nothing there", "/none", "", "", 1, exitFailed, "404"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base, hits := outletSite(t)
			text := "# mine\n"
			if tt.configured != "" {
				text += "feeds: [{url: '" + base + tt.configured + "'}]\n"
			}
			file := writeConfig(t, text)
			out, errs, code := atShell(t, file, "feeds", "add", base+tt.path)
			if code != tt.code || *hits != tt.hits || !strings.Contains(out+errs, tt.says) {
				t.Errorf("exit code %d after %d requests, want %d after %d and %q:\n%s%s", code, *hits, tt.code, tt.hits, tt.says, out, errs)
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := "fetch: {host_gap: 1ms}\n" + text
			if tt.added != "" {
				want += "feeds:\n  - url: " + base + tt.added + "\n"
			}
			if diff := cmp.Diff(want, string(data)); diff != "" {
				t.Errorf("config.yaml (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFeedsTestOnTheWeb(t *testing.T) {
	for _, tt := range []struct {
		name, path, feed string
		named, tried     int
		hits, code       int
	}{
		{"a feed", "/rss", "/rss", 0, 0, 1, 0},
		{"a page", "/", "/news.xml", 2, 0, 2, 0},
		{"a page without feeds", "/plain", "/rss", 0, 2, 3, 0},
		{"nothing there", "/none", "", 0, 0, 1, exitFailed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base, hits := outletSite(t)
			file := writeConfig(t, "")
			out, errs, code := atShell(t, file, "feeds", "test", base+tt.path, "--json")
			var d discoveryJSON
			if err := json.Unmarshal([]byte(out), &d); err != nil {
				t.Fatalf("%v in %q, %q", err, out, errs)
			}
			if tt.feed != "" {
				tt.feed = base + tt.feed
			}
			if code != tt.code || *hits != tt.hits || d.Requests != tt.hits || d.Feed != tt.feed || len(d.Named) != tt.named || len(d.Tried) != tt.tried {
				t.Errorf("exit code %d after %d requests, want %d after %d: %+v", code, *hits, tt.code, tt.hits, d)
			}
			if text, _, _ := atShell(t, file, "feeds", "test", base+tt.path); tt.feed != "" && !strings.Contains(text, "Alpha News") {
				t.Errorf("in words: %q, want the feed's title", text)
			}
		})
	}
}

func TestFeedAddress(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("feed.xml", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ in, want string }{
		{"https://a.example/f", "https://a.example/f"},
		{"a.example/f", "https://a.example/f"},
		{" a.example:8080 ", "https://a.example:8080"},
		{"localhost:8080/f", "https://localhost:8080/f"},
		{"feed:https://a.example/f", "https://a.example/f"},
		{"feed://a.example/f", "https://a.example/f"},
		{"feed.xml", "file:" + filepath.Join(wd, "feed.xml")},
		{"./none.xml", "file:" + filepath.Join(wd, "none.xml")},
		{"file:feed.xml", "file:" + filepath.Join(wd, "feed.xml")},
		{"nonsense", ""},
		{"ftp://a.example/f", ""},
	} {
		got, err := feedAddress(tt.in)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("feedAddress(%q) = %q, %v, want %q", tt.in, got, err, tt.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", -90 * time.Second: "90s", 5 * time.Minute: "5m", 100 * time.Minute: "100m", 3 * time.Hour: "3h", 47 * time.Hour: "47h", 50 * time.Hour: "2d",
	} {
		if got := distance(d); got != want {
			t.Errorf("distance(%v) = %q, want %q", d, got, want)
		}
	}
}

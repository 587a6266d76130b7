package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sheaf/cmd/internal/config"
	"sheaf/dedupe"
	"sheaf/output/web"
	"sheaf/output/web/query"
)

// item is one item of an RSS feed.
func item(n int, title string) string {
	return fmt.Sprintf("<item><title>%s</title><link>https://outlet.example/%d</link><guid>item-%d</guid><pubDate>Mon, 02 Nov 2026 10:0%d:00 +0000</pubDate><description>%s, as reported.</description></item>", title, n, n, n%10, title)
}

func rss(items ...string) string {
	return `<?xml version="1.0"?><rss version="2.0"><channel><title>Outlet</title><link>https://outlet.example/</link>` + strings.Join(items, "") + `</channel></rss>`
}

// settings gives a configuration in a directory of the test that polls the addresses.
func settings(t *testing.T, text string, addresses ...string) *config.Config {
	t.Helper()
	text += "\nfeeds:\n"
	for _, a := range addresses {
		text += "- url: " + a + "\n"
	}
	c, err := config.Parse(filepath.Join(t.TempDir(), "config.yaml"), []byte(text), config.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// open opens an App and closes it when the test ends.
func open(t *testing.T, c *config.Config, o Options) *App {
	t.Helper()
	a, err := Open(t.Context(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// sweep runs one sweep that must not fail.
func sweep(t *testing.T, a *App) Report {
	t.Helper()
	r, err := a.Sweep(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Everything that can be wrong with an address at once: each is named with its cause, and the good feed is published all the same.
func TestSweepWithFaults(t *testing.T) {
	release := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/good", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, rss(item(1, "Ferry hits bridge"))) })
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<!DOCTYPE html><html><body>Hello</body></html>")
	})
	mux.HandleFunc("/hangs", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-release:
		}
	})
	mux.HandleFunc("/huge", func(w http.ResponseWriter, _ *http.Request) {
		chunk := []byte(strings.Repeat("<item><title>filler</title></item>", 1<<10))
		fmt.Fprint(w, `<rss version="2.0"><channel>`)
		for n := 0; n < 100<<20; n += len(chunk) {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	defer close(release)
	c := settings(t, "fetch: {timeout: 3s}\nchannels: [{name: stories, settle: '0'}]", server.URL+"/good", server.URL+"/missing", server.URL+"/page", server.URL+"/hangs", server.URL+"/huge")
	r := sweep(t, open(t, c, Options{}))
	if r.Feeds.Polled != 5 || r.Feeds.Failed != 4 || r.Articles.New != 1 || r.Stories != 1 {
		t.Errorf("report = %+v, want 5 polled, 4 failed, 1 article", r)
	}
	for path, cause := range map[string]string{"/missing": "404", "/page": "web page", "/hangs": "3s", "/huge": "larger than"} {
		found := false
		for _, f := range r.Failures {
			if strings.HasSuffix(f.URL, path) {
				found = strings.Contains(f.Error, cause) && strings.Contains(f.Error, f.URL)
				if !found {
					t.Errorf("failure of %s = %q, want the address and %q", path, f.Error, cause)
				}
			}
		}
		if !found {
			t.Errorf("no failure names %s", path)
		}
	}
	if data, err := os.ReadFile(filepath.Join(c.Publish.Dir, "stories.atom")); err != nil || !bytes.Contains(data, []byte("Ferry hits bridge")) {
		t.Errorf("the good feed was not published: %v", err)
	}
}

// A daemon that was stopped and one that was not publish the same: the grouper comes back from the store as it was.
func TestRestartChangesNothing(t *testing.T) {
	dir := t.TempDir()
	feed := filepath.Join(dir, "feed.rss")
	titles := []string{"Ferry Mirabel hits harbor bridge in Velport", "Velport bridge closed after ferry Mirabel hits pier", "Central bank of Calvoria raises rates", "Goalkeeper decides cup final in Tarn", "Calvoria raises interest rates to four percent"}
	publish := func(restart bool) map[string]string {
		c := settings(t, "channels: [{name: stories, settle: '0'}]", "file:"+feed)
		var items []string
		var a *App
		for n, title := range titles {
			items = append(items, item(n, title))
			if err := os.WriteFile(feed, []byte(rss(items...)), 0o644); err != nil {
				t.Fatal(err)
			}
			if a == nil {
				var err error
				if a, err = Open(t.Context(), c, Options{}); err != nil {
					t.Fatal(err)
				}
			}
			if r := sweep(t, a); r.Articles.New != 1 {
				t.Fatalf("sweep %d brought %d articles, want 1", n, r.Articles.New)
			}
			if restart || n == len(titles)-1 {
				if err := a.Close(); err != nil {
					t.Fatal(err)
				}
				a = nil
			}
		}
		files := map[string]string{}
		for _, name := range []string{"stories.rss", "stories.atom", "stories.json"} {
			data, err := os.ReadFile(filepath.Join(c.Publish.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			files[name] = string(data)
		}
		return files
	}
	never, always := publish(false), publish(true)
	for name := range never {
		if never[name] != always[name] {
			t.Errorf("%s differs between one process and five", name)
		}
	}
}

// After a week the grouper, which numbers every word for good, is made anew from the store; TestRestartChangesNothing says that this shows nowhere.
func TestRenewal(t *testing.T) {
	feed := filepath.Join(t.TempDir(), "feed.rss")
	clock := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	c := settings(t, "channels: [{name: stories, settle: '0'}]", "file:"+feed)
	a := open(t, c, Options{Now: func() time.Time { return clock }})
	var items []string
	grow := func(title string) *dedupe.Grouper {
		items = append(items, item(len(items)+1, title))
		if err := os.WriteFile(feed, []byte(rss(items...)), 0o644); err != nil {
			t.Fatal(err)
		}
		sweep(t, a)
		return a.grouper
	}
	first := grow("Ferry Mirabel hits harbor bridge in Velport")
	clock = clock.Add(grouperAge - time.Second)
	if grow("Central bank of Calvoria raises rates") != first {
		t.Error("the grouper was made anew within a week")
	}
	clock = clock.Add(time.Second)
	if grow("Goalkeeper decides cup final in Tarn") == first {
		t.Error("the grouper was not made anew after a week")
	}
	if got := a.grouper.Articles(); got != len(items) {
		t.Errorf("the new grouper knows %d articles, want %d", got, len(items))
	}
}

// A one-shot serves no search and takes no words in; the daemon that comes after it takes in those of both.
func TestWordsAreLeftToTheDaemon(t *testing.T) {
	feed := filepath.Join(t.TempDir(), "feed.rss")
	write := func(items ...string) {
		t.Helper()
		if err := os.WriteFile(feed, []byte(rss(items...)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := settings(t, "channels: [{name: stories, settle: '0'}]", "file:"+feed)
	run := func(o Options, words string) int {
		t.Helper()
		a, err := Open(t.Context(), c, o)
		if err != nil {
			t.Fatal(err)
		}
		sweep(t, a)
		found, err := a.store.List(t.Context(), web.Selection{Query: query.Parse(words), All: true})
		if err := errors.Join(err, a.Close()); err != nil {
			t.Fatal(err)
		}
		return len(found.Stories)
	}
	write(item(1, "Ferry hits bridge"))
	if n := run(Options{}, "ferry"); n != 0 {
		t.Errorf("a one-shot made %d stories searchable, want none", n)
	}
	write(item(1, "Ferry hits bridge"), item(2, "Rates rise in Calvoria"))
	if n := run(Options{Search: true}, "ferry"); n != 1 {
		t.Errorf("%d stories of the one-shot are found, want 1", n)
	}
	if n := run(Options{Search: true}, "calvoria"); n != 1 {
		t.Errorf("%d stories of the daemon are found, want 1", n)
	}
}

// What was stored before a sweep was interrupted is grouped and published by the next.
func TestSweepAfterInterruption(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, rss(item(1, "Ferry hits bridge"))) }))
	defer server.Close()
	c := settings(t, "channels: [{name: stories, settle: '0'}]", server.URL)
	a := open(t, c, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	a.progress = func(p Progress) {
		if p.Phase == "group" {
			cancel()
		}
	}
	if _, err := a.Sweep(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted sweep: %v, want canceled", err)
	}
	if r := sweep(t, a); r.Stories != 1 || r.Channels[0].Stories != 1 {
		t.Errorf("after an interruption: %+v, want the story published", r)
	}
}

func TestLock(t *testing.T) {
	c := settings(t, "")
	open(t, c, Options{})
	_, err := Open(t.Context(), c, Options{})
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), fmt.Sprintf("process %d", os.Getpid())) {
		t.Errorf("second Open = %v, want ErrLocked with the holder", err)
	}
}

// The daemon sweeps at once, serves what it published, and ends when it is told to.
func TestRun(t *testing.T) {
	address := unused(t)
	feed := filepath.Join(t.TempDir(), "feed.rss")
	if err := os.WriteFile(feed, []byte(rss(item(1, "Ferry hits bridge"))), 0o644); err != nil {
		t.Fatal(err)
	}
	c := settings(t, "listen: "+address+"\npublish: {base_url: 'http://"+address+"'}\nchannels: [{name: stories, settle: '0'}]", "file:"+feed)
	swept := make(chan struct{}, 1)
	log := slog.New(slog.NewTextHandler(&lineWriter{"sweep done", swept}, nil))
	a := open(t, c, Options{Log: log})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx, Daemon{}) }()
	<-swept
	response, err := http.Get("http://" + address + "/stories.atom")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK || !bytes.Contains(body, []byte("Ferry hits bridge")) || response.Header.Get("Etag") == "" {
		t.Errorf("stories.atom: %s\n%s", response.Status, body)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run ended with %v", err)
	}
}

// unused is an address that nobody listens on.
func unused(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// lineWriter tells when a line with a text has been written.
type lineWriter struct {
	text string
	seen chan<- struct{}
}

func (w *lineWriter) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(w.text)) {
		select {
		case w.seen <- struct{}{}:
		default:
		}
	}
	return len(p), nil
}

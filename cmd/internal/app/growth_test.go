package app

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"

	"sheaf/output/web"
)

var documents = flag.String("documents", "", "keep what was served, state by state, in this `directory`, for tests with real readers")

// A channel grows while it is served: outlets join, leads change, an editor merges stories. In every state what is served over HTTP parses,
// holds no id twice, and is answered with 304 while nothing changes.
func TestGrowth(t *testing.T) {
	c := samplesIn(t, "channels: [{name: feed, settle: '0', lead: best}]")
	feeds := c.Feeds
	clock := time.Now().Add(-time.Hour)
	for state, n := range []int{2, 4, 6, len(feeds), len(feeds)} {
		c.Feeds = feeds[:n]
		a, err := Open(t.Context(), c, Options{Now: func() time.Time { return clock }})
		if err != nil {
			t.Fatal(err)
		}
		if state == 4 { // an editor's word
			e := &Editor{Reader: Reader{a.store}, Now: a.now}
			if _, err := e.Merge(t.Context(), "https://www.haldencourier.example/2026/09/22/central-bank-lifts-rate", "https://www.ledgerandquay.example/item/brightwell-solar-merger"); err != nil {
				t.Fatal(err)
			}
		}
		sweep(t, a)
		handler, err := web.Handler(web.Options{Dir: c.Publish.Dir, Site: a.site, Channels: a.channels, Stories: a.store})
		if err != nil {
			t.Fatal(err)
		}
		site := httptest.NewServer(handler)
		for _, suffix := range []string{".rss", ".atom", ".json"} {
			serve(t, site.URL+"/feed"+suffix, filepath.Join(fmt.Sprintf("step%d", state+1), "feed"+suffix))
		}
		site.Close()
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		clock = clock.Add(5 * time.Minute)
	}
}

// serve fetches a document twice, as a reader does, checks it, and keeps it if that is wanted.
func serve(t *testing.T, address, name string) {
	t.Helper()
	body, tag := get(t, address, "", http.StatusOK)
	get(t, address, tag, http.StatusNotModified)
	feed, err := gofeed.NewParser().Parse(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	seen := map[string]bool{}
	for _, item := range feed.Items {
		if seen[item.GUID] || item.GUID == "" || item.Link == "" {
			t.Errorf("%s: id %q is empty or there twice, or the item has no link", name, item.GUID)
		}
		seen[item.GUID] = true
	}
	if len(seen) < 10 {
		t.Errorf("%s has %d items, want the samples' stories", name, len(seen))
	}
	if *documents == "" {
		return
	}
	path := filepath.Join(*documents, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, body, 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, address, tag string, want int) (body []byte, etag string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if tag != "" {
		request.Header.Set("If-None-Match", tag)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	body, err = io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != want {
		t.Fatalf("%s: %s, want %d", address, response.Status, want)
	}
	return body, response.Header.Get("Etag")
}

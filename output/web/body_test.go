package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
	"time"
)

func TestConditional(t *testing.T) {
	h, _ := served(t)
	first := ask(h, "GET", "/stories.rss", nil)
	etag, modified := first.Header.Get("ETag"), first.Header.Get("Last-Modified")
	twin := ask(h, "GET", "/stories.rss", map[string]string{"Accept-Encoding": "gzip"}).Header.Get("ETag")
	if etag == "" || modified == "" || etag == twin || strings.HasPrefix(etag, "W/") {
		t.Fatalf("validators %q, %q, compressed %q", etag, modified, twin)
	}
	before := "Mon, 30 Nov 2026 08:59:59 GMT"
	for _, tt := range []struct {
		name   string
		header map[string]string
		want   int
	}{
		{"its tag", map[string]string{"If-None-Match": etag}, 304},
		{"weakened by a proxy", map[string]string{"If-None-Match": "W/" + etag}, 304},
		{"one of several", map[string]string{"If-None-Match": `"x", ` + etag}, 304},
		{"tag of the compressed form", map[string]string{"If-None-Match": twin}, 304},
		{"anything", map[string]string{"If-None-Match": "*"}, 304},
		{"another tag", map[string]string{"If-None-Match": `"x"`}, 200},
		{"tag without quotes", map[string]string{"If-None-Match": strings.Trim(etag, `"`)}, 200},
		{"its time", map[string]string{"If-Modified-Since": modified}, 304},
		{"an earlier time", map[string]string{"If-Modified-Since": before}, 200},
		{"not a time", map[string]string{"If-Modified-Since": "yesterday"}, 200},
		{"another tag beats its time", map[string]string{"If-None-Match": `"x"`, "If-Modified-Since": modified}, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := ask(h, "GET", "/stories.rss", tt.header)
			body := text(t, r)
			if r.StatusCode != tt.want || (r.StatusCode == 304) != (body == "") {
				t.Errorf("status %d with %d bytes, want %d", r.StatusCode, len(body), tt.want)
			}
			if r.Header.Get("ETag") != etag || r.Header.Get("Cache-Control") == "" {
				t.Errorf("answer without validators: %v", r.Header)
			}
		})
	}
}

func TestGzip(t *testing.T) {
	h, _ := served(t)
	want := text(t, ask(h, "GET", "/stories.json", nil))
	for _, tt := range []struct {
		accept string
		gzip   bool
	}{
		{"gzip", true}, {"GZIP, br", true}, {"br;q=1, gzip;q=0.5", true}, {"*", true}, {"*;q=0", false},
		{"gzip;q=0", false}, {"gzip; q=0.0, *", false}, {"gzip;q=x", false}, {"br", false}, {"", false},
	} {
		t.Run(tt.accept, func(t *testing.T) {
			r := ask(h, "GET", "/stories.json", map[string]string{"Accept-Encoding": tt.accept})
			got := text(t, r)
			if tt.gzip != (r.Header.Get("Content-Encoding") == "gzip") {
				t.Fatalf("Content-Encoding = %q", r.Header.Get("Content-Encoding"))
			}
			if tt.gzip {
				z, err := gzip.NewReader(strings.NewReader(got))
				if err != nil {
					t.Fatal(err)
				}
				data, err := io.ReadAll(z)
				if err != nil {
					t.Fatal(err)
				}
				got = string(data)
			}
			if got != want {
				t.Error("body differs")
			}
		})
	}
}

func TestHead(t *testing.T) {
	h, _ := served(t)
	get, head := ask(h, "GET", "/stories.rss", nil), ask(h, "HEAD", "/stories.rss", nil)
	if n := len(text(t, head)); n != 0 || head.StatusCode != 200 {
		t.Errorf("HEAD: status %d, %d bytes", head.StatusCode, n)
	}
	for _, key := range []string{"ETag", "Last-Modified", "Content-Type", "Content-Length"} {
		if head.Header.Get(key) != get.Header.Get(key) {
			t.Errorf("%s: HEAD %q, GET %q", key, head.Header.Get(key), get.Header.Get(key))
		}
	}
}

func TestBodyDoesNotGrow(t *testing.T) {
	if b := newBody([]byte("x"), "text/plain", time.Time{}); b.twin() != nil {
		t.Error("a compressed form larger than the body is kept")
	}
	if b := newBody(bytes.Repeat([]byte("x"), 999), "text/plain", time.Time{}); b.twin() == nil {
		t.Error("no compressed form")
	}
}

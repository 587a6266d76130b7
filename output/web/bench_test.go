package web

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// B10: what a request costs beside a bare net/http handler that gives the same answer, over a connection kept alive. Both sides take
// turns; the ratio of their best times is reported.
func BenchmarkServe(b *testing.B) {
	handler, dir := served(b)
	data, err := os.ReadFile(filepath.Join(dir, "stories.rss"))
	if err != nil {
		b.Fatal(err)
	}
	answer := ask(handler, "GET", "/stories.rss", nil).Header
	etag := answer.Get("ETag")
	bare := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), answer)
		if r.Header.Get("If-None-Match") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Write(data)
	})
	for _, tt := range []struct{ name, etag string }{{"200", ""}, {"304", etag}} {
		b.Run(tt.name, func(b *testing.B) {
			ours, theirs := httptest.NewServer(handler), httptest.NewServer(bare)
			defer ours.Close()
			defer theirs.Close()
			mine, others := time.Hour, time.Hour
			for b.Loop() {
				start := time.Now()
				fetch(b, ours, "/stories.rss", tt.etag)
				half := time.Now()
				fetch(b, theirs, "/stories.rss", tt.etag)
				mine, others = min(mine, half.Sub(start)), min(others, time.Since(half))
			}
			b.ReportMetric(float64(mine)/float64(others), "x-bare")
		})
	}
}

// What the front page costs beside a bare handler that writes the same bytes.
func BenchmarkFrontPage(b *testing.B) {
	handler, _ := busySite(b, 60)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	page := w.Body.Bytes()
	bare := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(page)
	})
	ours, theirs := httptest.NewServer(handler), httptest.NewServer(bare)
	defer ours.Close()
	defer theirs.Close()
	mine, others := time.Hour, time.Hour
	for b.Loop() {
		start := time.Now()
		fetch(b, ours, "/", "")
		half := time.Now()
		fetch(b, theirs, "/", "")
		mine, others = min(mine, half.Sub(start)), min(others, time.Since(half))
	}
	b.ReportMetric(float64(mine)/float64(others), "x-bare")
	b.ReportMetric(float64(len(page)), "bytes")
}

func fetch(b *testing.B, s *httptest.Server, path, etag string) {
	r, err := http.NewRequest(http.MethodGet, s.URL+path, nil)
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "identity")
	if etag != "" {
		r.Header.Set("If-None-Match", etag)
	}
	answer, err := s.Client().Do(r)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		b.Fatal(err)
	}
	answer.Body.Close()
}

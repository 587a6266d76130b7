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
				fetch(b, ours, tt.etag)
				half := time.Now()
				fetch(b, theirs, tt.etag)
				mine, others = min(mine, half.Sub(start)), min(others, time.Since(half))
			}
			b.ReportMetric(float64(mine)/float64(others), "x-bare")
		})
	}
}

func fetch(b *testing.B, s *httptest.Server, etag string) {
	r, err := http.NewRequest(http.MethodGet, s.URL+"/stories.rss", nil)
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

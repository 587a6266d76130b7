package sqlite

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sheaf"
	"sheaf/feeds"
)

// site is a feed of two lines an article, and their pages.
type site struct {
	mu       sync.Mutex
	articles int
	asked    []string
}

// ServeHTTP implements [http.Handler].
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.URL.Path)
	switch {
	case r.URL.Path == "/feed":
		fmt.Fprint(w, `<rss version="2.0"><channel><title>Alpha</title><link>http://alpha.example/</link>`)
		for i := range s.articles {
			fmt.Fprintf(w, `<item><title>Title %d</title><guid isPermaLink="false">%[1]d</guid><link>http://%s/%[1]d?utm_source=rss</link><description>Summary %[1]d.</description></item>`, i, r.Host)
		}
		fmt.Fprint(w, `</channel></rss>`)
	case r.URL.Path == "/robots.txt":
		http.NotFound(w, r)
	default:
		fmt.Fprintf(w, `<html><head><link rel="canonical" href="/story%s"></head><body><article><p>%s</p></article></body></html>`, r.URL.Path, words(r.URL.Path))
	}
}

func words(path string) string {
	return strings.TrimSpace(strings.Repeat("The page at "+path+" has a good deal more to say about the matter than the feed. ", 4))
}

// A text and an address that came from a page outlive the polls after it, in which the feed has only its own, and no page is asked for
// twice.
func TestPagesAreKept(t *testing.T) {
	s := &site{articles: 2}
	server := httptest.NewServer(s)
	defer server.Close()
	db, err := Open(t.Context(), filepath.Join(t.TempDir(), "sheaf.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	feed := sheaf.Feed{ID: sheaf.NewFeedID(server.URL + "/feed"), URL: server.URL + "/feed"}
	poller, err := feeds.NewPoller(db, feeds.Options{Extract: map[sheaf.FeedID]bool{feed.ID: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer poller.Close()
	for range 3 {
		states, err := db.States(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		outcomes, err := poller.Poll(t.Context(), []feeds.Due{{Feed: feed, State: states[feed.ID]}})
		if err != nil || len(outcomes) != 1 || outcomes[0].Err != nil {
			t.Fatalf("Poll = %+v, %v", outcomes, err)
		}
		s.mu.Lock()
		s.articles++
		s.mu.Unlock()
	}
	stored, err := db.Pending(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][3]string{}
	for _, a := range stored {
		got[a.Title] = [3]string{a.URL, a.Summary, a.Text}
	}
	want := map[string][3]string{}
	for i := range 4 {
		path := fmt.Sprintf("/%d", i)
		want[fmt.Sprintf("Title %d", i)] = [3]string{server.URL + "/story" + path, fmt.Sprintf("Summary %d.", i), words(path)}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("articles (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"/feed", "/robots.txt", "/0", "/1", "/feed", "/2", "/feed", "/3"}, s.asked); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

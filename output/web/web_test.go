package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sheaf"
	"sheaf/output"
)

const (
	storyID  = sheaf.StoryID("fea1b806-87fa-517b-ac11-cecf2b2b1357")
	mergedID = sheaf.StoryID("adcef72a-a88c-58b8-a59e-89e6905fa082")
)

// shelf is a Stories in memory, of one story with a merged id unless it holds others; ids that begin with "f" fail.
type shelf struct {
	stories  []sheaf.Story
	labels   Labels
	revision atomic.Int64
	lists    atomic.Int64 // calls of List
	asked    func(Selection)
}

func (s *shelf) Story(_ context.Context, id sheaf.StoryID) (sheaf.Story, error) {
	if id == mergedID {
		id = storyID
	}
	for _, story := range s.stories {
		if story.ID == id {
			return story, nil
		}
	}
	if id[0] == 'f' {
		return sheaf.Story{}, fmt.Errorf("disk is full")
	}
	return sheaf.Story{}, fmt.Errorf("story %s: %w", id, ErrNoStory)
}

// List knows outlets, categories and words; it has no order but its own.
func (s *shelf) List(_ context.Context, sel Selection) (List, error) {
	s.lists.Add(1)
	if s.asked != nil {
		s.asked(sel)
	}
	l := List{Hits: make(map[sheaf.StoryID]Hit)}
	for _, story := range s.stories {
		if story.Last().Before(sel.Since) || len(story.Outlets()) < sel.Least || !s.has(&story, sel, l.Hits) {
			continue
		}
		l.Stories = append(l.Stories, story)
	}
	l.Stories = l.Stories[min(sel.Offset, len(l.Stories)):]
	if sel.Limit > 0 && len(l.Stories) > sel.Limit {
		l.Stories, l.More = l.Stories[:sel.Limit], true
	}
	return l, nil
}

func (s *shelf) has(story *sheaf.Story, sel Selection, hits map[sheaf.StoryID]Hit) bool {
	for i := range story.Members {
		m := &story.Members[i]
		if sel.Outlet != "" && m.Outlet.ID() != sel.Outlet {
			continue
		}
		if sel.Category != "" && !slices.ContainsFunc(m.Categories, func(c string) bool { return sheaf.NewCategoryID(c) == sel.Category }) {
			continue
		}
		if sel.Query.Finds() && len(sel.Query.Mark(m.Title)) < 2 {
			continue
		}
		hits[story.ID] = Hit{m.ID, m.Text}
		return true
	}
	return false
}

func (s *shelf) Labels(context.Context, time.Time) (Labels, error) { return s.labels, nil }

func (s *shelf) Reporting(_ context.Context, outlets []sheaf.OutletID) (map[sheaf.OutletID]bool, error) {
	known := make(map[sheaf.OutletID]bool)
	for _, o := range outlets {
		known[o] = o != "" && slices.ContainsFunc(s.stories, func(story sheaf.Story) bool { return s.has(&story, Selection{Outlet: o}, map[sheaf.StoryID]Hit{}) })
	}
	return known, nil
}

func (s *shelf) Newest(context.Context) (time.Time, error) {
	var newest time.Time
	for _, story := range s.stories {
		if story.Last().After(newest) {
			newest = story.Last()
		}
	}
	return newest, nil
}

func (s *shelf) Revision(context.Context) (int64, error) { return s.revision.Load(), nil }

// counter is a Desk of two feeds, one of them in trouble.
type counter struct{}

func (counter) Reasons(_ context.Context, s *sheaf.Story) (map[sheaf.ArticleID]Reason, error) {
	return map[sheaf.ArticleID]Reason{
		s.Members[len(s.Members)-1].ID: {Code: "copy", Sentence: "its text is that of another article", Score: 0.93, Threshold: 0.6, Other: s.Members[0].ID, Names: []string{"Port <Askel>"}},
	}, nil
}

func (counter) Feeds(context.Context) ([]Feed, error) {
	polled := time.Date(2026, 11, 30, 9, 5, 0, 0, time.UTC)
	return []Feed{
		{Outlet: "Alpha", URL: "https://alpha.example/rss", Polled: polled, Succeeded: polled, Next: polled.Add(time.Hour), Items: 20, Status: 200},
		{URL: "https://lost.example/rss", Polled: polled, Status: 404, Failures: 3, Findings: []Finding{{"missing", true, "3 failures since 2026-11-28: <404>", "look for the feed the outlet uses now"}}},
	}, nil
}

func (counter) Totals(context.Context) (articles, stories int, err error) { return 3, 1, nil }

func testStory() sheaf.Story {
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	member := func(id, outlet, address string, minutes int) sheaf.Member {
		return sheaf.Member{Role: sheaf.RoleReport, Article: sheaf.Article{
			ID: sheaf.ArticleID(id), Title: "Report <" + id + ">", URL: address, Outlet: sheaf.Outlet{Name: outlet},
			Published: at.Add(time.Duration(minutes) * time.Minute),
		}}
	}
	s := sheaf.Story{ID: storyID, Lead: "a", Follows: mergedID, Members: []sheaf.Member{
		member("a", "Alpha", "https://alpha.example/a", 0), member("b", "Beta", "javascript:alert(1)", 1), member("c", "Gamma", "https://gamma.example/c", 2),
	}}
	s.Members[2].Role, s.Members[2].CopyOf = sheaf.RoleCopy, "a"
	return s
}

func testOptions(dir string) Options {
	return Options{
		Dir: dir, Files: []output.File{{Name: "feeds.opml", Type: "text/x-opml", Data: []byte("<opml/>")}},
		Stories: &shelf{stories: []sheaf.Story{testStory()}}, Desk: counter{}, Channels: []output.Channel{{Name: "stories", Title: "All & sundry"}},
		Site: output.Site{Title: "Monitor", BaseURL: "http://127.0.0.1:8080", Hub: "https://hub.example.org/", Interval: 10 * time.Minute},
	}
}

// served publishes the test story and returns a handler over it.
func served(t testing.TB) (http.Handler, string) {
	t.Helper()
	o := testOptions(t.TempDir())
	publish(t, o, testStory())
	h, err := Handler(o)
	if err != nil {
		t.Fatal(err)
	}
	return h, o.Dir
}

func publish(t testing.TB, o Options, stories ...sheaf.Story) {
	t.Helper()
	c := o.Channels[0]
	memory := c.Advance(nil, stories, nil, time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC))
	files, err := c.Render(o.Site, memory, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := output.Publish(o.Dir, files); err != nil {
		t.Fatal(err)
	}
}

func ask(h http.Handler, method, path string, header map[string]string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	for k, v := range header {
		r.Header.Set(k, v)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestContentTypes(t *testing.T) {
	h, _ := served(t)
	browser := "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for _, tt := range []struct{ path, accept, want string }{
		{"/stories.rss", "*/*", "application/rss+xml; charset=utf-8"},
		{"/stories.atom", "", "application/atom+xml; charset=utf-8"},
		{"/stories.json", "*/*", "application/feed+json; charset=utf-8"},
		{"/stories.rss", browser, "application/xml; charset=utf-8"},
		{"/stories.atom", browser, "application/xml; charset=utf-8"},
		{"/stories.json", browser, "application/feed+json; charset=utf-8"},
		{"/feed.css", "*/*", "text/css; charset=utf-8"},
		{"/channels.opml", "*/*", "text/x-opml; charset=utf-8"},
		{"/feeds.opml", "*/*", "text/x-opml; charset=utf-8"},
		{"/", browser, "text/html; charset=utf-8"},
		{"/channels", browser, "text/html; charset=utf-8"},
		{"/outlets", browser, "text/html; charset=utf-8"},
		{"/search?q=report", browser, "text/html; charset=utf-8"},
		{"/outlet/alpha", browser, "text/html; charset=utf-8"},
		{"/outlet/alpha.atom", "*/*", "application/atom+xml; charset=utf-8"},
		{"/outlet/alpha.rss", browser, "application/xml; charset=utf-8"},
		{"/search.json?q=report", "*/*", "application/feed+json; charset=utf-8"},
		{"/data.json", browser, "application/json; charset=utf-8"},
		{"/status.json", browser, "application/json; charset=utf-8"},
		{"/story/" + string(storyID), browser, "text/html; charset=utf-8"},
	} {
		t.Run(tt.path+" "+tt.accept, func(t *testing.T) {
			r := ask(h, "GET", tt.path, map[string]string{"Accept": tt.accept})
			if got := r.Header.Get("Content-Type"); r.StatusCode != 200 || got != tt.want {
				t.Errorf("status %d, type %q, want %q", r.StatusCode, got, tt.want)
			}
		})
	}
}

func TestDocumentHeaders(t *testing.T) {
	h, _ := served(t)
	r := ask(h, "GET", "/stories.atom", nil)
	for key, want := range map[string]string{
		"Cache-Control":          "public, max-age=300",
		"Vary":                   "Accept, Accept-Encoding",
		"X-Content-Type-Options": "nosniff",
		"Referrer-Policy":        "no-referrer",
	} {
		if got := r.Header.Get(key); got != want {
			t.Errorf("%s = %q, want %q", key, got, want)
		}
	}
	links := strings.Join(r.Header.Values("Link"), ", ")
	if want := `<http://127.0.0.1:8080/stories.atom>; rel="self", <https://hub.example.org/>; rel="hub"`; links != want {
		t.Errorf("Link = %q, want %q", links, want)
	}
	if csp := r.Header.Get("Content-Security-Policy"); csp != documentPolicy {
		t.Errorf("Content-Security-Policy = %q", csp)
	}
	if csp := ask(h, "GET", "/", nil).Header.Get("Content-Security-Policy"); csp != policy {
		t.Errorf("Content-Security-Policy of a page = %q", csp)
	}
}

func TestNewVersionIsServed(t *testing.T) {
	o := testOptions(t.TempDir())
	h, err := Handler(o)
	if err != nil {
		t.Fatal(err)
	}
	if r := ask(h, "GET", "/stories.rss", nil); r.StatusCode != 404 {
		t.Errorf("before the first publish: status %d, want 404", r.StatusCode)
	}
	publish(t, o)
	empty := ask(h, "GET", "/stories.rss", nil)
	publish(t, o, testStory())
	full := ask(h, "GET", "/stories.rss", nil)
	if empty.StatusCode != 200 || full.StatusCode != 200 || empty.Header.Get("ETag") == full.Header.Get("ETag") {
		t.Errorf("%d %v, then %d %v", empty.StatusCode, empty.Header, full.StatusCode, full.Header)
	}
	a, _ := http.ParseTime(empty.Header.Get("Last-Modified"))
	b, _ := http.ParseTime(full.Header.Get("Last-Modified"))
	if !b.After(a) {
		t.Errorf("Last-Modified went from %v to %v", a, b)
	}
}

func TestRefusals(t *testing.T) {
	h, _ := served(t)
	for _, tt := range []struct {
		method, path string
		want         int
	}{
		{"GET", "/nothing-here-x9", 404}, {"GET", "/stories.rss/x9", 404}, {"GET", "//x9", 404}, {"GET", "/a/../x9", 404},
		{"GET", "/stories.rss.gz", 404}, {"GET", "/.sheaf-x9.tmp", 404}, {"POST", "/stories.rss", 405}, {"DELETE", "/x9", 405},
		{"GET", "/story/x9", 404}, {"GET", "/story/00000000-0000-0000-0000-0000000000a9", 404},
		{"GET", "/story/ffffffff-ffff-ffff-ffff-ffffffffffff", 500},
	} {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			r := ask(h, tt.method, tt.path, nil)
			body := text(t, r)
			if r.StatusCode != tt.want {
				t.Errorf("status %d, want %d", r.StatusCode, tt.want)
			}
			if strings.Contains(body, "9") || strings.Contains(body, "disk") {
				t.Errorf("the answer repeats what was asked or what broke: %q", body)
			}
			if r.Header.Get("X-Content-Type-Options") == "" || r.Header.Get("ETag") != "" {
				t.Errorf("headers %v", r.Header)
			}
		})
	}
}

func TestArchivePages(t *testing.T) {
	h, dir := served(t)
	page := []byte(`<feed xmlns="http://www.w3.org/2005/Atom"/>`)
	for _, name := range []string{"stories-2026-w49.atom", "other-2026-w49.atom", "stories-2026-w49.rss"} {
		if err := os.WriteFile(filepath.Join(dir, name), page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		path string
		want int
	}{
		{"/stories-2026-w49.atom", 200}, {"/stories-2026-w48.atom", 404}, {"/other-2026-w49.atom", 404}, {"/stories-2026-w49.rss", 404},
		{"/stories-2026-w49.atom/", 404}, {"/../stories-2026-w49.atom", 404},
	} {
		if r := ask(h, "GET", tt.path, nil); r.StatusCode != tt.want {
			t.Errorf("%s: status %d, want %d", tt.path, r.StatusCode, tt.want)
		}
	}
	r := ask(h, "GET", "/stories-2026-w49.atom", nil)
	if r.Header.Get("Content-Type") != "application/atom+xml; charset=utf-8" || !strings.Contains(r.Header.Get("Link"), "/stories-2026-w49.atom>; rel=\"self\"") {
		t.Errorf("headers %v", r.Header)
	}
}

// Readers come in crowds while a publish replaces the file: each gets one version whole, with the tag of that version.
func TestManyAtOnce(t *testing.T) {
	o := testOptions(t.TempDir())
	publish(t, o)
	h, err := Handler(o)
	if err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 50 {
				for _, coding := range []string{"gzip", "identity"} {
					r := ask(h, "GET", "/stories.json", map[string]string{"Accept-Encoding": coding})
					n, err := io.Copy(io.Discard, r.Body)
					if r.StatusCode != 200 || err != nil || r.Header.Get("Content-Length") != strconv.FormatInt(n, 10) {
						t.Errorf("status %d, %d bytes of %s, %v", r.StatusCode, n, r.Header.Get("Content-Length"), err)
					}
				}
			}
		})
	}
	for range 5 {
		publish(t, o, testStory())
		publish(t, o)
	}
	readers.Wait()
}

func TestUnreadableDocument(t *testing.T) {
	h, dir := served(t)
	if err := os.Remove(filepath.Join(dir, "stories.rss")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "stories.rss"), 0o755); err != nil {
		t.Fatal(err)
	}
	if r := ask(h, "GET", "/stories.rss", nil); r.StatusCode != 500 || strings.Contains(text(t, r), dir) {
		t.Errorf("status %d, want 500 without a word of the folder", r.StatusCode)
	}
}

func TestFailIsTold(t *testing.T) {
	var told []error
	o := testOptions(t.TempDir())
	o.Fail = func(err error) { told = append(told, err) }
	h, err := Handler(o)
	if err != nil {
		t.Fatal(err)
	}
	ask(h, "GET", "/story/ffffffff-ffff-ffff-ffff-ffffffffffff", nil)
	if len(told) != 1 || told[0].Error() != "page: disk is full" {
		t.Errorf("told %v", told)
	}
}

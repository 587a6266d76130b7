package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"sheaf"
	"sheaf/output"
)

const (
	storyID  = sheaf.StoryID("fea1b806-87fa-517b-ac11-cecf2b2b1357")
	mergedID = sheaf.StoryID("adcef72a-a88c-58b8-a59e-89e6905fa082")
)

// shelf is a Stories of one story and a merged id; "f…" fails.
type shelf struct{ story sheaf.Story }

func (s shelf) Story(_ context.Context, id sheaf.StoryID) (sheaf.Story, error) {
	switch {
	case id == storyID, id == mergedID:
		return s.story, nil
	case id[0] == 'f':
		return sheaf.Story{}, fmt.Errorf("disk is full")
	}
	return sheaf.Story{}, fmt.Errorf("story %s: %w", id, ErrNoStory)
}

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
		Stories: shelf{testStory()}, Channels: []output.Channel{{Name: "stories", Title: "All & sundry"}},
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
		{"/page.css", "*/*", "text/css; charset=utf-8"},
		{"/", browser, "text/html; charset=utf-8"},
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
	if csp := r.Header.Get("Content-Security-Policy"); csp != policy+"; sandbox" {
		t.Errorf("Content-Security-Policy = %q", csp)
	}
	if csp := ask(h, "GET", "/", nil).Header.Get("Content-Security-Policy"); csp != policy {
		t.Errorf("Content-Security-Policy of a page = %q", csp)
	}
}

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

func TestSiteInAFolder(t *testing.T) {
	o := testOptions(t.TempDir())
	o.Site.BaseURL = "https://x.example/news"
	publish(t, o, testStory())
	h, err := Handler(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/news/", "/news/stories.rss", "/news/page.css", "/news/story/" + string(storyID), "/stories.rss", "/"} {
		if r := ask(h, "GET", path, nil); r.StatusCode != 200 {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
	}
	if page := text(t, ask(h, "GET", "/news/", nil)); !strings.Contains(page, `href="/news/page.css"`) {
		t.Errorf("the page looks elsewhere for its stylesheet:\n%s", page)
	}
	if feed := text(t, ask(h, "GET", "/news/stories.rss", nil)); !strings.Contains(feed, `href="/news/feed.css"`) {
		t.Error("the document looks elsewhere for its stylesheet")
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
	if len(told) != 1 || told[0].Error() != "story page: disk is full" {
		t.Errorf("told %v", told)
	}
}

func TestStoryPage(t *testing.T) {
	h, _ := served(t)
	page := text(t, ask(h, "GET", "/story/"+string(storyID), nil))
	for _, want := range []string{
		"<title>Report &lt; a&gt; – Monitor</title>", `<a href="https://alpha.example/a" rel="noopener noreferrer">Report &lt; a&gt;</a>`,
		"3 outlets, 3 articles", `<li id="b"><p dir="auto">Report &lt; b&gt;</p>`, `Same text at <span id="c"><a href="https://gamma.example/c"`,
		`<a href="http://127.0.0.1:8080/story/` + string(mergedID) + `">Continues`, "30 Nov 2026 09:00 UTC",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("page lacks %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "javascript") {
		t.Error("an address that is not of the web became a link")
	}
	r := ask(h, "GET", "/story/"+string(mergedID), nil)
	if r.StatusCode != 308 || r.Header.Get("Location") != "http://127.0.0.1:8080/story/"+string(storyID) {
		t.Errorf("merged story: %d to %q", r.StatusCode, r.Header.Get("Location"))
	}
}

func TestIndex(t *testing.T) {
	h, _ := served(t)
	page := text(t, ask(h, "GET", "/", nil))
	last := 0
	for _, want := range []string{
		`rel="alternate" type="application/atom&#43;xml" title="All &amp; sundry (Atom)" href="http://127.0.0.1:8080/stories.atom"`,
		`rel="alternate" type="application/rss&#43;xml"`, `rel="alternate" type="application/feed&#43;json"`,
		`<a href="http://127.0.0.1:8080/stories.atom"`,
	} {
		i := strings.Index(page, want)
		if i < last {
			t.Errorf("page lacks %q, or in another order:\n%s", want, page)
		}
		last = max(last, i)
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

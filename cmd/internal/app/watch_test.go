package app

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Those who watch see whether the process is well, and what it counts; nobody else does.
func TestAdmin(t *testing.T) {
	outlet := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/good" {
			fmt.Fprint(w, rss(item(1, "Ferry hits bridge")))
			return
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	defer outlet.Close()
	public, admin := unused(t), unused(t)
	s := startService(t, "listen: "+public+"\nadmin: {listen: '"+admin+"', token: 0123456789abcdef}\nchannels: [{name: stories, settle: '0'}]\nfeeds: [{url: '"+outlet.URL+"/good'}, {url: '"+outlet.URL+"/gone?key=hidden'}]", Options{})
	s.manager.await(t, "STATUS=2 feeds, 1 failing", 1)
	getString(t, "http://"+public+"/stories.atom")
	for path, want := range map[string][]string{
		"/healthz": {"ok"},
		"/readyz":  {"ok"},
		"/metrics": {
			"sheaf_feeds 2\n", "sheaf_feeds_failing 1\n", `sheaf_fetches_total{result="failed"} 1`, `sheaf_fetch_failures_total{code="missing"} 1`,
			`sheaf_sweeps_total{result="done"} 1`, `sheaf_channel_stories{channel="stories"} 1`, `sheaf_http_requests_total{code="200"} 1`,
			`sheaf_feed_failures{feed="` + outlet.URL + `/gone?key=…"} 1`, `condition="missing"`, `sheaf_stage_duration_seconds_count{stage="group"} 1`,
			"sheaf_articles 1\n", "sheaf_offline 0\n", "sheaf_database_bytes ", "go_goroutines ", `sheaf_build_info{version="test"} 1`,
		},
		"/debug/pprof/goroutine?debug=1": {"goroutine profile"},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+admin+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := bodyOf(t, request); !strings.Contains(got, "Unauthorized") {
			t.Errorf("%s is given to anybody", path)
		}
		request.Header.Set("Authorization", "Bearer 0123456789abcdef")
		got := bodyOf(t, request)
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s has no %q", path, w)
			}
		}
		if strings.Contains(got, "hidden") {
			t.Errorf("%s tells a query value", path)
		}
		if body := getString(t, "http://"+public+path); strings.Contains(body, "sheaf_feeds") || strings.HasPrefix(body, "ok") {
			t.Errorf("%s is answered on the public address", path)
		}
	}
}

func bodyOf(t *testing.T, r *http.Request) string {
	t.Helper()
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// A private channel is for those with its token, and nowhere listed.
func TestPrivateChannel(t *testing.T) {
	feed := filepath.Join(t.TempDir(), "feed.rss")
	if err := os.WriteFile(feed, []byte(rss(item(1, "Ferry hits bridge"))), 0o644); err != nil {
		t.Fatal(err)
	}
	c := settings(t, "channels: [{name: stories, settle: '0'}, {name: desk, settle: '0', token: 0123456789abcdef}]", "file:"+feed)
	a := open(t, c, Options{})
	sweep(t, a)
	h, err := a.public(a.setup)
	if err != nil {
		t.Fatal(err)
	}
	get := func(path, token string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil)
		if token != "" {
			r.SetBasicAuth("reader", token)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	for _, tt := range []struct {
		name, path, token string
		status            int
		holds             string
	}{
		{"without", "/desk.atom", "", 401, "Unauthorized"},
		{"with", "/desk.atom", "0123456789abcdef", 200, "Ferry hits bridge"},
		{"in the address", "/t/0123456789abcdef/desk.json", "", 200, "Ferry hits bridge"},
		{"the other channel", "/stories.atom", "", 200, "Ferry hits bridge"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := get(tt.path, tt.token)
			if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.holds) || strings.Contains(w.Body.String(), "0123456789abcdef") {
				t.Errorf("%s = %d, want %d with %q and no token", tt.path, w.Code, tt.status, tt.holds)
			}
		})
	}
	for _, path := range []string{"/", "/channels", "/channels.opml", "/status.json"} {
		if w := get(path, ""); strings.Contains(w.Body.String(), "desk") {
			t.Errorf("%s lists the private channel", path)
		}
	}
}

// F49: what is secret is in no log line, no metric, no error page.
func TestCanary(t *testing.T) {
	const canary = "canary0123456789"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte(canary+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	feed := filepath.Join(dir, "feed.rss")
	if err := os.WriteFile(feed, []byte(rss(item(1, "Ferry hits bridge"))), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SHEAF_TEST_CANARY", canary)
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/redirects") {
			w.Header().Set("Location", "ftp://user:"+canary+"@files.example/?key="+canary)
			w.WriteHeader(http.StatusFound)
			return
		}
		w.WriteHeader(http.StatusForbidden)
	}))
	defer refusing.Close()
	public, admin, dead := unused(t), unused(t), unused(t)
	text := `
listen: ` + public + `
admin: {listen: '` + admin + `', token: '${SHEAF_TEST_CANARY}'}
editors: {token: '${SHEAF_TEST_CANARY}'}
publish: {hub: 'http://` + dead + `/hub?key=` + canary + `'}
mail: {from: a@example.org, server: '` + dead + `', user: u, password: 'file:` + filepath.Join(dir, "secret") + `'}
channels:
- name: stories
  settle: '0'
  notify:
  - {webhook: 'http://` + dead + `/hook/` + canary + `?key=` + canary + `', secret: '${SHEAF_TEST_CANARY}'}
  - {mail_to: [b@example.org]}
- {name: desk, token: '${SHEAF_TEST_CANARY}'}
feeds:
- {url: 'file:` + feed + `'}
- {url: '` + refusing.URL + `/feed?key=` + canary + `'}
- {url: '` + refusing.URL + `/redirects?key=` + canary + `'}
- {url: 'http://` + dead + `/feed?key=` + canary + `'}
- {url: 'https://` + dead + `/feed', authorization: '${SHEAF_TEST_CANARY}'}
`
	s := startService(t, text, Options{})
	s.manager.await(t, "STATUS=5 feeds, 4 failing", 1)
	if err := os.WriteFile(feed, []byte(rss(item(1, "Ferry hits bridge"), item(2, "Rates rise in Calvoria"))), 0o644); err != nil {
		t.Fatal(err)
	}
	s.reload(t, text) // and with it a sweep with something to tell
	s.manager.await(t, "STATUS=5 feeds, 4 failing, 2 stories", 1)
	s.reload(t, text+"\nadmin: {token: "+canary+"}") // given twice
	for limit := time.Now().Add(30 * time.Second); s.log.count("message not delivered") < 2 && time.Now().Before(limit); {
		time.Sleep(time.Millisecond)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+admin+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+canary)
	seen := map[string]string{
		"metrics":    bodyOf(t, request),
		"error page": getString(t, "http://"+public+"/"+canary+".rss?key="+canary),
		"status":     strings.Join(s.manager.all(), "\n"),
		"outlets":    getString(t, "http://"+public+"/outlets") + getString(t, "http://"+public+"/status.json"),
	}
	s.log.mu.Lock()
	seen["log"] = s.log.b.String()
	s.log.mu.Unlock()
	for where, text := range seen {
		if i := strings.Index(text, canary); i >= 0 {
			t.Errorf("the %s tells it: …%s…", where, text[max(0, i-200):min(len(text), i+40)])
		}
	}
	for where, want := range map[string]string{"metrics": "sheaf_feeds 5", "log": "hub not reached", "status": "STATUS="} {
		if !strings.Contains(seen[where], want) {
			t.Errorf("the %s has no %q: the test looks at nothing", where, want)
		}
	}
}

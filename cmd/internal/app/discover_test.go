package app

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sheaf/cmd/internal/config"
	"sheaf/feeds"
)

const alphaFeed = `<?xml version="1.0"?><rss version="2.0"><channel><title>Alpha News</title><link>https://alpha.example/</link>
<item><title>Ferry hits bridge</title><guid>1</guid><pubDate>Mon, 02 Nov 2026 10:00:00 +0000</pubDate></item></channel></rss>`

// site answers paths with documents; a document that begins with a number is that status, one that begins with / a permanent redirect.
// It writes down what it was asked.
func site(t *testing.T, paths map[string]string) (base string, asked *[]string) {
	t.Helper()
	asked = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.URL.Path)
		body, ok := paths[r.URL.Path]
		status := http.StatusOK
		switch _, err := fmt.Sscanf(body, "%d", &status); {
		case !ok:
			http.NotFound(w, r)
		case strings.HasPrefix(body, "/"):
			http.Redirect(w, r, body, http.StatusMovedPermanently)
		case err == nil:
			w.WriteHeader(status)
		default:
			fmt.Fprint(w, body)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

func page(links ...string) string {
	return "<!DOCTYPE html><html><head><title>x</title>" + strings.Join(links, "\n") + "</head><body>news</body></html>"
}

func link(href, title string) string {
	return `<link rel="alternate" type="application/rss+xml" href="` + href + `" title="` + title + `">`
}

func scout(t *testing.T) *Scout {
	t.Helper()
	c, err := config.Parse("config.yaml", []byte("fetch: {host_gap: 1ms}\n"), config.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewScout(c, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// B7: one request for a feed, one more for a page that names feeds; a page is asked for once.
func TestLook(t *testing.T) {
	for _, tt := range []struct {
		name  string
		paths map[string]string
		guess bool
		feed  string // path of the feed found; empty: none
		asked []string
		code  feeds.FetchCode
	}{
		{"a feed", map[string]string{"/": alphaFeed}, true, "/", []string{"/"}, ""},
		{"a feed that has moved", map[string]string{"/": "/new", "/new": alphaFeed}, true, "/new", []string{"/", "/new"}, ""},
		{"a page that names a feed", map[string]string{"/": page(link("/f", "All")), "/f": alphaFeed}, true, "/f", []string{"/", "/f"}, ""},
		{"comments come last", map[string]string{"/": page(link("/c", "Comments feed"), link("/f", "All")), "/f": alphaFeed}, true, "/f", []string{"/", "/f"}, ""},
		{"a page that names a missing feed", map[string]string{"/": page(link("/f", "All")), "/rss": alphaFeed}, true, "", []string{"/", "/f"}, feeds.FetchMissing},
		{"a page without feeds, nothing guessed", map[string]string{"/": page(), "/rss": alphaFeed}, false, "", []string{"/"}, feeds.FetchHTML},
		{"a page without feeds", map[string]string{"/": page(), "/feed": page(), "/rss.xml": alphaFeed}, true, "/rss.xml", []string{"/", "/feed", "/rss", "/rss.xml"}, ""},
		{"a page without feeds anywhere", map[string]string{"/": page()}, true, "",
			[]string{"/", "/feed", "/rss", "/rss.xml", "/atom.xml", "/feed.xml", "/index.xml", "/feed.json"}, feeds.FetchHTML},
		{"a host that refuses is left alone", map[string]string{"/": page(), "/feed": "403", "/rss": alphaFeed}, true, "", []string{"/", "/feed"}, feeds.FetchHTML},
		{"a host that asks for rest gets it", map[string]string{"/": page(), "/feed": "429", "/rss": alphaFeed}, true, "", []string{"/", "/feed"}, feeds.FetchHTML},
		{"nothing", map[string]string{}, true, "", []string{"/"}, feeds.FetchMissing},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base, asked := site(t, tt.paths)
			d := scout(t).Look(t.Context(), base+"/", tt.guess)
			want := ""
			if tt.feed != "" {
				want = base + tt.feed
			}
			if d.Feed != want || (d.Err == nil) != (want != "") {
				t.Errorf("feed = %q, %v, want %q", d.Feed, d.Err, want)
			}
			var fe *feeds.FetchError
			if tt.code != "" && (!errors.As(d.Err, &fe) || fe.Code != tt.code) {
				t.Errorf("error = %v, want code %s", d.Err, tt.code)
			}
			if diff := cmp.Diff(tt.asked, *asked); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

// A page must not lead into the operator's network, nor to a port that only the operator may name.
func TestLookGoesNowherePrivate(t *testing.T) {
	secret, asked := site(t, map[string]string{"/": alphaFeed})
	port := secret[strings.LastIndexByte(secret, ':'):]
	for _, address := range []string{secret + "/", "http://localhost" + port + "/", "http://127.0.0.1.:" + port[1:] + "/", "http://[::1]/", "http://other.example:22/", "http://u:p@other.example/"} {
		base, _ := site(t, map[string]string{"/": page(link(address, "Trap"))})
		d := scout(t).Look(t.Context(), base+"/", true)
		if d.Err == nil || d.Requests != 1 {
			t.Errorf("page naming %s: error %v after %d requests, want one after the page", address, d.Err, d.Requests)
		}
	}
	if len(*asked) > 0 {
		t.Errorf("the private host was asked for %v", *asked)
	}
}

func TestLookStops(t *testing.T) {
	base, _ := site(t, map[string]string{"/": page()})
	c, err := config.Parse("config.yaml", []byte("fetch: {host_gap: 1h}\n"), config.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewScout(c, "test")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if pause(canceled(t), s.gap) {
		t.Error("a pause goes on after the end of its context")
	}
	if d := s.Look(canceled(t), base+"/", true); d.Err == nil {
		t.Error("a look goes on after the end of its context")
	}
}

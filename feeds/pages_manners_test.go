package feeds

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
	"sheaf/feeds/mallory"
)

// A page is asked for with our name and nothing that the server could know us by.
func TestPageRequest(t *testing.T) {
	inSite(t, []string{"one"}, func(w *world) {
		w.p.o.Authorization = map[sheaf.FeedID]string{w.feeds[0].ID: "Bearer secret"}
		w.m.On(alpha, ok([]string{"one"}, `ETag: "a"`))
		w.one()
		want := "GET /one HTTP/1.1\r\nHost: alpha.example\r\nUser-Agent: sheaf/dev (+feed-monitor)\r\nAccept: " + acceptPage + "\r\nAccept-Encoding: gzip\r\n\r\n"
		if diff := cmp.Diff(want, w.m.Requests(siteItem + "one")[0].Raw); diff != "" {
			t.Errorf("request (-want +got):\n%s", diff)
		}
	})
}

// Requests to one host are a second apart and never two at once, whichever feed they are for.
func TestPagesAreAskedGently(t *testing.T) {
	beta := "http://feeds.beta.example/feed" // of another host, with its articles on alpha's
	o := Options{Extract: map[sheaf.FeedID]bool{sheaf.NewFeedID(alpha): true, sheaf.NewFeedID(beta): true}}
	third := "http://www.alpha.example/third"
	inWorld(t, o, []string{alpha, beta, third}, func(w *world) {
		slow := func(a mallory.Answer) mallory.Answer {
			a.Wait = 1500 * time.Millisecond
			return a
		}
		w.m.On(alpha, slow(ok([]string{"a1", "a2", "a3"})))
		w.m.On(beta, slow(ok([]string{"b1", "b2", "b3"})))
		w.m.On(third, slow(ok([]string{"c1"})))
		w.m.On(siteRobots, slow(status(404)))
		for _, name := range []string{"a1", "a2", "a3", "b1", "b2", "b3"} {
			w.m.On(siteItem+name, slow(webPage(name)))
		}
		w.poll()
		last := time.Time{}
		n := 0
		for _, r := range w.m.Requests("") {
			if r.URL == beta {
				continue
			}
			n++
			if gap := r.At.Sub(last); gap < 1500*time.Millisecond {
				t.Errorf("%s came %v after the request before it", r.URL, gap)
			}
			last = r.At
		}
		if n != 9 {
			t.Errorf("requests to the host = %d, want 9: two feeds, robots.txt, six pages", n)
		}
	})
}

func TestCrawlDelay(t *testing.T) {
	inSite(t, []string{"one", "two"}, func(w *world) {
		w.m.On(siteRobots, mallory.Answer{Body: "User-agent: *\nCrawl-delay: 7\n"})
		w.one()
		one, two := w.m.Requests(siteItem+"one"), w.m.Requests(siteItem+"two")
		if gap := two[0].At.Sub(one[0].At).Abs(); gap < 7*time.Second {
			t.Errorf("gap = %v, want 7s at least", gap)
		}
	})
}

func TestPagesObeyRobots(t *testing.T) {
	for _, tt := range []struct {
		name   string
		robots mallory.Answer
		asked  int
		code   string
	}{
		{"no file", status(404), 1, notePageText},
		{"all may", mallory.Answer{Body: "User-agent: *\nAllow: /\n"}, 1, notePageText},
		{"an empty file", status(200), 1, notePageText},
		{"nobody may", mallory.Answer{Body: "User-agent: *\nDisallow: /\n"}, 0, notePageDisallowed},
		{"we may not", mallory.Answer{Body: "User-agent: sheaf\nDisallow: /o\n"}, 0, notePageDisallowed},
		{"server error", status(503), 0, notePageDisallowed},
		{"redirect without end", status(302, "Location: /robots.txt"), 0, notePageDisallowed},
		{"cut off", mallory.Answer{Body: "User-agent: *\nAllow: /\n", Cut: 5}, 0, notePageDisallowed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inSite(t, []string{"one"}, func(w *world) {
				w.m.On(siteRobots, tt.robots)
				o := w.one()
				if got := w.m.Hits(siteItem + "one"); got != tt.asked || o.Err != nil {
					t.Errorf("asked %d times, err %v; want %d", got, o.Err, tt.asked)
				}
				if diff := cmp.Diff([]Note{{tt.code, 1}}, o.Notes); diff != "" {
					t.Errorf("notes (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// A robots.txt is kept for a day; one that could not be had is asked for again after an hour.
func TestRobotsAreRemembered(t *testing.T) {
	for _, tt := range []struct {
		name        string
		robots      mallory.Answer
		after, hits int
	}{
		{"known", status(404), 23, 1},
		{"known for a day", status(404), 25, 2},
		{"not to be had, within the hour", status(500), 0, 1},
		{"not to be had, later", status(500), 2, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inSite(t, []string{"one"}, func(w *world) {
				w.m.On(siteRobots, tt.robots)
				w.one()
				w.m.On(alpha, ok([]string{"two"}))
				w.m.On(siteItem+"two", webPage("two"))
				w.wait(time.Duration(tt.after) * time.Hour)
				w.p.o.Force = true
				w.wait(10 * time.Minute)
				w.one()
				if got := w.m.Hits(siteRobots); got != tt.hits {
					t.Errorf("robots.txt was asked for %d times, want %d", got, tt.hits)
				}
			})
		})
	}
}

// Every hop of a redirect obeys the robots.txt of its own host.
func TestPageRedirects(t *testing.T) {
	const other = "http://www.other.example/"
	for _, tt := range []struct {
		name   string
		robots mallory.Answer
		want   string
	}{
		{"allowed", status(404), report("one")},
		{"forbidden", mallory.Answer{Body: "User-agent: *\nDisallow: /"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inSite(t, []string{"one"}, func(w *world) {
				w.m.On(siteItem+"one", status(302, "Location: "+other+"moved"))
				w.m.On(other+"robots.txt", tt.robots)
				w.m.On(other+"moved", webPage("one", `<link rel="canonical" href="/elsewhere">`))
				w.one()
				for _, a := range w.store.articles {
					if a.Text != tt.want || a.URL != siteItem+"one" {
						t.Errorf("text %q, address %q; want %q, and the feed's address", a.Text, a.URL, tt.want)
					}
				}
			})
		})
	}
}

// Not more than twenty pages a poll, the newest; the rest keep what the feed gives and are never asked for.
func TestPagesAreBounded(t *testing.T) {
	var names []string
	for i := range 25 {
		names = append(names, fmt.Sprintf("n%02d", i))
	}
	inSite(t, names, func(w *world) {
		o := w.one()
		if got := noteCount(o, notePageText); got != pagesPerPoll || noteCount(o, notePageLeftOut) != 5 {
			t.Errorf("notes = %v, want 20 texts and 5 left out", o.Notes)
		}
		w.m.On(alpha, ok(append(names, "more")))
		w.m.On(siteItem+"more", webPage("more"))
		w.again()
		if got, want := w.m.Hits(""), 2+1+pagesPerPoll+1; got != want {
			t.Errorf("requests = %d, want %d", got, want)
		}
	})
}

func TestPagesTakeBoundedTime(t *testing.T) {
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprintf("n%02d", i))
	}
	inSite(t, names, func(w *world) {
		for _, name := range names {
			a := webPage(name)
			a.Wait = 14 * time.Second
			w.m.On(siteItem+name, a)
		}
		began := time.Now()
		o := w.one()
		if took := time.Since(began); took > pagesTime+time.Minute || noteCount(o, notePageLeftOut) == 0 {
			t.Errorf("took %v, notes %v", took, o.Notes)
		}
	})
}

// What goes wrong with a page never fails the feed. A host that says no is not asked for the next page.
func TestPageFailures(t *testing.T) {
	const rest = "one two three"
	for _, tt := range []struct {
		name  string
		first mallory.Answer
		notes []Note
	}{
		{"missing", status(404), []Note{{notePageFailed, 1}, {notePageText, 2}}},
		{"too large", mallory.Answer{Body: strings.Repeat("a", 3<<20)}, []Note{{notePageFailed, 1}, {notePageText, 2}}},
		{"no page", mallory.Answer{Header: []string{"Content-Type: image/png"}, Body: "PNG"}, []Note{{notePageLess, 1}, {notePageText, 2}}},
		{"no article", mallory.Answer{Body: "<html><body><p>Nothing.</p></body></html>"}, []Note{{notePageLess, 1}, {notePageText, 2}}},
		{"a loop", status(302, "Location: /one"), []Note{{notePageFailed, 1}, {notePageText, 2}}},
		{"a refused port", status(302, "Location: http://alpha.example:22/"), []Note{{notePageDisallowed, 1}, {notePageText, 2}}},
		{"a refused scheme", status(302, "Location: file:///etc/hosts"), []Note{{notePageFailed, 1}, {notePageText, 2}}},
		{"forbidden", status(403), []Note{{notePageFailed, 1}, {notePageLeftOut, 2}}},
		{"server error", status(500), []Note{{notePageFailed, 1}, {notePageLeftOut, 2}}},
		{"busy", status(429), []Note{{notePageFailed, 1}, {notePageLeftOut, 2}}},
		{"silence", mallory.Answer{Hang: true}, []Note{{notePageFailed, 1}, {notePageLeftOut, 2}}},
		{"cut off", mallory.Answer{Body: "<html>", Cut: 3}, []Note{{notePageFailed, 1}, {notePageLeftOut, 2}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inSite(t, strings.Fields(rest), func(w *world) {
				w.m.On(siteItem+"one", tt.first)
				o := w.one()
				if diff := cmp.Diff(tt.notes, o.Notes); diff != "" || o.Err != nil {
					t.Errorf("err %v, notes (-want +got):\n%s", o.Err, diff)
				}
				if got := len(w.store.articles); got != 3 {
					t.Errorf("articles = %d, want all 3", got)
				}
			})
		})
	}
}

// A host whose page server asks for rest gets it from its feeds, too.
func TestPageCooldown(t *testing.T) {
	inSite(t, []string{"one"}, func(w *world) {
		w.m.On(siteItem+"one", status(503, "Retry-After: 86400"))
		w.one()
		w.wait(20 * time.Hour)
		if got := len(w.poll()); got != 0 {
			t.Errorf("polled %d feeds of a host that rests", got)
		}
		w.wait(5 * time.Hour)
		if got := len(w.poll()); got != 1 {
			t.Errorf("polled %d feeds after the rest, want 1", got)
		}
	})
}

// Links lead only where the Client lets anybody lead it: not to this machine, not into private networks, not to odd ports. The feed's own
// host and port, which the operator has written, are no exception to robots.txt but one to that.
func TestPagesStayOutside(t *testing.T) {
	hits := make(map[string]int)
	var mu sync.Mutex
	serve := func(name string, feed func() string) *httptest.Server {
		return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			hits[name+r.URL.Path]++
			mu.Unlock()
			if r.URL.Path == "/feed" {
				fmt.Fprint(w, feed())
			}
		}))
	}
	inside := serve("inside", nil)
	defer inside.Close()
	var own *httptest.Server
	own = serve("own", func() string {
		body := document("", "own", "other", "plain", "private", "metadata")
		for name, link := range map[string]string{
			"own": own.URL + "/own", "other": inside.URL + "/other", "plain": "http://127.0.0.1/plain", "private": "http://10.255.255.1/private", "metadata": "http://169.254.169.254/metadata",
		} {
			body = strings.Replace(body, "http://alpha.example/"+name, link, 1)
		}
		return body
	})
	defer own.Close()
	store, feed := newMemory(), feedsAt(own.URL + "/feed")[0]
	p, err := NewPoller(store, Options{Extract: map[sheaf.FeedID]bool{feed.ID: true}, HostGap: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	outcomes, err := p.Poll(t.Context(), []Due{{Feed: feed}})
	if err != nil || len(outcomes) != 1 || outcomes[0].Err != nil {
		t.Fatalf("Poll = %+v, %v", outcomes, err)
	}
	if diff := cmp.Diff(map[string]int{"own/feed": 1, "own/robots.txt": 1, "own/own": 1}, hits); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if got := noteCount(outcomes[0], notePageDisallowed); got != 4 {
		t.Errorf("notes = %v, want 4 pages that were not asked for", outcomes[0].Notes)
	}
}

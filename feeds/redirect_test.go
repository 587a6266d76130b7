package feeds

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
	"sheaf/feeds/mallory"
)

// B6, F10, F15.
func TestRedirectsThatAreRefused(t *testing.T) {
	many := func(w *world) {
		w.m.On(alpha, status(302, "Location: /0"))
		for i := range 50 {
			w.m.On(fmt.Sprintf("http://news.alpha.example/%d", i), status(302, fmt.Sprintf("Location: /%d", i+1)))
		}
	}
	to := func(location string) func(w *world) {
		return func(w *world) { w.m.On(alpha, status(301, "Location: "+location)) }
	}
	for _, tt := range []struct {
		name   string
		script func(w *world)
		hits   int
		says   string
	}{
		{"50 hops", many, 6, "in a circle or are more than 5"},
		{"to itself", to(alpha), 1, "in a circle"},
		{"cookie wall", func(w *world) {
			w.m.On(alpha, status(302, "Location: /wall", "Set-Cookie: ok=1"))
			w.m.On("http://news.alpha.example/wall", status(302, "Location: /feed"))
		}, 2, "in a circle"},
		{"no target", func(w *world) { w.m.On(alpha, status(301)) }, 1, "without a target"},
		{"file", to("file:///etc/passwd"), 1, `scheme "file"`},
		{"gopher", to("gopher://127.0.0.1:25/"), 1, `scheme "gopher"`},
		{"javascript", to("javascript:alert(1)"), 1, `scheme "javascript"`},
		{"no address", to("http://[::1"), 1, "no address"},
		{"no host", to("http:///x"), 1, "no host"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, Options{}, []string{alpha}, func(w *world) {
				tt.script(w)
				fe := fails(w.t, w.one(), FetchRedirect)
				if !strings.Contains(fe.Error(), tt.says) {
					t.Errorf("error %q does not say %q", fe, tt.says)
				}
				if got := w.m.Hits(""); got != tt.hits {
					t.Errorf("hits = %d, want %d", got, tt.hits)
				}
			})
		})
	}
}

func TestRedirectFromHTTPSToHTTP(t *testing.T) {
	secure := "https://news.alpha.example/feed"
	inWorld(t, Options{}, []string{secure}, func(w *world) {
		w.m.On(secure, status(301, "Location: "+alpha))
		fe := fails(w.t, w.one(), FetchRedirect)
		if !strings.Contains(fe.Error(), "from https to http") {
			t.Errorf("error = %q", fe)
		}
	})
}

// B6: validators and the log-in go only to the origin they belong to.
func TestNothingLeaksToAnotherOrigin(t *testing.T) {
	configured, beta := "http://user:pass@news.alpha.example/feed", "http://beta.example/feed"
	inWorld(t, Options{}, []string{configured}, func(w *world) {
		w.m.On(alpha, ok([]string{"one"}, `ETag: "a"`), status(302, "Location: "+beta))
		w.m.Handle(beta, origin(`"b"`, "x", "two"))
		w.one()
		if got := w.m.Requests(alpha)[0].Header.Get("Authorization"); got != "Basic dXNlcjpwYXNz" {
			t.Errorf("Authorization = %q", got)
		}
		w.again()
		h := w.m.Requests(beta)[0].Header
		if h.Get("If-None-Match") != "" || h.Get("Authorization") != "" || h.Get("Referer") != "" {
			t.Errorf("the other origin was sent %v", h)
		}
		// Validators of the second origin go back there, and not to the first.
		o := w.again()
		if !o.Unchanged || w.state().Status != 304 {
			t.Errorf("outcome = %+v, want a 304 from the second origin", o)
		}
		if got := w.m.Requests(alpha)[2].Header.Get("If-None-Match"); got != "" {
			t.Errorf("the first origin was sent the validator of the second: %q", got)
		}
	})
}

// A log-in given beside the address goes to its origin alone.
func TestAuthorization(t *testing.T) {
	beta := "http://beta.example/feed"
	id := feedsAt(alpha)[0].ID
	inWorld(t, Options{Authorization: map[sheaf.FeedID]string{id: "Bearer s3cret"}}, []string{alpha}, func(w *world) {
		w.m.On(alpha, status(302, "Location: /next"))
		w.m.On("http://news.alpha.example/next", status(302, "Location: "+beta))
		w.m.On(beta, status(401))
		fe := fails(w.t, w.one(), FetchBlocked)
		var got []string
		for _, r := range w.m.Requests("") {
			got = append(got, r.Header.Get("Authorization"))
		}
		if diff := cmp.Diff([]string{"Bearer s3cret", "Bearer s3cret", ""}, got); diff != "" {
			t.Error(diff)
		}
		if strings.Contains(fe.Error()+w.state().Error, "s3cret") {
			t.Error("the secret is in the error")
		}
	})
}

// B25, F10.
func TestPermanentRedirects(t *testing.T) {
	elsewhere, sameDomain := "http://beta.example/feed", "http://rss.alpha.example/feed"
	for _, tt := range []struct {
		name   string
		hops   map[string]mallory.Answer
		target string
		titles []string
		stored bool
	}{
		{"301 to a feed with known items", map[string]mallory.Answer{alpha: status(301, "Location: "+elsewhere)}, elsewhere, []string{"one", "two"}, true},
		{"308 within the domain", map[string]mallory.Answer{alpha: status(308, "Location: "+sameDomain)}, sameDomain, []string{"x", "y"}, true},
		{"to another feed altogether", map[string]mallory.Answer{alpha: status(301, "Location: "+elsewhere)}, elsewhere, nil, false},
		{"302", map[string]mallory.Answer{alpha: status(302, "Location: "+elsewhere)}, elsewhere, []string{"one"}, false},
		{"301, then 302", map[string]mallory.Answer{alpha: status(301, "Location: "+sameDomain), sameDomain: status(302, "Location: "+elsewhere)}, elsewhere, []string{"one"}, false},
		{"301, then 308", map[string]mallory.Answer{alpha: status(301, "Location: "+sameDomain), sameDomain: status(308, "Location: "+elsewhere)}, elsewhere, []string{"one"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, Options{}, []string{alpha}, func(w *world) {
				w.m.On(alpha, ok([]string{"one", "two"}))
				w.one()
				for from, a := range tt.hops {
					w.m.On(from, a)
				}
				n := 0
				w.m.Handle(tt.target, func(mallory.Request) mallory.Answer {
					if n++; tt.titles == nil {
						return ok([]string{fmt.Sprintf("other %d", n)})
					}
					return ok(tt.titles)
				})
				began := time.Now()
				for time.Since(began) < 47*time.Hour {
					if w.again(); w.state().Moved.Used {
						t.Fatalf("believed after %v and %d sightings", time.Since(began), w.state().Moved.Times)
					}
				}
				w.wait(12 * time.Hour)
				w.one()
				if w.state().Moved.Used != tt.stored {
					t.Fatalf("moved = %+v, want used %v", w.state().Moved, tt.stored)
				}
				before := w.m.Hits(alpha)
				w.again()
				if asked := w.m.Hits(alpha) - before; (asked == 0) != tt.stored {
					t.Errorf("the old address was asked %d times", asked)
				}
			})
		})
	}
}

// A new address that stops working is left for the configured one.
func TestMovedBack(t *testing.T) {
	beta := "http://beta.example/feed"
	inWorld(t, Options{}, []string{alpha}, func(w *world) {
		w.m.On(alpha, ok([]string{"one"}))
		w.m.On(beta, status(404))
		s := State{First: time.Now(), Moved: Moved{To: beta, Times: 9, Used: true}}
		w.store.states[w.feeds[0].ID] = s
		w.one()
		w.again()
		w.again()
		if w.m.Hits(alpha) != 0 {
			t.Error("the configured address was asked too soon")
		}
		if o := w.again(); o.Err != nil || w.m.Hits(alpha) != 1 || w.state().Moved.Used {
			t.Errorf("outcome %v, moved %+v, want the configured address in use", o.Err, w.state().Moved)
		}
	})
}

// B25: feeds that meet at one address are asked once.
func TestFeedsThatMeet(t *testing.T) {
	beta := "http://beta.example/feed"
	inWorld(t, Options{}, []string{alpha, beta}, func(w *world) {
		w.m.On(alpha, ok([]string{"one"}))
		w.store.states[w.feeds[1].ID] = State{First: time.Now(), Moved: Moved{To: alpha, Used: true}}
		o := w.poll()
		if w.m.Hits("") != 1 || len(o) != 2 || o[beta].Err != nil || !o[beta].Unchanged || !o[beta].State.Next.After(time.Now()) {
			t.Errorf("hits = %d, outcomes = %+v, want one hit and both outcomes", w.m.Hits(""), o)
		}
	})
}

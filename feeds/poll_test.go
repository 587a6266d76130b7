package feeds

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf/feeds/mallory"
)

func TestPollStoresArticlesAndState(t *testing.T) {
	inWorld(t, Options{}, []string{alpha}, func(w *world) {
		w.m.On(alpha, ok([]string{"one", "two"}, `ETag: "a"`), ok([]string{"two", "three"}, `ETag: "b"`))
		o := w.one()
		if o.Err != nil || o.Unchanged || o.Articles != nil {
			t.Errorf("outcome = %+v, want a success without articles", o)
		}
		if got, want := w.store.titles(), []string{"one", "two"}; !slices.Equal(got, want) {
			t.Errorf("titles = %v, want %v", got, want)
		}
		s := w.state()
		if s.Title != "Alpha News" || s.Site != "http://alpha.example/" || s.Status != 200 || s.ETag != `"a"` || !s.Next.After(time.Now()) {
			t.Errorf("state = %+v", s)
		}
		w.again()
		if got, want := w.store.titles(), []string{"one", "three", "two"}; !slices.Equal(got, want) {
			t.Errorf("titles = %v, want %v", got, want)
		}
	})
}

func TestPollProgress(t *testing.T) {
	beta := "http://beta.example/feed"
	var got []Progress
	inWorld(t, Options{Progress: func(p Progress) { got = append(got, p) }}, []string{alpha, beta}, func(w *world) {
		w.m.On(alpha, ok([]string{"one", "two"}))
		w.m.On(beta, status(500))
		w.poll()
		if len(got) != 2 || got[1].Done != 2 || got[1].Failed != 1 || got[1].Total != 2 || got[0].New+got[1].New != 2 {
			t.Errorf("progress = %+v, want 2 done, 1 failed, 2 new articles", got)
		}
	})
}

// A lease is committed before the request leaves (B31), and says no earlier than the least interval.
func TestLeaseBeforeRequest(t *testing.T) {
	inWorld(t, Options{}, []string{alpha}, func(w *world) {
		w.m.On(alpha, ok([]string{"one"}))
		leased := false
		w.m.Before(func(mallory.Request) { leased = len(w.store.leases[w.feeds[0].ID]) == 1 })
		w.one()
		if !leased {
			t.Error("the request left before its lease was stored")
		}
		if got, want := w.store.leases[w.feeds[0].ID][0].Sub(w.state().Polled), minFull; got != want {
			t.Errorf("lease = %v, want %v", got, want)
		}
	})
}

// A process killed after the request and before the answer is stored asks no second time within the least interval (F50).
func TestCrashLoopHitsOnce(t *testing.T) {
	inWorld(t, Options{}, []string{alpha}, func(w *world) {
		w.m.On(alpha, mallory.Answer{Hang: true})
		for range 20 {
			ctx, kill := context.WithTimeout(w.t.Context(), time.Second)
			w.p.Poll(ctx, w.store.due(w.feeds))
			kill()
			w.start(Options{})
		}
		if got := w.m.Hits(alpha); got != 1 {
			t.Errorf("hits = %d, want 1", got)
		}
	})
}

func TestPollEndsWithContext(t *testing.T) {
	slow, quick := "http://slow.example/feed", "http://quick.example/feed"
	inWorld(t, Options{}, []string{slow, quick}, func(w *world) {
		w.m.On(slow, mallory.Answer{Hang: true})
		w.m.On(quick, ok([]string{"one"}))
		ctx, cancel := context.WithTimeout(w.t.Context(), 2*time.Second)
		defer cancel()
		began := time.Now()
		outcomes, err := w.p.Poll(ctx, w.store.due(w.feeds))
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("err = %v, want the end of ctx", err)
		}
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("took %v, want 2s: requests under way end at once", took)
		}
		if len(outcomes) != 1 || outcomes[0].Feed.URL != quick || len(w.store.saves) != 1 {
			t.Errorf("outcomes = %+v, want that of the complete poll alone", outcomes)
		}
	})
}

func TestPollEndsWithStore(t *testing.T) {
	inWorld(t, Options{}, []string{alpha}, func(w *world) {
		w.m.On(alpha, ok([]string{"one"}))
		w.store.failWith = errors.New("disk full")
		if _, err := w.p.Poll(w.t.Context(), w.store.due(w.feeds)); !errors.Is(err, w.store.failWith) {
			t.Errorf("err = %v, want %v", err, w.store.failWith)
		}
	})
}

// 60 feeds on one host leave a second between requests and never two at once; other hosts do not wait for them (B30).
func TestOneHostIsAskedGently(t *testing.T) {
	var addresses []string
	for i := range 60 {
		addresses = append(addresses, fmt.Sprintf("http://www%d.big.example/feed", i))
	}
	small := "http://small.example/feed"
	inWorld(t, Options{}, append(addresses, small), func(w *world) {
		for _, a := range w.feeds {
			w.m.On(a.URL, mallory.Answer{Body: document("", "one"), Wait: 300 * time.Millisecond})
		}
		began := time.Now()
		w.poll()
		requests := w.m.Requests("")
		if len(requests) != 61 {
			t.Fatalf("requests = %d, want 61", len(requests))
		}
		last := time.Time{}
		for _, r := range requests {
			if r.URL == small {
				if waited := r.At.Sub(began); waited > time.Second {
					t.Errorf("the other host waited %v", waited)
				}
				continue
			}
			if gap := r.At.Sub(last); gap < time.Second {
				t.Errorf("gap of %v between two requests", gap)
			}
			last = r.At
		}
		if took := time.Since(began); took > 2*time.Minute {
			t.Errorf("took %v, want under 2 min", took)
		}
	})
}

// A gap is kept from one call of Poll to the next.
func TestGapBetweenRounds(t *testing.T) {
	other := "http://www.alpha.example/feed"
	inWorld(t, Options{}, []string{alpha, other}, func(w *world) {
		w.m.On(alpha, ok([]string{"one"}))
		w.m.On(other, ok([]string{"two"}))
		all := w.feeds
		w.feeds = all[:1]
		w.poll()
		w.feeds = all[1:]
		w.poll()
		r := w.m.Requests("")
		if gap := r[1].At.Sub(r[0].At); gap < time.Second {
			t.Errorf("gap = %v, want at least 1s", gap)
		}
	})
}

// Feeds on this machine are polled at full speed, again and again, unless the server says not to.
func TestLocalFeedsHaveNoManners(t *testing.T) {
	var addresses []string
	for i := range 30 {
		addresses = append(addresses, fmt.Sprintf("http://127.0.0.1:9000/%d", i))
	}
	inWorld(t, Options{}, addresses, func(w *world) {
		for i, a := range addresses {
			header := []string{}
			if i == 0 {
				header = append(header, "Cache-Control: max-age=60")
			}
			w.m.On(a, mallory.Answer{Body: document("", "one"), Wait: 100 * time.Millisecond, Header: header})
		}
		began := time.Now()
		w.poll()
		if took := time.Since(began); took != 200*time.Millisecond {
			t.Errorf("30 polls of 100 ms, 16 at once, took %v, want 200ms", took)
		}
		if got := len(w.poll()); got != 29 {
			t.Errorf("polled %d at once again, want all but the one with max-age", got)
		}
		w.wait(time.Minute)
		if got := len(w.poll()); got != 30 {
			t.Errorf("polled %d after a minute, want all", got)
		}
		if len(w.store.leases) != 0 {
			t.Errorf("leases = %v, want none", w.store.leases)
		}
	})
}

// A local server that asks for rest gets it for the one feed, and its other feeds go on.
func TestLocalRest(t *testing.T) {
	a, b := "http://127.0.0.1:9000/a", "http://127.0.0.1:9000/b"
	inWorld(t, Options{}, []string{a, b}, func(w *world) {
		w.m.On(a, status(429, "Retry-After: 60"), status(503), ok([]string{"one"}))
		w.m.On(b, ok([]string{"one"}))
		w.poll()
		if o := w.poll(); len(o) != 1 || o[b].Err != nil {
			t.Errorf("polled %v at once, want b alone", o)
		}
		w.wait(time.Minute)
		w.poll()
		if o := w.poll(); len(o) != 2 || o[a].Err != nil {
			t.Errorf("polled %d after the rest, want both and a well: no wait was asked for the second time", len(o))
		}
	})
}

func TestNewPollerChecksOptions(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    Options
		want string
	}{
		{"zero", Options{}, ""},
		{"negative time", Options{Timeout: -1}, "polling: timeout -1ns is negative"},
		{"negative number", Options{Parallel: -1}, "polling: parallel, subscribers and max body must not be negative"},
		{"header injection", Options{Contact: "x\r\nCookie: a"}, "polling: version and contact must not hold line breaks or parentheses"},
		{"body too large to parse", Options{MaxBody: 1 << 30}, "polling: max body 1073741824 is over 67108864"},
		{"bad network", Options{Allow: []string{"10.0.0.0/99"}}, `polling: allow "10.0.0.0/99": neither a network (10.0.0.0/8), an address nor a host name`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewPoller(newMemory(), tt.o)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A round that has lasted long enough starts nothing more; what was left out stays due.
func TestRoundLimit(t *testing.T) {
	var addresses []string
	for i := range 100 {
		addresses = append(addresses, fmt.Sprintf("http://www%d.big.example/feed", i))
	}
	inWorld(t, Options{Round: 20 * time.Second}, addresses, func(w *world) {
		for _, a := range addresses {
			w.m.On(a, ok([]string{"one"}))
		}
		polled := 0
		for range 12 {
			began := time.Now()
			n := len(w.poll())
			if took := time.Since(began); took > 20*time.Second {
				t.Fatalf("a round took %v", took)
			}
			if polled += n; n == 0 {
				break
			}
		}
		if polled != 100 {
			t.Errorf("polled %d of 100 feeds once", polled)
		}
	})
}

// B43: a document that makes us panic costs one feed a day, and is kept.
func TestQuarantine(t *testing.T) {
	beta := "http://beta.example/feed"
	for _, tt := range []struct {
		name  string
		parse func(Input) (*Document, error)
	}{
		{"panic", func(Input) (*Document, error) { panic("a fault of ours") }},
		{"panic the parser caught", func(Input) (*Document, error) { return nil, &ParseError{Code: CodePanic, Message: "a fault of ours"} }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, Options{}, []string{alpha, beta}, func(w *world) {
				w.m.On(alpha, ok([]string{"evil"}, `ETag: "a"`))
				w.m.On(beta, ok([]string{"good"}))
				w.p.parse = func(in Input) (*Document, error) {
					if strings.Contains(string(in.Body), "evil") {
						return tt.parse(in)
					}
					return Parse(in)
				}
				o := w.poll()
				if o[beta].Err != nil || o[alpha].Err == nil || w.until() < 24*time.Hour {
					t.Errorf("errors %v and %v, next in %v; want alpha in quarantine for a day", o[alpha].Err, o[beta].Err, w.until())
				}
				if s := w.state(); s.ETag != "" || s.Code != FetchPanic {
					t.Errorf("validators %q kept of a document that was not read, code %q", s.ETag, s.Code)
				}
				samples := w.p.Samples()
				if len(samples) != 1 || samples[0].Feed.URL != alpha || !strings.Contains(string(samples[0].Body), "evil") || !strings.Contains(samples[0].Cause, "a fault of ours") {
					t.Errorf("samples = %d, want the one document", len(samples))
				}
				for range 30 {
					w.again()
				}
				if got := len(w.p.Samples()); got != samplesKept {
					t.Errorf("samples = %d after many, want %d", got, samplesKept)
				}
			})
		})
	}
}

// Feeds that redirects lead to one hosting service wait for one another there.
func TestSharedHostBehindRedirects(t *testing.T) {
	a, b := "http://one.example/feed", "http://two.example/feed"
	inWorld(t, Options{}, []string{a, b}, func(w *world) {
		for i, address := range []string{a, b} {
			hosted := fmt.Sprintf("http://host%d.shared.example/", i)
			w.m.On(address, status(302, "Location: "+hosted))
			w.m.On(hosted, mallory.Answer{Body: document("", "one"), Wait: 400 * time.Millisecond})
		}
		w.poll()
		w.wait(13 * time.Hour)
		w.poll()
		hits := w.m.Requests("http://host1.shared.example/")
		others := w.m.Requests("http://host0.shared.example/")
		if gap := hits[1].At.Sub(others[1].At).Abs(); gap < time.Second {
			t.Errorf("gap at the shared host = %v, want at least 1s", gap)
		}
	})
}

// Told to end, a round starts nothing more, lets what is under way finish for a while, and then cuts it off; what was complete is kept
// (B59).
func TestDrain(t *testing.T) {
	slow, quick, third := "http://slow.example/feed", "http://quick.example/feed", "http://third.example/feed"
	for _, tt := range []struct {
		name   string
		answer time.Duration
		want   []string // that have an outcome
	}{
		{"in time", 5 * time.Second, []string{slow}},
		{"too slow", 20 * time.Second, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, Options{}, []string{slow, quick, third}, func(w *world) {
				drain := make(chan struct{})
				w.start(Options{Parallel: 1, Drain: drain, Grace: 8 * time.Second})
				for _, a := range []string{quick, third} {
					w.m.On(a, ok([]string{"one"}))
				}
				w.m.On(slow, mallory.Answer{Wait: tt.answer, Body: document("", "late")})
				time.AfterFunc(time.Second, func() { close(drain) })
				began := time.Now()
				outcomes := w.poll()
				if took := time.Since(began); took > 9*time.Second {
					t.Errorf("the round took %v, want it over within the grace", took)
				}
				for _, a := range []string{slow, quick, third} {
					if _, polled := outcomes[a]; polled != slices.Contains(tt.want, a) {
						t.Errorf("%s polled: %v, want %v", a, polled, !polled)
					}
				}
				if got := w.poll(); len(got) != 0 {
					t.Errorf("polled %d feeds after the end", len(got))
				}
			})
		})
	}
}

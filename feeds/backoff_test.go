package feeds

import (
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"sheaf/feeds/mallory"
)

// B20, F6: the host rests as long as it asks, with all its feeds.
func TestCooldown(t *testing.T) {
	sibling, other := "http://www.alpha.example/other", "http://beta.example/feed"
	for _, tt := range []struct {
		name   string
		answer mallory.Answer
		least  time.Duration
	}{
		{"429 with seconds", status(429, "Retry-After: 7200"), 2 * time.Hour},
		{"429 with a date", status(429, "Date: Sat, 01 Jan 2000 00:00:00 GMT", "Retry-After: Sat, 01 Jan 2000 02:00:00 GMT"), 2 * time.Hour},
		{"a date by a clock that is a year off", status(429, "Date: Fri, 01 Jan 1999 00:00:00 GMT", "Retry-After: Fri, 01 Jan 1999 02:00:00 GMT"), 2 * time.Hour},
		{"negative", status(429, "Retry-After: -1"), time.Hour},
		{"nonsense", status(429, "Retry-After: abc"), time.Hour},
		{"ages", status(429, "Retry-After: 1000000000"), maxCooldown},
		{"429 alone", status(429), time.Hour},
		{"503 alone", status(503), time.Hour},
		{"any error with Retry-After", status(500, "Retry-After: 7200"), 2 * time.Hour},
		{"a refusal with Retry-After", status(403, "Retry-After: 7200"), 2 * time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, Options{}, []string{alpha, sibling, other}, func(w *world) {
				w.m.On(alpha, tt.answer, ok([]string{"one"}))
				w.m.On(sibling, ok([]string{"two"}))
				w.m.On(other, ok([]string{"three"}))
				fails(w.t, w.poll()[alpha], FetchBusy)
				if w.m.Hits(sibling) != 0 || w.m.Hits(other) != 1 {
					t.Errorf("hits of sibling, other = %d, %d, want 0, 1", w.m.Hits(sibling), w.m.Hits(other))
				}
				most := tt.least + tt.least/10 + time.Minute
				if rest := w.until(); rest < tt.least || rest > most {
					t.Errorf("rest = %v, want %v to %v", rest, tt.least, most)
				}
				w.start(Options{}) // a new process remembers
				w.wait(tt.least - time.Second)
				w.poll()
				if w.m.Hits(sibling) != 0 || w.m.Hits(alpha) != 1 {
					t.Error("the host was asked before its time")
				}
				w.wait(most - tt.least + time.Second)
				w.poll()
				if w.m.Hits(sibling) != 1 || w.m.Hits(alpha) != 2 {
					t.Errorf("hits of alpha, sibling after the rest = %d, %d, want 2, 1", w.m.Hits(alpha), w.m.Hits(sibling))
				}
			})
		})
	}
}

// B20, B21, F7, F8, B24: how often a feed that fails is asked in a time, and that it recovers.
func TestFailuresAreBounded(t *testing.T) {
	for _, tt := range []struct {
		name string
		a    mallory.Answer
		code FetchCode
		span time.Duration
		most int // polls in that time
		gap  time.Duration
	}{
		{"503", status(503), FetchBusy, 10 * day, 16, 27 * time.Hour},
		{"500", status(500), FetchServer, 10 * day, 32, 15 * time.Hour},
		{"404", status(404), FetchMissing, 29 * day, 50, 29 * time.Hour},
		{"403", status(403), FetchBlocked, 10 * day, 16, 29 * time.Hour},
		{"401", status(401), FetchBlocked, 10 * day, 16, 29 * time.Hour},
		{"451", status(451), FetchBlocked, 10 * day, 16, 29 * time.Hour},
		{"challenge", status(403, "cf-mitigated: challenge"), FetchBlocked, 10 * day, 16, 29 * time.Hour},
		{"418", status(418), FetchStatus, 10 * day, 32, 15 * time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, Options{}, []string{alpha}, func(w *world) {
				began := time.Now()
				w.m.Handle(alpha, func(mallory.Request) mallory.Answer {
					if time.Since(began) > tt.span {
						return ok([]string{"one"})
					}
					return tt.a
				})
				polls, last := 1, w.one()
				for last.Err != nil {
					fails(w.t, last, tt.code)
					if w.until() > tt.gap {
						t.Fatalf("next poll in %v, want at most %v", w.until(), tt.gap)
					}
					last = w.again()
					polls++
				}
				if polls > tt.most {
					t.Errorf("polls in %v = %d, want at most %d", tt.span, polls, tt.most)
				}
				if s := w.state(); s.Failures != 0 || !s.Failing.IsZero() || !s.Cooldown.IsZero() {
					t.Errorf("state = %+v, want a full recovery", s)
				}
			})
		})
	}
}

// B22: after 30 days a missing feed is asked once a week, for ever.
func TestMissingForLong(t *testing.T) {
	inWorld(t, Options{}, []string{alpha}, func(w *world) {
		w.m.On(alpha, status(404))
		w.one()
		for time.Since(w.state().Failing) <= patience {
			w.again()
		}
		for range 10 {
			if got := w.until(); got < 5*day || got > 9*day {
				t.Fatalf("next poll in %v, want about a week", got)
			}
			w.again()
		}
	})
}

// B23, F9.
func TestGone(t *testing.T) {
	t.Run("once", func(t *testing.T) {
		inWorld(t, Options{}, []string{alpha}, func(w *world) {
			w.m.On(alpha, status(410), ok([]string{"one"}))
			fails(w.t, w.one(), FetchGone)
			if w.state().Disabled || w.until() != 24*time.Hour {
				t.Errorf("disabled = %v, next in %v, want another look in a day", w.state().Disabled, w.until())
			}
			if w.again(); w.state().Disabled || !w.state().Gone.IsZero() {
				t.Error("the feed did not recover")
			}
		})
	})
	t.Run("twice", func(t *testing.T) {
		inWorld(t, Options{}, []string{alpha}, func(w *world) {
			w.m.On(alpha, status(410), status(410), status(410), ok([]string{"one"}))
			w.one()
			w.again()
			if !w.state().Disabled || w.until() != 30*day {
				t.Errorf("disabled = %v, next in %v, want true and 30 days", w.state().Disabled, w.until())
			}
			w.again()
			if w.again(); w.state().Disabled {
				t.Error("a probe that finds a feed does not bring it back")
			}
		})
	})
}

// B29, F25: when nearly nothing can be reached it is us.
func TestOffline(t *testing.T) {
	var addresses []string
	for i := range 40 {
		addresses = append(addresses, fmt.Sprintf("http://host%d.example/feed", i))
	}
	inWorld(t, Options{}, addresses, func(w *world) {
		cut := func(err error) {
			for i := range 40 {
				w.m.Down(fmt.Sprintf("host%d.example", i), err)
			}
		}
		for _, a := range addresses {
			w.m.On(a, ok([]string{"one"}, `ETag: "a"`))
		}
		w.poll()
		w.wait(13 * time.Hour)
		cut(&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded})
		outcomes := w.poll()
		if !w.p.Offline() || len(outcomes) < 16 || len(outcomes) > 36 {
			t.Fatalf("offline = %v after %d polls, want it noticed after about 20", w.p.Offline(), len(outcomes))
		}
		for _, o := range outcomes {
			if o.State.Failures != 0 || !strings.Contains(o.Err.Error(), "seems to be offline") {
				t.Fatalf("a feed is blamed: %d failures, %v", o.State.Failures, o.Err)
			}
		}
		for minute := range 10 {
			if got := len(w.poll()); got != 1 {
				t.Errorf("minute %d: %d polls while offline, want one canary", minute, got)
			}
			if got := len(w.poll()); got != 0 {
				t.Errorf("minute %d: a second canary", minute)
			}
			w.wait(time.Minute)
		}
		cut(nil)
		w.poll()
		if w.p.Offline() {
			t.Error("still offline after the network came back")
		}
		w.wait(2 * time.Minute)
		w.poll()
		for _, f := range w.feeds {
			if s := w.store.states[f.ID]; s.Failures != 0 || !s.Succeeded.After(s.First) {
				t.Errorf("%s was not polled again: %d failures, last success %v", f.URL, s.Failures, s.Succeeded)
			}
		}
	})
}

// One dead host among many is not the network.
func TestOneDeadHostIsItsOwnFault(t *testing.T) {
	addresses := []string{"http://a.example/f", "http://b.example/f", "http://c.example/f", "http://dead.example/f"}
	inWorld(t, Options{}, addresses, func(w *world) {
		for _, a := range addresses {
			w.m.On(a, ok([]string{"one"}))
		}
		w.m.Down("dead.example", &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded})
		o := w.poll()["http://dead.example/f"]
		fails(w.t, o, FetchConnect)
		if o.State.Failures != 1 || w.p.Offline() {
			t.Errorf("failures = %d, offline = %v, want 1, false", o.State.Failures, w.p.Offline())
		}
	})
}

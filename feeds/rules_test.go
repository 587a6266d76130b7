package feeds

import (
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"sheaf"
	"sheaf/feeds/mallory"
)

// B16, F4: max-age on a 304 is obeyed as that on a 200 is.
func TestFreshnessIsObeyed(t *testing.T) {
	for _, tt := range []struct {
		name     string
		header   []string
		ttl      string
		atLeast  time.Duration
		atMost   time.Duration
		interval time.Duration
	}{
		{"nothing said", nil, "", minConditional, 10 * time.Minute, time.Minute},
		{"max-age", []string{"Cache-Control: max-age=7200"}, "", 2 * time.Hour, 2 * time.Hour, time.Minute},
		{"max-age of ten years", []string{"Cache-Control: max-age=315360000"}, "", 24 * time.Hour, 24 * time.Hour, time.Minute},
		{"no-cache", []string{"Cache-Control: no-cache"}, "", minConditional, 10 * time.Minute, time.Minute},
		{"ttl", nil, "<ttl>120</ttl>", 2 * time.Hour, 2 * time.Hour, time.Minute},
		{"ttl of a week", nil, "<ttl>10080</ttl>", 6 * time.Hour, 6 * time.Hour, time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, Options{Interval: tt.interval}, []string{alpha}, func(w *world) {
				full := mallory.Answer{Header: append([]string{`ETag: "a"`}, tt.header...), Body: document(tt.ttl, "one")}
				w.m.On(alpha, full, status(304, tt.header...))
				for range 3 {
					w.one()
					if w.state().Status == 304 && (w.until() < tt.atLeast || w.until() > tt.atMost) {
						t.Errorf("next poll in %v, want %v to %v", w.until(), tt.atLeast, tt.atMost)
					}
					w.wait(w.until() - time.Second)
					if len(w.poll()) != 0 {
						t.Error("polled a second early")
					}
					w.wait(time.Second)
				}
				if hits := w.m.Hits(alpha); hits != 3 {
					t.Errorf("hits = %d, want 3", hits)
				}
			})
		})
	}
}

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

// B13, F2: an Apache that mangles its ETags is asked by date from the 7th poll on.
func TestMangledETags(t *testing.T) {
	const modified = "Mon, 30 Nov 2026 12:00:00 GMT"
	inWorld(t, Options{}, []string{alpha}, func(w *world) {
		w.m.Handle(alpha, func(r mallory.Request) mallory.Answer {
			lines := []string{`ETag: "abc-gzip"`, "Last-Modified: " + modified}
			if r.Header.Get("If-None-Match") == "" && r.Header.Get("If-Modified-Since") == modified {
				return status(304, lines...)
			}
			return ok([]string{"one"}, lines...)
		})
		w.one()
		for range 5 {
			w.again()
		}
		for poll := 7; poll < 20; poll++ {
			if w.again(); w.state().Status != 304 {
				t.Fatalf("poll %d: status %d, want 304", poll, w.state().Status)
			}
		}
		if got := w.state().Caching.Wasted; got > 6 {
			t.Errorf("wasted = %d, want at most 6", got)
		}
		// A month later the first strategy gets another chance.
		w.wait(31 * day)
		w.one()
		if r := w.m.Requests(alpha); r[len(r)-1].Header.Get("If-None-Match") == "" {
			t.Error("the ETag was not tried again after a month")
		}
	})
}

// B13: the order of strategies, skipping those that would send what was sent before.
func TestStrategies(t *testing.T) {
	for _, tt := range []struct {
		name string
		v    Validators
		want []Strategy // after every five wasted answers
	}{
		{"both validators", Validators{"e", "d"}, []Strategy{StrategyDate, StrategyETag, StrategyNone, StrategyNone}},
		{"ETag alone", Validators{"e", ""}, []Strategy{StrategyNone, StrategyNone}},
		{"date alone", Validators{"", "d"}, []Strategy{StrategyNone, StrategyNone}},
		{"none", Validators{}, []Strategy{StrategyBoth, StrategyBoth}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var c Caching
			for i, want := range tt.want {
				for range wastedInRow {
					c = c.wasted(tt.v, noon)
				}
				if c.Strategy != want {
					t.Errorf("after %d: %q, want %q", (i+1)*wastedInRow, c.Strategy, want)
				}
			}
		})
	}
}

// B14: two weeks of nothing but 304, though many items are due, are checked once a week.
func TestLying304(t *testing.T) {
	inWorld(t, Options{}, []string{alpha}, func(w *world) {
		titles := 0
		w.m.Handle(alpha, func(r mallory.Request) mallory.Answer {
			if titles == 20 && r.Header.Get("If-None-Match") != "" {
				return status(304, `ETag: "a"`)
			}
			titles = min(titles+1, 20)
			return ok([]string{fmt.Sprintf("story %d", titles)}, `ETag: "a"`)
		})
		w.one()
		for titles < 20 {
			w.again()
		}
		lied := time.Now()
		var unconditional []time.Duration
		for time.Since(lied) < 40*day {
			w.again()
			r := w.m.Requests(alpha)
			if last := r[len(r)-1]; last.Header.Get("If-None-Match") == "" {
				unconditional = append(unconditional, last.At.Sub(lied))
			}
		}
		if len(unconditional) == 0 || unconditional[0] < 14*day || unconditional[0] > 16*day {
			t.Fatalf("checks after %v, want the first at about 14 days", unconditional)
		}
		for i := 1; i < len(unconditional); i++ {
			if unconditional[i]-unconditional[i-1] < 7*day {
				t.Errorf("checks after %v, want a week between two", unconditional)
			}
		}
	})
}

// B19, F13: new items alone are added to what is there, nothing is inferred from what is missing, and validators move on.
func TestDelta(t *testing.T) {
	id := feedsAt(alpha)[0].ID
	inWorld(t, Options{Delta: map[sheaf.FeedID]bool{id: true}}, []string{alpha}, func(w *world) {
		delta := ok([]string{"three"}, `ETag: "b"`, "IM: feed")
		delta.Status = 226
		w.m.On(alpha, ok([]string{"one", "two"}, `ETag: "a"`), delta, ok([]string{"four", "three", "two", "one"}, `ETag: "c"`), status(304))
		w.one()
		if o := w.again(); o.Err != nil || w.state().ETag != `"b"` || len(w.store.articles) != 3 {
			t.Errorf("after 226: %v, ETag %s, %d articles; want \"b\" and 3", o.Err, w.state().ETag, len(w.store.articles))
		}
		count := w.state().Rhythm.Count
		w.again()
		if got := w.state().Rhythm.Count - count; got > 1.01 || got < 0.5 {
			t.Errorf("the whole document counted %.2f new items, want 1", got)
		}
		requests := w.m.Requests(alpha)
		if requests[0].Header.Get("A-IM") != "" || requests[1].Header.Get("A-IM") != "feed" || requests[2].Header.Get("If-None-Match") != `"b"` {
			t.Errorf("requests:\n%s\n%s\n%s", requests[0].Raw, requests[1].Raw, requests[2].Raw)
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

// B34.
func TestForce(t *testing.T) {
	inWorld(t, Options{Force: true}, []string{alpha}, func(w *world) {
		w.m.On(alpha, ok([]string{"one"}, "Cache-Control: max-age=86400"))
		w.one()
		w.wait(5*time.Minute - time.Second)
		if len(w.poll()) != 0 {
			t.Error("polled again within 5 minutes")
		}
		w.wait(time.Second)
		if len(w.poll()) != 1 {
			t.Error("not polled after 5 minutes")
		}
	})
}

// B32: a daemon spreads what has become overdue while it was down or asleep.
func TestCatchUp(t *testing.T) {
	var addresses []string
	for i := range 100 {
		addresses = append(addresses, fmt.Sprintf("http://host%d.example/feed", i))
	}
	inWorld(t, Options{Spread: 10 * time.Minute}, addresses, func(w *world) {
		for _, a := range addresses {
			w.m.On(a, ok([]string{"one"}, `ETag: "a"`))
		}
		if got := len(w.poll()); got != 100 {
			t.Fatalf("first sweep polled %d, want all 100: new feeds do not wait", got)
		}
		w.wait(13 * time.Hour) // asleep
		most, total := 0, 0
		for range 12 {
			n := len(w.poll())
			most, total = max(most, n), total+n
			w.wait(time.Minute)
		}
		if most > 25 || total != 100 {
			t.Errorf("most in a minute = %d, total = %d, want at most 25 and 100", most, total)
		}
	})
}

// B57, F41: a clock set back must not stop polling, one set forward must not start a storm.
func TestClockSteps(t *testing.T) {
	state := State{Polled: noon, Next: noon.Add(time.Hour)}
	for _, tt := range []struct {
		name string
		now  time.Time
		want bool
	}{
		{"before its time", noon.Add(59 * time.Minute), false},
		{"in time", noon.Add(time.Hour), true},
		{"a day back", noon.Add(-24 * time.Hour), true},
		{"a few seconds back", noon.Add(-30 * time.Second), false},
		{"ten years on", noon.AddDate(10, 0, 0), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := IsDue(Due{State: state}, tt.now, false); got != tt.want {
				t.Errorf("IsDue = %v, want %v", got, tt.want)
			}
		})
	}
	if !IsDue(Due{Feed: sheaf.Feed{}}, noon, false) {
		t.Error("a feed never polled is not due")
	}
}

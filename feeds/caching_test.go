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

// B8, B9, F3: validators go back exactly as they came; over-long ones are dropped.
func TestValidatorsAreKeptByteForByte(t *testing.T) {
	long := `"` + strings.Repeat("x", 5<<10) + `"`
	for _, tt := range []struct {
		name                   string
		etag, modified         string
		wantETag, wantModified string
	}{
		{"strong", `"abc"`, "Mon, 30 Nov 2026 12:00:00 GMT", `"abc"`, "Mon, 30 Nov 2026 12:00:00 GMT"},
		{"weak", `W/"abc"`, "", `W/"abc"`, ""},
		{"unquoted", `abc`, "", `abc`, ""},
		{"odd date", "", "Thu, 01 Jan 1970 00:00:00 +0000", "", "Thu, 01 Jan 1970 00:00:00 +0000"},
		{"5 KiB", long, "yesterday", "", "yesterday"},
		{"none", "", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, Options{}, []string{alpha}, func(w *world) {
				var lines []string
				if tt.etag != "" {
					lines = append(lines, "ETag: "+tt.etag)
				}
				if tt.modified != "" {
					lines = append(lines, "Last-Modified: "+tt.modified)
				}
				w.m.On(alpha, ok([]string{"one"}, lines...))
				w.one()
				w.again()
				h := w.m.Requests(alpha)[1].Header
				if h.Get("If-None-Match") != tt.wantETag || h.Get("If-Modified-Since") != tt.wantModified {
					t.Errorf("sent %q and %q, want %q and %q", h.Get("If-None-Match"), h.Get("If-Modified-Since"), tt.wantETag, tt.wantModified)
				}
			})
		})
	}
}

// B10, F1: the stuck ETag.
func TestValidatorsAreReplaced(t *testing.T) {
	const date = "Last-Modified: Mon, 30 Nov 2026 12:00:00 GMT"
	for _, tt := range []struct {
		name   string
		second mallory.Answer
		want   Validators
	}{
		{"new ETag on 304", status(304, `ETag: "b"`, date), Validators{`"b"`, date[15:]}},
		{"304 with neither", status(304), Validators{`"a"`, date[15:]}},
		{"new ETag on 200", ok([]string{"two"}, `ETag: "b"`, date), Validators{`"b"`, date[15:]}},
		{"new ETag on a 200 with known bytes", ok([]string{"one"}, `ETag: "b"`, date), Validators{`"b"`, date[15:]}},
		{"200 without ETag", ok([]string{"two"}, date), Validators{"", date[15:]}},
		{"200 with neither", ok([]string{"two"}), Validators{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, Options{}, []string{alpha}, func(w *world) {
				w.m.On(alpha, ok([]string{"one"}, `ETag: "a"`, date), tt.second)
				w.one()
				w.again()
				if diff := cmp.Diff(tt.want, w.state().Validators); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// B12: the same bytes are not parsed again, packed or not.
func TestSameBytes(t *testing.T) {
	for _, gzip := range []bool{false, true} {
		t.Run(fmt.Sprintf("gzip %v", gzip), func(t *testing.T) {
			inWorld(t, Options{}, []string{alpha}, func(w *world) {
				a := ok([]string{"one"})
				a.Gzip = gzip
				w.m.On(alpha, a)
				w.one()
				o := w.again()
				if !o.Unchanged || o.Err != nil || w.state().Caching.Wasted != 1 || w.state().Status != 200 {
					t.Errorf("outcome = %+v, want unchanged, counted as wasted", o)
				}
				if (w.state().Packed != "") != gzip {
					t.Errorf("packed hash = %q", w.state().Packed)
				}
			})
		})
	}
}

// B15, F11.
func TestUnasked304(t *testing.T) {
	inWorld(t, Options{}, []string{alpha}, func(w *world) {
		w.m.On(alpha, status(304), ok([]string{"one"}))
		fails(w.t, w.one(), FetchUnasked)
		if w.again().Err != nil {
			t.Error("the feed did not recover")
		}
	})
}

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

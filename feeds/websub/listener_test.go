package websub

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
	"sheaf/feeds/mallory"
)

func TestRequestToHub(t *testing.T) {
	inWorld(t, func(w *world) {
		w.follow("a")
		w.tend()
		form := w.hub.Last()
		callback, secret := form.Get("hub.callback"), form.Get("hub.secret")
		for _, key := range []string{"hub.callback", "hub.secret"} {
			form.Del(key)
		}
		want := url.Values{"hub.mode": {"subscribe"}, "hub.topic": {topic}, "hub.lease_seconds": {"864000"}}
		if diff := cmp.Diff(want, form); diff != "" {
			t.Error(diff)
		}
		token, ok := strings.CutPrefix(callback, "https://sheaf.example/base/websub/")
		if !ok || len(token) != 32 || len(secret) != 64 || strings.Contains(secret, token) {
			t.Errorf("callback %q, secret of %d characters; want 128 and 256 bits of their own", callback, len(secret))
		}
		if got := w.m.Requests(hubAddress)[0].Header.Get("User-Agent"); got != "sheaf/test" {
			t.Errorf("User-Agent = %q", got)
		}
	})
}

// F46: only what was asked for is confirmed, once.
func TestVerification(t *testing.T) {
	for _, tt := range []struct {
		name    string
		changes url.Values
		status  int
	}{
		{"as asked", nil, 200},
		{"without a time", url.Values{"hub.lease_seconds": nil}, 200},
		{"wrong topic", url.Values{"hub.topic": {topic + "2"}}, 404},
		{"no topic", url.Values{"hub.topic": nil}, 404},
		{"no challenge", url.Values{"hub.challenge": nil}, 404},
		{"endless challenge", url.Values{"hub.challenge": {strings.Repeat("x", maxChallenge+1)}}, 404},
		{"to end it", url.Values{"hub.mode": {"unsubscribe"}}, 404},
		{"no mode", url.Values{"hub.mode": nil}, 404},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.follow("a")
				w.tend()
				form := w.hub.Last()
				status, body := w.hub.Verify(w.l, form, tt.changes)
				if status != tt.status || (body == "mallory's challenge") != (status == 200) {
					t.Errorf("answered %d %q, want %d", status, body, tt.status)
				}
				if got := w.lease("a").live(time.Now()); got != (status == 200) {
					t.Errorf("live = %v", got)
				}
				if replay, _ := w.hub.Verify(w.l, form, tt.changes); replay != 404 {
					t.Errorf("the same again is answered %d, want 404", replay)
				}
			})
		})
	}
}

func TestVerificationComesTooLate(t *testing.T) {
	inWorld(t, func(w *world) {
		w.follow("a")
		wait := w.tend()
		if wait != verifyWithin {
			t.Errorf("tends again in %v, want %v", wait, verifyWithin)
		}
		form := w.hub.Last()
		w.wait(wait + time.Second)
		if status, _ := w.hub.Verify(w.l, form, nil); status != 404 {
			t.Errorf("a late question is answered %d", status)
		}
		w.tend()
		l := w.lease("a")
		if l.Failures != 1 || l.Pending != (Callback{}) || l.Error != "hub hub.example: did not confirm what it was asked for" {
			t.Errorf("lease = %+v", l)
		}
		if len(w.hub.Asked()) != 1 {
			t.Error("the hub was asked again at once")
		}
	})
}

// F46: what is not signed as agreed is answered like what is, and is not heard.
func TestAnnouncements(t *testing.T) {
	body := strings.Repeat("<item/>", 1000)
	for _, tt := range []struct {
		name  string
		sign  func(secret string) string
		heard bool
	}{
		{"SHA-256", func(s string) string { return mallory.Sign("sha256", s, body) }, true},
		{"SHA-384", func(s string) string { return mallory.Sign("sha384", s, body) }, true},
		{"SHA-512", func(s string) string { return mallory.Sign("sha512", s, body) }, true},
		{"SHA-1", func(s string) string { return mallory.Sign("sha1", s, body) }, false},
		{"none", func(string) string { return "" }, false},
		{"of another body", func(s string) string { return mallory.Sign("sha256", s, body+" ") }, false},
		{"with another secret", func(s string) string { return mallory.Sign("sha256", s+"x", body) }, false},
		{"without a secret", func(string) string { return mallory.Sign("sha256", "", body) }, false},
		{"cut", func(s string) string { return mallory.Sign("sha256", s, body)[:40] }, false},
		{"no digits", func(string) string { return "sha256=zz" }, false},
		{"unknown method", func(string) string { return "md5=00" }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.live("a")
				w.wait(time.Second)
				form := w.hub.Last()
				if status := w.hub.Announce(w.l, form, body, tt.sign(form.Get("hub.secret"))); status != http.StatusAccepted {
					t.Errorf("answered %d, want 202 whatever comes", status)
				}
				told := w.l.Push("a", time.Now().Add(-time.Minute)).Told
				if (w.heard == 1) != tt.heard || !told.IsZero() != tt.heard {
					t.Errorf("heard %d, told %v; want heard %v", w.heard, told, tt.heard)
				}
			})
		})
	}
}

// A body over the limit is not read to its end, and cannot be verified.
func TestHugeAnnouncement(t *testing.T) {
	inWorld(t, func(w *world) {
		w.live("a")
		form := w.hub.Last()
		for _, size := range []int{maxAnnouncement, maxAnnouncement + 1} {
			body := strings.Repeat("x", size)
			if status := w.hub.Announce(w.l, form, body, mallory.Sign("sha256", form.Get("hub.secret"), body)); status != 202 || w.heard != 1 {
				t.Errorf("%d bytes: status %d, heard %d, want the body at the limit alone", size, status, w.heard)
			}
		}
	})
}

func TestUnknownCallbacks(t *testing.T) {
	inWorld(t, func(w *world) {
		w.live("a")
		for _, tt := range []struct {
			method, target string
			status         int
		}{
			{"POST", "/websub/", 410},
			{"POST", "/websub/00000000000000000000000000000000", 410},
			{"GET", "/websub/00000000000000000000000000000000?hub.mode=subscribe&hub.challenge=x&hub.topic=" + url.QueryEscape(topic), 404},
			{"GET", "/websub/00000000000000000000000000000000?hub.mode=denied", 404},
			{"PUT", "/websub/x", 405},
			{"HEAD", "/websub/x", 405},
		} {
			rec := httptest.NewRecorder()
			w.l.ServeHTTP(rec, httptest.NewRequest(tt.method, tt.target, strings.NewReader("x")))
			if rec.Code != tt.status || strings.Contains(rec.Body.String(), "example") {
				t.Errorf("%s %s = %d %q, want %d and nothing of the request", tt.method, tt.target, rec.Code, rec.Body, tt.status)
			}
			for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox"} {
				if got := rec.Header().Get(name); got != want {
					t.Errorf("%s %s: %s = %q", tt.method, tt.target, name, got)
				}
			}
		}
	})
}

// F46: a lease is renewed when 70 to 80 % of it have passed, at another callback with another secret; the old one is answered until then.
func TestRenewal(t *testing.T) {
	for _, granted := range []time.Duration{time.Minute, time.Hour, 10 * 24 * time.Hour} {
		t.Run(granted.String(), func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.follow("a")
				w.tend()
				old := w.hub.Last()
				w.wait(time.Second)
				w.hub.Verify(w.l, old, url.Values{"hub.lease_seconds": {strconv.Itoa(int(granted.Seconds()))}})
				since := w.l.Push("a", time.Time{}).Since
				wait := w.tend()
				if wait < granted*7/10 || wait > granted*8/10 {
					w.t.Fatalf("renewed after %v of %v, want 70 to 80 %%", wait, granted)
				}
				w.wait(wait)
				w.tend()
				renewed := w.hub.Last()
				if len(w.hub.Asked()) != 2 || renewed.Get("hub.callback") == old.Get("hub.callback") || renewed.Get("hub.secret") == old.Get("hub.secret") {
					w.t.Fatalf("asked %d times, last with callback %q", len(w.hub.Asked()), renewed.Get("hub.callback"))
				}
				announce := func(form url.Values) int {
					return w.hub.Announce(w.l, form, "x", mallory.Sign("sha256", form.Get("hub.secret"), "x"))
				}
				if announce(old); w.heard != 1 {
					t.Error("the old callback is not answered while the new one is not verified")
				}
				w.hub.Verify(w.l, renewed, nil)
				if status := announce(old); status != 410 || w.heard != 1 {
					t.Errorf("the old callback is answered %d after the renewal", status)
				}
				if announce(renewed); w.heard != 2 {
					t.Error("the new callback is not heard")
				}
				if got := w.l.Push("a", time.Time{}).Since; got != since {
					t.Errorf("listening since %v, want %v: a renewal leaves no gap", got, since)
				}
			})
		})
	}
}

// Times a hub must not make us believe.
func TestOddLeases(t *testing.T) {
	for _, tt := range []struct {
		seconds string
		least   time.Duration
		most    time.Duration
	}{
		{"0", leaseLeast * 7 / 10, leaseLeast * 8 / 10},
		{"1", leaseLeast * 7 / 10, leaseLeast * 8 / 10},
		{"-5", leaseWanted * 7 / 10, leaseWanted * 8 / 10},
		{"99999999999999999999", leaseWanted * 7 / 10, leaseWanted * 8 / 10},
		{"2147483647", leaseLongest * 7 / 10, leaseLongest * 8 / 10},
		{"soon", leaseWanted * 7 / 10, leaseWanted * 8 / 10},
	} {
		t.Run(tt.seconds, func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.follow("a")
				w.tend()
				w.hub.Verify(w.l, w.hub.Last(), url.Values{"hub.lease_seconds": {tt.seconds}})
				if wait := w.tend(); wait < tt.least || wait > tt.most {
					t.Errorf("renewed after %v, want %v to %v", wait, tt.least, tt.most)
				}
			})
		})
	}
}

// A hub that says no is asked again later and later, or when it says.
func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer mallory.Answer
		waits  []time.Duration
		says   string
	}{
		{"not our topic", mallory.Answer{Status: 400}, []time.Duration{time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 16 * time.Hour, 24 * time.Hour, 24 * time.Hour}, "hub hub.example answers with status 400"},
		{"gone", mallory.Answer{Status: 410}, []time.Duration{30 * 24 * time.Hour}, "status 410"},
		{"busy", mallory.Answer{Status: 503, Header: []string{"Retry-After: 7200"}}, []time.Duration{2 * time.Hour, 2 * time.Hour}, "status 503"},
		{"busy for years", mallory.Answer{Status: 429, Header: []string{"Retry-After: 999999999"}}, []time.Duration{7 * 24 * time.Hour}, "status 429"},
		{"redirect to nowhere", mallory.Answer{Status: 307}, []time.Duration{time.Hour}, "without a target"},
		{"redirect to http", mallory.Answer{Status: 307, Header: []string{"Location: http://hub.example/"}}, []time.Duration{time.Hour}, "cannot be followed"},
		{"redirect in a circle", mallory.Answer{Status: 308, Header: []string{"Location: /"}}, []time.Duration{time.Hour}, "more than 3 redirects"},
		{"nonsense", mallory.Answer{Raw: "hello"}, []time.Duration{time.Hour}, "not reached"},
		{"silence", mallory.Answer{Hang: true, Status: 202}, []time.Duration{verifyWithin - askTimeout}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.hub.Answers(tt.answer)
				w.follow("a")
				for i, want := range tt.waits {
					got := w.tend()
					if got > want || got < want-askTimeout-2*time.Second {
						w.t.Fatalf("wait %d = %v, want %v", i, got, want)
					}
					w.wait(got)
				}
				if l := w.lease("a"); !strings.Contains(l.Error, tt.says) || l.Live != (Callback{}) {
					t.Errorf("lease = %+v, want an error that says %q", l, tt.says)
				}
				if p := w.l.Push("a", time.Time{}); p != (Push{}) {
					t.Errorf("push = %+v, want none", p)
				}
			})
		})
	}
}

// F46: 410 ends a lease in use: polling must not count on the hub any more.
func TestGoneHub(t *testing.T) {
	inWorld(t, func(w *world) {
		w.live("a")
		w.hub.Answers(mallory.Answer{Status: 410})
		w.wait(w.tend())
		w.tend()
		if p := w.l.Push("a", time.Time{}); p != (Push{}) {
			t.Errorf("push = %+v, want none", p)
		}
	})
}

// A lease that could not be renewed is used until its end.
func TestRenewalFails(t *testing.T) {
	inWorld(t, func(w *world) {
		w.live("a")
		w.hub.Answers(mallory.Answer{Status: 500})
		w.wait(w.tend())
		w.tend()
		if w.l.Push("a", time.Time{}).Since.IsZero() {
			t.Error("the lease ended before its time")
		}
		w.wait(leaseWanted)
		if p := w.l.Push("a", time.Time{}); p != (Push{}) {
			t.Errorf("push = %+v after the end, want none", p)
		}
	})
}

func TestDenied(t *testing.T) {
	for _, live := range []bool{false, true} {
		inWorld(t, func(w *world) {
			w.follow("a")
			w.tend()
			form := w.hub.Last()
			if live {
				w.hub.Verify(w.l, form, nil)
			}
			denial := url.Values{"hub.mode": {"denied"}, "hub.reason": {"no\r\n\x1b[31mthanks " + strings.Repeat("é", 200)}}
			if status, _ := w.hub.Verify(w.l, form, url.Values{"hub.mode": {"denied"}, "hub.topic": {"https://else.example/"}}); status != 404 {
				t.Errorf("denial of another topic answered %d", status)
			}
			if status, _ := w.hub.Verify(w.l, form, denial); status != 200 {
				t.Errorf("answered %d", status)
			}
			l := w.lease("a")
			if !strings.HasPrefix(l.Error, "hub hub.example: refuses to announce the feed: no [31mthanks é") || len(l.Error) > 300 || l.Live != (Callback{}) || time.Until(l.Next) != time.Hour {
				t.Errorf("lease = %+v", l)
			}
		})
	}
}

// A hub that is down is left alone for all of its feeds; others are not held up by more than its silence.
func TestTiredHub(t *testing.T) {
	inWorld(t, func(w *world) {
		w.hub.Answers(mallory.Answer{Status: 503, Header: []string{"Retry-After: 600"}})
		other := w.m.Hub("https://other.example/")
		offers := map[sheaf.FeedID]Offer{"z": {"https://other.example/", topic}}
		for _, id := range []sheaf.FeedID{"a", "b", "c"} {
			offers[id] = Offer{hubAddress, topic}
		}
		if err := w.l.Follow(w.t.Context(), offers); err != nil {
			w.t.Fatal(err)
		}
		w.tend()
		if got := len(w.hub.Asked()); got != 1 || len(other.Asked()) != 1 {
			t.Errorf("asked %d and %d times, want 1 and 1", got, len(other.Asked()))
		}
		w.hub.Answers(mallory.Answer{Status: 202})
		w.wait(10 * time.Minute)
		w.tend()
		if got := len(w.hub.Asked()); got != 4 {
			t.Errorf("asked %d times after the rest, want once more for each feed", got)
		}
	})
}

// Requests to hubs keep a pause, and follow one redirect to another hub.
func TestGapAndRedirect(t *testing.T) {
	inWorld(t, func(w *world) {
		w.hub.Answers(mallory.Answer{Status: 308, Header: []string{"Location: https://other.example/hub"}})
		other := w.m.Hub("https://other.example/hub")
		w.follow("a", "b")
		w.tend()
		forms := other.Asked()
		if len(forms) != 2 || forms[0].Get("hub.secret") == "" || forms[0].Get("hub.callback") == forms[1].Get("hub.callback") {
			w.t.Fatalf("the other hub was asked %v", forms)
		}
		r := w.m.Requests(hubAddress)
		if gap := r[1].At.Sub(r[0].At); gap < time.Second {
			t.Errorf("gap = %v, want 1s", gap)
		}
	})
}

func TestFollow(t *testing.T) {
	inWorld(t, func(w *world) {
		w.live("a")
		form := w.hub.Last()
		changes := len(w.kept)
		w.follow("a")
		if len(w.kept) != changes {
			t.Error("an offer that is known changed something")
		}
		moved := Offer{"https://other.example/", topic}
		if err := w.l.Follow(w.t.Context(), map[sheaf.FeedID]Offer{"a": moved, "b": {}}); err != nil {
			w.t.Fatal(err)
		}
		if l := w.lease("a"); l.Offer != moved || l.Live.Token == "" || l.Next.After(time.Now()) {
			t.Errorf("lease = %+v, want the new hub asked and the old one listened to", l)
		}
		if len(w.l.Leases()) != 1 {
			t.Error("a feed without a hub has a lease")
		}
		w.follow()
		if w.lease("a") != (Lease{}) || w.tend() != 0 {
			t.Error("the lease of a feed that is gone is kept")
		}
		if status := w.hub.Announce(w.l, form, "x", ""); status != 410 {
			t.Errorf("its hub is answered %d, want 410", status)
		}
	})
}

// A new process goes on with the leases of the old one; what it did not hear in between is a gap.
func TestRestart(t *testing.T) {
	inWorld(t, func(w *world) {
		w.live("a")
		form := w.hub.Last()
		w.wait(time.Hour)
		w.start()
		if got := w.l.Push("a", time.Time{}).Since; !got.Equal(time.Now()) {
			t.Errorf("listening since %v, want now", got)
		}
		if w.hub.Announce(w.l, form, "x", mallory.Sign("sha256", form.Get("hub.secret"), "x")); w.heard != 1 {
			t.Error("a lease of the old process is not heard")
		}
		if w.tend(); len(w.hub.Asked()) != 1 {
			t.Error("the hub was asked again")
		}
	})
}

// An announcement is answered by the poll that starts after it.
func TestTold(t *testing.T) {
	inWorld(t, func(w *world) {
		w.live("a")
		form := w.hub.Last()
		before := time.Now()
		w.wait(time.Second)
		w.hub.Announce(w.l, form, "x", mallory.Sign("sha256", form.Get("hub.secret"), "x"))
		told := time.Now()
		for range 2 {
			if got := w.l.Push("a", before).Told; !got.Equal(told) {
				t.Errorf("told = %v, want %v until it is polled", got, told)
			}
		}
		if got := w.l.Push("a", told).Told; !got.IsZero() {
			t.Errorf("told = %v after the poll", got)
		}
	})
}

func TestStoreFails(t *testing.T) {
	inWorld(t, func(w *world) {
		w.follow("a")
		w.tend()
		form := w.hub.Last()
		w.store.failWith = errDisk
		if status, body := w.hub.Verify(w.l, form, nil); status != 503 || strings.Contains(body, "disk") {
			t.Errorf("verification = %d %q, want 503 and no more", status, body)
		}
		if w.l.Push("a", time.Time{}) != (Push{}) {
			t.Error("what could not be stored is gone by")
		}
		w.wait(verifyWithin)
		if _, err := w.l.Tend(w.t.Context()); !errors.Is(err, errDisk) {
			t.Errorf("Tend = %v", err)
		}
		if err := w.l.Follow(w.t.Context(), nil); !errors.Is(err, errDisk) {
			t.Errorf("Follow without offers = %v", err)
		}
		if err := w.l.Follow(w.t.Context(), map[sheaf.FeedID]Offer{"a": {hubAddress, topic}, "b": {hubAddress, topic}}); !errors.Is(err, errDisk) {
			t.Errorf("Follow = %v", err)
		}
		w.store.failWith = nil
		if status, _ := w.hub.Verify(w.l, form, nil); status != 200 {
			t.Errorf("verification = %d once the disk is well", status)
		}
	})
}

func TestTendEndsWithContext(t *testing.T) {
	inWorld(t, func(w *world) {
		w.hub.Answers(mallory.Answer{Hang: true})
		w.follow("a", "b")
		ctx, cancel := context.WithTimeout(w.t.Context(), 500*time.Millisecond)
		defer cancel()
		if _, err := w.l.Tend(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Tend = %v, want the end of ctx", err)
		}
	})
}

func TestNewRefuses(t *testing.T) {
	for _, address := range []string{"", "http://sheaf.example", "sheaf.example", "https://"} {
		if _, err := New(t.Context(), &memory{}, Options{BaseURL: address, Client: http.DefaultTransport}); err == nil {
			t.Errorf("New(%q): no error", address)
		}
	}
	if _, err := New(t.Context(), &memory{failWith: errDisk}, Options{BaseURL: "https://sheaf.example", Client: http.DefaultTransport}); !errors.Is(err, errDisk) {
		t.Errorf("New = %v", err)
	}
}

// Stored leases are read again; fields are never renamed.
func TestLeaseIsJSON(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	l := Lease{Feed: "a", Offer: Offer{"https://h.example/", "https://t.example/"}, Live: Callback{"tok", "sec", at, at}, Pending: Callback{Token: "p"}, Next: at, Failures: 2, Error: "e"}
	data, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"feed":"a","hub":"https://h.example/","topic":"https://t.example/","live":{"token":"tok","secret":"sec","since":"2026-11-30T12:00:00Z","until":"2026-11-30T12:00:00Z"},"pending":{"token":"p"},"next":"2026-11-30T12:00:00Z","failures":2,"error":"e"}`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Error(diff)
	}
}

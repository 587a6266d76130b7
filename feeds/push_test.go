package feeds

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
	"sheaf/feeds/mallory"
	"sheaf/feeds/websub"
)

const (
	hubAddress = "https://hub.example/"
	hubLinks   = `<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="hub" href="https://hub.example/"/><atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="http://news.alpha.example/feed"/>`
)

// leases is a websub.Store in memory.
type leases map[sheaf.FeedID]websub.Lease

// Leases implements websub.Store.
func (l leases) Leases(context.Context) (all []websub.Lease, err error) {
	for _, lease := range l {
		all = append(all, lease)
	}
	return all, nil
}

// SaveLease implements websub.Store.
func (l leases) SaveLease(_ context.Context, lease websub.Lease) error {
	l[lease.Feed] = lease
	return nil
}

// DropLease implements websub.Store.
func (l leases) DropLease(_ context.Context, feed sheaf.FeedID) error {
	delete(l, feed)
	return nil
}

// pushWorld is a world with one feed, whose hub has granted a lease at the first poll, and that is polled with what the hub says.
type pushWorld struct {
	*world
	hub    *mallory.Hub
	l      *websub.Listener
	titles []string // in the feed now
}

func inPushWorld(t *testing.T, test func(w *pushWorld)) {
	t.Helper()
	inWorld(t, Options{}, []string{alpha}, func(w *world) {
		pw := &pushWorld{world: w, hub: w.m.Hub(hubAddress), titles: []string{"one", "two", "three", "four", "five"}}
		w.m.Handle(alpha, func(r mallory.Request) mallory.Answer {
			etag := fmt.Sprintf(`"%s"`, strings.Join(pw.titles, ""))
			if r.Header.Get("If-None-Match") == etag {
				return status(304)
			}
			return mallory.Answer{Header: []string{"ETag: " + etag, "Cache-Control: max-age=3600"}, Body: document(hubLinks, pw.titles...)}
		})
		pw.listen()
		w.poll()
		if err := pw.l.Follow(w.t.Context(), Offers(w.store.due(w.feeds))); err != nil {
			w.t.Fatal(err)
		}
		if _, err := pw.l.Tend(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
		w.wait(time.Second)
		pw.hub.Verify(pw.l, pw.hub.Last(), nil)
		test(pw)
	})
}

func (w *pushWorld) listen() {
	w.t.Helper()
	l, err := websub.New(w.t.Context(), leases{}, websub.Options{BaseURL: "https://sheaf.example", Client: w.p.Client(), Agent: "sheaf/test"})
	if err != nil {
		w.t.Fatal(err)
	}
	w.l = l
}

// due is the only feed with what its hub says.
func (w *pushWorld) due() Due {
	s := w.state()
	return Due{Feed: w.feeds[0], State: s, Push: w.l.Push(w.feeds[0].ID, s.Polled)}
}

// polled polls and reports whether the feed was due.
func (w *pushWorld) polled() bool {
	w.t.Helper()
	outcomes, err := w.p.Poll(w.t.Context(), []Due{w.due()})
	if err != nil {
		w.t.Fatal(err)
	}
	return len(outcomes) == 1
}

// publish adds an item to the feed.
func (w *pushWorld) publish(title string) { w.titles = append([]string{title}, w.titles...)[:5] }

// announce sends a good announcement, a moment after what has happened before.
func (w *pushWorld) announce() {
	w.wait(time.Millisecond)
	form := w.hub.Last()
	w.hub.Announce(w.l, form, "anything", mallory.Sign("sha256", form.Get("hub.secret"), "anything"))
}

// settled waits until the feed is due by itself and polls it: from then on nothing is in the way of longer waits.
func (w *pushWorld) settled() {
	w.t.Helper()
	w.wait(w.due().wait())
	if !w.polled() {
		w.t.Fatal("not polled in its time")
	}
}

// wait is how long until the feed is due if nothing is announced.
func (d Due) wait() time.Duration { return time.Until(d.next(time.Now())) }

func TestOffers(t *testing.T) {
	local := "http://127.0.0.1:9000/feed"
	for _, tt := range []struct {
		name    string
		address string
		answer  mallory.Answer
		want    websub.Offer
	}{
		{"in the document", alpha, mallory.Answer{Body: document(hubLinks, "one")}, websub.Offer{Hub: hubAddress, Topic: alpha}},
		{"in the header", alpha, mallory.Answer{Header: []string{`Link: <https://h.example/>; rel="hub", </self>; rel="self"`}, Body: document(hubLinks, "one")}, websub.Offer{Hub: "https://h.example/", Topic: "http://news.alpha.example/self"}},
		{"nowhere", alpha, ok([]string{"one"}), websub.Offer{}},
		{"in a document that was cut", alpha, mallory.Answer{Framing: mallory.Close, Body: strings.TrimSuffix(document(hubLinks, "one"), "</channel></rss>")}, websub.Offer{}},
		{"at home", local, mallory.Answer{Body: document(hubLinks, "one")}, websub.Offer{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, Options{}, []string{tt.address}, func(w *world) {
				w.m.On(tt.address, tt.answer)
				w.one()
				want := map[sheaf.FeedID]websub.Offer{}
				if tt.want != (websub.Offer{}) {
					want[w.feeds[0].ID] = tt.want
				}
				if diff := cmp.Diff(want, Offers(w.store.due(w.feeds))); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// B50: an announcement starts one conditional fetch, before the time the server's max-age gives.
func TestAnnouncementStartsPoll(t *testing.T) {
	inPushWorld(t, func(w *pushWorld) {
		if w.polled() {
			t.Fatal("due without an announcement")
		}
		w.wait(time.Minute)
		w.publish("news")
		w.announce()
		if !w.polled() || !strings.Contains(fmt.Sprint(w.store.titles()), "news") {
			t.Fatalf("titles = %v, want the news", w.store.titles())
		}
		r := w.m.Requests(alpha)
		if len(r) != 2 || r[1].Header.Get("If-None-Match") == "" {
			t.Errorf("%d requests, the last with %v; want a conditional one", len(r), r[len(r)-1].Header)
		}
		if w.polled() || !w.p.Again().IsZero() {
			t.Error("polled again for the same announcement")
		}
		w.announce()
		if again := w.state().Polled.Add(pushGap); w.polled() || !w.p.Again().Equal(again) {
			t.Errorf("to be polled again at %v, want %v", w.p.Again(), again)
		}
	})
}

// F46: a flood of announcements starts few polls: 10 s apart at least, and fewer and fewer while they lead to nothing.
func TestFloodOfAnnouncements(t *testing.T) {
	inPushWorld(t, func(w *pushWorld) {
		began := w.m.Hits(alpha)
		for range 600 { // seconds
			for range 50 {
				w.announce()
			}
			w.polled()
			w.wait(time.Second)
		}
		r := w.m.Requests(alpha)[began:]
		for i := 1; i < len(r); i++ {
			if gap := r[i].At.Sub(r[i-1].At); gap < pushGap {
				t.Errorf("gap of %v between two polls", gap)
			}
		}
		if len(r) < 2 || len(r) > 7 {
			t.Errorf("%d polls in 10 minutes of false announcements, want 2 to 7", len(r))
		}
	})
}

// A feed whose hub announces all of its news is polled six times less often, and never off; as soon as polling finds what was not
// announced, or nothing would be heard, polling is what it was.
func TestPollingWithPush(t *testing.T) {
	for _, tt := range []struct {
		name      string
		events    func(w *pushWorld)
		stretched bool
	}{
		{"no announcement yet", func(w *pushWorld) { w.settled(); w.settled() }, false},
		{"announced", func(w *pushWorld) {}, true},
		{"nothing new since", func(w *pushWorld) { w.settled() }, true},
		{"found by polling", func(w *pushWorld) { w.publish("missed"); w.settled() }, false},
		{"found by polling, announced just after", func(w *pushWorld) {
			w.publish("late")
			w.settled()
			w.wait(time.Minute)
			w.announce()
			w.polled()
		}, true},
		{"found by polling, announced again since", func(w *pushWorld) {
			w.publish("missed")
			w.settled()
			w.publish("heard")
			w.announce()
			w.wait(time.Minute)
			w.polled()
		}, true},
		{"the hub is gone", func(w *pushWorld) {
			w.hub.Answers(status(410))
			w.wait(8 * 24 * time.Hour)
			w.l.Tend(w.t.Context())
		}, false},
		{"a new process has not listened since the last poll", func(w *pushWorld) { w.wait(time.Minute); w.listen() }, false},
		{"failing", func(w *pushWorld) {
			w.m.On(alpha, status(500))
			w.wait(w.due().wait())
			w.polled()
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inPushWorld(t, func(w *pushWorld) {
				w.settled()
				if tt.name != "no announcement yet" {
					w.publish("news")
					w.announce()
					w.wait(time.Minute)
					w.polled()
				}
				tt.events(w)
				d := w.due()
				plain, got := d.State.Next.Sub(d.State.Polled), d.next(time.Now()).Sub(d.State.Polled)
				most := max(plain, min(6*plain, 12*time.Hour))
				if stretched := got > plain; stretched != tt.stretched || got > most {
					t.Errorf("next poll after %v, %v without a hub; want stretched %v, at most %v", got, plain, tt.stretched, most)
				}
			})
		})
	}
}

// However reliable a hub is, polling comes before items have fallen out of the feed, and once in 12 hours.
func TestStretchIsBounded(t *testing.T) {
	polled := noon.Add(-time.Hour)
	reliable := Announced{Heard: noon.Add(-day)}
	for _, tt := range []struct {
		name    string
		rhythm  Rhythm
		wait    time.Duration
		longest time.Duration
	}{
		{"quiet", Rhythm{Count: 1, At: polled, Window: 20}, time.Hour, 6 * time.Hour},
		{"quieter", Rhythm{Count: 1, At: polled, Window: 20}, 3 * time.Hour, 12 * time.Hour},
		{"asked to stay away", Rhythm{Count: 1, At: polled, Window: 20}, 20 * time.Hour, 20 * time.Hour},
		{"busy", Rhythm{Count: 2400, At: polled, Window: 20}, 20 * time.Minute, 2 * time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := State{First: noon.Add(-90 * day), Polled: polled, Next: polled.Add(tt.wait), Rhythm: tt.rhythm, Announced: reliable}
			d := Due{State: s, Push: websub.Push{Since: noon.Add(-2 * day)}}
			got := d.next(noon).Sub(polled)
			if got < tt.wait || got > tt.longest {
				t.Errorf("next after %v, want %v to %v", got, tt.wait, tt.longest)
			}
			if items := s.Rhythm.rate(s.First, noon) * got.Minutes(); got > tt.wait && items > float64(tt.rhythm.Window) {
				t.Errorf("%.0f items in that time, and the feed holds %d", items, tt.rhythm.Window)
			}
		})
	}
}

// Cool-downs and back-off go before announcements.
func TestAnnouncementsWait(t *testing.T) {
	for _, tt := range []struct {
		name string
		s    State
		want bool
	}{
		{"well", State{}, true},
		{"polled a moment ago", State{Polled: noon.Add(-9 * time.Second)}, false},
		{"polled a while ago", State{Polled: noon.Add(-10 * time.Second)}, true},
		{"announced in vain before", State{Polled: noon.Add(-time.Minute), Announced: Announced{Idle: 3}}, false},
		{"announced in vain for ever", State{Polled: noon.Add(-5 * time.Minute), Announced: Announced{Idle: 1000}}, true},
		{"fresh", State{Floor: noon.Add(time.Hour)}, true},
		{"cooling down", State{Cooldown: noon.Add(time.Hour)}, false},
		{"failing", State{Failures: 1}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.s.Next = noon.Add(time.Hour)
			d := Due{State: tt.s, Push: websub.Push{Told: noon.Add(-time.Second)}}
			if got := IsDue(d, noon, false); got != tt.want {
				t.Errorf("IsDue = %v, want %v", got, tt.want)
			}
		})
	}
}

// F22 on the way to a hub: a feed's word leads to no private address.
func TestPrivateHubsAreRefused(t *testing.T) {
	m := mallory.New(t)
	m.Listen() // whatever comes fails the test
	names := mallory.NewNames()
	for i, addr := range private {
		names.On(fmt.Sprintf("hub%d.example", i), mallory.Lookup{Addrs: []netip.Addr{netip.MustParseAddr(addr).Unmap()}})
	}
	p, _ := farPoller(t, names, Options{})
	l, err := websub.New(t.Context(), leases{}, websub.Options{BaseURL: "https://sheaf.example", Client: p.Client(), Gap: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	offers := map[sheaf.FeedID]websub.Offer{}
	for i, addr := range private {
		offers[sheaf.FeedID(fmt.Sprint("name", i))] = websub.Offer{Hub: fmt.Sprintf("https://hub%d.example/", i), Topic: alpha}
		offers[sheaf.FeedID(fmt.Sprint("literal", i))] = websub.Offer{Hub: "https://" + netip.AddrPortFrom(netip.MustParseAddr(addr), 443).String() + "/", Topic: alpha}
	}
	if err := l.Follow(t.Context(), offers); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Tend(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, lease := range l.Leases() {
		if !strings.Contains(lease.Error, "prohibited") {
			t.Errorf("hub %s: %q, want a refusal to connect", lease.Hub, lease.Error)
		}
	}
}

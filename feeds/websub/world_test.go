package websub

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sheaf"
	"sheaf/feeds/mallory"
)

const (
	hubAddress = "https://hub.example/"
	topic      = "https://news.alpha.example/feed"
)

// world is a Listener in a bubble of fake time, with mallory for a hub.
type world struct {
	t     *testing.T
	m     *mallory.Server
	hub   *mallory.Hub
	l     *Listener
	store *memory
	heard int
	kept  []Lease // all changes
}

func inWorld(t *testing.T, test func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, m: mallory.New(t), store: &memory{leases: map[sheaf.FeedID]Lease{}}}
		w.hub = w.m.Hub(hubAddress)
		w.start()
		test(w)
	})
}

// start makes a new Listener on the same store, as a new process would.
func (w *world) start() {
	w.t.Helper()
	transport := &http.Transport{DialContext: w.m.Dial, TLSClientConfig: &tls.Config{RootCAs: w.m.Roots()}}
	w.t.Cleanup(transport.CloseIdleConnections)
	l, err := New(w.t.Context(), w.store, Options{
		BaseURL: "https://sheaf.example/base/", Client: transport, Agent: "sheaf/test",
		Heard: func() { w.heard++ }, Progress: func(l Lease) { w.kept = append(w.kept, l) },
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.l = l
}

// follow offers the hub for feeds with the given ids.
func (w *world) follow(ids ...sheaf.FeedID) {
	w.t.Helper()
	offers := map[sheaf.FeedID]Offer{}
	for _, id := range ids {
		offers[id] = Offer{hubAddress, topic}
	}
	if err := w.l.Follow(w.t.Context(), offers); err != nil {
		w.t.Fatal(err)
	}
}

// tend tends once and returns how long to wait until the next time; 0 if there is none.
func (w *world) tend() time.Duration {
	w.t.Helper()
	next, err := w.l.Tend(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	if next.IsZero() {
		return 0
	}
	return time.Until(next)
}

// lease is what is stored of a feed; it must be what the Listener goes by.
func (w *world) lease(id sheaf.FeedID) Lease {
	w.t.Helper()
	stored, err := w.store.Leases(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	held := w.l.Leases()
	if len(stored) != len(held) {
		w.t.Fatalf("stored %d leases, held %d", len(stored), len(held))
	}
	for _, l := range held {
		if l.Feed == id && slices.Contains(stored, l) {
			return l
		}
	}
	return Lease{}
}

// live asks for the lease of one feed and lets the hub grant it.
func (w *world) live(id sheaf.FeedID) {
	w.t.Helper()
	w.follow(id)
	w.tend()
	if status, body := w.hub.Verify(w.l, w.hub.Last(), nil); status != 200 || body != "mallory's challenge" {
		w.t.Fatalf("verification = %d %q", status, body)
	}
}

func (w *world) wait(d time.Duration) { <-time.After(d) }

// memory is a Store.
type memory struct {
	mu       sync.Mutex
	leases   map[sheaf.FeedID]Lease
	failWith error
}

var errDisk = errors.New("disk full")

// Leases implements Store.
func (m *memory) Leases(context.Context) ([]Lease, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []Lease
	for _, l := range m.leases {
		all = append(all, l)
	}
	return all, m.failWith
}

// SaveLease implements Store.
func (m *memory) SaveLease(_ context.Context, l Lease) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failWith == nil {
		m.leases[l.Feed] = l
	}
	return m.failWith
}

// DropLease implements Store.
func (m *memory) DropLease(_ context.Context, feed sheaf.FeedID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failWith == nil {
		delete(m.leases, feed)
	}
	return m.failWith
}

package websub

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"sheaf"
)

// Path is where a Listener expects to be called, below its base address: mount it there.
const Path = "/websub/"

// Store keeps leases. A Listener calls it from several goroutines.
type Store interface {
	// Leases lists all leases.
	Leases(ctx context.Context) ([]Lease, error)
	// SaveLease replaces the lease of its feed, or adds it.
	SaveLease(ctx context.Context, l Lease) error
	// DropLease forgets the lease of a feed; without one it does nothing.
	DropLease(ctx context.Context, feed sheaf.FeedID) error
}

// Options configure a Listener. BaseURL and Client are required; the zero value of each other field means its default.
type Options struct {
	BaseURL  string            // public https address that leads to the Listener: hubs call BaseURL + Path + token
	Client   http.RoundTripper // the program's one way out: a hub's address is a feed's word
	Agent    string            // User-Agent; none
	Now      func() time.Time  // wall clock, for any goroutine; time.Now
	Gap      time.Duration     // least time between two requests to hubs; 1 s
	Heard    func()            // called after every announcement that counts; must not block; none
	Progress func(Lease)       // called after every change of a lease; must not block; none
}

// Listener holds the leases of all feeds, asks hubs for them and is called by hubs. It is safe for concurrent use, but for Tend and
// Follow, which are for one goroutine.
type Listener struct {
	store Store
	o     Options
	began time.Time // nothing was heard before

	tired map[string]time.Time // hubs left alone until then; for Tend alone
	asked time.Time            // last request to a hub; for Tend alone

	saving sync.Mutex // held while a lease is changed

	mu     sync.Mutex // guards the fields below
	leases map[sheaf.FeedID]Lease
	tokens map[string]sheaf.FeedID // of callbacks, live or pending
	told   map[sheaf.FeedID]time.Time
}

// New returns a Listener with the leases of the store.
func New(ctx context.Context, store Store, o Options) (*Listener, error) {
	if webAddress(o.BaseURL) == nil || !strings.HasPrefix(o.BaseURL, "https://") || o.Client == nil {
		return nil, fmt.Errorf("listen to hubs: %q is not a public https address, or there is no client", o.BaseURL)
	}
	o = o.withDefaults()
	l := &Listener{
		store: store, o: o, began: o.Now(), leases: make(map[sheaf.FeedID]Lease), tokens: make(map[string]sheaf.FeedID),
		told: make(map[sheaf.FeedID]time.Time), tired: make(map[string]time.Time),
	}
	leases, err := store.Leases(ctx)
	if err != nil {
		return nil, fmt.Errorf("listen to hubs: %w", err)
	}
	for _, lease := range leases {
		l.put(lease)
	}
	return l, nil
}

func (o Options) withDefaults() Options {
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Gap == 0 {
		o.Gap = time.Second
	}
	if o.Heard == nil {
		o.Heard = func() {}
	}
	if o.Progress == nil {
		o.Progress = func(Lease) {}
	}
	return o
}

// Push is what hubs have to do with one feed. The zero value is for a feed of which hubs say nothing.
type Push struct {
	Since time.Time // its hub has been listened to without a gap from then on; zero: it is not
	Told  time.Time // an announcement came then; zero: none that is not answered
}

// Push says what hubs have to do with a feed last polled at the given time. Announcements before that are answered.
func (l *Listener) Push(feed sheaf.FeedID, polled time.Time) Push {
	l.mu.Lock()
	defer l.mu.Unlock()
	var p Push
	if lease := l.leases[feed]; lease.live(l.o.Now()) {
		p.Since = lease.Live.Since
		if l.began.After(p.Since) {
			p.Since = l.began
		}
	}
	switch told := l.told[feed]; {
	case told.IsZero():
	case told.After(polled):
		p.Told = told
	default:
		delete(l.told, feed)
	}
	return p
}

// Leases lists the leases by feed.
func (l *Listener) Leases() []Lease {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.SortedFunc(maps.Values(l.leases), func(a, b Lease) int { return strings.Compare(string(a.Feed), string(b.Feed)) })
}

// update changes the lease of a feed: it is stored, and then gone by. change says what it is to be, or that it is fine as it is. The error
// is the store's.
func (l *Listener) update(ctx context.Context, feed sheaf.FeedID, change func(Lease) (Lease, bool)) error {
	l.saving.Lock()
	defer l.saving.Unlock()
	l.mu.Lock()
	lease := l.leases[feed]
	l.mu.Unlock()
	lease, changed := change(lease)
	if !changed {
		return nil
	}
	if err := l.store.SaveLease(ctx, lease); err != nil {
		return fmt.Errorf("store the lease of feed %s: %w", feed, err)
	}
	l.mu.Lock()
	l.put(lease)
	l.mu.Unlock()
	l.o.Progress(lease)
	return nil
}

// drop ends the lease of a feed.
func (l *Listener) drop(ctx context.Context, feed sheaf.FeedID) error {
	l.saving.Lock()
	defer l.saving.Unlock()
	if err := l.store.DropLease(ctx, feed); err != nil {
		return fmt.Errorf("end the lease of feed %s: %w", feed, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forget(feed)
	delete(l.told, feed)
	return nil
}

// put takes a lease in. The caller holds mu, or nobody else has l yet.
func (l *Listener) put(lease Lease) {
	l.forget(lease.Feed)
	l.leases[lease.Feed] = lease
	for _, c := range []Callback{lease.Live, lease.Pending} {
		if c.Token != "" {
			l.tokens[c.Token] = lease.Feed
		}
	}
}

// forget lets a lease go. The caller holds mu.
func (l *Listener) forget(feed sheaf.FeedID) {
	old := l.leases[feed]
	delete(l.tokens, old.Live.Token)
	delete(l.tokens, old.Pending.Token)
	delete(l.leases, feed)
}

// byToken finds the lease that a callback belongs to, live or pending.
func (l *Listener) byToken(token string) (Lease, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	feed, ok := l.tokens[token]
	return l.leases[feed], ok
}

// heard notes an announcement.
func (l *Listener) heard(feed sheaf.FeedID) {
	l.mu.Lock()
	l.told[feed] = l.o.Now()
	l.mu.Unlock()
	l.o.Heard()
}

func (l *Listener) address(c Callback) string { return l.o.BaseURL + Path + c.Token }

// newCallback makes an address that cannot be guessed, with a secret of its own.
func newCallback() Callback {
	var b [16 + 32]byte
	rand.Read(b[:]) // never fails
	return Callback{Token: hex.EncodeToString(b[:16]), Secret: hex.EncodeToString(b[16:])}
}

package feeds

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sheaf"
	"sheaf/feeds/mallory"
)

const alpha = "http://news.alpha.example/feed"

// world is a poller in a bubble of fake time, with mallory for an internet and a store in memory.
type world struct {
	t     *testing.T
	m     *mallory.Server
	p     *Poller
	store *memory
	feeds []sheaf.Feed
}

// inWorld runs a test in a bubble. The feeds are polled in their order.
func inWorld(t *testing.T, o Options, addresses []string, test func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, m: mallory.New(t), store: newMemory()}
		w.feeds = feedsAt(addresses...)
		w.start(o)
		test(w)
	})
}

// start gives the world a new poller, as a new process would have one.
func (w *world) start(o Options) {
	w.t.Helper()
	o.dial, o.roots = w.m.Dial, w.m.Roots()
	p, err := NewPoller(w.store, o)
	if err != nil {
		w.t.Fatal(err)
	}
	w.p = p
	w.t.Cleanup(p.Close)
}

func feedsAt(addresses ...string) []sheaf.Feed {
	var feeds []sheaf.Feed
	for _, a := range addresses {
		feeds = append(feeds, sheaf.Feed{ID: sheaf.NewFeedID(a), URL: a, Outlet: "Alpha"})
	}
	return feeds
}

// poll polls all feeds and returns the outcomes by address.
func (w *world) poll() map[string]Outcome {
	w.t.Helper()
	outcomes, err := w.p.Poll(w.t.Context(), w.store.due(w.feeds))
	if err != nil {
		w.t.Fatalf("Poll: %v", err)
	}
	byURL := make(map[string]Outcome)
	for _, o := range outcomes {
		byURL[o.Feed.URL] = o
	}
	return byURL
}

// one polls the only feed and fails the test if it was not due.
func (w *world) one() Outcome {
	w.t.Helper()
	o, polled := w.poll()[w.feeds[0].URL]
	if !polled {
		w.t.Fatalf("not polled at %v; next %v", time.Now(), w.state().Next)
	}
	return o
}

// again waits until the only feed is due, then polls it.
func (w *world) again() Outcome {
	w.t.Helper()
	w.wait(time.Until(w.state().Next))
	return w.one()
}

// state is what is stored of the only feed.
func (w *world) state() State { return w.store.states[w.feeds[0].ID] }

// wait lets fake time pass.
func (w *world) wait(d time.Duration) { <-time.After(d) }

// until is the time from now to the next poll of the only feed.
func (w *world) until() time.Duration { return time.Until(w.state().Next) }

// memory is a Store in memory that insists on being called from one goroutine at a time.
type memory struct {
	inside   atomic.Bool
	states   map[sheaf.FeedID]State
	articles map[sheaf.ArticleID]sheaf.Article
	leases   map[sheaf.FeedID][]time.Time
	saves    []Outcome
	failWith error
}

func newMemory() *memory {
	return &memory{
		states: make(map[sheaf.FeedID]State), articles: make(map[sheaf.ArticleID]sheaf.Article), leases: make(map[sheaf.FeedID][]time.Time),
	}
}

func (m *memory) enter() func() {
	if m.inside.Swap(true) {
		panic("the store is called from two goroutines at once")
	}
	return func() { m.inside.Store(false) }
}

// Lease implements Store.
func (m *memory) Lease(_ context.Context, feed sheaf.FeedID, next time.Time) error {
	defer m.enter()()
	s := m.states[feed]
	s.Next = next
	m.states[feed] = s
	m.leases[feed] = append(m.leases[feed], next)
	return m.failWith
}

// Save implements Store.
func (m *memory) Save(_ context.Context, o Outcome) error {
	defer m.enter()()
	if m.failWith != nil {
		return m.failWith
	}
	m.states[o.Feed.ID] = o.State
	m.saves = append(m.saves, o)
	for _, a := range o.Articles {
		m.articles[a.ID] = a
	}
	return nil
}

func (m *memory) due(feeds []sheaf.Feed) []Due {
	var due []Due
	for _, f := range feeds {
		due = append(due, Due{Feed: f, State: m.states[f.ID]})
	}
	return due
}

// titles is the sorted titles of all stored articles.
func (m *memory) titles() []string {
	var titles []string
	for _, a := range m.articles {
		titles = append(titles, a.Title)
	}
	slices.Sort(titles)
	return titles
}

// document is a feed document with an item for each title, and extra elements in its channel.
func document(extra string, titles ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"><channel><title>Alpha News</title><link>http://alpha.example/</link>`)
	b.WriteString(extra)
	for _, title := range titles {
		fmt.Fprintf(&b, "<item><title>%s</title><guid isPermaLink=\"false\">%s</guid><link>http://alpha.example/%[2]s</link></item>", title, strings.ReplaceAll(title, " ", "-"))
	}
	b.WriteString("</channel></rss>")
	return b.String()
}

// ok is a 200 with a feed of the given titles and header lines.
func ok(titles []string, header ...string) mallory.Answer {
	return mallory.Answer{Header: header, Body: document("", titles...)}
}

// status is an answer without a body.
func status(code int, header ...string) mallory.Answer {
	return mallory.Answer{Status: code, Header: header}
}

// origin is a server that honours both validators, as a good one does.
func origin(etag, modified string, titles ...string) func(mallory.Request) mallory.Answer {
	header := []string{"ETag: " + etag, "Last-Modified: " + modified}
	return func(r mallory.Request) mallory.Answer {
		if r.Header.Get("If-None-Match") == etag || (r.Header.Get("If-None-Match") == "" && r.Header.Get("If-Modified-Since") == modified) {
			return status(304, header...)
		}
		return ok(titles, header...)
	}
}

// fails checks that an outcome failed with a code and returns the error.
func fails(t *testing.T, o Outcome, code FetchCode) *FetchError {
	t.Helper()
	var fe *FetchError
	if !errors.As(o.Err, &fe) || fe.Code != code {
		t.Fatalf("Err = %v, want a FetchError with code %s", o.Err, code)
	}
	return fe
}

package app

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sheaf"
	"sheaf/cmd/internal/config"
	"sheaf/feeds"
	"sheaf/feeds/websub"
)

// publicFeed is an address that counts as public and, through a proxy of the test, leads to the test.
const publicFeed = "http://8.8.8.8/feed"

// outlets is a proxy that answers for publicFeed, with an item more each time.
func outlets(t *testing.T) (proxy string, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect || r.URL.String() != publicFeed {
			w.WriteHeader(http.StatusForbidden) // the hub, which is not there
			return
		}
		n := int(asked.Add(1))
		var items []string
		for i := range n {
			items = append(items, item(i+1, fmt.Sprintf("Ferry %d hits bridge", i+1)))
		}
		w.Header().Set("Link", `<https://9.9.9.9/hub>; rel="hub", <`+publicFeed+`>; rel="self"`)
		fmt.Fprint(w, rss(items...))
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// The daemon learns of a hub by polling, asks it, and sweeps when it announces news.
func TestAnnouncementStartsSweep(t *testing.T) {
	proxy, asked := outlets(t)
	c := settings(t, "listen: "+unused(t)+"\nschedule: '@every 24h'\nwebsub: {callback: 'https://news.example.org'}\nfetch: {proxy: '"+proxy+"'}", publicFeed)
	id := sheaf.NewFeedID(publicFeed)
	var skew atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(skew.Load())) }

	first, err := Open(t.Context(), c, Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	if r := sweep(t, first); r.Articles.New != 1 {
		t.Fatalf("report = %+v, want one article", r)
	}
	leases := first.hubs.Leases()
	if len(leases) != 1 || leases[0].Feed != id || leases[0].Offer != (websub.Offer{Hub: "https://9.9.9.9/hub", Topic: publicFeed}) {
		t.Fatalf("leases = %+v", leases)
	}
	if _, err := first.hubs.Tend(t.Context()); err != nil {
		t.Fatal(err)
	}
	if l := first.hubs.Leases()[0]; l.Failures != 1 || !strings.Contains(l.Error, "hub 9.9.9.9: not reached") {
		t.Errorf("lease = %+v, want the proxy's refusal", l)
	}
	granted := leases[0]
	granted.Live, granted.Next = websub.Callback{Token: "00ff", Secret: "secret", Since: now(), Until: now().Add(time.Hour)}, now().Add(time.Hour)
	if err := first.store.SaveLease(t.Context(), granted); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}

	skew.Store(int64(time.Minute))
	swept := make(chan struct{}, 1)
	a := open(t, c, Options{Now: now, Log: slog.New(slog.NewTextHandler(&lineWriter{"sweep done", swept}, nil))})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx, Daemon{}) }()
	<-swept
	if n := asked.Load(); n != 1 {
		t.Fatalf("asked %d times, want once: the feed is not due", n)
	}
	mac := hmac.New(sha256.New, []byte("secret"))
	mac.Write([]byte("news"))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+c.Listen+websub.Path+"00ff", strings.NewReader("news"))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Hub-Signature", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusAccepted {
		t.Errorf("the announcement is answered %s", response.Status)
	}
	<-swept
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run ended with %v", err)
	}
	totals, err := a.store.Totals(t.Context())
	if err != nil || totals.Articles != 2 || asked.Load() != 2 {
		t.Errorf("%d articles after %d requests, %v; want 2 after 2", totals.Articles, asked.Load(), err)
	}
}

// Below the path of hubs the listener answers, else the pages.
func TestMounted(t *testing.T) {
	pages := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	for _, tt := range []struct {
		text, path string
		status     int
	}{
		{"websub: {callback: 'https://news.example.org'}", "/websub/x", http.StatusNotFound},
		{"websub: {callback: 'https://news.example.org'}", "/stories.atom", http.StatusTeapot},
		{"", "/websub/x", http.StatusTeapot},
	} {
		a := open(t, settings(t, tt.text, "file:feed.rss"), Options{})
		w := httptest.NewRecorder()
		a.mounted(pages).ServeHTTP(w, httptest.NewRequest("GET", tt.path, nil))
		if w.Code != tt.status {
			t.Errorf("%s with %q: %d, want %d", tt.path, tt.text, w.Code, tt.status)
		}
	}
}

// What hubs do is logged when it changes, without what lets others speak for them.
func TestLeaseLog(t *testing.T) {
	var b bytes.Buffer
	a := &App{log: slog.New(slog.NewTextHandler(&b, nil))}
	offer := websub.Offer{Hub: "https://hub.example/?key=s3cret"}
	callback := websub.Callback{Token: "s3cret", Secret: "s3cret"}
	for _, l := range []websub.Lease{
		{Offer: offer, Pending: callback},
		{Offer: offer, Failures: 1, Error: "refused"},
		{Offer: offer, Failures: 2, Error: "refused"},
		{Offer: offer, Live: callback},
		{Offer: offer, Live: callback, Pending: callback},
	} {
		a.logLease(l)
	}
	got := b.String()
	if strings.Count(got, "\n") != 2 || strings.Count(got, "level=WARN") != 1 || !strings.Contains(got, "hub announces the feed") || strings.Contains(got, "s3cret") {
		t.Errorf("log:\n%s", got)
	}
}

// A group is polled alone; an unknown one opens nothing.
func TestGroup(t *testing.T) {
	c := settings(t, "groups: [{name: desk}]", "file:a.rss", "file:b.rss")
	c.Feeds[1].Group = "desk"
	a := open(t, c, Options{Group: "desk"})
	r := sweep(t, a)
	if r.Feeds.Polled != 1 || len(r.Failures) != 1 || !strings.HasSuffix(r.Failures[0].URL, "b.rss") {
		t.Errorf("report = %+v, want the one feed of the group polled", r)
	}
	if d := a.due(sheaf.Feed{ID: "other"}, feeds.State{}); !d.Held {
		t.Error("a feed outside the group is not held")
	}
	if _, err := Open(t.Context(), c, Options{Group: "night"}); !errors.Is(err, config.ErrNoGroup) {
		t.Errorf("Open with an unknown group = %v", err)
	}
}

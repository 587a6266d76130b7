package front

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestClient(t *testing.T) {
	proxies := Proxies{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}
	for _, tt := range []struct{ name, remote, forwarded, want string }{
		{"a peer", "203.0.113.5:1234", "", "203.0.113.5"},
		{"a peer that lies", "203.0.113.5:1234", "192.0.2.1", "203.0.113.5"},
		{"through a proxy", "127.0.0.1:9", "192.0.2.1", "192.0.2.1"},
		{"through two", "127.0.0.1:9", "192.0.2.1, 10.1.2.3", "192.0.2.1"},
		{"a client that lies to a proxy", "127.0.0.1:9", "198.51.100.1, 192.0.2.1", "192.0.2.1"},
		{"a proxy that says nothing", "127.0.0.1:9", "", "127.0.0.1"},
		{"a proxy that says nonsense", "127.0.0.1:9", "unknown", "127.0.0.1"},
		{"with a port", "127.0.0.1:9", "[2001:db8::1]:443", "2001:db8::1"},
		{"in brackets", "127.0.0.1:9", "[2001:db8::1]", "2001:db8::1"},
		{"a unix socket", "@", "192.0.2.1", "192.0.2.1"},
		{"a unix socket, nobody known", "@", "", "invalid IP"},
		{"IPv4 in IPv6", "[::ffff:203.0.113.5]:1", "", "203.0.113.5"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = tt.remote
			if tt.forwarded != "" {
				r.Header.Set("X-Forwarded-For", tt.forwarded)
			}
			if got := proxies.Client(r).String(); got != tt.want {
				t.Errorf("Client = %s, want %s", got, tt.want)
			}
		})
	}
}

func FuzzClient(f *testing.F) {
	f.Add("127.0.0.1:1", "192.0.2.1, 10.0.0.1")
	f.Add("@", ",,")
	f.Fuzz(func(t *testing.T, remote, forwarded string) {
		r := &http.Request{RemoteAddr: remote, Header: http.Header{"X-Forwarded-For": {forwarded}}}
		trusted := Proxies{netip.MustParsePrefix("127.0.0.0/8")}
		peer := addressOf(remote)
		if got := trusted.Client(r); peer.IsValid() && !trusted.Contains(peer) && got != peer {
			t.Errorf("Client(%q, %q) = %v, though the peer is no proxy", remote, forwarded, got)
		}
	})
}

func TestRates(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	rates := NewRates(10, 40)
	one, neighbor, other := netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("2001:db8::2"), netip.MustParseAddr("192.0.2.1")
	for i := range 40 {
		if wait := rates.Take(one, now); wait != 0 {
			t.Fatalf("request %d of a burst waits %v", i+1, wait)
		}
	}
	if wait := rates.Take(one, now); wait <= 0 || wait > 100*time.Millisecond {
		t.Errorf("request 41 waits %v, want up to 100 ms", wait)
	}
	if rates.Take(neighbor, now) == 0 {
		t.Error("an address of the same line has a burst of its own")
	}
	if rates.Take(other, now) != 0 {
		t.Error("another client waits")
	}
	allowed := 0
	for i := range 1000 {
		if rates.Take(one, now.Add(time.Duration(i)*10*time.Millisecond)) == 0 {
			allowed++
		}
	}
	if allowed < 95 || allowed > 105 {
		t.Errorf("%d of 1000 requests in ten seconds allowed, want 10 a second", allowed)
	}
}

// However many clients there are, the table stays small, and one that goes on asking is not forgotten.
func TestRatesAreBounded(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	rates := NewRates(10, 40)
	loud := netip.MustParseAddr("203.0.113.1")
	for i := range 10 * rememberedClients {
		rates.Take(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), now)
		if i%100 == 0 {
			rates.Take(loud, now)
		}
	}
	if got := len(rates.young) + len(rates.old); got > 2*rememberedClients {
		t.Errorf("%d clients remembered, want at most %d", got, 2*rememberedClients)
	}
	if rates.Take(loud, now) == 0 {
		t.Error("a client that asks all the time was forgotten")
	}
}

// F48: a flood from one address is answered 429, and others are served.
func TestLimit(t *testing.T) {
	refused := 0
	h := Limit(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "news") }), NewRates(10, 40), nil, func() { refused++ })
	get := func(from string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", "/stories.rss?x=%22echo%22", nil)
		r.RemoteAddr = from
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	served := 0
	for range 10000 {
		if get("203.0.113.1:1").Code == http.StatusOK {
			served++
		}
	}
	if served < 40 || served > 1000 || served+refused != 10000 {
		t.Errorf("%d of 10000 served, %d refused; want a burst of 40 and a few", served, refused)
	}
	w := get("203.0.113.1:1")
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "1" || strings.Contains(w.Body.String(), "echo") {
		t.Errorf("one too many: %d, Retry-After %q, %q", w.Code, w.Header().Get("Retry-After"), w.Body.String())
	}
	for _, name := range []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"} {
		if w.Header().Get(name) == "" {
			t.Errorf("the refusal has no %s", name)
		}
	}
	if got := get("203.0.113.2:1").Code; got != http.StatusOK {
		t.Errorf("another client got %d", got)
	}
}

const token = "0123456789abcdef"

// behind is a site with a private channel "desk", under /base.
func behind() http.Handler {
	site := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "public") })
	documents := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "public, max-age=450")
		fmt.Fprint(w, "private ", r.URL.Path, r.Header.Get("Authorization"))
	})
	return Private(site, "/base", map[string]Door{"desk": {Token: token, Handler: documents}})
}

func TestPrivate(t *testing.T) {
	for _, tt := range []struct {
		name, path, authorization string
		status                    int
		body                      string
	}{
		{"public", "/stories.rss", "", 200, "public"},
		{"no token", "/desk.rss", "", 401, "Unauthorized\n"},
		{"no token, under the base", "/base/desk.atom", "", 401, "Unauthorized\n"},
		{"no token, compressed", "/desk.rss.gz", "", 401, "Unauthorized\n"},
		{"no token, a page of the archive", "/desk-2026-w48.atom", "", 401, "Unauthorized\n"},
		{"wrong token", "/desk.rss", "Bearer 0123456789abcdeX", 401, "Unauthorized\n"},
		{"empty token", "/desk.rss", "Bearer ", 401, "Unauthorized\n"},
		{"bearer", "/desk.rss", "Bearer " + token, 200, "private /desk.rss"},
		{"basic", "/desk-2026-w48.atom", "Basic eDowMTIzNDU2Nzg5YWJjZGVm", 200, "private /desk-2026-w48.atom"},
		{"in the path", "/t/" + token + "/desk.json", "", 200, "private /desk.json"},
		{"in the path, under the base", "/base/t/" + token + "/desk.json", "", 200, "private /desk.json"},
		{"wrong in the path", "/t/wrong/desk.json", "", 404, "Not Found\n"},
		{"token for what is not private", "/t/" + token + "/stories.rss", "", 404, "Not Found\n"},
		{"empty in the path", "/t//desk.json", "", 404, "Not Found\n"},
		{"empty for nothing", "/t//", "", 404, "Not Found\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", tt.path, nil)
			if tt.authorization != "" {
				r.Header.Set("Authorization", tt.authorization)
			}
			w := httptest.NewRecorder()
			behind().ServeHTTP(w, r)
			if w.Code != tt.status || w.Body.String() != tt.body {
				t.Errorf("%s = %d %q, want %d %q", tt.path, w.Code, w.Body.String(), tt.status, tt.body)
			}
			if strings.HasPrefix(tt.body, "private") && (w.Header().Get("Cache-Control") != "private, max-age=450" || w.Header().Get("Vary") != "Authorization") {
				t.Errorf("header %v, want no shared cache to store it", w.Header())
			}
		})
	}
}

func TestLocked(t *testing.T) {
	inner := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "in") })
	for _, tt := range []struct {
		name, token, authorization string
		want                       int
	}{
		{"open", "", "", 200},
		{"right", token, "Bearer " + token, 200},
		{"none", token, "", 401},
		{"wrong", token, "Bearer " + token + "x", 401},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/metrics", nil)
			r.Header.Set("Authorization", tt.authorization)
			w := httptest.NewRecorder()
			Locked(inner, tt.token).ServeHTTP(w, r)
			if w.Code != tt.want {
				t.Errorf("status %d, want %d", w.Code, tt.want)
			}
		})
	}
}

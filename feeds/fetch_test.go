package feeds

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf/feeds/mallory"
)

// B2, B3: exactly these headers, after three redirects too.
func TestRequestHeaders(t *testing.T) {
	const want = "GET /final HTTP/1.1\r\n" +
		"Host: news.alpha.example\r\n" +
		"User-Agent: sheaf/1.2 (+https://sheaf.example/about; 7 subscribers; +feed-monitor)\r\n" +
		"Accept: application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, application/json;q=0.8, text/xml;q=0.8, */*;q=0.1\r\n" +
		"Accept-Encoding: gzip\r\n" +
		"If-Modified-Since: Thu, 01 Jan 1970 00:00:00 +0000\r\n" +
		"If-None-Match: W/\"a\"\r\n\r\n"
	final := "http://news.alpha.example/final"
	inWorld(t, Options{Version: "1.2", Contact: "https://sheaf.example/about", Subscribers: 7}, []string{alpha + "?key=secret"}, func(w *world) {
		w.m.On(alpha+"?key=secret", status(302, "Location: /b", "Set-Cookie: a=b"))
		w.m.On("http://news.alpha.example/b", status(307, "Location: /c"))
		w.m.On("http://news.alpha.example/c", status(302, "Location: "+final))
		w.m.On(final, ok([]string{"one"}, `ETag: W/"a"`, "Last-Modified: Thu, 01 Jan 1970 00:00:00 +0000", "Set-Cookie: c=d"))
		w.one()
		w.again()
		requests := w.m.Requests(final)
		if diff := cmp.Diff(want, requests[len(requests)-1].Raw); diff != "" {
			t.Error(diff)
		}
		for _, r := range w.m.Requests("") {
			if r.Header.Get("Referer") != "" || r.Header.Get("Cookie") != "" {
				t.Errorf("%s was sent a Referer or a Cookie:\n%s", r.URL, r.Raw)
			}
		}
	})
}

func TestUserAgent(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    Options
		want string
	}{
		{"nothing known", Options{}, "sheaf/dev (+feed-monitor)"},
		{"contact", Options{Version: "1.0", Contact: "https://x.example"}, "sheaf/1.0 (+https://x.example; +feed-monitor)"},
		{"subscribers", Options{Version: "1.0", Subscribers: 3}, "sheaf/1.0 (3 subscribers; +feed-monitor)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := UserAgent(tt.o.withDefaults()); got != tt.want {
				t.Errorf("userAgent = %q, want %q", got, tt.want)
			}
		})
	}
}

// B11, B26, B27, B39, F12, F17, F18, F19, F20, F24: whatever is no complete feed leaves validators and articles as they were.
func TestFailuresKeepValidators(t *testing.T) {
	whole := document("", "one", "two", "three")
	const fresh = `ETag: "new"`
	for _, tt := range []struct {
		name   string
		second mallory.Answer
		code   FetchCode
		says   string
	}{
		{"cut by length", mallory.Answer{Header: []string{fresh}, Body: whole, Cut: 500}, FetchBroken, "cut off"},
		{"cut by chunk", mallory.Answer{Header: []string{fresh}, Body: whole, Cut: 500, Framing: mallory.Chunked}, FetchBroken, "cut off"},
		{"a web page", mallory.Answer{Header: []string{fresh}, Body: `<!doctype html><html><head><link rel="alternate" type="application/rss+xml" href="https://a.example/feed"></head></html>`}, FetchHTML, "try one of: https://a.example/feed"},
		{"nothing", mallory.Answer{Header: []string{fresh}}, FetchEmpty, "answers with nothing"},
		{"blanks", mallory.Answer{Header: []string{fresh}, Body: " \n "}, FetchEmpty, "answers with nothing"},
		{"204", status(204, fresh), FetchStatus, "status 204"},
		{"206", mallory.Answer{Status: 206, Header: []string{fresh}, Body: whole}, FetchStatus, "status 206"},
		{"226 not asked for", mallory.Answer{Status: 226, Header: []string{fresh}, Body: whole}, FetchStatus, "status 226"},
		{"300", status(300, fresh), FetchStatus, "status 300"},
		{"not HTTP", mallory.Answer{Raw: "SSH-2.0-OpenSSH_9.9\r\n"}, FetchBroken, "malformed"},
		{"no answer at all", mallory.Answer{Raw: " "}, FetchBroken, ""},
		{"gzip that is none", mallory.Answer{Header: []string{fresh, "Content-Encoding: gzip"}, Body: whole}, FetchEncoding, "not gzip"},
		{"gzip cut at its trailer", mallory.Answer{Header: []string{fresh, "Content-Encoding: gzip"}, Body: string(mallory.Pack(whole)[:200])}, FetchEncoding, "damaged"},
		{"gzip in gzip", mallory.Answer{Header: []string{fresh, "Content-Encoding: gzip"}, Body: string(mallory.Pack(string(mallory.Pack(whole))))}, FetchEncoding, "twice"},
		{"stacked encodings", mallory.Answer{Header: []string{fresh, "Content-Encoding: gzip, gzip"}, Body: whole}, FetchEncoding, "was not asked for"},
		{"brotli", mallory.Answer{Header: []string{fresh, "Content-Encoding: br"}, Body: whole}, FetchEncoding, `"br" was not asked for`},
		{"bomb", mallory.Answer{Header: []string{fresh, "Content-Encoding: gzip"}, Body: string(mallory.Pack(strings.Repeat("a", 7<<20)))}, FetchEncoding, "decompression bomb"},
		{"announced too large", mallory.Answer{Header: []string{fresh}, Body: strings.Repeat("a", 9<<20)}, FetchTooLarge, "larger than 8388608 bytes"},
		{"too large in chunks", mallory.Answer{Header: []string{fresh}, Body: strings.Repeat("a", 9<<20), Framing: mallory.Chunked}, FetchTooLarge, "larger than 8388608 bytes"},
		{"packed too large", mallory.Answer{Header: []string{fresh, "Content-Encoding: gzip"}, Body: strings.Repeat("a", 5<<20)}, FetchTooLarge, "larger than 4194304 bytes"},
		{"unpacked too large", mallory.Answer{Header: []string{fresh, "Content-Encoding: gzip"}, Body: string(mallory.Pack(strings.Repeat(noise(30_000), 300)))}, FetchTooLarge, "larger than 8388608 bytes"},
		{"header too large", mallory.Answer{Header: []string{fresh, "X-A: " + strings.Repeat("a", 1<<20)}, Body: whole}, FetchTooLarge, "headers exceeded"},
		{"hundred thousand headers", mallory.Answer{Header: slices.Repeat([]string{"X-A: a"}, 100_000), Body: whole}, FetchTooLarge, "headers exceeded"},
		{"flood of 1xx", mallory.Answer{Stream: func(conn io.Writer) {
			for range 100_000 {
				if _, err := io.WriteString(conn, "HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n"); err != nil {
					return
				}
			}
		}}, FetchTooLarge, "headers exceeded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, Options{}, []string{alpha}, func(w *world) {
				w.m.On(alpha, ok([]string{"zero"}, `ETag: "old"`), tt.second, ok([]string{"one"}))
				w.one()
				before := w.state()
				o := w.again()
				fe := fails(w.t, o, tt.code)
				if !strings.Contains(fe.Error(), tt.says) || !strings.HasPrefix(fe.Error(), "fetch "+alpha+": ") {
					t.Errorf("error %q does not name the feed and say %q", fe, tt.says)
				}
				s := w.state()
				if s.Validators != before.Validators || s.BodyHash != before.BodyHash || len(w.store.articles) != 1 {
					t.Errorf("validators, hash or articles have changed")
				}
				if s.Failures != 1 || s.Error == "" || s.Code != tt.code || !s.Failing.Equal(s.Polled) {
					t.Errorf("state = %+v, want one failure on record", s)
				}
				if w.again(); w.state().Failures != 0 || w.state().Error != "" {
					t.Errorf("state = %+v, want a full recovery", w.state())
				}
			})
		})
	}
}

// B28, F17: of a document that ends early without anyone saying so, the complete items are kept and the validators are not.
func TestSilentCut(t *testing.T) {
	whole := document("", "one", "two", "three")
	cut := strings.Index(whole, "<title>three")
	inWorld(t, Options{}, []string{alpha}, func(w *world) {
		w.m.On(alpha, mallory.Answer{Body: whole[:cut], Header: []string{`ETag: "a"`}, Framing: mallory.Close})
		if o := w.one(); o.Err != nil {
			t.Fatal(o.Err)
		}
		if s := w.state(); s.ETag != "" || s.BodyHash != "" {
			t.Errorf("validators %q and hash %q were kept", s.ETag, s.BodyHash)
		}
		if got := w.store.titles(); len(got) < 2 || got[0] != "one" {
			t.Errorf("titles = %v, want the complete items", got)
		}
	})
}

// B4: gzip is asked for, and undone.
func TestGzip(t *testing.T) {
	inWorld(t, Options{}, []string{alpha}, func(w *world) {
		a := ok([]string{"one"})
		a.Gzip = true
		w.m.On(alpha, a)
		w.one()
		if got := w.store.titles(); !slices.Equal(got, []string{"one"}) {
			t.Errorf("titles = %v", got)
		}
	})
}

// B1, B40, F16.
func TestSlowServers(t *testing.T) {
	body := document("", "one")
	for _, tt := range []struct {
		name string
		a    mallory.Answer
		code FetchCode
		took time.Duration
	}{
		{"no header", mallory.Answer{Wait: time.Hour}, FetchTimeout, 15 * time.Second},
		{"header, then nothing", mallory.Answer{Hang: true, Body: body}, FetchTimeout, 30 * time.Second},
		{"a byte a second", mallory.Answer{Rate: 1, Body: body}, FetchSlow, 10 * time.Second},
		{"slow but steady", mallory.Answer{Rate: 2 << 10, Body: document("", slices.Repeat([]string{"one"}, 2000)...)}, FetchTimeout, 30 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, Options{}, []string{alpha}, func(w *world) {
				w.m.On(alpha, tt.a)
				began := time.Now()
				fails(w.t, w.one(), tt.code)
				if took := time.Since(began); took != tt.took {
					t.Errorf("took %v, want %v", took, tt.took)
				}
			})
		})
	}
}

// B40: slow servers take at most a quarter of the slots, so that the others are served in time.
func TestSlowServersAreBounded(t *testing.T) {
	var addresses []string
	for i := range 16 {
		addresses = append(addresses, fmt.Sprintf("http://tar%d.example/feed", i))
	}
	inWorld(t, Options{}, append(addresses, alpha), func(w *world) {
		for _, a := range addresses {
			w.m.On(a, mallory.Answer{Hang: true})
		}
		w.m.On(alpha, ok([]string{"one"}))
		began := time.Now()
		outcomes := w.poll()
		slow := 0
		for _, a := range addresses {
			if fe := outcomes[a].Err.(*FetchError); fe.Code == FetchSlow {
				slow++
			}
		}
		if slow != 12 {
			t.Errorf("%d of 16 were cut short, want 12", slow)
		}
		if waited := outcomes[alpha].State.Polled.Sub(began); waited > 11*time.Second {
			t.Errorf("the good feed waited %v, want at most 11s", waited)
		}
	})
}

// B1: connections are shared and few.
func TestConnectionsAreKept(t *testing.T) {
	var addresses []string
	for i := range 20 {
		addresses = append(addresses, fmt.Sprintf("http://news.alpha.example/%d", i))
	}
	inWorld(t, Options{}, addresses, func(w *world) {
		for _, a := range addresses {
			w.m.On(a, ok([]string{"one"}))
		}
		w.poll()
		if got := w.m.MostConns("news.alpha.example:80"); got > 2 {
			t.Errorf("connections at once = %d, want at most 2", got)
		}
		if got := w.m.Conns(); got > 2 {
			t.Errorf("connections = %d for 20 requests, want at most 2", got)
		}
	})
}

func TestRedact(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"https://a.example/feed", "https://a.example/feed"},
		{"https://user:pass@a.example/feed?key=secret&format=rss#x", "https://a.example/feed?key=…&format=…"},
		{"https://a.example/feed?secret", "https://a.example/feed?…"},
		{"file:///srv/drop", "file:///srv/drop"},
		{"https://u:p@a.example/%zz?key=s", "…@a.example/%zz"},
	} {
		if got := Redact(tt.in); got != tt.want {
			t.Errorf("Redact(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// noise is n bytes in no order.
func noise(n int) string {
	r := rand.New(rand.NewPCG(3, 4))
	b := make([]byte, n)
	for i := range b {
		b[i] = "abcd"[r.IntN(4)]
	}
	return string(b)
}

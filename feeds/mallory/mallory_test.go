package mallory

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// get makes one request with a plain client over the server's memory network.
func get(t *testing.T, s *Server, address string) (*http.Response, string, error) {
	t.Helper()
	transport := &http.Transport{DialContext: s.Dial, DisableCompression: true, TLSClientConfig: &tls.Config{RootCAs: s.Roots()}}
	defer transport.CloseIdleConnections()
	req, err := http.NewRequestWithContext(t.Context(), "GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp, string(body), err
}

func TestAnswers(t *testing.T) {
	for _, tt := range []struct {
		name string
		a    Answer
		body string
		err  error
		took time.Duration
	}{
		{"by length", Answer{Body: "hello"}, "hello", nil, 0},
		{"chunked", Answer{Body: "hello", Framing: Chunked}, "hello", nil, 0},
		{"until the end", Answer{Body: "hello", Framing: Close}, "hello", nil, 0},
		{"cut by length", Answer{Body: "hello", Cut: 2}, "he", io.ErrUnexpectedEOF, 0},
		{"cut by chunk", Answer{Body: "hello", Cut: 2, Framing: Chunked}, "he", io.ErrUnexpectedEOF, 0},
		{"cut unseen", Answer{Body: "hello", Cut: 2, Framing: Close}, "he", nil, 0},
		{"late", Answer{Body: "hello", Wait: time.Minute}, "hello", nil, time.Minute},
		{"a byte a second", Answer{Body: "hello", Rate: 1}, "hello", nil, 4 * time.Second},
		{"raw", Answer{Raw: "HTTP/1.0 200 OK\r\n\r\nhello"}, "hello", nil, 0},
		{"streamed", Answer{Stream: func(w io.Writer) { io.WriteString(w, "HTTP/1.0 200 OK\r\n\r\nhello") }}, "hello", nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := New(t)
				s.On("http://a.example/x", tt.a)
				began := time.Now()
				_, body, err := get(t, s, "http://a.example/x")
				if body != tt.body || !errors.Is(err, tt.err) {
					t.Errorf("got %q, %v, want %q, %v", body, err, tt.body, tt.err)
				}
				if took := time.Since(began); took < tt.took || took > tt.took+time.Second {
					t.Errorf("took %v, want %v", took, tt.took)
				}
			})
		})
	}
}

func TestScriptGoesOn(t *testing.T) {
	s := New(t)
	s.On("http://a.example/", Answer{Status: 500}, Answer{Status: 404}, Answer{Body: "last"})
	var got []int
	for range 4 {
		resp, _, err := get(t, s, "http://a.example")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, resp.StatusCode)
	}
	if want := "[500 404 200 200]"; fmt.Sprint(got) != want {
		t.Errorf("statuses = %v, want %s", got, want)
	}
}

func TestRequestsAreRecorded(t *testing.T) {
	s := New(t)
	s.On("http://a.example/x?y=z", Answer{Body: "hello"})
	base := s.Listen()
	s.On(base+"/real", Answer{Body: "hello"})
	if _, _, err := get(t, s, "http://a.example:80/x?y=z"); err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	raw := "GET /real HTTP/1.1\r\nhOsT: " + conn.RemoteAddr().String() + "\r\nX-Odd:  two  blanks \r\n\r\n"
	io.WriteString(conn, raw)
	if _, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil {
		t.Fatal(err)
	}
	requests := s.Requests("")
	if len(requests) != 2 || requests[0].URL != "http://a.example/x?y=z" || requests[1].Raw != raw {
		t.Errorf("requests = %+v", requests)
	}
	if s.Hits("http://a.example/x?y=z") != 1 || s.MostConns("a.example:80") != 1 || s.Conns() != 2 {
		t.Errorf("hits %d, most %d, connections %d, want 1, 1, 2", s.Hits("http://a.example/x?y=z"), s.MostConns("a.example:80"), s.Conns())
	}
}

func TestListenTLS(t *testing.T) {
	s := New(t)
	s.On("https://a.example/x", Answer{Body: "hello"})
	address := s.ListenTLS()
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: s.Roots(), ClientSessionCache: tls.NewLRUClientSessionCache(0)},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	}
	defer transport.CloseIdleConnections()
	for range 2 {
		resp, err := (&http.Client{Transport: transport}).Get("https://a.example/x")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != 200 {
			t.Errorf("status %d, %v", resp.StatusCode, err)
		}
		resp.Body.Close()
		transport.CloseIdleConnections()
	}
	if full, resumed := s.Handshakes(); full != 1 || resumed != 1 {
		t.Errorf("%d full handshakes and %d resumed, want 1 and 1", full, resumed)
	}
}

func TestBodiesAreRecorded(t *testing.T) {
	s := New(t)
	hub := s.Hub("http://hub.example/")
	transport := &http.Transport{DialContext: s.Dial}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	for range 2 { // on one connection
		resp, err := client.PostForm("http://hub.example/", map[string][]string{"hub.topic": {"t"}})
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusAccepted {
			t.Errorf("status = %d", resp.StatusCode)
		}
	}
	if len(hub.Asked()) != 2 || hub.Last().Get("hub.topic") != "t" {
		t.Errorf("the hub was asked %v", hub.Asked())
	}
	if _, err := client.Post("http://hub.example/", "text/plain", strings.NewReader(strings.Repeat("x", maxBody+1))); err == nil {
		t.Error("a body over the limit was read")
	}
}

func TestDown(t *testing.T) {
	s := New(t)
	s.On("http://a.example/", Answer{})
	s.Down("a.example", net.ErrClosed)
	if _, _, err := get(t, s, "http://a.example/"); !errors.Is(err, net.ErrClosed) {
		t.Errorf("err = %v, want the one given", err)
	}
	s.Down("a.example", nil)
	if _, _, err := get(t, s, "http://a.example/"); err != nil {
		t.Errorf("after the host came back: %v", err)
	}
}

// complaints is a testing.TB that keeps errors.
type complaints struct {
	testing.TB
	said []string
}

// Errorf keeps what is said.
func (c *complaints) Errorf(format string, args ...any) {
	c.said = append(c.said, fmt.Sprintf(format, args...))
}

func TestUnexpectedRequestFailsTheTest(t *testing.T) {
	c := &complaints{TB: t}
	s := New(c)
	get(t, s, "http://a.example/surprise")
	if len(c.said) != 1 || !strings.Contains(c.said[0], "http://a.example/surprise") {
		t.Errorf("said %q, want a complaint about the request", c.said)
	}
}

func TestNames(t *testing.T) {
	public, loopback := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("127.0.0.1")
	n := NewNames()
	n.On("rebind.example", Lookup{Addrs: []netip.Addr{public}}, Lookup{Addrs: []netip.Addr{loopback}})
	n.On("broken.example", Lookup{Fail: true})
	look := func(host string) ([]netip.Addr, error) {
		return n.Resolver().LookupNetIP(context.Background(), "ip4", host)
	}
	for i, want := range []netip.Addr{public, loopback, loopback} {
		if got, err := look("rebind.example"); err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("look-up %d = %v, %v, want %v", i, got, err, want)
		}
	}
	var dns *net.DNSError
	if _, err := look("nowhere.example"); !errors.As(err, &dns) || !dns.IsNotFound {
		t.Errorf("unknown name: %v, want not found", err)
	}
	if _, err := look("broken.example"); !errors.As(err, &dns) || dns.IsNotFound {
		t.Errorf("SERVFAIL: %v, want another failure", err)
	}
}

func TestPipeIsBuffered(t *testing.T) {
	client, server := pipe()
	for _, end := range []net.Conn{client, server} {
		if n, err := end.Write(make([]byte, pipeBuffer)); n != pipeBuffer || err != nil {
			t.Fatalf("Write = %d, %v; both sides must be able to write before either reads", n, err)
		}
	}
	client.Close()
	if got, err := io.ReadAll(server); len(got) != pipeBuffer || err != nil {
		t.Errorf("after close: %d bytes, %v, want what was written", len(got), err)
	}
	if _, err := server.Write([]byte("x")); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("write to a closed end: %v", err)
	}
}

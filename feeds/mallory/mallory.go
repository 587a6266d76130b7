// Package mallory is a misbehaving web server for tests. It answers for every host name, in memory or on loopback, from a script for
// each address, and controls how the bytes leave: whole, cut, reset, trickling or never. It records each request byte for byte.
//
// In memory it works inside a [testing/synctest] bubble, where slow servers and long waits take no time. Import it from tests only.
package mallory

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Request is one request as it came.
type Request struct {
	URL    string      // absolute, default ports left out
	Raw    string      // request line and header lines as received
	Header http.Header // the same, parsed
	Body   string      // empty over HTTP/2
	At     time.Time
	Conn   int // number of its connection
}

// Server answers requests. Its methods may be called from several goroutines.
type Server struct {
	t       testing.TB
	certs   *certs
	byName  *tls.Config // for connections whose host only the client knows
	serving sync.WaitGroup
	done    chan struct{}

	mu       sync.Mutex
	scripts  map[string]func(Request) Answer
	down     map[string]error
	tls      map[string]Certificate
	requests []Request
	numbers  int               // connections so far
	open     map[string][]open // by host and port
	most     map[string]int    // connections open at once, by host and port
	before   []func(Request)
	configs  map[string]*tls.Config // by host
	full     int                    // TLS handshakes
	resumed  int
}

type open struct {
	number int
	conn   net.Conn
}

// New returns a server without scripts. When the test ends it closes all connections and waits for their goroutines.
func New(t testing.TB) *Server {
	s := &Server{
		t: t, certs: &certs{}, done: make(chan struct{}), scripts: make(map[string]func(Request) Answer), down: make(map[string]error),
		tls: make(map[string]Certificate), open: make(map[string][]open), most: make(map[string]int),
		configs: make(map[string]*tls.Config),
	}
	s.byName = s.anyHost()
	t.Cleanup(s.close)
	return s
}

func (s *Server) close() {
	close(s.done)
	s.mu.Lock()
	for _, conns := range s.open {
		for _, o := range conns {
			o.conn.Close()
		}
	}
	s.mu.Unlock()
	s.serving.Wait()
}

// On scripts an address: the answers go out one after the other, the last again and again. A request to an address without a script
// fails the test.
func (s *Server) On(address string, answers ...Answer) {
	next := 0
	var mu sync.Mutex
	s.Handle(address, func(Request) Answer {
		mu.Lock()
		defer mu.Unlock()
		a := answers[min(next, len(answers)-1)]
		next++
		return a
	})
}

// Handle scripts an address by a function, called for one request at a time and connection.
func (s *Server) Handle(address string, script func(Request) Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripts[normal(address)] = script
}

// Down makes every connection to a host name fail with err; nil brings the host back.
func (s *Server) Down(host string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		delete(s.down, host)
		return
	}
	s.down[host] = err
}

// Before calls f with each request before it is answered.
func (s *Server) Before(f func(Request)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = append(s.before, f)
}

// Requests returns those to an address, or all if it is empty, in the order in which they came.
func (s *Server) Requests(address string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	if address == "" {
		return slices.Clone(s.requests)
	}
	var found []Request
	for _, r := range s.requests {
		if r.URL == normal(address) {
			found = append(found, r)
		}
	}
	return found
}

// Hits is how many requests came to an address, or in all if it is empty.
func (s *Server) Hits(address string) int { return len(s.Requests(address)) }

// MostConns is how many connections to a host and port ("news.example:80") were open at once.
func (s *Server) MostConns(hostPort string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most[hostPort]
}

// Conns is how many connections were made in all.
func (s *Server) Conns() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.numbers
}

// Dial connects to the server in memory under any host name. Port 443 speaks TLS. It fits [http.Transport.DialContext].
func (s *Server) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	refused := s.down[host]
	s.mu.Unlock()
	if refused != nil {
		return nil, refused
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	client, server := pipe()
	s.accept(server, addr, port == "443")
	return client, nil
}

// Listen serves on a loopback port as well, until the test ends, and returns its address: "http://127.0.0.1:port".
func (s *Server) Listen() string { return "http://" + s.listen(false) }

// ListenTLS serves every host name over TLS on a loopback port, until the test ends, and returns it: "127.0.0.1:port". Which host is meant
// a client says in its handshake.
func (s *Server) ListenTLS() string { return s.listen(true) }

func (s *Server) listen(secure bool) string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	s.serving.Go(func() {
		<-s.done
		ln.Close()
	})
	s.serving.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			s.accept(conn, ln.Addr().String(), secure)
		}
	})
	return ln.Addr().String()
}

// accept serves a connection in a goroutine of its own.
func (s *Server) accept(conn net.Conn, addr string, secure bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.done:
		conn.Close()
		return
	default:
	}
	s.numbers++
	number := s.numbers
	s.open[addr] = append(s.open[addr], open{number, conn})
	s.most[addr] = max(s.most[addr], len(s.open[addr]))
	s.serving.Go(func() {
		defer s.forget(addr, number)
		defer conn.Close()
		s.serve(conn, addr, number, secure)
	})
}

func (s *Server) forget(addr string, number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[addr] = slices.DeleteFunc(s.open[addr], func(o open) bool { return o.number == number })
}

// record notes a request and finds its script.
func (s *Server) record(r Request) Answer {
	s.mu.Lock()
	s.requests = append(s.requests, r)
	script, before := s.scripts[r.URL], slices.Clone(s.before)
	s.mu.Unlock()
	for _, f := range before {
		f(r)
	}
	if script == nil {
		s.t.Errorf("mallory: unexpected request for %s", r.URL)
		return Answer{Status: 500}
	}
	return script(r)
}

// normal is an address with its default port left out and its path never empty.
func normal(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(fmt.Sprintf("mallory: address %q: %v", address, err))
	}
	if (u.Scheme == "http" && u.Port() == "80") || (u.Scheme == "https" && u.Port() == "443") {
		u.Host = u.Hostname()
		if strings.Contains(u.Host, ":") {
			u.Host = "[" + u.Host + "]"
		}
	}
	if u.Path == "" {
		u.Path = "/"
	}
	u.User, u.Fragment = nil, ""
	return u.String()
}

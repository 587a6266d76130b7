package front

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// internet is a listener whose clients are in memory and have the addresses they like.
type internet struct {
	backlog chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func newInternet() *internet {
	return &internet{backlog: make(chan net.Conn, 4096), closed: make(chan struct{})}
}

// Accept implements [net.Listener].
func (n *internet) Accept() (net.Conn, error) {
	select {
	case c := <-n.backlog:
		return c, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (n *internet) Close() error { n.once.Do(func() { close(n.closed) }); return nil }

// Addr implements [net.Listener].
func (n *internet) Addr() net.Addr { return address("server") }

// dial connects from an address.
func (n *internet) dial(from string) net.Conn {
	ours, theirs := net.Pipe()
	n.backlog <- remote{theirs, address(from)}
	return ours
}

type address string

// Network implements [net.Addr].
func (a address) Network() string { return "tcp" }

// String implements [net.Addr].
func (a address) String() string { return string(a) }

// remote is a connection whose other end is where it says.
type remote struct {
	net.Conn
	from address
}

// RemoteAddr implements [net.Conn].
func (r remote) RemoteAddr() net.Addr { return r.from }

// ask sends a request over a connection and gives the status; 0 if there was no answer.
func ask(c net.Conn, header string) int {
	go fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: news.example\r\n%s\r\n", header) // ends with the connection
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}
	_, err = io.Copy(io.Discard, response.Body)
	if err != nil || response.Body.Close() != nil {
		return 0
	}
	return response.StatusCode
}

// inInternet serves in a bubble of fake time, as the daemon does, through test.
func inInternet(t *testing.T, o ListenerOptions, test func(n *internet, l *Listener)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := newInternet()
		l := NewListener(n, o)
		server := &http.Server{
			Handler:           http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "news") }),
			ReadHeaderTimeout: 5 * time.Second,
			WriteTimeout:      30 * time.Second,
			IdleTimeout:       time.Minute,
			MaxHeaderBytes:    16 << 10,
			ConnState:         l.State,
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = server.Serve(l)
		}()
		test(n, l)
		server.Close()
		<-ended
	})
}

// F48: five hundred connections that send a header byte by byte keep nobody else from being served.
func TestSlowloris(t *testing.T) {
	inInternet(t, ListenerOptions{Most: 256, PerClient: 64}, func(n *internet, l *Listener) {
		var slow []net.Conn
		for range 500 {
			c := n.dial("203.0.113.9:1000")
			slow = append(slow, c)
			go func() { // ends with the connection
				for _, err := fmt.Fprint(c, "GET / HTTP/1.1\r\nX-Slow: "); err == nil; _, err = fmt.Fprint(c, "X") {
					time.Sleep(time.Second)
				}
			}()
		}
		synctest.Wait()
		if got := l.Open(); got > 65 { // one slot is held by Accept
			t.Errorf("%d connections open, want at most 64 of one client", got)
		}
		began := time.Now()
		for i := range 100 {
			c := n.dial(fmt.Sprintf("198.51.100.%d:1000", i))
			if got := ask(c, "Connection: close\r\n"); got != http.StatusOK {
				t.Fatalf("another client got %d, want 200", got)
			}
			c.Close()
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("others waited for %v", took)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if got := l.Open(); got > 1 {
			t.Errorf("%d connections are still open after their time, want none", got-1)
		}
		for _, c := range slow {
			c.Close()
		}
	})
}

// From many addresses, too, the slow are gone after five seconds.
func TestSlowCrowd(t *testing.T) {
	inInternet(t, ListenerOptions{Most: 256, PerClient: 64}, func(n *internet, _ *Listener) {
		for i := range 256 {
			c := n.dial(fmt.Sprintf("203.0.113.%d:1000", i))
			defer c.Close()
		}
		synctest.Wait()
		began := time.Now()
		c := n.dial("198.51.100.1:1000")
		defer c.Close()
		if got := ask(c, ""); got != http.StatusOK || time.Since(began) > 6*time.Second {
			t.Errorf("status %d after %v, want 200 within 6 s", got, time.Since(began))
		}
	})
}

// F48: a header of 100 KB is refused, one of 10 KB is not.
func TestHeaderSize(t *testing.T) {
	for _, tt := range []struct {
		name string
		size int
		want int
	}{
		{"large", 100 << 10, http.StatusRequestHeaderFieldsTooLarge},
		{"usual", 10 << 10, http.StatusOK},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inInternet(t, ListenerOptions{Most: 8, PerClient: 8}, func(n *internet, _ *Listener) {
				c := n.dial("198.51.100.1:1000")
				defer c.Close()
				if got := ask(c, "X-Long: "+strings.Repeat("x", tt.size)+"\r\n"); got != tt.want {
					t.Errorf("status %d, want %d", got, tt.want)
				}
			})
		})
	}
}

// Connections that only wait for their next request make room for new ones, the oldest first.
func TestIdleMakesRoom(t *testing.T) {
	inInternet(t, ListenerOptions{Most: 4, PerClient: 4}, func(n *internet, _ *Listener) {
		var kept []net.Conn
		for i := range 8 {
			c := n.dial(fmt.Sprintf("198.51.100.%d:1000", i))
			defer c.Close()
			kept = append(kept, c)
			if got := ask(c, ""); got != http.StatusOK {
				t.Fatalf("client %d got %d", i, got)
			}
			time.Sleep(time.Millisecond)
		}
		if got := ask(kept[0], ""); got != 0 {
			t.Errorf("the oldest idle connection answered %d, want it closed", got)
		}
		if got := ask(kept[7], ""); got != http.StatusOK {
			t.Errorf("the newest idle connection answered %d, want 200", got)
		}
	})
}

// A proxy speaks for many.
func TestExempt(t *testing.T) {
	proxy := netip.MustParseAddr("192.0.2.1")
	inInternet(t, ListenerOptions{Most: 32, PerClient: 2, Exempt: func(a netip.Addr) bool { return a == proxy }}, func(n *internet, l *Listener) {
		for _, tt := range []struct {
			from string
			want int
		}{{"192.0.2.1:1", 16}, {"192.0.2.2:1", 2}} {
			var open []net.Conn
			served := 0
			for range 16 {
				c := n.dial(tt.from)
				open = append(open, c)
				if ask(c, "") == http.StatusOK {
					served++
				}
			}
			if served != tt.want {
				t.Errorf("%s: %d served at once, want %d", tt.from, served, tt.want)
			}
			for _, c := range open {
				c.Close()
			}
			synctest.Wait()
		}
		if got := l.Open(); got != 1 {
			t.Errorf("%d slots taken at the end, want the one of Accept", got)
		}
	})
}

package front

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// ListenerOptions bound the connections of a Listener.
type ListenerOptions struct {
	Most      int                   // connections at once
	PerClient int                   // of them from one client
	Exempt    func(netip.Addr) bool // clients that PerClient does not hold for, such as proxies; nil: none
}

// Listener accepts a bounded number of connections. One too many from a client is closed at once; beyond the bound of all, new ones wait,
// and connections that only wait for their next request make room. Its State must be the ConnState of the server that accepts from it.
type Listener struct {
	net.Listener
	o      ListenerOptions
	slots  chan struct{} // holds a token for each connection
	closed chan struct{}
	once   sync.Once

	mu      sync.Mutex // guards the fields below
	clients map[netip.Addr]int
	idle    map[*conn]time.Time // since when
	crowded bool                // the next connection to become idle is to go
}

// NewListener bounds the connections of l.
func NewListener(l net.Listener, o ListenerOptions) *Listener {
	if o.Exempt == nil {
		o.Exempt = func(netip.Addr) bool { return false }
	}
	return &Listener{
		Listener: l, o: o, slots: make(chan struct{}, o.Most), closed: make(chan struct{}),
		clients: map[netip.Addr]int{}, idle: map[*conn]time.Time{},
	}
}

// conn is an accepted connection that gives its slot back once.
type conn struct {
	net.Conn
	l      *Listener
	client netip.Addr
	once   sync.Once
	err    error
}

// Accept waits for a connection that may be served.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		if !l.takeSlot() {
			return nil, net.ErrClosed
		}
		accepted, err := l.Listener.Accept()
		if err != nil {
			<-l.slots
			return nil, err
		}
		c := &conn{Conn: accepted, l: l, client: addressOf(accepted.RemoteAddr().String())}
		if l.admit(c) {
			return c, nil
		}
		<-l.slots
		_ = accepted.Close()
	}
}

// takeSlot waits for a slot; false means that the listener has been closed.
func (l *Listener) takeSlot() bool {
	select {
	case l.slots <- struct{}{}:
		return true
	default:
	}
	l.makeRoom()
	select {
	case l.slots <- struct{}{}:
		return true
	case <-l.closed:
		return false
	}
}

// makeRoom lets the connection go that has been idle longest or, if none is, the next that will be.
func (l *Listener) makeRoom() {
	l.mu.Lock()
	var oldest *conn
	for c, since := range l.idle {
		if oldest == nil || since.Before(l.idle[oldest]) {
			oldest = c
		}
	}
	l.crowded = oldest == nil
	l.mu.Unlock()
	if oldest != nil {
		_ = oldest.Close()
	}
}

// admit counts a connection, unless its client has too many.
func (l *Listener) admit(c *conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.client.IsValid() && !l.o.Exempt(c.client) && l.clients[network(c.client)] >= l.o.PerClient {
		return false
	}
	l.clients[network(c.client)]++
	return true
}

// State follows the connections; it is an [http.Server.ConnState].
func (l *Listener) State(nc net.Conn, state http.ConnState) {
	c, ok := nc.(*conn)
	if !ok {
		return
	}
	l.mu.Lock()
	delete(l.idle, c)
	surplus := state == http.StateIdle && l.crowded
	switch {
	case surplus:
		l.crowded = false
	case state == http.StateIdle:
		l.idle[c] = time.Now()
	}
	l.mu.Unlock()
	if surplus {
		_ = c.Close()
	}
}

// Open is how many connections there are.
func (l *Listener) Open() int { return len(l.slots) }

// Close stops accepting. Connections stay open.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// Close closes the connection and frees its slot.
func (c *conn) Close() error {
	c.once.Do(func() {
		c.err = c.Conn.Close()
		c.l.mu.Lock()
		key := network(c.client)
		if c.l.clients[key]--; c.l.clients[key] <= 0 {
			delete(c.l.clients, key)
		}
		delete(c.l.idle, c)
		c.l.mu.Unlock()
		<-c.l.slots
	})
	return c.err
}

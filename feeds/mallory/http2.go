package mallory

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"golang.org/x/net/http2"
)

// serveHTTP2 answers on a connection that has chosen HTTP/2. A host that is GoAway or Abort misbehaves on the level of frames.
func (s *Server) serveHTTP2(conn net.Conn, addr string, number int) {
	host, _, _ := net.SplitHostPort(addr)
	s.mu.Lock()
	kind := s.tls[host]
	s.mu.Unlock()
	if kind == GoAway || kind == Abort {
		s.misframe(conn, host, number, kind)
		return
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := s.record(requestOf(r, number))
		for _, line := range a.Header {
			name, value, _ := strings.Cut(line, ": ")
			w.Header().Add(name, value)
		}
		if a.Status != 0 {
			w.WriteHeader(a.Status)
		}
		io.WriteString(w, a.Body)
	})
	l := &single{conn: conn, closed: make(chan struct{})}
	server := &http.Server{Handler: handler, IdleTimeout: time.Hour, ConnState: func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			close(l.closed)
		}
	}}
	server.Serve(l) // ends when the connection does
}

// single is a listener of one connection.
type single struct {
	conn   net.Conn
	closed chan struct{} // when the connection is
}

func (l *single) Accept() (net.Conn, error) {
	if c := l.conn; c != nil {
		l.conn = nil
		return c, nil
	}
	<-l.closed
	return nil, net.ErrClosed
}

func (l *single) Addr() net.Addr { return &net.TCPAddr{} }

func (l *single) Close() error { return nil }

// requestOf records an HTTP/2 request; its Raw is written out as HTTP/1.1 would have it, in no certain order.
func requestOf(r *http.Request, number int) Request {
	var raw strings.Builder
	fmt.Fprintf(&raw, "%s %s HTTP/2.0\r\n", r.Method, r.RequestURI)
	r.Header.Write(&raw) // a strings.Builder does not fail
	return Request{URL: normal("https://" + r.Host + r.RequestURI), Raw: raw.String(), Header: r.Header, At: time.Now(), Conn: number}
}

// misframe reads a connection's preface and answers requests with the wrong frame. Settings are not acknowledged: in memory, where
// nothing is buffered, both sides would wait to be read.
func (s *Server) misframe(conn net.Conn, host string, number int, kind Certificate) {
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := io.ReadFull(conn, preface); err != nil {
		return
	}
	framer := http2.NewFramer(conn, conn)
	if framer.WriteSettings() != nil {
		return
	}
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			return
		}
		headers, ok := frame.(*http2.HeadersFrame)
		if !ok {
			continue
		}
		s.mu.Lock()
		s.requests = append(s.requests, Request{URL: "https://" + host + "/", At: time.Now(), Conn: number})
		s.mu.Unlock()
		if kind == GoAway {
			framer.WriteGoAway(headers.StreamID, http2.ErrCodeEnhanceYourCalm, nil)
			return
		}
		framer.WriteRSTStream(headers.StreamID, http2.ErrCodeInternal)
	}
}

package mallory

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// Framing is how the end of a body is told.
type Framing int

// The framings.
const (
	Length  Framing = iota // Content-Length
	Chunked                // Transfer-Encoding: chunked
	Close                  // the end of the connection
)

// Answer is what one request gets. The zero value is an empty 200.
type Answer struct {
	Status  int               // 0: 200
	Header  []string          // lines "Name: value", sent as they stand
	Body    string            //
	Gzip    bool              // pack the body if the request allows it
	Framing Framing           //
	Cut     int               // close after so many bytes of the body; 0: send it all
	Reset   bool              // with Cut: reset the connection where it can be
	Rate    int               // bytes of the body a second; 0: at once
	Wait    time.Duration     // before the first byte
	Hang    bool              // after the header, keep back the body and the connection
	Raw     string            // bytes to send in place of all this, then close
	Stream  func(w io.Writer) // writes in place of all this, then close
}

// serve answers the requests of one connection.
func (s *Server) serve(conn net.Conn, addr string, number int, secure bool) {
	scheme := "http"
	if secure {
		scheme = "https"
		host, _, _ := net.SplitHostPort(addr)
		shaken := tls.Server(conn, s.serverConfig(host))
		if shaken.Handshake() != nil {
			return
		}
		s.shaken(shaken.ConnectionState().DidResume)
		if shaken.ConnectionState().NegotiatedProtocol == "h2" {
			s.serveHTTP2(shaken, addr, number)
			return
		}
		conn = shaken
	}
	r := bufio.NewReader(conn)
	for {
		request, err := readRequest(r, scheme, number)
		if err != nil {
			return
		}
		if !s.send(conn, request, s.record(request)) {
			return
		}
	}
}

// maxBody is the longest body of a request that is read; longer ones end the connection.
const maxBody = 1 << 20

// readRequest reads one request, with a body only if its length is announced.
func readRequest(r *bufio.Reader, scheme string, number int) (Request, error) {
	var raw strings.Builder
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return Request{}, err
		}
		raw.WriteString(line)
		if strings.TrimRight(line, "\r\n") == "" {
			break
		}
	}
	parsed, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw.String())))
	if err != nil {
		return Request{}, err
	}
	if parsed.ContentLength > maxBody {
		return Request{}, fmt.Errorf("a body of %d bytes", parsed.ContentLength)
	}
	body := make([]byte, max(parsed.ContentLength, 0))
	if _, err := io.ReadFull(r, body); err != nil {
		return Request{}, err
	}
	address := scheme + "://" + parsed.Host + parsed.RequestURI
	if parsed.URL.IsAbs() { // as a proxy is asked
		address = parsed.RequestURI
	}
	return Request{
		URL: normal(address), Raw: raw.String(), Header: parsed.Header, Body: string(body), At: time.Now(), Conn: number,
	}, nil
}

// send writes an answer and reports whether the connection can take another request.
func (s *Server) send(conn net.Conn, r Request, a Answer) bool {
	if !s.pause(a.Wait) {
		return false
	}
	switch {
	case a.Stream != nil:
		a.Stream(conn)
		return false
	case a.Raw != "":
		io.WriteString(conn, a.Raw)
		return false
	}
	body := []byte(a.Body)
	header := a.Header
	if a.Gzip && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		body = Pack(a.Body)
		header = append(header[:len(header):len(header)], "Content-Encoding: gzip")
	}
	length := len(body)
	if a.Hang {
		length++
	}
	if _, err := conn.Write(a.head(header, length)); err != nil {
		return false
	}
	if a.Hang {
		<-s.done
		return false
	}
	whole := s.trickle(conn, a, body)
	if a.Reset {
		reset(conn)
	}
	return whole && a.Framing != Close
}

// head is the status line and the header.
func (a Answer) head(lines []string, length int) []byte {
	status := a.Status
	if status == 0 {
		status = http.StatusOK
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	for _, line := range lines {
		b.WriteString(line + "\r\n")
	}
	switch a.Framing {
	case Length:
		if status != http.StatusNotModified && status != http.StatusNoContent {
			fmt.Fprintf(&b, "Content-Length: %d\r\n", length)
		}
	case Chunked:
		b.WriteString("Transfer-Encoding: chunked\r\n")
	case Close:
		b.WriteString("Connection: close\r\n")
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// trickle writes the body as the answer says and reports whether all of it left.
func (s *Server) trickle(conn net.Conn, a Answer, body []byte) bool {
	cut := a.Cut > 0 && a.Cut < len(body)
	if cut {
		body = body[:a.Cut]
	}
	step := len(body)
	if a.Rate > 0 {
		step = max(1, a.Rate/10)
	}
	for len(body) > 0 {
		n := min(step, len(body))
		piece := body[:n]
		if a.Framing == Chunked {
			piece = fmt.Appendf(nil, "%x\r\n%s\r\n", n, piece)
		}
		if _, err := conn.Write(piece); err != nil {
			return false
		}
		body = body[n:]
		if a.Rate > 0 && !s.pause(time.Duration(n)*time.Second/time.Duration(a.Rate)) {
			return false
		}
	}
	if cut {
		return false
	}
	if a.Framing == Chunked {
		_, err := io.WriteString(conn, "0\r\n\r\n")
		return err == nil
	}
	return true
}

// pause waits, and reports whether the server still stands.
func (s *Server) pause(d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.done:
		return false
	}
}

// reset ends a TCP connection with RST in place of FIN.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	conn.Close()
}

// Pack is gzip.
func Pack(body string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, body) // a bytes.Buffer does not fail
	z.Close()
	return b.Bytes()
}

package mallory

import (
	"bytes"
	"io"
	"net"
	"sync"
	"time"
)

// pipeBuffer is how many bytes may be on their way in one direction. Without a buffer two sides that both write would wait for ever.
const pipeBuffer = 64 << 10

// pipe returns the two ends of a connection in memory. Deadlines are ignored.
func pipe() (client, server net.Conn) {
	there, back := newStream(), newStream()
	return &end{r: back, w: there}, &end{r: there, w: back}
}

// end is one end of a connection.
type end struct{ r, w *stream }

// Read implements [net.Conn].
func (e *end) Read(p []byte) (int, error) { return e.r.read(p) }

// Write implements [net.Conn].
func (e *end) Write(p []byte) (int, error) { return e.w.write(p) }

// Close implements [net.Conn]. What was written can still be read.
func (e *end) Close() error {
	e.w.finish()
	e.r.abandon()
	return nil
}

// LocalAddr implements [net.Conn].
func (*end) LocalAddr() net.Addr { return memoryAddr{} }

// RemoteAddr implements [net.Conn].
func (*end) RemoteAddr() net.Addr { return memoryAddr{} }

// SetDeadline implements [net.Conn].
func (*end) SetDeadline(time.Time) error { return nil }

// SetReadDeadline implements [net.Conn].
func (*end) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline implements [net.Conn].
func (*end) SetWriteDeadline(time.Time) error { return nil }

type memoryAddr struct{}

// Network implements [net.Addr].
func (memoryAddr) Network() string { return "memory" }

// String implements [net.Addr].
func (memoryAddr) String() string { return "memory" }

// stream is one direction.
type stream struct {
	mu       sync.Mutex
	changed  *sync.Cond
	pending  bytes.Buffer
	finished bool // nothing more is written
	deserted bool // nobody reads
}

func newStream() *stream {
	s := &stream{}
	s.changed = sync.NewCond(&s.mu)
	return s
}

func (s *stream) read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.pending.Len() == 0 {
		switch {
		case s.deserted:
			return 0, net.ErrClosed
		case s.finished:
			return 0, io.EOF
		}
		s.changed.Wait()
	}
	s.changed.Broadcast()
	return s.pending.Read(p)
}

func (s *stream) write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for written := 0; ; {
		if s.deserted || s.finished {
			return written, io.ErrClosedPipe
		}
		n := min(len(p)-written, pipeBuffer-s.pending.Len())
		s.pending.Write(p[written : written+n])
		if written += n; n > 0 {
			s.changed.Broadcast()
		}
		if written == len(p) {
			return written, nil
		}
		s.changed.Wait()
	}
}

func (s *stream) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finished = true
	s.changed.Broadcast()
}

func (s *stream) abandon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deserted = true
	s.changed.Broadcast()
}

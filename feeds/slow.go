package feeds

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// watch ends a fetch that lasts too long. After a third of the time limit the fetch is slow (B40): its body must have averaged slowRate,
// and only as many fetches as there are slots may be slow at a time.
type watch struct {
	slots *semaphore.Weighted
	limit time.Duration
	end   context.CancelCauseFunc
	timer *time.Timer
	read  atomic.Int64 // bytes of the body so far

	mu   sync.Mutex
	done bool
	held bool // a slot
}

// newWatch starts to watch one fetch, to be ended by end. It must be stopped.
func newWatch(slots *semaphore.Weighted, limit time.Duration, end context.CancelCauseFunc) *watch {
	w := &watch{slots: slots, limit: limit, end: end}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(limit/3, w.judge)
	return w
}

func (w *watch) judge() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done {
		return
	}
	if w.held {
		w.end(&FetchError{Code: FetchTimeout, Err: fmt.Errorf("no complete answer within %v", w.limit)})
		return
	}
	after := w.limit / 3
	if read := w.read.Load(); read > 0 && read < int64(slowRate*after.Seconds()) {
		w.end(&FetchError{Code: FetchSlow, Err: fmt.Errorf("only %d bytes came in %v", read, after)})
		return
	}
	if !w.slots.TryAcquire(1) {
		w.end(&FetchError{Code: FetchSlow, Err: fmt.Errorf("no complete answer in %v, and too many other servers are as slow", after)})
		return
	}
	w.held = true
	w.timer.Reset(w.limit - after)
}

// stop ends the watch and frees its slot.
func (w *watch) stop() {
	w.timer.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done = true
	if w.held {
		w.held = false
		w.slots.Release(1)
	}
}

// count lets the watch see how much of a body has come.
func (w *watch) count(r io.ReadCloser) io.ReadCloser { return &countedBody{r, &w.read} }

type countedBody struct {
	io.ReadCloser
	n *atomic.Int64
}

// Read implements [io.Reader].
func (c *countedBody) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.n.Add(int64(n))
	return n, err
}

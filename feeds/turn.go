package feeds

import (
	"context"
	"time"
)

// turn waits until a foreign host may be asked and keeps it from being asked again until release is called (B30). gap is the least time
// after the last start there. The queue has kept a feed away from the feeds before it, so for one only the pages count that have come
// between. The error is that of ctx.
func (p *Poller) turn(ctx context.Context, key string, gap time.Duration, page bool) (release func(), err error) {
	p.mu.Lock()
	h := p.host(key)
	p.mu.Unlock()
	select {
	case h.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	release = func() { <-h.turn }
	for {
		wait := p.start(h, gap, page)
		if wait <= 0 {
			return release, nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			release()
			return nil, context.Cause(ctx)
		}
	}
}

// start notes the start of a request, or says how long to wait before one. The caller has the turn.
func (p *Poller) start(h *host, gap time.Duration, page bool) time.Duration {
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	last := h.paged
	if page {
		last = later(h.paged, h.asked)
	}
	if wait := gap - now.Sub(last); !last.IsZero() && wait > 0 {
		return wait
	}
	if page { // the queue has counted the start of a feed
		reservation := p.starts.ReserveN(now, 1)
		if wait := reservation.DelayFrom(now); wait > 0 {
			reservation.CancelAt(now)
			return wait
		}
		h.paged = now
	}
	h.asked = now
	return 0
}

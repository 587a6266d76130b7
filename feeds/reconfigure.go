package feeds

import (
	"fmt"
	"time"
)

// Reconfigure gives the poller other options once a Poll under way is over. What it remembers of hosts and of the network stays, and so
// do the states in the store: no feed is polled earlier for it (B60). After an error the old options hold. It may be called beside Poll,
// Client, Offline, Again, InFlight, Timeout and Wake.
func (p *Poller) Reconfigure(o Options) error {
	o.resolver, o.dial, o.roots = p.o.resolver, p.o.dial, p.o.roots
	next, err := NewPoller(p.store, o)
	if err != nil {
		return fmt.Errorf("reconfigure %w", err)
	}
	p.pollMu.Lock()
	defer p.pollMu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.client.CloseIdleConnections()
	p.o, p.client, p.fetcher, p.pager = next.o, next.client, next.fetcher, next.pager
	p.plan.min, p.planned = next.plan.min, time.Time{} // the shares of the budget are worked out anew
	return nil
}

// InFlight says how many feeds are being asked right now, and for how long the oldest of these requests has been under way.
func (p *Poller) InFlight() (n int, oldest time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, began := range p.flights {
		oldest = max(oldest, time.Since(began))
	}
	return len(p.flights), oldest
}

// takeOff notes that the request of a job is under way until land is called.
func (p *Poller) takeOff(j *job) (land func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flights[j] = time.Now()
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.flights, j)
	}
}

// Timeout is how long one fetch may take in all.
func (p *Poller) Timeout() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.o.Timeout
}

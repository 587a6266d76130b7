package feeds

import "time"

// Wake tells the poller that the clock has moved in a way that timers did not see: the machine has slept, or the clock was set. What is
// overdue then is spread as after a start (B32), and what was remembered by the old clock is forgotten (B57). It may be called at any
// time, from any goroutine; it holds from the next Poll on.
func (p *Poller) Wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.woken = true
	p.reach.tries = nil
	for _, h := range p.hosts {
		h.cool = time.Time{} // what still holds is read from the states again
	}
}

// Again is when Poll should be called again for feeds that are due and were left for later by the last Poll, because its Round was over
// or because what is overdue is spread; zero if there are none.
func (p *Poller) Again() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.again
}

// leave notes that a due feed has to wait until the given time. The caller holds mu.
func (p *Poller) leave(until time.Time) {
	if p.again.IsZero() || until.Before(p.again) {
		p.again = until
	}
}

// turnOf is when a feed that is due may be polled: now, or later if it is one of many that are overdue since before the start.
func (p *Poller) turnOf(d *Due, now time.Time) time.Time {
	if p.o.Spread == 0 || p.o.Force || d.prompted(now) || d.State.Next.IsZero() || now.Sub(p.started) > p.o.Spread {
		return now
	}
	if _, local := place(d.Feed.URL); local {
		return now
	}
	if !d.State.Next.Before(p.started) && !p.misplaced(d, p.started) {
		return now
	}
	spread := min(p.o.Spread, p.plan.interval(&d.State, now))
	return later(now, p.started.Add(time.Duration(phase(d.Feed.ID, "start")*float64(spread))))
}

// misplaced reports whether a feed's next poll cannot have been meant by the clock as it is now: the clock was set back since, or the
// process died while it was wrong. No well feed is to be polled later than in twice its interval, unless its server or the operator has said so (B57).
func (p *Poller) misplaced(d *Due, now time.Time) bool {
	s := &d.State
	if s.Polled.After(now.Add(clockSkew)) {
		return true
	}
	longest := 2 * p.plan.interval(s, now)
	if s.Failures > 0 || s.Disabled {
		longest = 2 * goneProbe
	}
	latest := later(now.Add(max(longest, s.Hints.Every)), s.Floor, s.Cooldown)
	return s.Next.After(p.within(d.Feed.ID, s.Hints.allowed(latest)))
}

package feeds

import (
	"math"
	"time"

	"github.com/cespare/xxhash/v2"

	"sheaf"
)

// Bounds of the schedule.
const (
	hardMinimum     = time.Minute      // not configurable lower (B18)
	minConditional  = 5 * time.Minute  // between polls of a feed whose server has answered 304
	minFull         = 30 * time.Minute // of one whose server never has
	longestInterval = 12 * time.Hour
	forceEvery      = 5 * time.Minute // B34
	clockSkew       = time.Minute     // a poll this far in the future means the clock was set back (B57)
)

// IsDue reports whether a feed may be polled now: its Next has passed, or the clock was set back since its last poll, so that Next means
// nothing, or its hub has announced news. A feed whose hub can be relied on may wait beyond its Next. With force the Next is ignored, but
// for 5 minutes after the last poll (B34).
func IsDue(d Due, now time.Time, force bool) bool {
	switch {
	case d.State.Next.IsZero(), !now.Before(d.next(now)), d.State.Polled.After(now.Add(clockSkew)), d.prompted(now):
		return true
	case force:
		return !now.Before(d.State.Polled.Add(forceEvery))
	}
	return false
}

// plan is what holds for the schedule of all feeds of a poller.
type plan struct {
	k   float64       // of the square-root law
	min time.Duration // between polls of one feed; 0: by B18
}

// shortest is the least time between two polls of a feed.
func (p plan) shortest(s *State) time.Duration {
	switch {
	case p.min > 0:
		return max(p.min, hardMinimum)
	case s.Caching.Capable:
		return minConditional
	}
	return minFull
}

// turnover is the time in which a third of a feed's document is replaced, at most the longest interval.
func (s *State) turnover(now time.Time) time.Duration {
	first := s.First
	if first.IsZero() {
		first = now
	}
	minutes := float64(s.Rhythm.Window) / (3 * s.Rhythm.rate(first, now))
	if s.Rhythm.Window == 0 || minutes >= longestInterval.Minutes() {
		return longestInterval
	}
	return time.Duration(minutes * float64(time.Minute))
}

// claim is the part of a feed in the budget. Its longest interval leaves time to see every item.
func (p plan) claim(s *State, now time.Time) Claim {
	first := s.First
	if first.IsZero() {
		first = now
	}
	c := Claim{Rate: s.Rhythm.rate(first, now), Shortest: p.shortest(s), Longest: s.turnover(now)}
	c.Shortest = max(c.Shortest, s.Hints.Every)
	if fresh := s.Floor.Sub(s.Polled); !s.Floor.IsZero() && fresh > c.Shortest {
		c.Shortest = fresh
	}
	return c
}

// interval is the time to the next poll of a feed that is well, before its jitter and its floors.
func (p plan) interval(s *State, now time.Time) time.Duration {
	c := p.claim(s, now)
	k := p.k
	if k == 0 {
		k = SolveK([]Claim{c}, time.Hour)
	}
	c.Shortest = 0
	return max(s.Rhythm.stretch(c.Interval(k), now, c.Longest), p.shortest(s))
}

// next is when to poll a feed again after an answer that was understood. Floors come after the jitter: no poll may be early.
func (p plan) next(id sheaf.FeedID, s *State, now time.Time) time.Time {
	interval := jittered(p.interval(s, now), 0.1, phase(id, "poll"))
	at := now.Add(max(interval, p.shortest(s), s.Hints.Every))
	return s.Hints.allowed(later(at, s.Floor, s.Cooldown))
}

// later is the latest of several instants.
func later(times ...time.Time) time.Time {
	var last time.Time
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}

// phase is a feed's own number in [0, 1), the same for ever: polls are spread by it, not by chance.
func phase(id sheaf.FeedID, salt string) float64 {
	return float64(xxhash.Sum64String(string(id)+"\x00"+salt)>>11) / (1 << 53)
}

// jittered moves d by up to the part share of it, down at phase 0 and up at phase 1.
func jittered(d time.Duration, share, phase float64) time.Duration {
	return d + time.Duration(float64(d)*share*(2*phase-1))
}

// doubled is d · 2ⁿ, at most limit.
func doubled(d time.Duration, n int, limit time.Duration) time.Duration {
	if n > 40 || float64(d)*math.Exp2(float64(n)) > float64(limit) {
		return limit
	}
	return min(d<<n, limit)
}

package feeds

import (
	"time"

	"sheaf"
)

const (
	day           = 24 * time.Hour
	patience      = 30 * day // a name or path missing for longer is asked for once a week (B22)
	goneApart     = day      // between the two sightings of 410 that disable a feed (B23)
	goneProbe     = 30 * day // between polls of a disabled feed
	quarantine    = day      // after a panic (B43)
	busyFirst     = time.Hour
	blockedFirst  = 6 * time.Hour
	errorLongest  = 12 * time.Hour
	absentLongest = day
)

// backoff is how long to wait after a failure, the last of s.Failures in a row. No feed is ever given up. A feed's own phase spreads the
// waits; one the server asked for is only ever lengthened.
func (p plan) backoff(id sheaf.FeedID, s *State, e *FetchError, now time.Time) time.Duration {
	usual := max(p.interval(s, now), p.shortest(s))
	wait := usual
	switch e.Code {
	case FetchBusy:
		wait = e.RetryAfter
		if wait == 0 {
			wait = doubled(busyFirst, s.Failures-1, day)
		}
		return wait + time.Duration(phase(id, "busy")*float64(wait/10+time.Minute))
	case FetchGone:
		if s.Disabled {
			return goneProbe
		}
		return goneApart
	case FetchPanic:
		return quarantine
	case FetchBlocked:
		wait = doubled(blockedFirst, s.Failures-1, day)
	case FetchMissing, FetchNoHost:
		wait = doubled(usual, s.Failures, absentLongest)
		if now.Sub(s.Failing) > patience {
			wait = 7 * day
		}
	case FetchAddress, FetchPrivate:
		wait = doubled(usual, s.Failures, absentLongest)
	default:
		wait = doubled(usual, s.Failures, max(errorLongest, usual))
	}
	return max(jittered(wait, 0.2, phase(id, "error")), p.shortest(s))
}

package feeds

import (
	"slices"
	"time"
)

// The rule by which we take ourselves for cut off from the network (B29).
const (
	reachHosts  = 20              // distinct hosts looked at
	reachFew    = 3               // fewest hosts that can prove anything, once a round is over
	reachWithin = 2 * time.Minute // age of the tries that count
	reachShare  = 0.8             // of them must have failed
	canaryEvery = time.Minute
)

// reach remembers whether the last hosts asked could be reached at all. It is not safe for concurrent use.
type reach struct {
	tries   []try // the newest of each host, oldest first
	offline bool
	canary  time.Time // last probe while offline
}

type try struct {
	host string
	at   time.Time
	ok   bool
}

// note takes in one try. Any answer ends being offline, and what failed until then
// proves nothing more.
func (r *reach) note(host string, ok bool, now time.Time) {
	r.tries = slices.DeleteFunc(r.tries, func(t try) bool { return t.host == host })
	r.tries = append(r.tries, try{host, now, ok})
	if extra := len(r.tries) - reachHosts; extra > 0 {
		r.tries = slices.Delete(r.tries, 0, extra)
	}
	if ok && r.offline {
		r.offline, r.tries = false, r.tries[len(r.tries)-1:]
	}
}

// cutOff reports whether at least few distinct hosts were tried lately and nearly all failed, and remembers it.
func (r *reach) cutOff(few int, now time.Time) bool {
	tried, failed := 0, 0
	for _, t := range r.tries {
		if now.Sub(t.at) > reachWithin {
			continue
		}
		tried++
		if !t.ok {
			failed++
		}
	}
	if tried >= few && float64(failed) >= reachShare*float64(tried) {
		r.offline = true
	}
	return r.offline
}

// probe reports whether it is time for the next canary while offline, and counts it.
func (r *reach) probe(now time.Time) bool {
	if now.Sub(r.canary) < canaryEvery && !r.canary.After(now) {
		return false
	}
	r.canary = now
	return true
}

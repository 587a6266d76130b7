package feeds

import (
	"strings"
	"time"
)

// Strategy is which validators a feed is asked with.
type Strategy string

// The strategies, in the order they are tried (B13).
const (
	StrategyBoth Strategy = ""     // whatever there is
	StrategyDate Strategy = "date" // If-Modified-Since alone: some servers mangle their own ETags
	StrategyETag Strategy = "etag" // If-None-Match alone
	StrategyNone Strategy = "none" // neither helps
)

const (
	wastedInRow = 5        // full answers with known bytes before another strategy is tried
	retest      = 30 * day // after which the first is tried again
	lieAfter    = 14 * day // of nothing but 304 (B14)
	lieItems    = 20       // that history predicts in that time
	lieEvery    = 7 * day  // between requests without validators
)

// Caching is what polling has found out about how a server treats validators.
type Caching struct {
	Capable  bool      `json:"capable,omitempty"`  // it has answered 304
	Strategy Strategy  `json:"strategy,omitempty"` //
	Since    time.Time `json:"since,omitzero"`     // when Strategy was taken up
	InRow    int       `json:"in_row,omitempty"`   // full answers with known bytes, in a row, to conditional requests
	Wasted   int       `json:"wasted,omitempty"`   // full answers with known bytes, ever
	Full     time.Time `json:"full,omitzero"`      // last full answer
	Checked  time.Time `json:"checked,omitzero"`   // last request without validators made out of doubt
}

// send picks the validators for the next request.
func (c Caching) send(v Validators) Validators {
	switch c.Strategy {
	case StrategyDate:
		return Validators{LastModified: v.LastModified}
	case StrategyETag:
		return Validators{ETag: v.ETag}
	case StrategyNone:
		return Validators{}
	}
	return v
}

// retested goes back to the first strategy when the present one is a month old.
func (c Caching) retested(now time.Time) Caching {
	if c.Strategy != StrategyBoth && now.Sub(c.Since) >= retest {
		c.Strategy, c.Since, c.InRow = StrategyBoth, now, 0
	}
	return c
}

// wasted takes in a full answer whose bytes were known, and moves on to another strategy after some in a row. v is the validators of the
// answer: a strategy that would send the same as before is not worth trying.
func (c Caching) wasted(v Validators, now time.Time) Caching {
	c.Wasted++
	c.Full = now
	if c.Strategy == StrategyNone || c.send(v) == (Validators{}) {
		return c
	}
	if c.InRow++; c.InRow < wastedInRow {
		return c
	}
	c.InRow, c.Since = 0, now
	tried := c.send(v)
	for c.Strategy != StrategyNone {
		c.Strategy = c.Strategy.following()
		if sent := c.send(v); sent != tried && sent != (Validators{}) {
			break
		}
	}
	return c
}

func (s Strategy) following() Strategy {
	switch s {
	case StrategyBoth:
		return StrategyDate
	case StrategyDate:
		return StrategyETag
	}
	return StrategyNone
}

// doubts reports whether a server's 304s have become hard to believe: nothing else for two weeks, though the feed's rate at its last full
// answer predicts many items since (B14).
func (s *State) doubts(now time.Time) bool {
	since := now.Sub(s.Caching.Full)
	if s.Caching.Full.IsZero() || since < lieAfter || now.Sub(s.Caching.Checked) < lieEvery {
		return false
	}
	return s.Rhythm.rate(s.First, s.Caching.Full)*since.Minutes() >= lieItems
}

// Moved is where permanent redirects lead (B25).
type Moved struct {
	To    string    `json:"to,omitempty"`    // target of the permanent redirects seen
	Times int       `json:"times,omitempty"` // sightings of To
	Since time.Time `json:"since,omitzero"`  // first sighting of To
	Used  bool      `json:"used,omitempty"`  // To is asked in place of the configured address
}

const (
	moveSightings = 5
	moveTime      = 48 * time.Hour
	moveFailures  = 3 // of the new address in a row, after which the configured one is asked again
)

// address is where to ask for a feed configured at the given address.
func (s *State) address(configured string) string {
	if s.Moved.Used && s.Failures < moveFailures {
		return s.Moved.To
	}
	return configured
}

// sighted takes in the redirects of an answer that was a feed, asked for at the address asked. related says that the new address shares
// an item with what is known of the feed, or lies in the same registrable domain. Only a chain that is permanent in every hop and
// never leaves encryption counts.
func (m Moved) sighted(asked string, hops []hop, related bool, now time.Time) Moved {
	if len(hops) == 0 {
		if m.Used && asked == m.To {
			return m
		}
		return Moved{}
	}
	if !permanent(hops) || downgraded(asked, hops) {
		return m.ifUsed()
	}
	if to := hops[len(hops)-1].to; m.To != to {
		m = Moved{To: to, Since: now}
	}
	m.Times++
	if related && m.Times >= moveSightings && now.Sub(m.Since) >= moveTime {
		m.Used = true
	}
	return m
}

// downgraded reports whether redirects lead from https to http.
func downgraded(asked string, hops []hop) bool {
	for _, h := range hops {
		if strings.HasPrefix(asked, "https:") && strings.HasPrefix(h.to, "http:") {
			return true
		}
		asked = h.to
	}
	return false
}

// ifUsed forgets sightings that have led to nothing yet.
func (m Moved) ifUsed() Moved {
	if m.Used {
		return m
	}
	return Moved{}
}

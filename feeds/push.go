package feeds

import (
	"time"

	"sheaf"
	"sheaf/feeds/websub"
)

// What an announcement by a hub does to polling (B50).
const (
	pushGap     = 10 * time.Second // least between two polls that announcements start, doubled with each that led to nothing
	pushStretch = 6                // a feed whose hub can be relied on is polled so many times less often, never less than twice a day
	pushLate    = 15 * time.Minute // so much later than a poll an announcement may still come of what it found
)

// Announced is what polling has found out about how well a feed's hub announces its news. The zero value knows nothing.
type Announced struct {
	Heard  time.Time `json:"heard,omitzero"`  // last announcement that was true
	Missed time.Time `json:"missed,omitzero"` // last poll since then that found what nobody had announced; zero: none
	Idle   int       `json:"idle,omitempty"`  // announcements in a row that led to nothing
}

// reliable reports whether a feed may be polled less often: its hub has announced news, and since then all of them.
func (a Announced) reliable() bool { return !a.Heard.IsZero() && a.Missed.IsZero() }

// judged takes in a poll that found so many new articles.
func (a Announced) judged(d *Due, fresh int, now time.Time) Announced {
	switch {
	case d.announced() && fresh > 0:
		return Announced{Heard: now}
	case d.announced() && !a.Missed.IsZero() && now.Sub(a.Missed) < pushLate:
		return Announced{Heard: now} // what the poll before has found
	case d.announced():
		a.Idle++
	case fresh > 0 && d.attended():
		a.Missed = now
	}
	return a
}

// announced reports whether the hub has announced news that no poll has looked for.
func (d *Due) announced() bool { return d.Push.Told.After(d.State.Polled) }

// attended reports whether the hub has been listened to without a gap since before the last poll.
func (d *Due) attended() bool { return !d.Push.Since.IsZero() && d.Push.Since.Before(d.State.Polled) }

// promptAt is from when on an announcement makes a feed due; zero if there is none, or it does not. It goes before what the server has
// said of freshness, which was before the news; not before its cool-down, and a feed that fails waits for its turn.
func (d *Due) promptAt() time.Time {
	s := &d.State
	if !d.announced() || s.Failures > 0 {
		return time.Time{}
	}
	return later(d.Push.Told, s.Cooldown, s.Polled.Add(doubled(pushGap, s.Announced.Idle, minConditional)))
}

// prompted reports whether an announcement makes a feed due now.
func (d *Due) prompted(now time.Time) bool {
	at := d.promptAt()
	return !at.IsZero() && !now.Before(at)
}

// next is when a feed is due without an announcement. State.Next is the time that holds without a hub: so polling is back to normal at
// once when a lease ends, or when we did not listen for a while. Even a hub that can be relied on leaves time to see every item.
func (d *Due) next(now time.Time) time.Time {
	s := &d.State
	wait := s.Next.Sub(s.Polled)
	if s.Failures > 0 || wait <= 0 || !d.attended() || !s.Announced.reliable() {
		return s.Next
	}
	return s.Hints.allowed(s.Polled.Add(max(wait, min(pushStretch*wait, longestInterval, 2*s.turnover(now)))))
}

// offer is where the news of an answer are announced.
func (d *Document) offer(resp *response) websub.Offer {
	return websub.Discover(resp.header, resp.url, d.Feed.Hubs, d.Feed.Self)
}

// Offers lists which hubs announce the given feeds, as far as polling has found out. Local ones are always due and need none.
func Offers(due []Due) map[sheaf.FeedID]websub.Offer {
	offers := make(map[sheaf.FeedID]websub.Offer)
	for i := range due {
		_, local := place(due[i].Feed.URL)
		if o := due[i].State.Offer; !local && o != (websub.Offer{}) {
			offers[due[i].Feed.ID] = o
		}
	}
	return offers
}

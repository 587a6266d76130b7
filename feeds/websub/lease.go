package websub

import (
	"encoding/hex"
	"time"

	"sheaf"
)

// The times of a lease.
const (
	leaseWanted  = 10 * 24 * time.Hour // asked for; hubs grant what they like
	leaseLongest = 30 * 24 * time.Hour // believed, so that secrets do not grow old
	leaseLeast   = 40 * time.Second    // taken for granted, so that a hub cannot have us ask it every second
	verifyWithin = 15 * time.Minute    // a hub must come back for verification
	againFirst   = time.Hour           // after a failure, doubled with each in a row
	againLast    = 24 * time.Hour
	againGone    = 30 * 24 * time.Hour // after 410: the hub or the topic is gone for good
	restLongest  = 7 * 24 * time.Hour  // that a hub may ask for
)

// Callback is one address of ours that a hub may call.
type Callback struct {
	Token  string    `json:"token,omitempty"`  // last part of the address: 128 random bits; empty: there is none
	Secret string    `json:"secret,omitempty"` // key of the signatures
	Since  time.Time `json:"since,omitzero"`   // when the hub began to call us without a gap, or was asked to
	Until  time.Time `json:"until,omitzero"`   // end of what was granted, or of waiting for the hub
}

// Lease is what is agreed with a hub about one feed. It is stored as JSON: fields are added, never renamed.
type Lease struct {
	Feed sheaf.FeedID `json:"feed"`
	Offer
	Live     Callback  `json:"live,omitzero"`    // verified by the hub
	Pending  Callback  `json:"pending,omitzero"` // asked for and not yet verified
	Next     time.Time `json:"next,omitzero"`    // earliest next request to the hub
	Failures int       `json:"failures,omitempty"`
	Error    string    `json:"error,omitempty"` // last failure, for people; empty after a success
}

// live reports whether the hub would announce news now.
func (l Lease) live(now time.Time) bool { return l.Live.Token != "" && now.Before(l.Live.Until) }

// asked is the lease once the hub is to be asked for the callback c.
func (l Lease) asked(c Callback, now time.Time) Lease {
	c.Since, c.Until = now, now.Add(verifyWithin)
	l.Pending, l.Next = c, c.Until
	return l
}

// verified is the lease once the hub has confirmed the pending callback for a time. It is asked for again when 70 to 80 % of that have
// passed, spread by the callback's own bits.
func (l Lease) verified(granted time.Duration, now time.Time) Lease {
	granted = min(max(granted, leaseLeast), leaseLongest)
	since := now
	if l.live(now) {
		since = l.Live.Since // a renewal leaves no gap
	}
	l.Live, l.Pending = l.Pending, Callback{}
	l.Live.Since, l.Live.Until = since, now.Add(granted)
	l.Next = now.Add(time.Duration(float64(granted) * (0.7 + 0.1*l.Live.phase())))
	l.Failures, l.Error = 0, ""
	return l
}

// failed is the lease after a request that came to nothing. A callback in use stays until its end, unless hub or topic are gone.
func (l Lease) failed(e *Error, now time.Time) Lease {
	l.Failures++
	if e.gone() {
		l.Live = Callback{}
	}
	l.Pending, l.Error = Callback{}, e.Error()
	wait := againFirst << min(l.Failures-1, 10)
	switch wait = min(wait, againLast); {
	case e.RetryAfter > 0:
		wait = min(e.RetryAfter, restLongest)
	case e.gone():
		wait = againGone
	}
	l.Next = now.Add(wait)
	return l
}

// offered is the lease of a feed that names another hub or topic now. What the old hub has granted stays until its end.
func (l Lease) offered(feed sheaf.FeedID, o Offer) Lease {
	return Lease{Feed: feed, Offer: o, Live: l.Live}
}

// phase is a number in [0, 1) made of the token.
func (c Callback) phase() float64 {
	var b [1]byte
	if _, err := hex.Decode(b[:], []byte(c.Token[:min(2, len(c.Token))])); err != nil {
		return 0
	}
	return float64(b[0]) / 256
}

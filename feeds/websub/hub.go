package websub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
)

const (
	askTimeout  = 30 * time.Second
	askHops     = 3       // redirects followed, as a hub may answer with 307 or 308 (WebSub, section 5.1)
	askDrained  = 4 << 10 // bytes of an answer read to keep its connection
	errorLength = 200     // bytes of a hub's own words kept
)

// Error says why a hub does not announce a feed, in words for an operator.
type Error struct {
	Hub        string
	Status     int           // HTTP status; 0 if there was no answer or none was called for
	RetryAfter time.Duration // wait the hub asked for; 0: none
	Err        error         // cause; may be nil
}

// Error names the hub and what it said.
func (e *Error) Error() string {
	host := e.Hub
	if u, err := url.Parse(e.Hub); err == nil {
		host = u.Host
	}
	if e.Err != nil {
		return fmt.Sprintf("hub %s: %v", host, e.Err)
	}
	return fmt.Sprintf("hub %s answers with status %d", host, e.Status)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// gone reports whether asking again soon makes no sense.
func (e *Error) gone() bool { return e.Status == http.StatusGone }

// tired reports whether the hub itself, and not this one topic, is the trouble.
func (e *Error) tired() bool {
	return e.Status == 0 && e.Err != nil || e.Status >= 500 || e.Status == http.StatusTooManyRequests
}

// ask asks the hub of a lease for its pending callback. nil means that the hub will verify it. The error is an *Error, or the cause of ctx.
func (l *Listener) ask(ctx context.Context, lease Lease) error {
	limited, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	form := url.Values{
		"hub.mode": {"subscribe"}, "hub.topic": {lease.Topic}, "hub.callback": {l.address(lease.Pending)},
		"hub.lease_seconds": {strconv.Itoa(int(leaseWanted.Seconds()))}, "hub.secret": {lease.Pending.Secret},
	}
	target := lease.Hub
	for range askHops + 1 {
		status, header, err := l.post(limited, target, form.Encode())
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		if err != nil {
			return &Error{Hub: target, Err: fmt.Errorf("not reached: %w", err)}
		}
		if status != http.StatusTemporaryRedirect && status != http.StatusPermanentRedirect {
			return judge(target, status, header)
		}
		next, err := nextHub(target, header.Get("Location"))
		if err != nil {
			return &Error{Hub: target, Status: status, Err: err}
		}
		target = next
	}
	return &Error{Hub: target, Status: http.StatusTemporaryRedirect, Err: fmt.Errorf("more than %d redirects", askHops)}
}

// post sends a form and reads no more of the answer than its head.
func (l *Listener) post(ctx context.Context, target, form string) (status int, header http.Header, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target, strings.NewReader(form))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("User-Agent", l.o.Agent)
	resp, err := l.o.Client.RoundTrip(req)
	if err != nil {
		return 0, nil, err
	}
	io.CopyN(io.Discard, resp.Body, askDrained) // best effort: keeps the connection
	return resp.StatusCode, resp.Header, resp.Body.Close()
}

// judge makes an error of what is no consent. Hubs answer 202; some old ones 204, having verified already.
func judge(hub string, status int, header http.Header) error {
	if status/100 == 2 {
		return nil
	}
	e := &Error{Hub: hub, Status: status}
	if seconds, err := strconv.ParseUint(strings.TrimSpace(header.Get("Retry-After")), 10, 31); err == nil {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	return e
}

// nextHub is where a hub's redirect leads: to https only.
func nextHub(from, location string) (string, error) {
	base, err := url.Parse(from)
	if err != nil || location == "" {
		return "", errors.New("a redirect without a target")
	}
	next, err := base.Parse(location)
	if err != nil || webAddress(next.String()) == nil || next.Scheme != "https" || next.User != nil {
		return "", errors.New("a redirect that cannot be followed")
	}
	return next.String(), nil
}

// brief cuts a hub's own words for a message.
func brief(words string) string {
	words = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, words)
	words = strings.Join(strings.Fields(words), " ")
	if len(words) > errorLength {
		words = strings.ToValidUTF8(words[:errorLength], "") + "…"
	}
	return words
}

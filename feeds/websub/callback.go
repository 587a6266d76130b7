package websub

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"
)

const (
	maxChallenge    = 2 << 10 // bytes echoed
	maxAnnouncement = 8 << 20 // bytes of a body read
)

// ServeHTTP answers hubs under [Path]: verification (WebSub, section 5.3), refusal (5.2) and announcements (7). It keeps nothing of a
// body, answers before anything is polled, and never redirects. What cannot be an announcement of ours is answered 410, so that a hub
// forgets it.
func (l *Listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	token := path.Base(r.URL.Path)
	switch r.Method {
	case http.MethodGet:
		l.answer(w, r, token)
	case http.MethodPost:
		l.listen(w, r, token)
	default:
		w.Header().Set("Allow", "GET, POST")
		http.Error(w, "hubs use GET and POST", http.StatusMethodNotAllowed)
	}
}

// answer handles a hub's question whether we meant it, and its refusal.
func (l *Listener) answer(w http.ResponseWriter, r *http.Request, token string) {
	q, ours, reply := r.URL.Query(), false, ""
	var err error
	switch challenge := q.Get("hub.challenge"); {
	case q.Get("hub.mode") == "subscribe" && challenge != "" && len(challenge) <= maxChallenge:
		ours, err = l.confirm(r.Context(), token, q)
		reply = challenge
	case q.Get("hub.mode") == "denied":
		ours, err = l.deny(r.Context(), token, q)
	}
	switch {
	case err != nil:
		http.Error(w, "try again later", http.StatusServiceUnavailable)
	case !ours:
		http.Error(w, "nothing is waited for here", http.StatusNotFound)
	default:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, reply) // a hub that is gone asks again
	}
}

// confirm takes up the pending callback with this token for this topic, and reports whether there was one. The error is the store's.
func (l *Listener) confirm(ctx context.Context, token string, q url.Values) (confirmed bool, err error) {
	granted := leaseWanted
	if seconds, err := strconv.ParseUint(q.Get("hub.lease_seconds"), 10, 31); err == nil {
		granted = time.Duration(seconds) * time.Second
	}
	asked, ok := l.byToken(token)
	if !ok {
		return false, nil
	}
	err = l.update(ctx, asked.Feed, func(lease Lease) (Lease, bool) {
		now := l.o.Now()
		confirmed = lease.Pending.Token == token && lease.Topic == q.Get("hub.topic") && !now.After(lease.Pending.Until)
		if !confirmed {
			return lease, false
		}
		return lease.verified(granted, now), true
	})
	return confirmed, err
}

// deny takes in that a hub will not announce a topic, whether it had agreed before or not, and reports whether it was ours. The error is
// the store's.
func (l *Listener) deny(ctx context.Context, token string, q url.Values) (ours bool, err error) {
	asked, ok := l.byToken(token)
	if !ok {
		return false, nil
	}
	why := brief(q.Get("hub.reason"))
	if why == "" {
		why = "no reason given"
	}
	err = l.update(ctx, asked.Feed, func(lease Lease) (Lease, bool) {
		ours = lease.Topic == q.Get("hub.topic") && (lease.Live.Token == token || lease.Pending.Token == token)
		if !ours {
			return lease, false
		}
		if lease.Live.Token == token {
			lease.Live = Callback{}
		}
		return lease.failed(&Error{Hub: lease.Hub, Err: errors.New("refuses to announce the feed: " + why)}, l.o.Now()), true
	})
	return ours, err
}

// listen handles an announcement. One that is not signed as agreed is answered like one that is, and ignored.
func (l *Listener) listen(w http.ResponseWriter, r *http.Request, token string) {
	lease, ok := l.byToken(token)
	if !ok {
		http.Error(w, "nothing is expected here any more", http.StatusGone)
		return
	}
	secret := lease.Live.Secret
	if lease.Pending.Token == token {
		secret = lease.Pending.Secret // its verification is on the way, or was lost
	}
	if signed(http.MaxBytesReader(w, r.Body, maxAnnouncement), r.Header.Get("X-Hub-Signature"), secret) {
		l.heard(lease.Feed)
	}
	w.WriteHeader(http.StatusAccepted)
}

// signed reports whether all of a body is what a signature header says, made with SHA-256 or better (WebSub, section 7.1).
func signed(body io.Reader, header, secret string) bool {
	method, value, _ := strings.Cut(header, "=")
	var made func() hash.Hash
	switch strings.ToLower(strings.TrimSpace(method)) {
	case "sha256":
		made = sha256.New
	case "sha384":
		made = sha512.New384
	case "sha512":
		made = sha512.New
	default:
		return false
	}
	want, err := hex.DecodeString(strings.TrimSpace(value))
	if err != nil || secret == "" {
		return false
	}
	mac := hmac.New(made, []byte(secret))
	if _, err := io.Copy(mac, body); err != nil {
		return false
	}
	return hmac.Equal(mac.Sum(nil), want)
}

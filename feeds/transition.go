package feeds

import (
	"net/http"
	"net/url"
	"time"

	"sheaf"
)

// attempted is the state at the start of a poll.
func (s State) attempted(now time.Time) State {
	if s.First.IsZero() {
		s.First = now
	}
	s.Polled = now
	s.Caching = s.Caching.retested(now)
	return s
}

// unchanged is the state after an answer with nothing new: a 304, or known bytes.
func (s State) unchanged(resp *response, now time.Time) State {
	if resp.status == http.StatusNotModified {
		s.Caching.Capable, s.Caching.InRow = true, 0
		s.Validators = s.Validators.refreshed(resp.header)
		return s
	}
	s.Validators, s.From = validatorsOf(resp.header), originOf(resp.url)
	s.Caching = s.Caching.wasted(s.Validators, now)
	return s
}

// changed is the state after a document with new bytes, and the articles not seen in the one before.
func (s State) changed(doc *Document, articles []sheaf.Article, now time.Time) (State, []sheaf.Article) {
	var fresh []sheaf.Article
	s.Quality = s.Quality.judged(articles, s.Rhythm, s.Succeeded, now)
	s.Rhythm, fresh = s.Rhythm.observe(articles, s.First, now)
	s.Hints = hintsOf(&doc.Feed)
	s.Title, s.Site = doc.Feed.PlainTitle(), doc.Feed.Link
	s.Caching.Full, s.Caching.InRow = now, 0
	return s, fresh
}

// complete remembers by what to recognise a document that came to its end.
func (s State) complete(resp *response, hash string, now time.Time) State {
	s.Validators, s.From = validatorsOf(resp.header), originOf(resp.url)
	s.BodyHash, s.Packed = hash, resp.body.packed
	return s
}

// well is the state after any success.
func (s State) well(status int, now time.Time) State {
	s.Succeeded, s.Status = now, status
	s.Failures, s.Error, s.Code = 0, "", ""
	s.Failing, s.Gone, s.Cooldown, s.Disabled = time.Time{}, time.Time{}, time.Time{}, false
	return s
}

// refreshed takes over whichever validators a 304 brought (RFC 9111, section 4.3.4).
func (v Validators) refreshed(h http.Header) Validators {
	fresh := validatorsOf(h)
	if fresh.ETag != "" {
		v.ETag = fresh.ETag
	}
	if fresh.LastModified != "" {
		v.LastModified = fresh.LastModified
	}
	return v
}

// validatorsOf takes the validators from a header exactly as they stand. Over-long ones are dropped, never cut (B8).
func validatorsOf(h http.Header) Validators {
	v := Validators{ETag: h.Get("ETag"), LastModified: h.Get("Last-Modified")}
	if len(v.ETag) > maxValidator {
		v.ETag = ""
	}
	if len(v.LastModified) > maxValidator {
		v.LastModified = ""
	}
	return v
}

// originOf is scheme, host and port of an address.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

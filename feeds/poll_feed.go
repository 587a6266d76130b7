package feeds

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"sheaf"
)

// poll asks for one feed and says what came of it. The error is the store's, or the end of ctx.
func (p *Poller) poll(ctx context.Context, j *job) (result, error) {
	if isFile(j.Feed.URL) {
		return p.pollFile(ctx, j)
	}
	now := p.o.Now()
	s := j.State.attempted(now)
	if err := p.lease(ctx, j, &s, now); err != nil {
		return result{}, err
	}
	req := p.request(j.Feed, j.address)
	req.validators, req.from, req.packed, req.delta = s.Caching.send(s.Validators), s.From, s.Packed, p.o.Delta[j.Feed.ID]
	s.Waived = req.waiver != (Waiver{})
	if s.doubts(now) {
		s.Caching.Checked = now
		req.validators, req.packed = Validators{}, ""
	}
	resp, took, err := p.fetch(ctx, j, req)
	s.Took = took.Round(time.Millisecond)
	if err == nil {
		p.reached(j, true)
		return p.answered(ctx, j, s, resp)
	}
	var fe *FetchError
	if !errors.As(err, &fe) {
		return result{}, err
	}
	p.reached(j, !fe.unreachable())
	return p.failed(j, s, fe), nil
}

// request is the plain request for a feed at an address.
func (p *Poller) request(feed sheaf.Feed, address string) request {
	return request{url: address, configured: feed.URL, authorization: p.o.Authorization[feed.ID], waiver: p.o.Waivers[feed.ID]}
}

// fetch makes the request in its host's turn, and says how long it took.
func (p *Poller) fetch(ctx context.Context, j *job, req request) (*response, time.Duration, error) {
	if !j.local {
		release, err := p.turn(ctx, j.host, p.o.HostGap, false)
		if err != nil {
			return nil, 0, err
		}
		defer release()
	}
	defer p.takeOff(j)()
	began := time.Now()
	resp, err := p.fetcher.fetch(ctx, req)
	return resp, time.Since(began), err
}

// lease stores the earliest next poll before the request leaves (B31). Feeds without manners need none.
func (p *Poller) lease(ctx context.Context, j *job, s *State, now time.Time) error {
	if j.local {
		return nil
	}
	p.storeMu.Lock()
	defer p.storeMu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := p.store.Lease(ctx, j.Feed.ID, now.Add(p.plan.shortest(s))); err != nil {
		return fmt.Errorf("lease %s: %w", Redact(j.Feed.URL), err)
	}
	return nil
}

// reached tells whether a foreign host could be reached at all.
func (p *Poller) reached(j *job, ok bool) {
	if j.local {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reach.note(j.host, ok, p.o.Now())
}

// answered takes in a 304, or a 200 with a body.
func (p *Poller) answered(ctx context.Context, j *job, s State, resp *response) (result, error) {
	now := p.o.Now()
	hash := ""
	same := resp.body.same
	if !same {
		hash = hashOf(resp.body.bytes)
		same = hash == s.BodyHash
	}
	res := result{Outcome: Outcome{Feed: j.Feed, State: s, Unchanged: same}}
	related := same || len(resp.hops) == 0 || hostKey(resp.url) == hostKey(j.Feed.URL)
	if same {
		res.State = s.unchanged(resp, now)
	} else {
		known, err := p.changed(ctx, &res, resp, hash, now)
		switch {
		case ctx.Err() != nil:
			return result{}, context.Cause(ctx)
		case errors.As(err, new(*FetchError)), errors.As(err, new(*ParseError)):
			return p.failed(j, s, pageError(err, j.Feed.URL, resp.status)), nil
		case err != nil:
			return result{}, err
		}
		related = related || known
	}
	s = res.State.well(resp.status, now)
	s.Moved = s.Moved.sighted(j.address, resp.hops, related, now)
	s.Announced = s.Announced.judged(&j.Due, res.fresh, now)
	s.Floor = floorOf(resp.header, now)
	s.Next = p.next(j, &s, now)
	res.State = s
	return res, nil
}

// changed takes in a document with new bytes: articles, notes and state. known says that some of its articles were in the one before.
func (p *Poller) changed(ctx context.Context, res *result, resp *response, hash string, now time.Time) (known bool, err error) {
	s := res.State
	doc, articles, err := p.read(ctx, documentInput(resp), s.normalization(res.Feed, now))
	if err != nil {
		return false, err
	}
	before := s.Rhythm
	s, fresh := s.changed(doc, articles, now)
	if resp.status == http.StatusIMUsed {
		s.Rhythm, hash, resp.body.packed = s.Rhythm.added(before), "", "" // the whole document was not seen
	}
	if !doc.Truncated {
		s = s.complete(resp, hash, now)
		s.Offer = doc.offer(resp)
	}
	notes, err := p.extract(ctx, res.Feed, articles, &s.Learned)
	if err != nil {
		return false, err
	}
	res.State, res.Articles, res.fresh = s, articles, len(fresh)
	res.Notes = append(slices.Clip(doc.Notes), notes...)
	return len(fresh) < len(articles), nil
}

// floorOf is until when an answer is fresh; zero if it does not say.
func floorOf(h http.Header, now time.Time) time.Time {
	if fresh := Freshness(h); fresh > 0 {
		return now.Add(fresh)
	}
	return time.Time{}
}

// next is when to poll a feed again that is well. Local ones are always due unless the server has said otherwise.
func (p *Poller) next(j *job, s *State, now time.Time) time.Time {
	if j.local {
		return later(now, s.Floor)
	}
	return p.within(j.Feed.ID, p.plan.next(j.Feed.ID, s, now))
}

// documentInput is what the parser needs to know of an answer.
func documentInput(resp *response) Input {
	return Input{
		Body: resp.body.bytes, URL: resp.url, ContentType: resp.header.Get("Content-Type"),
		ContentLocation: resp.header.Get("Content-Location"), ContentLanguage: resp.header.Get("Content-Language"),
	}
}

// read parses a document. A panic becomes an error, and the document is kept (B43).
func (p *Poller) read(ctx context.Context, in Input, n Normalization) (doc *Document, articles []sheaf.Article, err error) {
	feed := n.Feed
	n.Quirks = p.o.Quirks[feed.ID]
	size := min(int64(len(in.Body))+1, parseMemory)
	if err := p.memory.Acquire(ctx, size); err != nil {
		return nil, nil, err
	}
	defer p.memory.Release(size)
	defer func() {
		if cause := recover(); cause != nil {
			err = p.panicked(feed, in.Body, cause)
		}
	}()
	doc, err = p.parse(in)
	var pe *ParseError
	if errors.As(err, &pe) && pe.Code == CodePanic {
		p.keep(Sample{Feed: feed, At: n.Now, Body: in.Body, Cause: err.Error()})
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", Redact(feed.URL), err)
	}
	return doc, Normalize(doc, n), nil
}

// panicked makes a panic the failure of one feed, and keeps what it happened on (B43). It is called while the panic is recovered.
func (p *Poller) panicked(feed sheaf.Feed, body []byte, cause any) *FetchError {
	p.keep(Sample{Feed: feed, At: p.o.Now(), Body: body, Cause: fmt.Sprintf("%v\n%s", cause, debug.Stack())})
	return &FetchError{
		URL: Redact(feed.URL), Code: FetchPanic, Err: fmt.Errorf("it makes sheaf fail: %v", cause),
		Advice: "please report it; the feed is left alone for a day",
	}
}

// guarded is poll with a panic turned into the failure of this feed.
func (p *Poller) guarded(ctx context.Context, j *job) (res result, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			res, err = p.failed(j, j.State.attempted(p.o.Now()), p.panicked(j.Feed, nil, cause)), nil
		}
	}()
	return p.poll(ctx, j)
}

// normalization is what articles of a document read now need to know. Its memory is the state's own, not shared with any other.
func (s *State) normalization(feed sheaf.Feed, now time.Time) Normalization {
	s.Learned.Shared, s.Learned.Lines = slices.Clone(s.Learned.Shared), slices.Clone(s.Learned.Lines)
	return Normalization{Feed: feed, Now: now, First: s.Succeeded.IsZero(), Learned: &s.Learned}
}

// keep remembers a document that made us panic.
func (p *Poller) keep(s Sample) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.samples = append(p.samples, s)
	kept, size := len(p.samples), 0
	for kept > 0 && len(p.samples)-kept < samplesKept && size+len(p.samples[kept-1].Body) <= samplesSize {
		kept--
		size += len(p.samples[kept].Body)
	}
	p.samples = slices.Clone(p.samples[kept:])
}

// failed takes in a failure: a *FetchError or a *ParseError.
func (p *Poller) failed(j *job, s State, err error) result {
	now := p.o.Now()
	fe := classed(err)
	s.Failures++
	s.Error, s.Status, s.Code = err.Error(), fe.Status, fe.Code
	if s.Failing.IsZero() {
		s.Failing = now
	}
	if fe.Code == FetchGone {
		if s.Gone.IsZero() {
			s.Gone = now
		}
		s.Disabled = s.Disabled || now.Sub(s.Gone) >= goneApart
	}
	wait := p.plan.backoff(j.Feed.ID, &s, fe, now)
	if j.local {
		wait = fe.RetryAfter
	}
	s.Next = p.within(j.Feed.ID, later(now.Add(wait), s.Floor))
	if fe.Code == FetchBusy && !j.local {
		s.Cooldown = now.Add(wait)
		p.cool(j, s.Cooldown)
	}
	return result{Outcome: Outcome{Feed: j.Feed, State: s, Err: err}}
}

// classed is the class of a failure: that of a *FetchError, else one that stands for a document that is no feed.
func classed(err error) *FetchError {
	var fe *FetchError
	if errors.As(err, &fe) {
		return fe
	}
	var pe *ParseError
	if errors.As(err, &pe) && pe.Code == CodePanic {
		return &FetchError{Code: FetchPanic}
	}
	return &FetchError{}
}

// cool keeps every feed of a host waiting.
func (p *Poller) cool(j *job, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h := p.host(j.host)
	h.cool = later(h.cool, until)
}

// verdict is whether the failures to connect of this round were our own fault.
func (p *Poller) verdict() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reach.cutOff(reachFew, p.o.Now())
}

// forgiven is the outcome of a poll that failed because we were offline: the feed's record stays as it was, and it is soon due again.
func (p *Poller) forgiven(o Outcome) Outcome {
	o.State.Failures--
	if o.State.Failures == 0 {
		o.State.Failing, o.State.Error, o.State.Code = time.Time{}, "", ""
	}
	o.State.Next = p.o.Now().Add(canaryEvery)
	o.Err = fmt.Errorf("%w (nearly all hosts fail: sheaf itself seems to be offline)", o.Err)
	return o
}

// mergedOutcome is the outcome for a feed whose address another one has come to: it is not asked.
func (p *Poller) mergedOutcome(d Due) result {
	now := p.o.Now()
	s := d.State.attempted(now)
	s.Next = now.Add(max(p.plan.interval(&s, now), p.plan.shortest(&s)))
	return result{Outcome: Outcome{Feed: d.Feed, State: s, Unchanged: true, Notes: []Note{{Code: "address_shared", Count: 1}}}}
}

package feeds

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"sheaf"
	"sheaf/feeds/extract"
)

const (
	startsPerSecond = 20       // at foreign hosts, together (B30)
	parseMemory     = 64 << 20 // bytes of documents being parsed at once (B41)
	samplesKept     = 20       // documents kept that made us panic (B43)
	samplesSize     = 32 << 20 // bytes of these together
)

// Poller polls feeds politely: one request at a time and host, none earlier than a server allows, every next poll stored before its
// request is sent. Its methods may be called from several goroutines; polls follow one another.
type Poller struct {
	store   Store
	o       Options
	client  *Client
	fetcher *fetcher
	pager   *fetcher // of article pages
	starts  *rate.Limiter
	memory  *semaphore.Weighted
	parse   func(Input) (*Document, error) // Parse

	storeMu sync.Mutex // held while the store is called

	pollMu  sync.Mutex // held during Poll; guards the fields below
	plan    plan
	planned time.Time
	claims  int
	started time.Time // of the first Poll, or of the first since Wake

	mu      sync.Mutex // guards the fields below
	hosts   map[string]*host
	reach   reach
	samples []Sample
	robots  map[string]*robots // by origin
	flights map[*job]time.Time // requests under way, with their start by the monotonic clock
	woken   bool               // Wake has been called since the last Poll
	again   time.Time          // for what the last Poll left
}

// host is what the poller remembers of one host key.
type host struct {
	turn  chan struct{} // held during a request
	asked time.Time     // last start, by the monotonic clock
	paged time.Time     // last start for a page, by the same
	cool  time.Time     // wall clock; no request before
}

// Sample is a document that made us panic, kept for the report of the fault.
type Sample struct {
	Feed  sheaf.Feed
	At    time.Time
	Body  []byte
	Cause string
}

// NewPoller returns a poller that stores into store. It checks the options and starts nothing.
func NewPoller(store Store, o Options) (*Poller, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("polling: %w", err)
	}
	o = o.withDefaults()
	client, err := NewClient(ClientOptions{Allow: o.Allow, Parallel: o.Parallel, resolver: o.resolver, dial: o.dial, roots: o.roots, Proxy: o.Proxy})
	if err != nil {
		return nil, fmt.Errorf("polling: %w", err)
	}
	fetch := fetcher{
		client: client, agent: UserAgent(o), timeout: o.Timeout, maxBody: o.MaxBody, now: o.Now,
		slow: semaphore.NewWeighted(int64(max(1, o.Parallel/4))),
	}
	pages := fetch
	pages.maxBody = min(o.MaxBody, extract.MaxPage)
	return &Poller{
		store: store, o: o, client: client, fetcher: &fetch, pager: &pages, robots: make(map[string]*robots), flights: make(map[*job]time.Time),
		starts: rate.NewLimiter(startsPerSecond, startsPerSecond),
		memory: semaphore.NewWeighted(parseMemory),
		parse:  Parse,
		plan:   plan{min: o.MinInterval},
		hosts:  make(map[string]*host),
	}, nil
}

// Due reports whether a feed is due by its own state at this moment. Poll may still leave it for later: while its host cools down, while
// we are offline, or to spread the work after a start.
func (p *Poller) Due(d Due) bool { return IsDue(d, p.o.Now(), p.o.Force) }

// Offline reports whether polling is paused because hardly any host can be reached: it is we who are cut off.
func (p *Poller) Offline() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reach.offline
}

// Samples returns the last documents that made us panic, oldest first.
func (p *Poller) Samples() []Sample {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.samples)
}

// Client is the poller's way out, for other requests to the same kind of hosts. Another one takes its place with Reconfigure.
func (p *Poller) Client() *Client {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.client
}

// Close closes the connections kept between polls. The poller can still be used.
func (p *Poller) Close() { p.Client().CloseIdleConnections() }

// Poll polls those of the given feeds that are due and stores what came of each. Give it all feeds with their states, not only the due
// ones: cool-downs of hosts and the shares of the budget are read from them. The outcomes come in the order in which they were stored,
// without their articles. A feed's failure is in its outcome; the error is that of ctx or of the store. When ctx ends, nothing more is
// asked, requests under way end at once and what is complete is stored.
func (p *Poller) Poll(ctx context.Context, due []Due) ([]Outcome, error) {
	p.pollMu.Lock()
	defer p.pollMu.Unlock()
	now := p.o.Now()
	p.prepare(due, now)

	jobs, merged := p.jobs(due, now)
	total := len(jobs) + len(merged)
	r := &round{p: p, total: total, merged: merged, outcomes: make([]Outcome, 0, total)}
	if !p.Offline() {
		err := r.run(ctx, jobs)
		return r.outcomes, err
	}
	first, rest := p.canary(jobs, now)
	if err := r.run(ctx, first); err != nil || p.Offline() {
		return r.outcomes, err
	}
	err := r.run(ctx, rest)
	return r.outcomes, err
}

// canary picks what may be polled while offline: what is local, and one foreign feed a minute.
func (p *Poller) canary(jobs []*job, now time.Time) (first, rest []*job) {
	p.mu.Lock()
	probe := p.reach.probe(now)
	p.mu.Unlock()
	for _, j := range jobs {
		switch {
		case j.local:
			first = append(first, j)
		case probe:
			first = append(first, j)
			probe = false
		default:
			rest = append(rest, j)
		}
	}
	return first, rest
}

// prepare learns from the states of all feeds what holds for each: the cool-downs of hosts and the constant of the schedule.
func (p *Poller) prepare(due []Due, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.started.IsZero() || p.woken {
		p.started = now
	}
	p.woken, p.again = false, time.Time{}
	for key, h := range p.hosts {
		if time.Since(h.asked) > time.Hour && !h.cool.After(now) {
			delete(p.hosts, key)
		}
	}
	for i := range due {
		if s := &due[i].State; s.Cooldown.After(now) && !s.Polled.After(now.Add(clockSkew)) {
			key, _ := s.host(s.address(due[i].Feed.URL))
			h := p.host(key)
			h.cool = later(h.cool, s.Cooldown)
		}
	}
	if p.claims == len(due) && now.Sub(p.planned) < time.Hour && !p.planned.After(now) {
		return
	}
	var claims []Claim
	for i := range due {
		if _, local := place(due[i].Feed.URL); !local && !due[i].State.Disabled {
			claims = append(claims, p.plan.claim(&due[i].State, now))
		}
	}
	p.plan.k, p.planned, p.claims = SolveK(claims, p.o.Interval), now, len(due)
}

// host is the memory of one host key. The caller holds mu.
func (p *Poller) host(key string) *host {
	h := p.hosts[key]
	if h == nil {
		h = &host{turn: make(chan struct{}, 1)}
		p.hosts[key] = h
	}
	return h
}

// jobs picks the feeds to poll now. Those that took longest last time start first, so that the round does not end waiting for them; of
// equals the longest due is first. Feeds that have come to share an address with one before them are merged into it:
// the address is asked once (B25).
func (p *Poller) jobs(due []Due, now time.Time) (jobs []*job, merged []Due) {
	p.mu.Lock()
	defer p.mu.Unlock()
	taken := make(map[string]bool, len(due))
	jobs = make([]*job, 0, len(due))
	for i := range due {
		d := &due[i]
		address := d.State.address(d.Feed.URL)
		first := !taken[address]
		taken[address] = true
		if !p.wanted(d, now) {
			continue
		}
		if !first {
			merged = append(merged, *d)
			continue
		}
		host, local := d.State.host(address)
		if h := p.hosts[host]; h == nil || p.o.Force || !h.cool.After(now) {
			jobs = append(jobs, &job{Due: *d, address: address, host: host, local: local})
		}
	}
	slices.SortStableFunc(jobs, func(a, b *job) int {
		return cmp.Or(cmp.Compare(b.State.Took, a.State.Took), a.State.Next.Compare(b.State.Next))
	})
	return jobs, merged
}

// wanted reports whether to poll a feed now, within its hours. The caller holds mu.
func (p *Poller) wanted(d *Due, now time.Time) bool {
	if d.Held || !p.o.Force && p.within(d.Feed.ID, now).After(now) {
		return false
	}
	if !IsDue(*d, now, p.o.Force) && !p.misplaced(d, now) {
		if soon := d.promptAt(); soon.After(now) {
			p.leave(soon)
		}
		return false
	}
	turn := p.turnOf(d, now)
	if turn.After(now) {
		p.leave(turn)
		return false
	}
	return true
}

// within is the first instant from t on that lies in a feed's hours.
func (p *Poller) within(feed sheaf.FeedID, t time.Time) time.Time {
	if hours := p.o.Hours[feed]; hours != nil {
		return hours(t)
	}
	return t
}

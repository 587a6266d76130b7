package feeds

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// round is one call of Poll: a dispatcher that starts polls as manners allow, workers that fetch and parse, and one writer.
type round struct {
	p        *Poller
	total    int
	done     int
	failed   int
	merged   []Due // feeds another stands for
	outcomes []Outcome

	queue   *queue
	workers sync.WaitGroup
	ready   chan result      // from workers to the writer
	over    chan *lane       // from workers to the dispatcher
	full    <-chan time.Time // the round has lasted long enough
	drain   <-chan struct{}  // no more is to be started
	stop    context.CancelCauseFunc
}

// errDrained ends the requests that Grace was not enough for.
var errDrained = errors.New("polling is to end")

// result is an outcome on its way to the store.
type result struct {
	Outcome
	fresh int       // articles not seen before
	local bool      // the feed is on this machine
	doc   *Document // of a feed that is a file, for a look at it; nil otherwise
}

// run polls the jobs and returns when all that is complete has been stored.
func (r *round) run(ctx context.Context, jobs []*job) error {
	p := r.p
	p.mu.Lock()
	r.queue = newQueue(jobs, p.o.HostGap, func(key string) time.Time {
		if h := p.hosts[key]; h != nil {
			return h.asked
		}
		return time.Time{}
	})
	p.mu.Unlock()
	r.ready, r.over = make(chan result, p.o.Parallel), make(chan *lane, p.o.Parallel)
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r.stop = stop

	var writer sync.WaitGroup
	var failure error
	writer.Go(func() { failure = r.write(context.WithoutCancel(ctx)) })
	r.dispatch(running)
	r.workers.Wait()
	close(r.ready)
	writer.Wait()
	if failure != nil {
		return failure
	}
	if cause := context.Cause(running); cause != errDrained {
		return cause
	}
	return nil
}

// dispatch starts a worker for each job, as soon as it may be polled and a slot is free.
func (r *round) dispatch(ctx context.Context) {
	free := r.p.o.Parallel
	if limit := r.p.o.Round; limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		r.full = timer.C
	}
	r.drain = r.p.o.Drain
	for ctx.Err() == nil {
		if r.drain != nil && r.p.draining() {
			r.finish(ctx)
		}
		wait := time.Duration(-1)
		if free > 0 {
			started := false
			if started, wait = r.start(ctx); started {
				free--
				continue
			}
		}
		if free == r.p.o.Parallel && r.queue.waiting == 0 {
			return
		}
		if l := r.await(ctx, wait); l != nil {
			free++
			r.queue.done(l)
		}
	}
}

// start gives the next job to a worker. If there is none it says how long to wait for one; -1 means until a worker is done.
func (r *round) start(ctx context.Context) (started bool, wait time.Duration) {
	now := time.Now()
	pause := r.pace(now)
	if pause > 0 {
		return false, pause
	}
	j, wait, ok := r.queue.take(now)
	if !ok {
		if wait == 0 {
			wait = -1
		}
		return false, wait
	}
	if !r.admit(j, now) {
		r.over <- j.lane // never blocks: the slot this job would have taken is free
		return true, 0
	}
	r.workers.Go(func() {
		defer func() { r.over <- j.lane }()
		r.work(ctx, j)
	})
	return true, 0
}

// pace is how long the global rate of starts asks to wait before the next foreign job; 0 if the next is local.
func (r *round) pace(now time.Time) time.Duration {
	if len(r.queue.lanes) == 0 || r.queue.lanes[0].local || r.queue.lanes[0].ready.After(now) {
		return 0
	}
	reservation := r.p.starts.ReserveN(now, 1)
	pause := reservation.DelayFrom(now)
	if pause > 0 {
		reservation.CancelAt(now)
	}
	return pause
}

// admit notes the start of a job, unless its host has asked for rest meanwhile or we have turned out to be offline: then the lane, or
// every foreign lane, is emptied.
func (r *round) admit(j *job, now time.Time) bool {
	if j.local {
		return true
	}
	p := r.p
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reach.offline && p.reach.cutOff(reachHosts, p.o.Now()) {
		r.queue.dropForeign()
		return false
	}
	h := p.host(j.host)
	if h.cool.After(p.o.Now()) && !p.o.Force {
		r.queue.drop(j.lane)
		return false
	}
	h.asked = now
	return true
}

// leaveRest leaves what has not been started to the next round.
func (r *round) leaveRest() {
	if r.queue.waiting == 0 {
		return
	}
	r.queue.dropAll()
	r.p.mu.Lock()
	defer r.p.mu.Unlock()
	r.p.leave(r.p.o.Now())
}

// finish starts nothing more and ends what is under way after its grace.
func (r *round) finish(ctx context.Context) {
	r.drain = nil
	r.queue.dropAll()
	timer := time.AfterFunc(r.p.o.Grace, func() { r.stop(errDrained) })
	context.AfterFunc(ctx, func() { timer.Stop() })
}

// draining reports whether polling is to end.
func (p *Poller) draining() bool {
	select {
	case <-p.o.Drain: // never, if it is nil
		return true
	default:
		return false
	}
}

// await waits for a worker to be done, for wait to pass unless it is negative, for the end of the round's time or of all polling, or for
// that of ctx.
func (r *round) await(ctx context.Context, wait time.Duration) *lane {
	var passed <-chan time.Time
	if wait >= 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		passed = timer.C
	}
	select {
	case l := <-r.over:
		return l
	case <-r.full:
		r.leaveRest()
	case <-r.drain:
		r.finish(ctx)
	case <-passed:
	case <-ctx.Done():
	}
	return nil
}

// work polls one feed and hands its outcome over. A poll that ctx has ended leaves no outcome.
func (r *round) work(ctx context.Context, j *job) {
	res, err := r.p.guarded(ctx, j)
	if err != nil {
		if !errors.Is(err, context.Canceled) && !errors.Is(err, errDrained) {
			r.stop(err)
		}
		return
	}
	res.local = j.local
	r.ready <- res
}

// write stores outcomes as they come. Failures to connect are kept back until the end: if it was we who were offline, no feed is blamed.
func (r *round) write(ctx context.Context) error {
	var failure error
	var held []result
	for res := range r.ready {
		var fe *FetchError
		if errors.As(res.Err, &fe) && fe.unreachable() && !res.local {
			held = append(held, res)
			continue
		}
		if failure == nil {
			failure = r.save(ctx, res)
		}
	}
	for _, d := range r.merged {
		held = append(held, r.p.mergedOutcome(d))
	}
	r.merged = nil
	offline := r.p.verdict()
	for _, res := range held {
		if offline && res.Err != nil {
			res.Outcome = r.p.forgiven(res.Outcome)
		}
		if failure == nil {
			failure = r.save(ctx, res)
		}
	}
	return failure
}

// save stores one outcome and lets its articles go.
func (r *round) save(ctx context.Context, res result) error {
	r.p.storeMu.Lock()
	err := r.p.store.Save(ctx, res.Outcome)
	r.p.storeMu.Unlock()
	if err != nil {
		err = fmt.Errorf("store the poll of %s: %w", Redact(res.Feed.URL), err)
		r.stop(err)
		return err
	}
	res.Articles = nil
	r.outcomes = append(r.outcomes, res.Outcome)
	r.done++
	if res.Err != nil {
		r.failed++
	}
	r.p.o.Progress(Progress{
		Done: r.done, Failed: r.failed, Total: r.total, Feed: res.Feed, New: res.fresh, Unchanged: res.Unchanged, Err: res.Err,
	})
	return nil
}

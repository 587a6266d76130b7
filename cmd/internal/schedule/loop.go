package schedule

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robfig/cron/v3"
)

const (
	heartbeat = 20 * time.Second // between two looks at the clock, at most
	leap      = time.Minute      // a step of the wall clock that is worth a word (B57)
	soonest   = 15 * time.Second // between the end of a run and one that it asked for
)

// Options configure a Loop. Zero values mean defaults.
type Options struct {
	Log     *slog.Logger             // none
	Now     func() time.Time         // the wall clock; time.Now
	Stepped func(step time.Duration) // called from the loop when the wall clock has leapt: sleep, or somebody set it; none
}

// Loop runs one job by a schedule, never twice at once. It looks at the wall clock every 20 seconds, so that neither sleep nor a clock that
// is set makes it miss a run for long. Its methods may be called from any goroutine.
type Loop struct {
	o       Options
	changed chan struct{} // holds one token: the fields below have changed
	ticked  atomic.Int64  // monotonic ns since began, of the last turn of the loop
	began   time.Time

	mu    sync.Mutex // guards the fields below
	s     Schedule
	fresh bool // s has not been looked at
	wake  bool // a run is wanted as soon as may be
}

// NewLoop returns a loop by the schedule. It starts nothing.
func NewLoop(s Schedule, o Options) *Loop {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Stepped == nil {
		o.Stepped = func(time.Duration) {}
	}
	return &Loop{o: o, changed: make(chan struct{}, 1), began: time.Now(), s: s, wake: true}
}

// Reschedule puts another schedule in the place of the present one.
func (l *Loop) Reschedule(s Schedule) {
	l.mu.Lock()
	l.s, l.fresh = s, true
	l.mu.Unlock()
	l.poke()
}

// Wake asks for a run at once, or right after the one that is going on.
func (l *Loop) Wake() {
	l.mu.Lock()
	l.wake = true
	l.mu.Unlock()
	l.poke()
}

func (l *Loop) poke() {
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

// Idle is how long the loop has not turned: under 20 seconds and a little while it is well, since before Run if that was never called.
func (l *Loop) Idle() time.Duration {
	return time.Since(l.began) - time.Duration(l.ticked.Load())
}

// Run calls job at once and then at every time of the schedule until ctx ends, and waits for a running one. A job that returns a time is
// called again then, or 15 seconds later, if that is before the schedule's next time. A run that is still going on when the next is due
// makes that one be skipped; a panic in a job is logged and costs that run alone.
func (l *Loop) Run(ctx context.Context, job func() (again time.Time)) {
	r := runner{Loop: l, clock: newClock(l.o.Now), job: job, done: make(chan time.Time, 1)}
	defer r.jobs.Wait()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case again := <-r.done:
			r.finished(again)
		case <-l.changed:
		case <-timer.C:
		}
		timer.Reset(min(r.turn(), heartbeat))
		l.ticked.Store(int64(time.Since(l.began)))
	}
}

// runner is one Run of a Loop.
type runner struct {
	*Loop
	clock *clock
	job   func() time.Time
	jobs  sync.WaitGroup
	done  chan time.Time // what the job returned

	running bool
	next    time.Time // by the schedule
	again   time.Time // asked for by the last run; zero: not at all
}

// finished takes in the end of a run.
func (r *runner) finished(again time.Time) {
	r.running, r.again = false, again
	if soon := r.o.Now().Add(soonest); !again.IsZero() && again.Before(soon) {
		r.again = soon
	}
}

// turn looks at the clock, starts what is due, and says how long nothing will be.
func (r *runner) turn() (wait time.Duration) {
	now, step := r.clock.look()
	r.mu.Lock()
	defer r.mu.Unlock()
	if step.Abs() > leap {
		r.o.Log.Warn("clock stepped, or slept: due times worked out anew", "by", step.Round(time.Second))
		r.o.Stepped(step)
		r.wake, r.again = true, time.Time{}
	}
	if r.fresh || r.next.IsZero() || step < -leap {
		r.next, r.fresh = r.s.Next(now), false
	}
	scheduled := !now.Before(r.next)
	if scheduled {
		r.next = r.s.Next(now)
	}
	wanted := scheduled || r.wake || !r.again.IsZero() && !now.Before(r.again)
	switch {
	case wanted && !r.running:
		r.start()
	case scheduled:
		r.o.Log.Warn("sweep skipped: the one before is still running")
	}
	wait = r.next.Sub(now)
	if !r.again.IsZero() {
		wait = min(wait, r.again.Sub(now))
	}
	return max(wait, 0)
}

// start runs the job beside the loop. The caller holds mu.
func (r *runner) start() {
	r.running, r.wake, r.again = true, false, time.Time{}
	r.jobs.Go(func() {
		var again time.Time
		cron.Recover(logger{r.o.Log})(cron.FuncJob(func() { again = r.job() })).Run()
		r.done <- again
	})
}

// logger hands a panic of a job to slog; the library says nothing else through it.
type logger struct{ log *slog.Logger }

// Info implements [cron.Logger].
func (l logger) Info(string, ...any) {}

// Error logs a panic of a job, with its stack.
func (l logger) Error(err error, msg string, details ...any) {
	l.log.With(details...).Error("sweep died", "err", fmt.Errorf("%s: %w", msg, err))
}

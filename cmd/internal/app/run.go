package app

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"sheaf/cmd/internal/config"
	"sheaf/cmd/internal/front"
	"sheaf/cmd/internal/metrics"
	"sheaf/cmd/internal/schedule"
	"sheaf/cmd/internal/systemd"
)

const (
	stopWithin = 17 * time.Second // from the signal to where a sweep is canceled, whatever it does (B59: all is over after 20)
	retryAfter = time.Minute      // from a sweep that failed, on a full disk, say, to the next (B56)
)

// Daemon is what Run needs of the process around it. The zero value runs without.
type Daemon struct {
	Hangup   <-chan os.Signal               // asks for the configuration to be read again
	Load     func() (*config.Config, error) // reads it
	Sockets  []systemd.Socket               // passed by the service manager; they go before the configured addresses
	Manager  *systemd.Notifier              // is told how it goes
	Watchdog time.Duration                  // how often it wants to hear that the process is alive; 0: never
}

// daemon is one Run of an App.
type daemon struct {
	*App
	Daemon
	loop    *schedule.Loop
	pages   changing                      // what the public address answers
	proxies atomic.Pointer[front.Proxies] // trusted now
	public  []*front.Listener
	stage   atomic.Int32            // a stage
	present *config.Config          // for the goroutine that reloads
	end     context.CancelCauseFunc // ends the Run with an error
}

// The stages of a daemon's life.
const (
	stageStarting int32 = iota
	stageReady
	stageStopping
)

// Run is the daemon: a sweep at once, then one at every time of the schedule, and the published documents over HTTP, until ctx ends. Then
// no fetch is started, those under way get ten seconds, what came in is published, and open requests are finished: in under 20 seconds
// all is over. The error is nil for such an end; a damaged database ends it with one for which Damaged holds, and Open puts that right. A
// hangup makes it take over a changed configuration in place.
func (a *App) Run(ctx context.Context, around Daemon) error {
	d := &daemon{App: a, Daemon: around, present: a.config}
	s, err := schedule.Parse(a.config.Schedule, a.config.Zone)
	if err != nil {
		return err
	}
	d.loop = schedule.NewLoop(s, schedule.Options{Log: a.log, Now: a.now, Stepped: d.stepped})
	handler, err := a.public(a.setup)
	if err != nil {
		return err
	}
	d.use(handler, a.config)
	public, admin, err := listeners(ctx, a.config, around.Sockets)
	if err != nil {
		return err
	}
	ctx, d.end = context.WithCancelCause(ctx)
	defer d.end(nil)
	group, ctx := errgroup.WithContext(ctx)
	for _, l := range public {
		d.serve(ctx, group, l)
	}
	d.watch()
	for _, l := range admin {
		d.serveAdmin(ctx, group, l)
	}
	d.work(ctx, group)
	d.stage.Store(stageReady)
	d.Manager.Ready()
	<-ctx.Done()
	d.stage.Store(stageStopping)
	d.Manager.Stopping()
	a.log.Info("stopping")
	if err := group.Wait(); err != nil {
		return err
	}
	if cause := context.Cause(ctx); Damaged(cause) {
		return cause
	}
	return nil
}

// work starts what the daemon does besides answering.
func (d *daemon) work(ctx context.Context, group *errgroup.Group) {
	for name, do := range map[string]func(context.Context){
		"sweep by schedule": d.sweeps, "take over configurations": d.reloads, "tell the watchdog": d.tellAlive, "keep pictures": d.tendIcons,
	} {
		group.Go(func() error { d.keepOn(ctx, name, do); return nil })
	}
	if d.hubs == nil {
		return
	}
	group.Go(func() error { d.keepOn(ctx, "tend leases", d.tendHubs); return nil })
	group.Go(func() error {
		d.keepOn(ctx, "heed hubs", func(ctx context.Context) { d.heedHubs(ctx, d.loop.Wake) })
		return nil
	})
}

// keepOn does something until ctx ends. A panic in it is logged, and it is begun anew after a while.
func (d *daemon) keepOn(ctx context.Context, what string, do func(context.Context)) {
	for ctx.Err() == nil {
		func() {
			defer func() {
				if cause := recover(); cause != nil {
					d.log.Error("a fault of sheaf itself; begun anew in a minute", "in", what, "err", cause, "stack", string(debug.Stack()))
				}
			}()
			do(ctx)
		}()
		pause(ctx, retryAfter)
	}
}

// use serves by a configuration from now on.
func (d *daemon) use(handler http.Handler, c *config.Config) {
	proxies := front.Proxies(c.TrustedProxies())
	d.proxies.Store(&proxies)
	d.pages.set(handler)
}

// sweeps runs the schedule until ctx ends, and gives the sweep that is going on then its time to finish.
func (d *daemon) sweeps(ctx context.Context) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		d.Finish()
		timer := time.AfterFunc(stopWithin, cancel)
		context.AfterFunc(work, func() { timer.Stop() })
	})
	defer stop()
	d.loop.Run(ctx, func() time.Time { return d.tick(work) })
}

// tick is one sweep of the daemon, and says when to sweep again if that is before the schedule's next time. What goes wrong is logged and
// tried again; a panic goes on to the loop, which survives it.
func (d *daemon) tick(ctx context.Context) (again time.Time) {
	start, result, status := time.Now(), metrics.SweepPanicked, "the last sweep died of a fault of sheaf itself"
	defer func() {
		d.metrics.Swept(result, time.Since(start), d.now())
		if result == metrics.SweepPanicked {
			d.forget()
		}
		d.Manager.Status(status)
	}()
	r, err := d.Sweep(ctx)
	switch {
	case ctx.Err() != nil:
		result, status = metrics.SweepStopped, "stopping"
		d.log.Warn("sweep cut off: it took too long to finish")
	case err != nil:
		result, status = metrics.SweepFailed, "the last sweep failed: "+err.Error()
		if Damaged(err) {
			d.end(err)
			return time.Time{}
		}
		d.log.Error("sweep failed; what was published stays, and it is tried again in a minute", "err", err)
		return d.now().Add(retryAfter)
	default:
		result, status = metrics.SweepDone, d.status(r)
		d.log.Info("sweep done", "polled", r.Feeds.Polled, "unchanged", r.Feeds.Unchanged, "failed", r.Feeds.Failed,
			"articles", r.Articles.New, "stories", r.Stories, "seconds", r.Seconds)
	}
	return d.poller.Again()
}

// status says in a line how it goes.
func (d *daemon) status(r Report) string {
	text := fmt.Sprintf("%d feeds, %d failing, %d stories", r.Feeds.Configured, r.Feeds.Failing, r.Stories)
	if d.poller.Offline() {
		text += "; offline: hardly any host can be reached"
	}
	return text
}

// stepped takes in a leap of the clock.
func (d *daemon) stepped(time.Duration) {
	d.metrics.Stepped()
	d.poller.Wake()
}

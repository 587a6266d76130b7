package schedule

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/robfig/cron/v3"
)

// Run calls job at every time of the schedule until ctx ends, then waits for a running one. A run that is still going when the next is
// due makes that one be skipped; a panic in a job is logged and costs that run alone.
func Run(ctx context.Context, s Schedule, log *slog.Logger, job func()) {
	l := logger{log}
	// The order matters: with Recover outside, a panic would leave SkipIfStillRunning locked and the job would never run again.
	c := cron.New(cron.WithLocation(time.UTC), cron.WithLogger(l), cron.WithChain(cron.SkipIfStillRunning(l), cron.Recover(l)))
	c.Schedule(s.next, cron.FuncJob(job))
	c.Start()
	<-ctx.Done()
	<-c.Stop().Done()
}

// logger hands the library's messages to slog: what it calls info is noise except for a skipped run.
type logger struct{ log *slog.Logger }

// Info logs a skipped run; starts and stops are not news.
func (l logger) Info(msg string, _ ...any) {
	if msg == "skip" {
		l.log.Warn("sweep skipped: the one before is still running")
	}
}

// Error logs a panic of a job.
func (l logger) Error(err error, msg string, _ ...any) {
	l.log.Error("sweep died", "err", fmt.Errorf("%s: %w", msg, err))
}

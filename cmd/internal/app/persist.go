package app

import (
	"context"
	"time"

	"sheaf/cmd/internal/schedule"
)

// retryAfter is the pause after a sweep that failed: on a full disk, say. What was published last stays and is served meanwhile.
const retryAfter = time.Minute

// sweeps does a sweep at once and one at every time of the schedule, until ctx ends. The error is damage in the database, which only
// opening it again puts right.
func (a *App) sweeps(ctx context.Context, s schedule.Schedule) error {
	damage := a.persist(ctx)
	if damage != nil {
		return damage
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	schedule.Run(ctx, s, a.log, func() {
		if damage == nil {
			damage = a.persist(ctx)
		}
		if damage != nil {
			stop()
		}
	})
	return damage
}

// persist sweeps until one sweep succeeds or ctx ends. A failing sweep asks no outlet more often than others do: before a request leaves it
// must have been able to store when the next one may.
func (a *App) persist(ctx context.Context) error {
	for ctx.Err() == nil {
		err := a.tick(ctx)
		switch {
		case Damaged(err):
			return err
		case err == nil || !pause(ctx, retryAfter):
			return nil
		}
	}
	return nil
}

package schedule

import "time"

// clock compares the wall clock with the monotonic one, which stands still while the machine sleeps and never jumps.
type clock struct {
	now  func() time.Time // the wall clock
	wall time.Time        // at the last look, without a monotonic reading
	mono time.Time        // at the last look
}

func newClock(now func() time.Time) *clock {
	return &clock{now: now, wall: now().Round(0), mono: time.Now()}
}

// look gives the wall-clock time, and by how much it has moved beyond what has elapsed since the last look: positive after a sleep or when
// it was set forward, negative when it was set back.
func (c *clock) look() (now time.Time, step time.Duration) {
	now = c.now().Round(0)
	mono := time.Now()
	step = now.Sub(c.wall) - mono.Sub(c.mono)
	c.wall, c.mono = now, mono
	return now, step
}

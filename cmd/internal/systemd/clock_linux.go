package systemd

import (
	"time"

	"golang.org/x/sys/unix"
)

// monotonic reads CLOCK_MONOTONIC, by which the service manager tells a reload from one before.
func monotonic() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) != nil { // cannot fail: the clock is always there
		return 0
	}
	return time.Duration(t.Nano())
}

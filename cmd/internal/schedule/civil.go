package schedule

import (
	"time"

	"github.com/robfig/cron/v3"
)

// wildcard is the bit by which the library marks a field that was written as *.
const wildcard = uint64(1) << 63

// civilSchedule runs a specification with fixed hours on the wall clock of its zone.
type civilSchedule struct {
	wall cron.SpecSchedule // evaluated in UTC, where every wall-clock reading exists exactly once
	zone *time.Location
}

// civil wraps a specification with fixed hours; intervals and wildcard hours follow elapsed time and need no wrapping.
func civil(s cron.Schedule, zone *time.Location) cron.Schedule {
	spec, ok := s.(*cron.SpecSchedule)
	if !ok {
		return s
	}
	local := *spec
	local.Location = zone
	if spec.Hour&wildcard != 0 {
		return &local
	}
	local.Location = time.UTC
	return civilSchedule{wall: local, zone: zone}
}

// Next is the first run after t; the zero time if there is none.
func (c civilSchedule) Next(t time.Time) time.Time {
	reading := wallClock(t.In(c.zone))
	for { // inside a repeated hour many readings lie before t; each step moves on
		reading = c.wall.Next(reading)
		if reading.IsZero() {
			return reading
		}
		if run := c.instant(reading); run.After(t) {
			return run
		}
	}
}

// instant is the earliest moment at which the clock of the zone shows the reading or, where a change of the clock skips it, the first
// moment at which it shows a later one.
func (c civilSchedule) instant(reading time.Time) time.Time {
	// Zones are at most 14 h from UTC, so the moment lies within a day on either side. Readings are not monotonic across a repeated
	// hour, so the search runs to the first transition past the reading, not by bisection over the whole span.
	low := reading.Add(-26 * time.Hour)
	for low.Before(reading.Add(26 * time.Hour)) {
		_, end := low.In(c.zone).ZoneBounds()
		_, offset := low.In(c.zone).Zone()
		run := reading.Add(-time.Duration(offset) * time.Second)
		if run.Before(low) {
			return low.In(c.zone) // skipped: the first instant after the gap
		}
		if end.IsZero() || run.Before(end) {
			return run.In(c.zone)
		}
		low = end
	}
	return low.In(c.zone)
}

// wallClock reads the clock of t's zone as if it were UTC.
func wallClock(t time.Time) time.Time {
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	return time.Date(year, month, day, hour, minute, second, 0, time.UTC)
}

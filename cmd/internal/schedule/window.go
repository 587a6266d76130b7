package schedule

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// Window is hours in which something may happen. The zero value is not one: use [ParseWindow].
type Window struct {
	spec cron.SpecSchedule
	zone *time.Location
}

// windowHours is how many hours are looked through for one in a window: five years, as the library does.
const windowHours = 5 * 366 * 24

// ParseWindow reads a five-field cron specification as a window of whole hours: "0 6-22 * * 1-5" is from 6:00 to 22:59 on weekdays, by the
// clock of a zone as in [Parse]. The minute is 0 or *.
func ParseWindow(spec, zone string) (Window, error) {
	fields := strings.Fields(spec)
	if len(fields) != 5 || fields[0] != "0" && fields[0] != "*" {
		return Window{}, fmt.Errorf("hours %q: five fields are needed, the first 0: minute hour day month weekday, such as 0 6-22 * * 1-5", spec)
	}
	if _, err := Parse(spec, zone); err != nil {
		return Window{}, err
	}
	location, err := time.LoadLocation(zone)
	if err != nil {
		return Window{}, fmt.Errorf("time zone %q is unknown", zone)
	}
	fields[4] = sunday.ReplaceAllString(fields[4], "${1}0")
	parsed, err := cron.ParseStandard(strings.Join(fields, " "))
	if err != nil {
		return Window{}, fmt.Errorf("hours %q: %w", spec, err)
	}
	s, ok := parsed.(*cron.SpecSchedule)
	if !ok {
		return Window{}, errors.New("hours must be a specification of five fields")
	}
	return Window{*s, location}, nil
}

// From is the first instant from t on that lies in the window.
func (w Window) From(t time.Time) time.Time {
	at := t
	for range windowHours {
		local := at.In(w.zone)
		if w.open(local) {
			return at
		}
		// Elapsed time, so that clock changes neither skip an hour nor stand still.
		at = at.Add(time.Hour - time.Duration(local.Minute())*time.Minute - time.Duration(local.Second())*time.Second - time.Duration(local.Nanosecond()))
	}
	return t
}

// open reports whether a time of the window's zone lies in it. If both day fields are given, either suffices, as in cron(8).
func (w Window) open(local time.Time) bool {
	has := func(bits uint64, n int) bool { return bits>>n&1 == 1 }
	day, weekday := has(w.spec.Dom, local.Day()), has(w.spec.Dow, int(local.Weekday()))
	either := day && weekday
	if w.spec.Dom&wildcard == 0 && w.spec.Dow&wildcard == 0 {
		either = day || weekday
	}
	return has(w.spec.Month, int(local.Month())) && has(w.spec.Hour, local.Hour()) && either
}

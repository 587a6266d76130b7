// Package schedule says when to sweep. It is the only import of robfig/cron, with that library's traps closed: a specification that
// would never run, or run other than it reads, is an error; a time that a clock change skips runs right after the gap, and one that
// happens twice runs once (as in ISC cron).
package schedule

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// Schedule is a parsed cron specification in its time zone.
type Schedule struct {
	next cron.Schedule
}

// Next is the first run after t.
func (s Schedule) Next(t time.Time) time.Time { return s.next.Next(t) }

// shortest is the shortest interval a schedule may have.
const shortest = time.Minute

// Parse reads a five-field cron specification ("*/15 * * * *"), a macro ("@hourly") or an interval ("@every 20m"), evaluated in zone, a
// name of the time zone database; empty means UTC. Sunday may be written 0 or 7.
func Parse(spec, zone string) (Schedule, error) {
	location, err := time.LoadLocation(zone)
	if err != nil {
		return Schedule{}, fmt.Errorf("time zone %q is unknown", zone)
	}
	if strings.HasPrefix(spec, "TZ=") || strings.HasPrefix(spec, "CRON_TZ=") {
		return Schedule{}, errors.New("give the time zone under zone, not in the schedule")
	}
	if interval, ok := strings.CutPrefix(spec, "@every "); ok {
		return every(interval)
	}
	fields := strings.Fields(spec)
	if len(fields) == 5 {
		if err := checkSteps(fields); err != nil {
			return Schedule{}, fmt.Errorf("schedule %q: %w", spec, err)
		}
		fields[4] = sunday.ReplaceAllString(fields[4], "${1}0")
	} else if !strings.HasPrefix(spec, "@") {
		return Schedule{}, fmt.Errorf("schedule %q has %d fields; it needs five: minute hour day month weekday", spec, len(fields))
	}
	parsed, err := cron.ParseStandard(strings.Join(fields, " "))
	if err != nil {
		return Schedule{}, fmt.Errorf("schedule %q: %w", spec, err)
	}
	s := Schedule{civil(parsed, location)}
	if s.Next(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero() {
		return Schedule{}, fmt.Errorf("schedule %q never comes: no such day in the calendar", spec)
	}
	return s, nil
}

func every(interval string) (Schedule, error) {
	d, err := time.ParseDuration(strings.TrimSpace(interval))
	if err != nil {
		return Schedule{}, fmt.Errorf("@every %s is not an interval such as @every 20m", interval)
	}
	if d < shortest {
		return Schedule{}, fmt.Errorf("@every %s is too often; at least @every 1m", interval)
	}
	return Schedule{cron.Every(d)}, nil
}

// sunday finds a lone 7 in a weekday field.
var sunday = regexp.MustCompile(`(^|,)7\b`)

// limits are the largest values of the five fields: a larger step is accepted by the library and means something else.
var limits = [5]int{59, 23, 31, 12, 7}

func checkSteps(fields []string) error {
	for i, field := range fields {
		for part := range strings.SplitSeq(field, ",") {
			_, step, ok := strings.Cut(part, "/")
			if !ok {
				continue
			}
			n, err := strconv.Atoi(step)
			if err != nil || n < 1 || n > limits[i] {
				return fmt.Errorf("the step in %q must be 1 to %d", part, limits[i])
			}
		}
	}
	return nil
}

// Package dates reads the dates that feeds write.
//
// There is no list of layouts: feeds mix too many languages, orders and separators. A date is read piece by piece instead, and refused as
// soon as a piece makes no sense: no date is better than a wrong one.
package dates

import (
	"strings"
	"time"
	_ "time/tzdata" // zones by name, on machines without a database of them
)

// Order is the order of day and month in dates written with numbers only.
type Order int8

// The orders. The zero value means that nothing is known.
const (
	DayFirst   Order = 1
	MonthFirst Order = -1
)

// Options are what is known beside the string.
type Options struct {
	Zone  *time.Location // of dates without a zone, and of abbreviations that are used there as well as elsewhere; nil: UTC
	Order Order          // that the feed has shown before
}

// Date is a date as read.
type Date struct {
	Time         time.Time // UTC
	ZoneUnknown  bool      // it names a zone that nobody knows; Options.Zone was taken
	OrderGuessed bool      // day and month might be the other way round
	Order        Order     // shown by a day over 12; 0 if this date shows nothing
}

// maxLength is the longest string that is looked at, in bytes.
const maxLength = 128

// Parse reads a date. It reports false if there is none, or none that can be trusted.
func Parse(s string, o Options) (Date, bool) {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > maxLength {
		return Date{}, false
	}
	if t, ok := epoch(s); ok {
		return Date{Time: t}, true
	}
	r := reader{order: o.Order, zone: o.Zone, home: o.Zone}
	if r.zone == nil {
		r.zone = time.UTC
	}
	if !r.read(s) {
		return Date{}, false
	}
	t, ok := r.time()
	if !ok {
		return Date{}, false
	}
	return Date{Time: t, ZoneUnknown: r.zoneUnknown, OrderGuessed: r.guessed, Order: r.shown}, true
}

// epoch reads seconds or milliseconds since 1970.
func epoch(s string) (time.Time, bool) {
	var n int64
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' || i > 15 {
			return time.Time{}, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	switch len(s) {
	case 9, 10, 11:
		return time.Unix(n, 0).UTC(), true
	case 13, 15: // 14 digits are year to second
		if t := time.UnixMilli(n).UTC(); t.Year() <= 9999 {
			return t, true
		}
	}
	return time.Time{}, false
}

// reader collects the parts of one date.
type reader struct {
	year, month, day        int
	hour, minute, sec, nsec int
	half                    half           // of the day, said apart from the clock
	timed                   bool           // a time of day was read
	zone, home              *time.Location // of the date; of the feed, nil if nobody has said
	abbreviation            string         // that gave zone
	zoneUnknown             bool
	order, shown            Order
	guessed                 bool
}

type half int8

const (
	forenoon  half = 1
	afternoon half = 2
)

func (r *reader) hasDate() bool { return r.year != 0 && r.month != 0 && r.day != 0 }

func (r *reader) read(s string) bool {
	if strings.ContainsAny(s, "年년") {
		return r.readCJK(s)
	}
	if rest, ok := r.isoDate(s); ok {
		return r.readClock(rest)
	}
	if r.year != 0 {
		return false // began like an ISO date, went on like none
	}
	return r.readLoose(s)
}

// time checks the parts and joins them.
func (r *reader) time() (time.Time, bool) {
	switch {
	case r.half == afternoon && r.hour < 12:
		r.hour += 12
	case r.half == forenoon && r.hour == 12:
		r.hour = 0
	}
	if r.hour == 24 && (r.minute != 0 || r.sec != 0) || r.hour > 24 || r.minute > 59 || r.sec > 60 {
		return time.Time{}, false
	}
	if r.year < 1 || r.year > 9999 || r.month < 1 || r.month > 12 || r.day < 1 || r.day > daysIn(r.year, r.month) {
		return time.Time{}, false
	}
	r.sec = min(r.sec, 59)
	if r.abbreviation != "" && r.home != nil {
		r.zone = r.atHome()
	}
	return r.in(r.zone).UTC(), true
}

// in is the date as a time of a zone.
func (r *reader) in(zone *time.Location) time.Time {
	return time.Date(r.year, time.Month(r.month), r.day, r.hour, r.minute, r.sec, r.nsec, zone)
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// readCJK reads dates whose parts are followed by their names: 2026年07月14日 09:05, 2004년 05월 28일. Korean ones without a zone are Korean time.
func (r *reader) readCJK(s string) bool {
	if strings.Contains(s, "년") {
		r.zone = korea
	}
	for _, part := range []struct {
		into  *int
		names [2]string
	}{{&r.year, [2]string{"年", "년"}}, {&r.month, [2]string{"月", "월"}}, {&r.day, [2]string{"日", "일"}}} {
		s = strings.TrimSpace(s)
		v, n := digits(s, 4)
		s = strings.TrimSpace(s[n:])
		rest, ok := strings.CutPrefix(s, part.names[0])
		if !ok {
			rest, ok = strings.CutPrefix(s, part.names[1])
		}
		if n == 0 || !ok {
			return false
		}
		*part.into, s = v, rest
	}
	return r.readClock(s)
}

// korea is written out, so that no database is needed for it.
var korea = time.FixedZone("KST", 9*3600)

// isoDate reads what starts with a year of four digits: 2026-07-14, 2026/7/14, 2026.07.14, 2026-juli-14, 20260714, 2026-195, 2026-07, 2026.
func (r *reader) isoDate(s string) (rest string, ok bool) {
	year, n := digits(s, 5)
	if n != 4 {
		return r.compactDate(s)
	}
	rest = s[4:]
	if rest == "" {
		r.year, r.month, r.day = year, 1, 1
		return "", year > 0
	}
	sep := rest[0]
	if sep != '-' && sep != '/' && sep != '.' {
		return s, false
	}
	rest = rest[1:]
	r.year, r.day = year, 1
	var size int
	r.month, size = digits(rest, 3)
	switch size {
	case 3: // day of the year
		if r.month < 1 || r.month > daysIn(year, 2)+337 {
			return s, false
		}
		t := time.Date(year, 1, r.month, 0, 0, 0, 0, time.UTC)
		r.month, r.day = int(t.Month()), t.Day()
		return rest[3:], true
	case 0:
		if size = strings.IndexByte(rest, sep); size <= 0 {
			return s, false
		}
		r.month = month(rest[:size])
	}
	rest = rest[size:]
	if rest == "" || rest[0] != sep {
		return rest, r.month != 0
	}
	r.day, size = digits(rest[1:], 3)
	return rest[1+size:], r.month != 0 && (size == 1 || size == 2)
}

// compactDate reads 20260714 with or without more after it, or 2026195, a year with its day.
func (r *reader) compactDate(s string) (rest string, ok bool) {
	v, n := digits(s, 15)
	switch n {
	case 7:
		t := time.Date(v/1000, 1, v%1000, 0, 0, 0, 0, time.UTC)
		if t.Year() != v/1000 || v%1000 == 0 {
			return s, false
		}
		r.year, r.month, r.day = t.Year(), int(t.Month()), t.Day()
		return s[7:], true
	case 8:
		r.year, r.month, r.day = v/10_000, v/100%100, v%100
		return s[8:], r.year > 1000
	case 14:
		clock := v % 1_000_000
		r.year, r.month, r.day = v/10_000_000_000, v/100_000_000%100, v/1_000_000%100
		r.hour, r.minute, r.sec = clock/10_000, clock/100%100, clock%100
		return s[14:], r.year > 1000
	}
	return s, false
}

// digits reads up to limit digits at the start of s.
func digits(s string, limit int) (v, n int) {
	for n < limit && n < len(s) && s[n] >= '0' && s[n] <= '9' {
		v = v*10 + int(s[n]-'0')
		n++
	}
	return v, n
}

package feeds

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Caps on what servers and feeds may ask for.
const (
	maxFreshness = 24 * time.Hour     // Cache-Control and Expires (B16): longer ones are mistakes
	maxHint      = 6 * time.Hour      // ttl and sy:* (B17)
	maxCooldown  = 7 * 24 * time.Hour // Retry-After (B20)
)

// ParseRetryAfter reads the value of a Retry-After header: whole seconds, or an HTTP date in any of its three forms, measured from the
// server's time. The wait is positive and at most 7 days. ok is false for anything else, a time in the past included.
func ParseRetryAfter(value string, serverTime time.Time) (wait time.Duration, ok bool) {
	value = strings.TrimSpace(value)
	if seconds, digits := wholeSeconds(value); digits {
		wait = seconds
	} else {
		t, err := http.ParseTime(value)
		if err != nil {
			return 0, false
		}
		wait = t.Sub(serverTime)
	}
	if wait <= 0 {
		return 0, false
	}
	return min(wait, maxCooldown), true
}

// wholeSeconds reads a non-negative decimal number of seconds. A number too large for a Duration is the largest one.
func wholeSeconds(value string) (time.Duration, bool) {
	if value == "" || strings.Trim(value, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n > math.MaxInt64/int64(time.Second) {
		return math.MaxInt64, true
	}
	return time.Duration(n) * time.Second, true
}

// serverTime is the server's Date, else now.
func serverTime(h http.Header, now time.Time) time.Time {
	if t, err := http.ParseTime(h.Get("Date")); err == nil {
		return t
	}
	return now
}

// Freshness is how long an answer says it stays fresh (RFC 9111, section 4.2), at most 24 hours, 0 if it does not say: max-age less Age,
// else Expires less Date. s-maxage is for shared caches and ignored; no-cache, no-store and max-age=0 mean no floor. Only the server's
// own clock is used, so that ours may be wrong (B16).
func Freshness(h http.Header) time.Duration {
	directives := cacheControl(h)
	if _, no := directives["no-cache"]; no {
		return 0
	}
	if _, no := directives["no-store"]; no {
		return 0
	}
	if value, said := directives["max-age"]; said {
		maxAge, ok := wholeSeconds(value)
		if !ok {
			return 0
		}
		age, _ := wholeSeconds(strings.TrimSpace(h.Get("Age")))
		return min(max(maxAge-age, 0), maxFreshness)
	}
	expires, err := http.ParseTime(h.Get("Expires"))
	if err != nil {
		return 0
	}
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return min(max(expires.Sub(date), 0), maxFreshness)
}

// cacheControl is the directives of all Cache-Control lines, names in lower case, values without quotes. The first of a name counts.
func cacheControl(h http.Header) map[string]string {
	directives := make(map[string]string)
	for _, line := range h.Values("Cache-Control") {
		for part := range strings.SplitSeq(line, ",") {
			name, value, _ := strings.Cut(part, "=")
			name = strings.ToLower(strings.TrimSpace(name))
			if _, known := directives[name]; name != "" && !known {
				directives[name] = strings.Trim(strings.TrimSpace(value), `"`)
			}
		}
	}
	return directives
}

// Hints are what a feed document itself says about when to poll it (B17).
type Hints struct {
	Every time.Duration `json:"every,omitempty"` // ttl or sy:*, the longer, at most 6 hours; 0: not said
	Hours uint32        `json:"hours,omitempty"` // bit h: not in hour h, GMT
	Days  uint8         `json:"days,omitempty"`  // bit d: not on day d, Sunday is 0, GMT
}

// hintsOf reads the hints of a document's header. What cannot be read is no hint.
func hintsOf(h *Header) Hints {
	every := max(ttl(h.TTL), updateInterval(h.UpdatePeriod, h.UpdateFrequency))
	hints := Hints{Every: min(every, maxHint)}
	for _, text := range h.SkipHours {
		if hour, err := strconv.Atoi(strings.TrimSpace(text)); err == nil && hour >= 0 && hour <= 24 {
			hints.Hours |= 1 << (hour % 24)
		}
	}
	for _, text := range h.SkipDays {
		for day := time.Sunday; day <= time.Saturday; day++ {
			if strings.EqualFold(strings.TrimSpace(text), day.String()) {
				hints.Days |= 1 << day
			}
		}
	}
	return hints
}

// ttl reads RSS's time to live, in minutes.
func ttl(text string) time.Duration {
	minutes, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return span(minutes, time.Minute, err)
}

// updateInterval reads sy:updatePeriod divided by sy:updateFrequency, in all spellings seen in the wild.
func updateInterval(period, frequency string) time.Duration {
	var unit time.Duration
	switch strings.ToLower(strings.TrimSpace(period)) {
	case "minutely", "minute":
		unit = time.Minute
	case "hourly", "hour":
		unit = time.Hour
	case "daily", "dayly", "day":
		unit = 24 * time.Hour
	case "weekly", "week":
		unit = 7 * 24 * time.Hour
	case "monthly", "month":
		unit = 30 * 24 * time.Hour
	case "yearly", "annually", "year":
		unit = 365 * 24 * time.Hour
	default: // "always" and nonsense
		return 0
	}
	if strings.TrimSpace(frequency) == "" {
		return unit
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(frequency), 64)
	if n <= 0 {
		return unit
	}
	return span(1/n, unit, err)
}

// span is n units, at least 0 and at most a year; 0 if n is no number.
func span(n float64, unit time.Duration, err error) time.Duration {
	const year = 365 * 24 * time.Hour
	if err != nil || !(n > 0) {
		return 0
	}
	return time.Duration(min(n*float64(unit), float64(year)))
}

// allowed is the first instant from t on that lies in no hour and on no day the feed asks to be skipped. Hints that skip everything are
// ignored.
func (h Hints) allowed(t time.Time) time.Time {
	at := t.UTC()
	for range 8 * 24 {
		if h.Hours>>at.Hour()&1 == 0 && h.Days>>at.Weekday()&1 == 0 {
			return at
		}
		at = at.Truncate(time.Hour).Add(time.Hour)
	}
	return t
}

package feeds

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) // a Monday

// B20, F6.
func TestParseRetryAfter(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		want        time.Duration
		ok          bool
	}{
		{"seconds", "120", 2 * time.Minute, true},
		{"blank around", " 120 ", 2 * time.Minute, true},
		{"RFC 1123", "Mon, 30 Nov 2026 12:10:00 GMT", 10 * time.Minute, true},
		{"RFC 850", "Monday, 30-Nov-26 12:10:00 GMT", 10 * time.Minute, true},
		{"asctime", "Mon Nov 30 12:10:00 2026", 10 * time.Minute, true},
		{"a day and more", "316800", 88 * time.Hour, true},
		{"far too long", "1000000000", maxCooldown, true},
		{"beyond numbers", strings.Repeat("9", 40), maxCooldown, true},
		{"date beyond the cap", "Mon, 30 Nov 2027 12:10:00 GMT", maxCooldown, true},
		{"negative", "-1", 0, false},
		{"zero", "0", 0, false},
		{"word", "abc", 0, false},
		{"fraction", "1.5", 0, false},
		{"empty", "", 0, false},
		{"past", "Mon, 30 Nov 2026 11:00:00 GMT", 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := ParseRetryAfter(tt.value, noon); got != tt.want || ok != tt.ok {
				t.Errorf("ParseRetryAfter(%q) = %v, %v, want %v, %v", tt.value, got, ok, tt.want, tt.ok)
			}
		})
	}
}

func FuzzParseRetryAfter(f *testing.F) {
	for _, seed := range []string{"120", "-1", "abc", "1000000000", "Mon, 30 Nov 2026 12:10:00 GMT", "Monday, 30-Nov-26 12:10:00 GMT", "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		wait, ok := ParseRetryAfter(value, noon)
		if ok != (wait > 0) || wait > maxCooldown {
			t.Errorf("ParseRetryAfter(%q) = %v, %v", value, wait, ok)
		}
	})
}

// B16, F4, F5.
func TestFreshness(t *testing.T) {
	const date = "Date: Mon, 30 Nov 2026 12:00:00 GMT"
	for _, tt := range []struct {
		name  string
		lines []string
		want  time.Duration
	}{
		{"nothing said", nil, 0},
		{"max-age", []string{"Cache-Control: max-age=3600"}, time.Hour},
		{"quoted, in capitals, among others", []string{`Cache-Control: public, Max-Age="3600"`}, time.Hour},
		{"on a second line", []string{"Cache-Control: public", "Cache-Control: max-age=3600"}, time.Hour},
		{"less its age", []string{"Cache-Control: max-age=3600", "Age: 600"}, 50 * time.Minute},
		{"older than its age", []string{"Cache-Control: max-age=60", "Age: 600"}, 0},
		{"ten years", []string{"Cache-Control: max-age=315360000"}, 24 * time.Hour},
		{"beyond numbers", []string{"Cache-Control: max-age=99999999999999999999"}, 24 * time.Hour},
		{"zero", []string{"Cache-Control: max-age=0"}, 0},
		{"negative", []string{"Cache-Control: max-age=-5"}, 0},
		{"no-cache wins", []string{"Cache-Control: no-cache, max-age=3600"}, 0},
		{"no-store wins", []string{"Cache-Control: max-age=3600, no-store"}, 0},
		{"for shared caches only", []string{"Cache-Control: s-maxage=3600"}, 0},
		{"expires", []string{date, "Expires: Mon, 30 Nov 2026 14:00:00 GMT"}, 2 * time.Hour},
		{"max-age before expires", []string{date, "Expires: Mon, 30 Nov 2026 14:00:00 GMT", "Cache-Control: max-age=60"}, time.Minute},
		{"expires without date", []string{"Expires: Mon, 30 Nov 2026 14:00:00 GMT"}, 0},
		{"expired in 1970", []string{date, "Expires: Thu, 01 Jan 1970 00:00:00 GMT"}, 0},
		{"expires 0", []string{date, "Expires: 0"}, 0},
		{"expires in a year", []string{date, "Expires: Tue, 30 Nov 2027 14:00:00 GMT"}, 24 * time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Freshness(header(tt.lines)); got != tt.want {
				t.Errorf("Freshness(%q) = %v, want %v", tt.lines, got, tt.want)
			}
		})
	}
}

func header(lines []string) http.Header {
	h := make(http.Header)
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		h.Add(name, value)
	}
	return h
}

func FuzzCacheControl(f *testing.F) {
	for _, seed := range []string{"max-age=3600", `max-age="1`, "no-cache,,=,", "max-age=99999999999999999999", "max-age==1"} {
		f.Add(seed, "5", "Thu, 01 Jan 1970 00:00:00 GMT")
	}
	f.Fuzz(func(t *testing.T, control, age, expires string) {
		h := http.Header{"Cache-Control": {control}, "Age": {age}, "Expires": {expires}, "Date": {"Mon, 30 Nov 2026 12:00:00 GMT"}}
		if got := Freshness(h); got < 0 || got > maxFreshness {
			t.Errorf("Freshness(%q, %q, %q) = %v", control, age, expires, got)
		}
	})
}

// B17.
func TestHints(t *testing.T) {
	for _, tt := range []struct {
		name string
		h    Header
		want Hints
	}{
		{"nothing said", Header{}, Hints{}},
		{"ttl", Header{TTL: " 60 "}, Hints{Every: time.Hour}},
		{"ttl capped", Header{TTL: "10080"}, Hints{Every: maxHint}},
		{"ttl nonsense", Header{TTL: "soon"}, Hints{}},
		{"ttl negative", Header{TTL: "-5"}, Hints{}},
		{"ttl not a number", Header{TTL: "NaN"}, Hints{}},
		{"hourly", Header{UpdatePeriod: "hourly"}, Hints{Every: time.Hour}},
		{"twice an hour", Header{UpdatePeriod: "hourly", UpdateFrequency: "2"}, Hints{Every: 30 * time.Minute}},
		{"a tenth", Header{UpdatePeriod: "minutely", UpdateFrequency: "0.1"}, Hints{Every: 10 * time.Minute}},
		{"dayly is capped", Header{UpdatePeriod: "dayly"}, Hints{Every: maxHint}},
		{"always", Header{UpdatePeriod: "always", UpdateFrequency: "1"}, Hints{}},
		{"frequency zero", Header{UpdatePeriod: "hourly", UpdateFrequency: "0"}, Hints{Every: time.Hour}},
		{"frequency nonsense", Header{UpdatePeriod: "hourly", UpdateFrequency: "x"}, Hints{Every: time.Hour}},
		{"the longer of two", Header{TTL: "5", UpdatePeriod: "hourly"}, Hints{Every: time.Hour}},
		{"hours", Header{SkipHours: []string{"0", " 3", "24", "25", "-1", "x"}}, Hints{Hours: 1 | 1<<3}},
		{"days", Header{SkipDays: []string{"Sunday", "saturday", "Someday"}}, Hints{Days: 1 | 1<<6}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := hintsOf(&tt.h); got != tt.want {
				t.Errorf("hintsOf = %+v, want %+v", got, tt.want)
			}
		})
	}
}

// B17, F14.
func TestHintsAllowed(t *testing.T) {
	at := noon.Add(20 * time.Minute)
	for _, tt := range []struct {
		name string
		h    Hints
		want time.Time
	}{
		{"no hints", Hints{}, at},
		{"another hour", Hints{Hours: 1 << 13}, at},
		{"this hour and the next", Hints{Hours: 1<<12 | 1<<13}, noon.Add(2 * time.Hour)},
		{"this day", Hints{Days: 1 << time.Monday}, noon.Add(12 * time.Hour)},
		{"this day, then midnight's hour", Hints{Days: 1 << time.Monday, Hours: 1}, noon.Add(13 * time.Hour)},
		{"all but one hour of one day", Hints{Days: 0x7f &^ (1 << time.Sunday), Hours: 0xffffff &^ (1 << 23)}, noon.Add(6*24*time.Hour + 11*time.Hour)},
		{"every hour", Hints{Hours: 0xffffff}, at},
		{"every day", Hints{Days: 0x7f}, at},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.h.allowed(at); !got.Equal(tt.want) {
				t.Errorf("allowed(%v) = %v, want %v", at, got, tt.want)
			}
		})
	}
}

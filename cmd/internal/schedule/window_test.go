package schedule

import (
	"strings"
	"testing"
	"time"
)

func TestWindow(t *testing.T) {
	for _, tt := range []struct{ name, spec, zone, at, want string }{
		{"inside", "0 6-22 * * 1-5", "", "2026-11-30T09:07:03Z", "2026-11-30T09:07:03Z"},
		{"last minute", "0 6-22 * * 1-5", "", "2026-11-30T22:59:59Z", "2026-11-30T22:59:59Z"},
		{"after", "0 6-22 * * 1-5", "", "2026-11-30T23:00:00Z", "2026-12-01T06:00:00Z"},
		{"over the weekend", "* 6-22 * * 1-5", "", "2026-11-27T23:10:00.5Z", "2026-11-30T06:00:00Z"},
		{"local hours", "0 7 * * *", "Europe/Berlin", "2026-07-01T06:30:00Z", "2026-07-02T05:00:00Z"},
		{"a zone off the hour", "0 7 * * *", "Asia/Kolkata", "2026-07-01T00:00:00Z", "2026-07-01T01:30:00Z"},
		{"skipped in spring", "0 2 * * *", "Europe/Berlin", "2026-03-29T00:30:00Z", "2026-03-30T00:00:00Z"},
		{"twice in autumn", "0 2 * * *", "Europe/Berlin", "2026-10-25T01:10:00Z", "2026-10-25T01:10:00Z"},
		{"Sunday as 7", "0 * * * 7", "", "2026-11-30T09:00:00Z", "2026-12-06T00:00:00Z"},
		{"either day", "0 0 1 * 3", "", "2026-11-30T09:00:00Z", "2026-12-01T00:00:00Z"},
		{"both fields free", "0 5 * 12 *", "", "2026-11-30T09:00:00Z", "2026-12-01T05:00:00Z"},
		{"29 February", "0 3 29 2 *", "", "2026-11-30T09:00:00Z", "2028-02-29T03:00:00Z"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, err := ParseWindow(tt.spec, tt.zone)
			if err != nil {
				t.Fatal(err)
			}
			at, err := time.Parse(time.RFC3339Nano, tt.at)
			if err != nil {
				t.Fatal(err)
			}
			if got := w.From(at).UTC().Format(time.RFC3339Nano); got != tt.want {
				t.Errorf("From(%s) = %s, want %s", tt.at, got, tt.want)
			}
		})
	}
}

func TestParseWindowRefuses(t *testing.T) {
	for _, tt := range []struct{ name, spec, zone, want string }{
		{"nothing", "", "", "five fields"},
		{"a minute of its own", "30 6 * * *", "", "five fields"},
		{"macro", "@hourly", "", "five fields"},
		{"step of nothing", "0 */0 * * *", "", "1 to 23"},
		{"hour 25", "0 25 * * *", "", "25"},
		{"31 February", "0 0 31 2 *", "", "never comes"},
		{"zone", "0 6 * * *", "Mars/Base", "unknown"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ParseWindow(tt.spec, tt.zone); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ParseWindow(%q) = %v, want an error with %q", tt.spec, err, tt.want)
			}
		})
	}
}

// F36: what is accepted comes, later than asked for, and a window opens no earlier than asked for.
func FuzzSpecifications(f *testing.F) {
	for _, spec := range []string{"*/15 * * * *", "0 6-22 * * 1-5", "@every 20m", "@hourly", "0 0 29 2 *", "TZ=UTC", "*/90 * * * *", "0 0 * * 7,7/2"} {
		f.Add(spec)
	}
	t0 := time.Date(2026, 3, 28, 23, 59, 59, 999, time.UTC)
	f.Fuzz(func(t *testing.T, spec string) {
		if s, err := Parse(spec, "Europe/Berlin"); err == nil && !s.Next(t0).After(t0) {
			t.Errorf("%q: next at %v", spec, s.Next(t0))
		}
		if w, err := ParseWindow(spec, "Europe/Berlin"); err == nil && w.From(t0).Before(t0) {
			t.Errorf("%q: opens at %v", spec, w.From(t0))
		}
	})
}

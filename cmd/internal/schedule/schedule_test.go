package schedule

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata"
)

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, spec, want string }{
		{"zone alone", "TZ=UTC", "under zone"},
		{"zone in front", "CRON_TZ=UTC * * * * *", "under zone"},
		{"nothing", "", "five"},
		{"six fields", "0 * * * * *", "five"},
		{"step beyond the hour", "*/90 * * * *", "1 to 59"},
		{"step of nothing", "*/0 * * * *", "1 to 59"},
		{"minute 60", "60 * * * *", "60"},
		{"31 February", "0 0 31 2 *", "never comes"},
		{"at boot", "@reboot", "@reboot"},
		{"too often", "@every 5s", "too often"},
		{"backwards", "@every -5m", "too often"},
		{"no interval", "@every soon", "not an interval"},
		{"prose", "every hour", "five"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse(tt.spec, "")
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Parse(%q) = %v, want an error with %q", tt.spec, err, tt.want)
			}
		})
	}
	if _, err := Parse("* * * * *", "Mars/Olympus"); err == nil {
		t.Error("an unknown zone was accepted")
	}
}

func TestNext(t *testing.T) {
	for _, tt := range []struct{ name, spec, zone, after, want string }{
		{"quarter hours", "*/15 * * * *", "", "2026-11-30T09:07:00Z", "2026-11-30T09:15:00Z"},
		{"interval", "@every 20m", "", "2026-11-30T09:07:00Z", "2026-11-30T09:27:00Z"},
		{"Sunday as 7", "0 6 * * 7", "", "2026-11-30T00:00:00Z", "2026-12-06T06:00:00Z"},
		{"local hour", "0 7 * * *", "Europe/Berlin", "2026-07-01T00:00:00Z", "2026-07-01T05:00:00Z"},
		{"skipped in spring", "30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"},
		{"skipped in New York", "0 2 * * *", "America/New_York", "2026-03-07T12:00:00Z", "2026-03-08T07:00:00Z"},
		{"midnight skipped", "0 0 * * *", "Africa/Cairo", "2025-04-24T12:00:00Z", "2025-04-24T22:00:00Z"},
		{"once in autumn", "30 1 * * *", "America/New_York", "2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"},
		{"first of two in autumn", "30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"},
		{"inside the second of two", "*/5 2 * * *", "Europe/Berlin", "2026-10-25T01:10:00Z", "2026-10-26T01:00:00Z"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Parse(tt.spec, tt.zone)
			if err != nil {
				t.Fatal(err)
			}
			after, _ := time.Parse(time.RFC3339, tt.after)
			if got := s.Next(after).UTC().Format(time.RFC3339); got != tt.want {
				t.Errorf("%q in %q after %s = %s, want %s", tt.spec, tt.zone, tt.after, got, tt.want)
			}
		})
	}
}

// Every local day has exactly one run of a daily schedule, whatever the clocks do.
func TestNextIsDaily(t *testing.T) {
	for _, zone := range []string{"Europe/Berlin", "America/Sao_Paulo", "Africa/Cairo", "America/Havana", "Australia/Lord_Howe", "Asia/Tehran", "America/St_Johns", "Pacific/Chatham"} {
		for _, spec := range []string{"0 0 * * *", "30 1 * * *", "0 2 * * *", "30 2 * * *", "0 3 * * *", "59 23 * * *"} {
			s, err := Parse(spec, zone)
			if err != nil {
				t.Fatal(err)
			}
			location, _ := time.LoadLocation(zone)
			at := s.Next(time.Date(2013, 12, 31, 23, 59, 0, 0, location))
			for day := 1; day < 365*12; day++ {
				next := s.Next(at)
				if got, want := next.In(location).Format(time.DateOnly), time.Date(2014, 1, 1+day, 12, 0, 0, 0, location).Format(time.DateOnly); got != want {
					t.Fatalf("%s in %s: run %d is on %s, want %s", spec, zone, day, got, want)
				}
				at = next
			}
		}
	}
}

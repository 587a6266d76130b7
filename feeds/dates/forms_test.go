package dates

import (
	"testing"
	"time"
	"unicode/utf8"
)

// forms are dates as feeds write them, each with the instant it means; "none" where no date may be given. Wrong is worse than none.
var forms = []struct{ class, in, want string }{
	{"ISO", "2026-07-14T09:05Z", "2026-07-14T09:05:00Z"},
	{"ISO", "2026-07-14t09:05:00z", "2026-07-14T09:05:00Z"},
	{"ISO", "2026-07-14T09:05:00-0000", "2026-07-14T09:05:00Z"},
	{"ISO", "2026-07-14T09:05:00 +02:00", "2026-07-14T07:05:00Z"},
	{"ISO", "2026-07-14T09:05:00,5+02:00", "2026-07-14T07:05:00Z"},
	{"ISO", "2026-07-14T09:05:00.5", "2026-07-14T09:05:00Z"},
	{"ISO", "2026-07-14 at 09:05:00", "2026-07-14T09:05:00Z"},
	{"ISO", "2026-07-14, 09:05", "2026-07-14T09:05:00Z"},
	{"ISO", "2026-7-4 9:05", "2026-07-04T09:05:00Z"},
	{"ISO", "2026.07.14 09:05", "2026-07-14T09:05:00Z"},
	{"ISO", "2026-07", "2026-07-01T00:00:00Z"},
	{"ISO", "2026", "2026-01-01T00:00:00Z"},
	{"ISO", "2026-195", "2026-07-14T00:00:00Z"},
	{"ISO", "2026195", "2026-07-14T00:00:00Z"},
	{"ISO", "20260714", "2026-07-14T00:00:00Z"},
	{"ISO", "20260714090500", "2026-07-14T09:05:00Z"},
	{"ISO", "20260714T090500+0200", "2026-07-14T07:05:00Z"},
	{"ISO", "20260714T0905", "2026-07-14T09:05:00Z"},
	{"ISO", "2026-07-14T24:00:00Z", "2026-07-15T00:00:00Z"},
	{"ISO", "2026-07-14T09:05:60Z", "2026-07-14T09:05:59Z"},
	{"ISO", "2026-07-14T09:05:00-05:00", "2026-07-14T14:05:00Z"},
	{"ISO", "2026-07-14T09:05:00−05:00", "2026-07-14T14:05:00Z"},
	{"ISO", "2026-07-14T09:05:00+5:30", "2026-07-14T03:35:00Z"},
	{"ISO", "2026-07-14T09:05:00 EST", "2026-07-14T14:05:00Z"},
	{"ISO", "2026-07-14 9:05 PM", "2026-07-14T21:05:00Z"},
	{"ISO", "2026-Jul-14 09:05", "2026-07-14T09:05:00Z"},
	{"ISO", "2026-július-14T9:05-05:00", "2026-07-14T14:05:00Z"},
	{"ISO", "2026/07/14", "2026-07-14T00:00:00Z"},
	{"ISO", "2026-07-14T09Z", "2026-07-14T09:00:00Z"},
	{"epoch", "1783933500123", "2026-07-13T09:05:00Z"},
	{"epoch", "946684800", "2000-01-01T00:00:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00 Z", "2026-07-14T09:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00", "2026-07-14T09:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05 -0700", "2026-07-14T16:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00 -700", "2026-07-14T16:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00 MST -0700", "2026-07-14T16:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00 PST", "2026-07-14T17:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00 PT", "2026-07-14T16:05:00Z"},
	{"RFC 822", "Tue, 14 Jan 2026 09:05:00 ET", "2026-01-14T14:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00 CT", "2026-07-14T14:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00 BST", "2026-07-14T08:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00 CEST", "2026-07-14T07:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00 (CEST)", "2026-07-14T07:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00 MESZ", "2026-07-14T07:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00 NST", "2026-07-14T12:35:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00 ACST", "2026-07-13T23:35:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00 NZDT", "2026-07-13T20:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00 UT", "2026-07-14T09:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00 Europe/Berlin", "2026-07-14T07:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00 Etc/GMT", "2026-07-14T09:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00EST", "2026-07-14T14:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09:05:00+0200", "2026-07-14T07:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 9:05 PM EDT", "2026-07-15T01:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 9:05PM", "2026-07-14T21:05:00Z"},
	{"RFC 822", "14 Jul 69 00:00 GMT", "1969-07-14T00:00:00Z"},
	{"RFC 822", "14 Jul 68 00:00 GMT", "2068-07-14T00:00:00Z"},
	{"RFC 822", "Tue, 14-Jul-26 09:05:00 GMT", "2026-07-14T09:05:00Z"},
	{"RFC 822", "Tue, 14 July, 2026 09:05:00 GMT", "2026-07-14T09:05:00Z"},
	{"RFC 822", "Wednesday 15 Jul 2026 09:05 GMT", "2026-07-15T09:05:00Z"},
	{"RFC 822", "Xyz, 14 Jul 2026 09:05:00 GMT", "2026-07-14T09:05:00Z"},
	{"RFC 822", "Tue,  4 Jul  2026 09:05:00 GMT", "2026-07-04T09:05:00Z"},
	{"RFC 822", "Tue, 14 Jul 2026 09.05.00 GMT", "2026-07-14T09:05:00Z"},
	{"American", "July 14, 2026", "2026-07-14T00:00:00Z"},
	{"American", "July 14th, 2026 at 9:05 a.m. ET", "2026-07-14T13:05:00Z"},
	{"American", "Tuesday, July 14, 2026 - 21:05", "2026-07-14T21:05:00Z"},
	{"American", "Jul 14 2026 9:05AM", "2026-07-14T09:05:00Z"},
	{"American", "July 14, 2026 12:05 am", "2026-07-14T00:05:00Z"},
	{"American", "July 14, 2026 12:05 pm", "2026-07-14T12:05:00Z"},
	{"American", "7/14/26", "2026-07-14T00:00:00Z"},
	{"American", "07/04/2026", "2026-07-04T00:00:00Z"},
	{"clock first", "Tue Jul 14 09:05:00 2026", "2026-07-14T09:05:00Z"},
	{"clock first", "Tue Jul 14 09:05:00 PDT 2026", "2026-07-14T16:05:00Z"},
	{"clock first", "Tue Jul 14 09:05:00 +0200 2026", "2026-07-14T07:05:00Z"},
	{"clock first", "09:05 14 Jul 2026", "2026-07-14T09:05:00Z"},
	{"clock first", "09:05:00, 14.07.2026", "2026-07-14T09:05:00Z"},
	{"numbers", "14-07-2026 09:05", "2026-07-14T09:05:00Z"},
	{"numbers", "04.07.2026", "2026-07-04T00:00:00Z"},
	{"numbers", "14.7.26", "2026-07-14T00:00:00Z"},
	{"numbers", "Fri, 2026/07/17 08:19:53 EDT", "2026-07-17T12:19:53Z"},
	{"languages", "14. Juli 2026 um 09:05 Uhr", "2026-07-14T09:05:00Z"},
	{"languages", "14. März 2026", "2026-03-14T00:00:00Z"},
	{"languages", "Mo., 14. Dez. 2026 09:05:00 +0100", "2026-12-14T08:05:00Z"},
	{"languages", "mardi 14 juillet 2026 à 09h05", "2026-07-14T09:05:00Z"},
	{"languages", "1er août 2026", "2026-08-01T00:00:00Z"},
	{"languages", "mar, 14 fév 2026 09:05:00 +0100", "2026-02-14T08:05:00Z"},
	{"languages", "14 de julio de 2026", "2026-07-14T00:00:00Z"},
	{"languages", "mar 14 luglio 2026 09:05", "2026-07-14T09:05:00Z"},
	{"languages", "14 set 2026 09:05:00 +0200", "2026-09-14T07:05:00Z"},
	{"languages", "14 de março de 2026", "2026-03-14T00:00:00Z"},
	{"languages", "di 14 mrt 2026 09:05", "2026-03-14T09:05:00Z"},
	{"languages", "14 Temmuz 2026 09:05", "2026-07-14T09:05:00Z"},
	{"languages", "14 października 2026 09:05", "2026-10-14T09:05:00Z"},
	{"languages", "14 июля 2026 г. 09:05", "2026-07-14T09:05:00Z"},
	{"languages", "14 липня 2026", "2026-07-14T00:00:00Z"},
	{"languages", "Κυρ, 12 Ιούλ 2026 12:00:00 EST", "2026-07-12T17:00:00Z"},
	{"languages", "14. července 2026", "2026-07-14T00:00:00Z"},
	{"languages", "14 maj 2026 09:05", "2026-05-14T09:05:00Z"},
	{"languages", "2026年7月14日", "2026-07-14T00:00:00Z"},
	{"languages", "2026年07月14日 09:05 +0800", "2026-07-14T01:05:00Z"},
	{"languages", "2026년 07월 14일  09:05:00", "2026-07-14T00:05:00Z"},
	{"languages", "2026-07-14 오후 11:23:17", "2026-07-14T14:23:17Z"},
	{"comments", "Tue Jul 14 2026 09:05:00 GMT-0700 (Pacific Daylight Time)", "2026-07-14T16:05:00Z"},
	{"comments", "2026-07-14T09:05:00+02:00[Europe/Berlin]", "2026-07-14T07:05:00Z"},

	{"refused", "Tue, 31 Jun 2026 09:05:00 GMT", "none"},
	{"refused", "29 Feb 2026", "none"},
	{"refused", "2026-02-30", "none"},
	{"refused", "2026-13-01", "none"},
	{"refused", "2026-00-10", "none"},
	{"refused", "2026-07-14T25:00:00Z", "none"},
	{"refused", "2026-07-14T24:05:00Z", "none"},
	{"refused", "2026-07-14T09:60:00Z", "none"},
	{"refused", "2026-07-14T09:05:61Z", "none"},
	{"refused", "2026-07-14T09:05:00+99:00", "none"},
	{"refused", "2026-07-14T09:05:00+16:00", "none"},
	{"refused", "2026-07-14T09:05:00+02:00x", "none"},
	{"refused", "2026-07-14T09:05:00+a2:00", "none"},
	{"refused", "2026-07-14T09:05:00:00", "none"},
	{"refused", "2026-07-14-extra", "none"},
	{"refused", "2026-367", "none"},
	{"refused", "2026-000", "none"},
	{"refused", "26-07-14", "none"},
	{"refused", "0000-07-14", "none"},
	{"refused", "-0001-11-30T00:00:00Z", "none"},
	{"refused", "12026-07-14", "none"},
	{"refused", "32 Jul 2026", "none"},
	{"refused", "14 Jul", "none"},
	{"refused", "July 2026 sometime", "none"},
	{"refused", "14 15 16", "none"},
	{"refused", "99/99/2026", "none"},
	{"refused", "13/13/2026", "none"},
	{"refused", "09:05:00", "none"},
	{"refused", "now", "none"},
	{"refused", "N/A", "none"},
	{"refused", "12345", "none"},
	{"refused", "123456789012", "none"},
	{"refused", "Tue, 14 Jul 2026 9:5:99 GMT", "none"},
	{"refused", "Tue, 14 Jul 2026 99:05 GMT", "none"},
	{"refused", "P1D", "none"},
	{"refused", "https://harbour.example/2026/07/14", "none"},
}

func TestForms(t *testing.T) {
	for _, f := range forms {
		t.Run(f.class+"/"+f.in, func(t *testing.T) {
			c := dateCase{In: f.in, UTC: &f.want}
			if f.want == "none" {
				c.UTC = nil
			}
			check(t, c)
		})
	}
}

func TestOptions(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	zone := func(name string) Options {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		return Options{Zone: loc}
	}
	for _, tt := range []struct {
		name, in string
		o        Options
		want     Date
	}{
		{"CST in China", "14 Jul 2026 09:05 CST", zone("Asia/Shanghai"), Date{Time: at("2026-07-14T01:05:00Z")}},
		{"CST in Chicago", "14 Jan 2026 09:05 CST", zone("America/Chicago"), Date{Time: at("2026-01-14T15:05:00Z")}},
		{"CST in summer in Chicago", "14 Jul 2026 09:05 CST", zone("America/Chicago"), Date{Time: at("2026-07-14T15:05:00Z")}},
		{"IST in Ireland", "14 Jul 2026 09:05 IST", zone("Europe/Dublin"), Date{Time: at("2026-07-14T08:05:00Z")}},
		{"IST in winter in Israel", "14 Jan 2026 09:05 IST", zone("Asia/Jerusalem"), Date{Time: at("2026-01-14T07:05:00Z")}},
		{"BST in Bangladesh, which has no names", "14 Jul 2026 09:05 BST", zone("Asia/Dhaka"), Date{Time: at("2026-07-14T03:05:00Z")}},
		{"AST in Arabia", "14 Jul 2026 09:05 AST", zone("Asia/Riyadh"), Date{Time: at("2026-07-14T06:05:00Z")}},
		{"CEST in Bangladesh is no other", "14 Jul 2026 09:05 CEST", zone("Asia/Dhaka"), Date{Time: at("2026-07-14T07:05:00Z")}},
		{"CST from New York", "14 Jul 2026 09:05 CST", zone("America/New_York"), Date{Time: at("2026-07-14T15:05:00Z")}},
		{"no zone", "2026-07-14 09:05", Options{Zone: berlin}, Date{Time: at("2026-07-14T07:05:00Z")}},
		{"a zone beats the option", "2026-07-14 09:05 UTC", Options{Zone: berlin}, Date{Time: at("2026-07-14T09:05:00Z")}},
		{"unknown zone", "14 Jul 2026 09:05 XYZT", Options{Zone: berlin}, Date{Time: at("2026-07-14T07:05:00Z"), ZoneUnknown: true}},
		{"unknown zone, no option", "14 Jul 2026 09:05 Eastern Time", Options{}, Date{Time: at("2026-07-14T09:05:00Z"), ZoneUnknown: true}},
		{"slashes are guessed", "03/04/2026", Options{}, Date{Time: at("2026-03-04T00:00:00Z"), OrderGuessed: true}},
		{"points are guessed", "03.04.2026", Options{}, Date{Time: at("2026-04-03T00:00:00Z"), OrderGuessed: true}},
		{"the same either way", "04/04/2026", Options{}, Date{Time: at("2026-04-04T00:00:00Z")}},
		{"learned day first", "03/04/2026", Options{Order: DayFirst}, Date{Time: at("2026-04-03T00:00:00Z")}},
		{"learned month first", "03.04.2026", Options{Order: MonthFirst}, Date{Time: at("2026-03-04T00:00:00Z")}},
		{"shows day first", "14/07/2026", Options{Order: MonthFirst}, Date{Time: at("2026-07-14T00:00:00Z"), Order: DayFirst}},
		{"shows month first", "07/14/2026", Options{}, Date{Time: at("2026-07-14T00:00:00Z"), Order: MonthFirst}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Parse(tt.in, tt.o)
			if !ok || !got.Time.Equal(tt.want.Time) || got.ZoneUnknown != tt.want.ZoneUnknown || got.OrderGuessed != tt.want.OrderGuessed || got.Order != tt.want.Order {
				t.Errorf("Parse(%q) = %+v, %v, want %+v", tt.in, got, ok, tt.want)
			}
		})
	}
}

// FuzzParse: whatever is read is a year of four digits in UTC, and is read the same when written out.
func FuzzParse(f *testing.F) {
	for _, c := range forms {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, ok := Parse(s, Options{})
		if !ok {
			if !d.Time.IsZero() {
				t.Fatalf("Parse(%q) gives %v and says there is none", s, d.Time)
			}
			return
		}
		if !utf8.ValidString(s) || d.Time.Location() != time.UTC || d.Time.Year() < 0 || d.Time.Year() > 10_000 {
			if utf8.ValidString(s) {
				t.Fatalf("Parse(%q) = %v", s, d.Time)
			}
			return
		}
		if y := d.Time.Year(); y < 1000 || y > 9999 {
			return
		}
		again, ok := Parse(d.Time.Format(time.RFC3339Nano), Options{})
		if !ok || !again.Time.Equal(d.Time) {
			t.Fatalf("Parse(%q) = %v, which reads as %v", s, d.Time, again.Time)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := Parse("Tue, 14 Jul 2026 09:05:00 +0200", Options{}); !ok {
			b.Fatal("not read")
		}
	}
}

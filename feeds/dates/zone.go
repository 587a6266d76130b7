package dates

import (
	"strings"
	"time"
	"unicode"
)

// readZone reads all that is left. Words that name no known zone are noted and otherwise ignored; a number out of place is refused.
func (r *reader) readZone(s string) bool {
	s = dropComment(s)
	if s == "" || s == "." {
		return true
	}
	if loc, ok := place(s); ok {
		r.zone = loc
		return true
	}
	word := s
	for i, c := range s {
		if !unicode.IsLetter(c) && c != '.' {
			word = s[:i]
			break
		}
	}
	if rest := strings.TrimSpace(s[len(word):]); startsOffset(rest) {
		seconds, ok := offset(rest)
		r.zone = time.FixedZone("", seconds)
		return ok // a number beats a name
	}
	if strings.ContainsFunc(s, unicode.IsDigit) {
		return false
	}
	return r.readZoneName(strings.Trim(word, "."))
}

// readZoneName takes a word for a zone. An unknown one counts only after a time: after a date alone it may be anything.
func (r *reader) readZoneName(word string) bool {
	name := strings.ToUpper(strings.ReplaceAll(word, ".", ""))
	if hours, ok := offsets[name]; ok {
		r.zone, r.abbreviation = time.FixedZone(name, int(hours*3600)), name
		return true
	}
	if loc, err := time.LoadLocation(places[name]); err == nil && places[name] != "" {
		r.zone = loc
		return true
	}
	r.zoneUnknown = name != "H" && name != "UHR" // 9:05 h, 9:05 Uhr
	return r.timed
}

// atHome is the zone that an abbreviation means in a feed whose zone is known: the one that goes by it there, summer and winter time
// included. Zones without names of their own take those that are known to mean several.
func (r *reader) atHome() *time.Location {
	now := r.in(r.home)
	for _, months := range [...]int{0, 6} {
		name, seconds := now.AddDate(0, months, 0).Zone()
		if name == r.abbreviation || startsOffset(name) && isShared(r.abbreviation) {
			return time.FixedZone(name, seconds)
		}
	}
	return r.zone
}

// isShared tells the abbreviations that several parts of the world use for times of their own.
func isShared(name string) bool {
	switch name {
	case "AST", "BST", "CST", "GST", "IST", "MST", "PST":
		return true
	}
	return false
}

// dropComment takes off what stands in brackets after a zone, or the brackets around one.
func dropComment(s string) string {
	if i := strings.IndexAny(s, "(["); i > 0 {
		s = s[:i]
	}
	return strings.TrimSpace(strings.Trim(strings.TrimSpace(s), "()[]"))
}

// place reads the name of a zone of the tz database, such as America/New_York.
func place(s string) (*time.Location, bool) {
	if !strings.Contains(s, "/") || s[0] < 'A' || s[0] > 'Z' {
		return nil, false
	}
	loc, err := time.LoadLocation(s)
	return loc, err == nil
}

func startsOffset(s string) bool {
	return strings.HasPrefix(s, "+") || strings.HasPrefix(s, "-") || strings.HasPrefix(s, "−") || strings.HasPrefix(s, "–")
}

// offset reads a numeric offset to its end, in seconds: +02, +0200, +2:00, −02:00, -700. A final Z means nothing.
func offset(s string) (seconds int, ok bool) {
	sign := -1
	switch {
	case s[0] == '+':
		sign, s = 1, s[1:]
	case s[0] == '-':
		s = s[1:]
	default:
		s = strings.TrimLeft(s, "−–")
	}
	s = strings.TrimSpace(strings.TrimSuffix(s, "Z"))
	v, n := digits(s, 5)
	rest := s[n:]
	hours, minutes := v, 0
	switch n {
	case 1, 2:
		if rest != "" {
			m, k := digits(rest[1:], 3)
			if rest[0] != ':' || k != 2 || len(rest) != 3 {
				return 0, false
			}
			minutes = m
		}
	case 3, 4:
		hours, minutes = v/100, v%100
		if rest != "" {
			return 0, false
		}
	default:
		return 0, false
	}
	if hours > 15 || minutes > 59 {
		return 0, false
	}
	return sign * (hours*3600 + minutes*60), true
}

// offsets are hours east of Greenwich by abbreviation. Where one name means several, the reading is the one that dominates in news:
// CST is US Central, IST India, BST British Summer, AST Atlantic, GST Gulf.
var offsets = map[string]float64{
	"Z": 0, "UT": 0, "UTC": 0, "UCT": 0, "GMT": 0, "WET": 0,
	"HST": -10, "AKST": -9, "AKDT": -8, "PST": -8, "PDT": -7, "MST": -7, "MDT": -6, "CST": -6, "CDT": -5, "EST": -5, "EDT": -4,
	"COT": -5, "PET": -5, "AST": -4, "ADT": -3, "CLT": -4, "NST": -3.5, "NDT": -2.5, "BRT": -3, "ART": -3,
	"BST": 1, "CET": 1, "MET": 1, "MEZ": 1, "WEST": 1, "WAT": 1, "CEST": 2, "MEST": 2, "MESZ": 2, "EET": 2, "SAST": 2, "CAT": 2,
	"EEST": 3, "MSK": 3, "TRT": 3, "EAT": 3, "MSD": 4, "GST": 4, "PKT": 5, "IST": 5.5, "WIB": 7,
	"HKT": 8, "SGT": 8, "AWST": 8, "PHT": 8, "JST": 9, "KST": 9, "ACST": 9.5, "AEST": 10, "ACDT": 10.5, "AEDT": 11, "NZST": 12, "NZDT": 13,
}

// places are names that mean a place and not an offset.
var places = map[string]string{
	"ET": "America/New_York", "CT": "America/Chicago", "MT": "America/Denver", "PT": "America/Los_Angeles", "AT": "America/Halifax",
}

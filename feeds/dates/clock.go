package dates

import (
	"strings"
	"unicode/utf8"
)

// readClock reads what follows a date: nothing, a zone, or a time with or without a zone.
func (r *reader) readClock(s string) bool {
	s = strings.TrimSpace(s)
	for _, lead := range [...]string{"T", "t", ",", "at ", "um ", "à ", "-", "–", "—"} {
		rest, ok := strings.CutPrefix(s, lead)
		if !ok {
			continue
		}
		if lead == "-" {
			if v, n := digits(rest, 3); n == 2 && v <= 14 && strings.HasPrefix(rest[n:], ":") && len(rest) == 5 {
				break // 2026-07-14-05:00 is a zone
			}
		}
		s = strings.TrimSpace(rest)
		break
	}
	s = r.cutHalf(s)
	rest, ok := r.cutClock(s)
	if !ok {
		return false
	}
	return r.readZone(strings.TrimSpace(r.cutHalf(strings.TrimSpace(rest))))
}

// cutClock reads a time at the start of s: 9:05, 09.05, 09h05, 9:05:00.123, 090500, 9 am. Without one it returns s as it is; it reports
// false for what starts like a time and is none.
func (r *reader) cutClock(s string) (rest string, ok bool) {
	v, n := digits(s, 7)
	if n == 0 {
		return s, true
	}
	rest = s[n:]
	r.timed = true
	switch n {
	case 6:
		r.hour, r.minute, r.sec = v/10_000, v/100%100, v%100
		return r.cutFraction(rest), true
	case 4:
		r.hour, r.minute = v/100, v%100
		return rest, true
	case 1, 2:
	default:
		return s, false
	}
	r.hour = v
	if rest == "" || r.startsHalf(rest) || rest[0] == 'Z' || rest[0] == '+' {
		return rest, true
	}
	if rest[0] != ':' && rest[0] != '.' && rest[0] != 'h' && rest[0] != 'H' {
		return s, false
	}
	r.minute, n = digits(rest[1:], 3)
	if n != 1 && n != 2 {
		return strings.TrimSpace(rest[1:]), rest[0] == 'h' // 9h
	}
	rest = rest[1+n:]
	if rest == "" || rest[0] != ':' && rest[0] != '.' {
		return rest, true
	}
	r.sec, n = digits(rest[1:], 3)
	if n != 1 && n != 2 {
		return s, false
	}
	rest = r.cutFraction(rest[1+n:])
	return rest, !strings.HasPrefix(rest, ":")
}

// cutFraction reads the fraction of a second.
func (r *reader) cutFraction(s string) string {
	if s == "" || s[0] != '.' && s[0] != ',' {
		return s
	}
	i, unit := 1, 100_000_000
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		r.nsec += int(s[i]-'0') * unit
		unit /= 10
	}
	return s[i:]
}

// halves are the ways to say which half of the day is meant.
var halves = [...]struct {
	word string
	half half
}{
	{"p.m.", afternoon}, {"a.m.", forenoon}, {"pm", afternoon}, {"am", forenoon}, {"오후", afternoon}, {"오전", forenoon},
	{"下午", afternoon}, {"上午", forenoon}, {"午後", afternoon}, {"午前", forenoon}, {"μμ", afternoon}, {"πμ", forenoon},
}

// cutHalf reads such a word at the start of s. Korean words mean Korean time, unless a zone follows.
func (r *reader) cutHalf(s string) string {
	for _, h := range halves {
		if len(s) < len(h.word) || !strings.EqualFold(s[:len(h.word)], h.word) {
			continue
		}
		rest := s[len(h.word):]
		if next, _ := utf8.DecodeRuneInString(rest); next < utf8.RuneSelf && isLetter(byte(next)) {
			continue // America/New_York
		}
		r.half = h.half
		if strings.HasPrefix(h.word, "오") {
			r.zone = korea
		}
		return strings.TrimSpace(rest)
	}
	return s
}

func (r *reader) startsHalf(s string) bool {
	probe := reader{}
	probe.cutHalf(strings.TrimSpace(s))
	return probe.half != 0
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

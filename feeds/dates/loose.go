package dates

import (
	"strings"
	"unicode"
)

// readLoose reads day, month and year in any order, then a time and a zone.
func (r *reader) readLoose(s string) bool {
	words := strings.FieldsFunc(s, func(c rune) bool { return unicode.IsSpace(c) || c == ',' || c == '،' })
	for i, w := range words {
		if r.isClock(w) {
			return r.readTail(words[i:])
		}
		rest, ok := r.readWord(w, words[i+1:])
		switch {
		case !ok:
			return false
		case rest != "":
			return r.readTail(append([]string{rest}, words[i+1:]...))
		}
	}
	return r.hasDate()
}

// isClock tells whether a word starts a time: digits with a colon or an h, or with a point once the date is complete.
func (r *reader) isClock(w string) bool {
	_, n := digits(w, 3)
	if n == 0 || n > 2 || len(w) == n {
		return r.hasDate() && (n > 0 && n < 3 || startsOffset(w) || r.startsHalf(w))
	}
	switch w[n] {
	case ':':
		return true
	case 'h', 'H':
		return len(w) == n+1 || w[n+1] >= '0' && w[n+1] <= '9'
	case '.':
		return r.hasDate()
	}
	return r.hasDate() && r.startsHalf(w[n:])
}

// readTail reads the time and the zone in words, and the parts of the date that come after them.
func (r *reader) readTail(words []string) bool {
	var rest []string
	for i, w := range words {
		if i > 0 && !startsOffset(w) {
			if v, n := digits(w, 5); r.year == 0 && n == 4 && len(w) == 4 {
				r.year = v
				continue
			}
			if m := month(w); r.month == 0 && m != 0 {
				r.month = m
				continue
			}
			if v, n := digits(w, 3); r.day == 0 && n > 0 && n < 3 && isOrdinal(w[n:]) {
				r.day = v
				continue
			}
			if !r.hasDate() && strings.ContainsAny(w, "/.-") {
				if r.numericDate(w) {
					continue
				}
			}
		}
		rest = append(rest, w)
	}
	return r.hasDate() && r.readClock(strings.Join(rest, " "))
}

// readWord reads one part of a date. A rest is where the time starts.
func (r *reader) readWord(w string, after []string) (rest string, ok bool) {
	if m := month(w); m != 0 && r.month == 0 {
		if !strings.EqualFold(strings.Trim(w, "."), "mar") || !anyMonth(after) { // else it is Tuesday, in French or Italian
			r.month = m
		}
		return "", true
	}
	v, n := digits(w, 5)
	switch {
	case n == 0:
		return r.readText(w)
	case n <= 2 && isOrdinal(w[n:]):
		return "", r.readNumber(v, n)
	case n == 4 && (len(w) == 4 || w[4:] == "."):
		r.year = v
		return "", v > 0
	case r.hasDate():
		return w, true
	}
	return "", r.numericDate(w)
}

// readText deals with words that are no month: those before the end of a date do not matter, later ones may be a zone.
func (r *reader) readText(w string) (rest string, ok bool) {
	if strings.ContainsFunc(w, func(c rune) bool { return !unicode.IsLetter(c) && !strings.ContainsRune(".'’-:–—", c) }) {
		if r.hasDate() {
			return w, true
		}
		return "", false
	}
	if r.hasDate() && !isFiller(w) {
		return w, true
	}
	return "", true
}

// readNumber takes a number of one or two digits for the day, or for the year once there is a day.
func (r *reader) readNumber(v, size int) bool {
	switch {
	case r.day == 0 && v >= 1 && v <= 31:
		r.day = v
	case r.year == 0 && size == 2 && r.day != 0:
		r.year = century(v)
	default:
		return false
	}
	return true
}

// numericDate reads 14/07/2026, 14.7.26, 14-Jul-2026 and 2026/07/14.
func (r *reader) numericDate(w string) bool {
	i := strings.IndexAny(w, "/.-")
	if i <= 0 || r.month != 0 && r.day != 0 {
		return false
	}
	sep := w[i]
	p := strings.Split(strings.TrimRight(w, "."), string(sep))
	if len(p) != 3 {
		return false
	}
	if m := month(p[1]); m != 0 {
		day, n := digits(p[0], 3)
		year, k := digits(p[2], 5)
		if n == 4-k && k == 4 || n != len(p[0]) || k != len(p[2]) || n > 2 || k != 2 && k != 4 {
			return false
		}
		r.day, r.month, r.year = day, m, year
		if k == 2 {
			r.year = century(year)
		}
		return true
	}
	var v, n [3]int
	for k := range p {
		if v[k], n[k] = digits(p[k], 5); n[k] == 0 || n[k] != len(p[k]) {
			return false
		}
	}
	switch {
	case n[0] == 4 && n[1] <= 2 && n[2] <= 2:
		r.year, r.month, r.day = v[0], v[1], v[2]
		return true
	case n[0] > 2 || n[1] > 2 || n[2] != 4 && (n[2] != 2 || sep == '-'): // 26-07-14 may be anything
		return false
	}
	r.year = v[2]
	if n[2] == 2 {
		r.year = century(v[2])
	}
	r.dayMonth(v[0], v[1], sep)
	return true
}

// dayMonth decides which of two numbers is the day.
func (r *reader) dayMonth(a, b int, sep byte) {
	order := DayFirst
	switch {
	case a > 12:
		r.shown = DayFirst
	case b > 12:
		order, r.shown = MonthFirst, MonthFirst
	case r.order != 0:
		order = r.order
	default:
		if sep == '/' {
			order = MonthFirst
		}
		r.guessed = a != b
	}
	r.day, r.month = a, b
	if order == MonthFirst {
		r.day, r.month = b, a
	}
}

// century completes a year of two digits.
func century(v int) int {
	if v >= 69 {
		return 1900 + v
	}
	return 2000 + v
}

// isOrdinal tells what may follow a day: nothing, a point, or the ending of an ordinal number.
func isOrdinal(s string) bool {
	switch strings.ToLower(s) {
	case "", ".", "st", "nd", "rd", "th", "er", "º", "ª", "°", "e", "a.":
		return true
	}
	return false
}

// isFiller tells words that stand between a date and its time.
func isFiller(w string) bool {
	switch strings.ToLower(strings.Trim(w, ".")) {
	case "at", "um", "à", "a", "as", "às", "o'clock", "-", "–", "—", "г", "года", "р", "в", "о", "kl", "klo", "alle", "ore", "om", "saat", "":
		return true
	}
	return false
}

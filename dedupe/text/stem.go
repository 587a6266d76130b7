package text

import (
	"strings"
	"unicode/utf8"
)

// stemEnglish cuts the commonest English endings by the first rule that fits. It knows no irregular forms and checks for no vowels: two
// forms of one word must meet, the result need not be a word.
func stemEnglish(w string) string {
	n := utf8.RuneCountInString(w)
	switch {
	case n > 4 && strings.HasSuffix(w, "ies") && !strings.HasSuffix(w, "eies") && !strings.HasSuffix(w, "aies"):
		return w[:len(w)-3] + "y"
	case n > 4 && hasAnySuffix(w, "sses", "shes", "ches", "xes", "zes"):
		return w[:len(w)-2]
	}
	if n > 3 && strings.HasSuffix(w, "s") && !hasAnySuffix(w, "ss", "us", "is") {
		w, n = w[:len(w)-1], n-1
	}
	switch {
	case n > 5 && strings.HasSuffix(w, "ing"):
		return undouble(w[:len(w)-3])
	case n > 4 && strings.HasSuffix(w, "ed"):
		return undouble(w[:len(w)-2])
	case n > 4 && strings.HasSuffix(w, "e"):
		return w[:len(w)-1]
	}
	return w
}

func hasAnySuffix(w string, endings ...string) bool {
	for _, e := range endings {
		if strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}

// undouble drops one of two equal letters at the end, unless the word is short or ends in l, s or z.
func undouble(w string) string {
	last, n := utf8.DecodeLastRuneInString(w)
	before, _ := utf8.DecodeLastRuneInString(w[:len(w)-n])
	if utf8.RuneCountInString(w) <= 3 || last != before || last == 'l' || last == 's' || last == 'z' {
		return w
	}
	return w[:len(w)-n]
}

// stemLength is how many characters of a word are kept in languages whose endings are not known here.
const stemLength = 6

// truncate is a stem for languages with many endings: the beginning of the word.
func truncate(w string) string {
	n := 0
	for i := range w {
		if n == stemLength {
			return w[:i]
		}
		n++
	}
	return w
}

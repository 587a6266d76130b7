package dedupe

import (
	"strings"

	"sheaf/dedupe/text"
)

// headline is a title taken apart for comparison and for cues.
type headline struct {
	raw   string
	core  string   // without the outlet's name at the end and the section's at the front
	label string   // section or format in front of a colon or bar, lower case; empty if none
	keys  []string // keys of the words of core
}

// labels are the words that name a section or a format when they stand before a colon or bar.
var labels = phrases(`opinion|op-ed|op-ed columnist|op-ed contributor|editorial|editorials|column|columnist|commentary|comment|viewpoint|analysis|
	news analysis|explainer|explained|live|live updates|live blog|liveblog|watch|video|photos|pictures|in pictures|breaking|breaking news|exclusive|
	update|correction|corrected|clarification|letter|letters|review|interview|obituary|fact check|podcast|newsletter|special report|just in`)

// phrases splits a list at bars.
func phrases(list string) map[string]bool {
	set := make(map[string]bool)
	for p := range strings.SplitSeq(list, "|") {
		set[strings.TrimSpace(p)] = true
	}
	return set
}

// genericTitle reports a headline that would fit any article.
func genericTitle(title string) bool {
	return generic[strings.ToLower(strings.Trim(title, " .:!…"))]
}

// generic are headlines without a subject.
var generic = phrases(`update|updates|news|breaking news|latest|latest news|in brief|news in brief|briefs|headlines|top stories|at a glance|notes|
	notebook|photo|photos|video|gallery|watch|untitled|no title|kurz notiert|kurznachrichten|meldungen|nachrichten|kurz gemeldet|en bref|breves|brèves|
	actualités|en breve|breve|brevi|noticias|últimas noticias|ultima hora|última hora|in breve|notizie|em resumo|notícias|kort nieuws|kort|nieuws|
	новости|коротко|главное`)

// parseHeadline takes a title apart; isOutlet knows the names of outlets.
func parseHeadline(title string, isOutlet func(name string) bool) headline {
	h := headline{raw: title, core: cutOutlet(strings.TrimSpace(title), isOutlet)}
	for _, sep := range []string{" | ", ": ", " – ", " — ", " - "} {
		label, rest, ok := strings.Cut(h.core, sep)
		if ok && labels[strings.ToLower(strings.TrimSpace(label))] && strings.TrimSpace(rest) != "" {
			h.label, h.core = strings.ToLower(strings.TrimSpace(label)), strings.TrimSpace(rest)
			break
		}
	}
	for _, w := range text.Words(h.core) {
		h.keys = append(h.keys, text.Key(w.Text))
	}
	return h
}

// cutOutlet drops the name of an outlet, or a host name, after the last separator of a title.
func cutOutlet(title string, isOutlet func(name string) bool) string {
	for _, sep := range []string{" | ", " - ", " – ", " — ", " · "} {
		at := strings.LastIndex(title, sep)
		if at <= 0 {
			continue
		}
		tail := strings.TrimSpace(title[at+len(sep):])
		if isOutlet(tail) || isHost(tail) {
			return strings.TrimSpace(title[:at])
		}
	}
	return title
}

// isHost reports a name such as "news.example.org".
func isHost(name string) bool {
	return strings.Contains(strings.Trim(name, "."), ".") && !strings.ContainsAny(name, " /") && strings.ToLower(name) == name
}

// mold is the title with everything that changes from issue to issue blanked: numbers, months, weekdays, names. Two articles from one mold
// are likely issues of one column, not two reports.
func (h *headline) mold() string {
	var b strings.Builder
	for _, w := range text.Words(h.core) {
		k := text.Key(w.Text)
		switch {
		case strings.ContainsAny(k, "0123456789"), calendar[k], opposites[k] != "":
			k = "#"
		case b.Len() > 0 && text.IsUpper(w.Text):
			k = "@"
		}
		b.WriteString(k)
		b.WriteByte(' ')
	}
	return b.String()
}

// calendar are the names of days and months.
var calendar = phrases(`monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|
	november|december|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|marz|mai|juni|juli|oktober|dezember|
	lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miercoles|jueves|viernes|sabado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|
	agosto|septiembre|octubre|noviembre|diciembre|today|tonight|tomorrow|morning|afternoon|evening|weekend|week|spring|summer|autumn|winter`)

// listed reports a headline that strings three or more subjects together after its label.
func listed(title string) bool {
	_, list, ok := strings.Cut(title, ":")
	if !ok {
		return false
	}
	parts := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ';' || r == '|' || r == '、' })
	n := len(parts)
	if n > 1 && containsAny(spacedKeys(parts[n-1]), "and|und|y|et|e|en|и") {
		n++
	}
	return n >= 3
}

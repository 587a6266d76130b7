package dedupe

import (
	"strings"

	"sheaf"
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

// parseHeadline takes the title of an outlet's article apart.
func parseHeadline(title string, outlet sheaf.Outlet) headline {
	h := headline{raw: title, core: cutOutlet(strings.TrimSpace(title), outlet)}
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

// cutOutlet drops the outlet's own name, or a host name, after the last separator of a title.
func cutOutlet(title string, outlet sheaf.Outlet) string {
	for _, sep := range []string{" | ", " - ", " – ", " — ", " · "} {
		at := strings.LastIndex(title, sep)
		if at <= 0 {
			continue
		}
		tail := strings.TrimSpace(title[at+len(sep):])
		if sameOutlet(tail, outlet) || isHost(tail) {
			return strings.TrimSpace(title[:at])
		}
	}
	return title
}

func sameOutlet(name string, outlet sheaf.Outlet) bool {
	id := sheaf.Outlet{Name: name}.ID()
	return id != "" && (id == outlet.ID() || "the-"+id == outlet.ID() || id == "the-"+outlet.ID())
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

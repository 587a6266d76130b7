package clean

import (
	"strings"
	"unicode/utf8"
)

// Body is the text of an article without its furniture.
type Body struct {
	Text    string   // one paragraph a line
	Wire    string   // agency named by a dateline, which is cut off; empty if none
	Dropped []string // what was taken out
}

// Article takes out of a text, one paragraph a line, what does not belong to the report: credits and the captions above them, links to
// other pieces, appeals, and the ends that publishing systems add. If nothing would be left, the text stays as it is.
func Article(text string) Body {
	var b Body
	text = b.dropTail(text)
	lines := strings.Split(text, "\n")
	kept := make([]string, 0, len(lines))
	for i, l := range lines {
		if isCredit(l) || isFurniture(l) || i+1 < len(lines) && isCaption(l) && isCredit(lines[i+1]) {
			b.Dropped = append(b.Dropped, l)
			continue
		}
		kept = append(kept, tidy(l))
	}
	if len(kept) == 0 {
		return Body{Text: text}
	}
	b.Wire, kept[0] = dateline(kept[0])
	b.Text = strings.Join(kept, "\n")
	return b
}

// least is how many bytes must stand before an ending, so that a text is never an ending alone.
const least = 15

// dropTail cuts endings such as "[…]" and "Continue reading".
func (b *Body) dropTail(text string) string {
	for range maxEndings {
		end := tail(text)
		if end < 0 {
			return text
		}
		b.Dropped = append(b.Dropped, strings.TrimSpace(text[end:]))
		text = strings.TrimRight(text[:end], " \n")
	}
	return text
}

// maxEndings is how many endings one text may have, one after another.
const maxEndings = 8

// endings introduce an invitation to go on elsewhere.
var endings = [...]string{
	"Continue reading", "Continue Reading", "Read more", "Read More", "Read full story", "Read full article", "Weiterlesen", "Mehr lesen",
	"Lire la suite", "Leer más", "Seguir leyendo", "Leggi tutto", "Continua a leggere", "Читать далее", "Читать полностью",
}

// tail is where the ending of a text starts, or -1.
func tail(text string) int {
	for _, mark := range [...]string{"[…]", "[...]", "[&hellip;]", "(more…)", "(more...)"} {
		if strings.HasSuffix(text, mark) && len(text)-len(mark) > least {
			return len(text) - len(mark)
		}
	}
	from := max(0, len(text)-400)
	if i := strings.LastIndex(text[from:], "The post "); i >= 0 && from+i > least {
		rest := text[from+i:]
		if strings.Contains(rest, " appeared first on ") || strings.Contains(rest, " first appeared on ") {
			return from + i
		}
	}
	from = max(0, len(text)-160)
	for _, phrase := range endings {
		i := strings.LastIndex(text[from:], phrase)
		if i < 0 || from+i <= least {
			continue
		}
		start := from + i
		rest := strings.TrimRight(text[start+len(phrase):], " →»>….")
		if strings.ContainsAny(rest, "\n.!?") || !strings.ContainsAny(text[start-1:start], " \n]") && !strings.HasSuffix(text[:start], "…") {
			continue
		}
		return start
	}
	return -1
}

// tidy repairs the inside of a line: marks of links whose element was lost, and editors' marks.
func tidy(l string) string {
	if strings.Contains(l, "[sic]") {
		l = Line(strings.ReplaceAll(l, "[sic]", ""))
	}
	const mark = ", external"
	if !strings.Contains(l, mark) {
		return l
	}
	var b strings.Builder
	for {
		i := strings.Index(l, mark)
		if i < 0 {
			b.WriteString(l)
			return Line(b.String())
		}
		before, after := l[:i], l[i+len(mark):]
		glued := after == "" || after[0] != ' ' && after[0] != '-' && after[0] != ','
		if strings.HasSuffix(before, " ") || glued {
			b.WriteString(before)
			b.WriteByte(' ')
			l = strings.TrimLeft(after, ".")
			continue
		}
		b.WriteString(l[:i+len(mark)])
		l = after
	}
}

// agencies are the names that datelines give in brackets.
var agencies = [...]string{"AP", "Reuters", "REUTERS", "AFP", "dpa", "PA", "ANSA", "EFE", "TASS", "Xinhua", "UPI", "Bloomberg"}

// dateline reads "LONDON, July 14 (Reuters) - " at the start of a line.
func dateline(l string) (wire, rest string) {
	open := strings.IndexByte(l[:min(len(l), 64)], '(')
	if open < 0 || !isPlace(l[:open]) {
		return "", l
	}
	name, rest, ok := strings.Cut(l[open+1:], ")")
	if !ok {
		return "", l
	}
	after := strings.TrimLeft(rest, " ")
	trimmed := strings.TrimLeft(after, "-–—")
	if trimmed == after {
		return "", l
	}
	for _, a := range agencies {
		if name == a {
			if a == "REUTERS" {
				a = "Reuters"
			}
			return a, strings.TrimSpace(trimmed)
		}
	}
	return "", l
}

// isPlace tells what may stand before the bracket of a dateline: nothing, or a place with or without a day.
func isPlace(s string) bool {
	s = strings.TrimSpace(s)
	if s == "" {
		return true
	}
	if s[0] < 'A' || s[0] > 'Z' && s[0] < utf8.RuneSelf {
		return false
	}
	return !strings.ContainsAny(s, "!?:;\"”“") && len(strings.Fields(s)) <= 7
}

// Lead is a summary without the endings that publishing systems add.
func Lead(text string) string {
	var b Body
	return b.dropTail(text)
}

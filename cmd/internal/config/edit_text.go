package config

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// block is how entries stand in a list of lines.
type block struct {
	dash   string // before the dash
	gap    string // after it; empty: one space
	braces bool   // each entry is one line in braces
}

// render gives the lines of entries.
func (b block) render(entries []Entry) string {
	gap := b.gap
	if gap == "" {
		gap = " "
	}
	var s strings.Builder
	for _, e := range entries {
		if e.Comment != "" {
			s.WriteString(b.dash + "# " + oneLine(e.Comment) + "\n")
		}
		if b.braces {
			s.WriteString(b.dash + "-" + gap + e.flow(false) + "\n")
			continue
		}
		lead := b.dash + "-" + gap
		for _, p := range e.pairs() {
			s.WriteString(lead + p[0] + ": " + scalar(p[1], false) + "\n")
			lead = b.dash + " " + strings.Repeat(" ", len(gap))
		}
	}
	return s.String()
}

// renderFlow gives entries for a list in brackets.
func renderFlow(entries []Entry, quoted bool) string {
	parts := make([]string, len(entries))
	for i, e := range entries {
		parts[i] = e.flow(quoted)
	}
	return strings.Join(parts, ", ")
}

// flow is an entry in braces.
func (e Entry) flow(quoted bool) string {
	var parts []string
	for _, p := range e.pairs() {
		value := scalar(p[1], true)
		if quoted {
			value = quote(p[1])
		}
		parts = append(parts, keyText(p[0], quoted)+": "+value)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// pairs are the keys of an entry with their values, in the order of the reference.
func (e Entry) pairs() [][2]string {
	pairs := [][2]string{{"url", e.URL}, {"outlet", e.Outlet}, {"owner", e.Owner}, {"language", e.Language}}
	return slices.DeleteFunc(pairs, func(p [2]string) bool { return p[1] == "" })
}

func keyText(key string, quoted bool) string {
	if quoted {
		return quote(key)
	}
	return key
}

var (
	// bare is what needs no quotes wherever it stands; a colon or a number sign only within a word.
	bare = regexp.MustCompile(`^\pL(?:[\pL\pM\pN ._/&()?+%=~@;!'’-]|[:#][\pL\pM\pN._/&()?+%=~@;!-])*$`)
	// word is what YAML takes for a truth value or for nothing.
	word = regexp.MustCompile(`^(?i:true|false|yes|no|on|off|y|n|null)$`)
)

// scalar writes a value as YAML, without quotes where none are needed.
func scalar(s string, inBraces bool) string {
	plain := bare.MatchString(s) && !word.MatchString(s) && !strings.HasSuffix(s, " ") && !strings.Contains(s, " #")
	if !plain || inBraces && strings.ContainsAny(s, "?#") {
		return quote(s)
	}
	return s
}

// quote writes a value in double quotes, as JSON does, which YAML includes.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil { // no string fails
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// oneLine makes one line of printable text of s.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

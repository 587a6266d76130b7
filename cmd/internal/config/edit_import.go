package config

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"sheaf/output/opml"
)

// Skipped is one feed of a list that is not added. Its JSON keys are an interface.
type Skipped struct {
	Line    int    `json:"line,omitempty"` // from 1; 0: unknown
	URL     string `json:"url"`
	Title   string `json:"title,omitempty"`
	Reason  string `json:"reason"`
	Trouble bool   `json:"trouble"` // it would be lost if nobody cared
}

// ImportPlan is what becomes of a list of feeds: each is among the entries or among what is left out.
type ImportPlan struct {
	Entries []Entry   // in the order of the list
	Skipped []Skipped // by line
}

// PlanImport decides about every feed of a list. data is the OPML document it was read from, for the lines and the languages that the
// list does not tell. local accepts addresses for which IsLocal holds.
func (c *Config) PlanImport(data []byte, list []opml.Feed, local bool) ImportPlan {
	p := planner{config: c, local: local, lines: map[string]int{}}
	p.take(list, outlines(data))
	return p.ImportPlan
}

// planner makes an ImportPlan.
type planner struct {
	ImportPlan
	config *Config
	local  bool
	lines  map[string]int // of the addresses taken, by key
}

// take decides about every feed of a list.
func (p *planner) take(list []opml.Feed, found map[string]outline) {
	folder := ""
	for _, f := range list {
		at := found[f.URL]
		reason, trouble := p.refuse(&f, at.first())
		if reason != "" {
			p.Skipped = append(p.Skipped, Skipped{at.first(), f.URL, f.Title, reason, trouble})
		} else {
			e := Entry{URL: f.URL, Outlet: outletOf(f), Language: at.language}
			if name := strings.Join(f.Folder, " / "); name != folder {
				folder = name
				if name != e.Outlet {
					e.Comment = name
				}
			}
			p.Entries = append(p.Entries, e)
		}
		for _, line := range at.lines[min(1, len(at.lines)):] {
			p.Skipped = append(p.Skipped, Skipped{line, f.URL, f.Title, fmt.Sprintf("the same address as in line %d", at.first()), false})
		}
	}
	slices.SortStableFunc(p.Skipped, func(a, b Skipped) int { return a.Line - b.Line })
}

// refuse says why a feed is not added; empty if it is. It puts the address into the form in which it is configured.
func (p *planner) refuse(f *opml.Feed, line int) (reason string, trouble bool) {
	address, err := Address(Unfeed(f.URL), p.config.Dir())
	if err != nil {
		return err.Error(), true
	}
	key := AddressKey(address)
	if known, ok := p.config.Find(address); ok {
		return "configured already as " + known.URL, false
	}
	if first, ok := p.lines[key]; ok {
		return fmt.Sprintf("the same feed as in line %d", first), false
	}
	if IsLocal(address) && !p.local {
		return "an address on this machine or in its network; give --local if it is meant", true
	}
	p.lines[key], f.URL = line, address
	return "", false
}

// outletOf is the outlet a feed is credited to: the folder if the title begins with its name, as in our own lists, else the title.
func outletOf(f opml.Feed) string {
	name := f.Title
	if n := len(f.Folder); n > 0 {
		if rest, ok := strings.CutPrefix(f.Title, f.Folder[n-1]); ok && (rest == "" || separator.MatchString(rest)) {
			name = f.Folder[n-1]
		}
	}
	if name == f.URL || strings.Contains(name, "${") { // no name; no value of a configuration
		return ""
	}
	return name
}

// separator is what stands between the name of an outlet and that of one of its feeds.
var separator = regexp.MustCompile(`^(?::| [-–—|/»›:]) `)

// outline is what a list says of an address beside what opml.Feed holds.
type outline struct {
	lines    []int // where it stands
	language string
}

// first is the line where it stands first; 0 if unknown.
func (o outline) first() int {
	if len(o.lines) == 0 {
		return 0
	}
	return o.lines[0]
}

// tag is the form of a language tag, as far as it matters here.
var tag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// outlines finds the addresses in a list that has been read, as far as it goes.
func outlines(data []byte) map[string]outline {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return &wide{r: r}, nil }
	found := map[string]outline{}
	for {
		line, _ := d.InputPos()
		t, err := d.Token()
		if err != nil {
			return found
		}
		element, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		address, language := "", ""
		for _, a := range element.Attr {
			switch value := strings.Join(strings.Fields(a.Value), " "); strings.ToLower(a.Name.Local) {
			case "xmlurl":
				address = value
			case "language":
				language = value
			}
		}
		if address == "" {
			continue
		}
		o := found[address]
		o.lines = append(o.lines, line)
		if o.language == "" && tag.MatchString(language) {
			o.language = language
		}
		found[address] = o
	}
}

// wide reads bytes as characters of the same numbers: what is ASCII in any charset of the web stays so, and lines are lines.
type wide struct {
	r    io.Reader
	rest []byte
}

func (w *wide) Read(p []byte) (int, error) {
	for len(w.rest) == 0 {
		var b [512]byte
		n, err := w.r.Read(b[:])
		for _, c := range b[:n] {
			w.rest = append(w.rest, string(rune(c))...)
		}
		if err != nil && n == 0 {
			return 0, err
		}
	}
	n := copy(p, w.rest)
	w.rest = w.rest[n:]
	return n, nil
}

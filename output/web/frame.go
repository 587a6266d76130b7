package web

import (
	"cmp"
	"embed"
	"html/template"
	"strconv"
	"strings"
	"time"

	"sheaf/output"
)

//go:embed style.css pages/*.html
var assets embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"iso":     func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"count":   count,
	"join":    strings.Join,
	"percent": func(share float64) string { return strconv.Itoa(int(100*share+0.5)) + " %" },
	"within":  func(page framed, v any) within { f := page.self(); return within{f, v} },
}).ParseFS(assets, "pages/*.html"))

// within is what a template needs that shows a part of a page: the frame of the page, and the part.
type within struct {
	Frame *frame
	Part  any
}

// framed is a page.
type framed interface{ self() *frame }

func (f *frame) self() *frame { return f }

// frame is what all pages have around their content.
type frame struct {
	links
	Site       string // title of the site
	Lang       string
	Path       string // of the page below the site, percent-encoded
	Title      string // of the page; empty on the front page
	Style      string // name of the stylesheet
	Topics     []topic
	Alternates []alternate
	Data       string // address of the page as JSON; empty: none
	Canonical  string // full address of the page; empty: it has no lasting one
	Query      string // in the search box
	Search     bool   // there is a search
	Referrer   string // policy: what sites we link to are told
	Updated    time.Time
	Newest     time.Time // of the newest report
	zone       *time.Location
	icons      Icons // nil: initials
}

// topic is an entry of the navigation.
type topic struct {
	Name, Address string
	Current       bool
}

// alternate is a feed of what the page shows.
type alternate struct {
	Kind, Media, Title, Address string
}

// Tongue is a language as a part of the page names it: empty if the page is in it.
func (f *frame) Tongue(lang string) string {
	if strings.EqualFold(lang, f.Lang) {
		return ""
	}
	return lang
}

// Clock is a time for scanning: without its day if that is the newest report's, without its year if that is.
func (f *frame) Clock(t time.Time) string {
	t, newest := t.In(f.zone), f.Newest.In(f.zone)
	switch {
	case t.Year() != newest.Year():
		return t.Format("2 Jan 2006, 15:04")
	case t.YearDay() != newest.YearDay():
		return t.Format("2 Jan, 15:04")
	}
	return t.Format("15:04")
}

// Stamp is a time with everything that belongs to it.
func (f *frame) Stamp(t time.Time) string { return t.In(f.zone).Format("2 Jan 2006, 15:04 MST") }

// Zone names the zone of all times on the page.
func (f *frame) Zone() string { return f.Newest.In(f.zone).Format("MST") }

// alternates offers a list as feeds, address below the site without a suffix.
func alternates(l links, address, query, title string) []alternate {
	var all []alternate
	if query != "" {
		query = "?" + query
	}
	for _, k := range kinds() {
		all = append(all, alternate{k.title, k.media, title + " (" + k.title + ")", l.To(address + k.suffix + query)})
	}
	return all
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func siteTitle(site output.Site) string { return cmp.Or(site.Title, "sheaf") }
func siteLang(site output.Site) string  { return cmp.Or(site.Language, "en") }

func siteZone(site output.Site) *time.Location {
	if site.Zone == nil {
		return time.UTC
	}
	return site.Zone
}

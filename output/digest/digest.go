// Package digest writes press reviews: the best covered stories of a period, each with all its reports, as HTML, Markdown, CSV or JSON.
//
// The order of clips is fixed: more independent reports first, then more outlets, then the older story, then the id; within a story the
// lead first, then the others by time. Whatever the format, a review of the same stories is the same bytes.
package digest

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"
	"time"

	"sheaf"
	"sheaf/output"
)

// Review is a press review.
type Review struct {
	Title string    `json:"title"`
	From  time.Time `json:"from"` // inclusive
	To    time.Time `json:"to"`   // exclusive
	Clips []Clip    `json:"clips"`
}

// Clip is a story in a review.
type Clip struct {
	Story       sheaf.StoryID `json:"story"`
	Title       string        `json:"title"`
	URL         string        `json:"url"`  // the lead's address, else our page
	Page        string        `json:"page"` // our page on the story
	Teaser      string        `json:"teaser,omitempty"`
	Outlets     int           `json:"outlets"`
	Independent int           `json:"independent"`
	Reports     []Report      `json:"reports"`
}

// Report is an outlet's article in a clip.
type Report struct {
	Outlet    string     `json:"outlet"`
	Title     string     `json:"title"`
	URL       string     `json:"url,omitempty"`
	Published time.Time  `json:"published"`
	Role      sheaf.Role `json:"role"`
}

// New makes the review of a period from the stories the channel's rules admit.
func New(site output.Site, c output.Channel, stories []sheaf.Story, from, to time.Time) Review {
	r := Review{Title: c.Title, From: from.UTC(), To: to.UTC(), Clips: []Clip{}}
	if r.Title == "" {
		r.Title = "Press review"
	}
	for _, s := range c.Select(stories, from, to) {
		r.Clips = append(r.Clips, newClip(site, &s, c.Snippets))
	}
	return r
}

func newClip(site output.Site, s *sheaf.Story, allowed output.Snippets) Clip {
	item := output.NewItem(s, allowed)
	c := Clip{
		Story: s.ID, Title: item.Title, URL: item.Link, Page: site.Page(s.ID), Teaser: item.Teaser,
		Outlets: len(s.Outlets()), Independent: s.Independent(),
	}
	if c.URL == "" {
		c.URL = c.Page
	}
	for _, r := range item.Reports {
		report := Report{r.Outlet, r.Title, r.URL, r.Published, r.Role}
		if r.Article == item.Lead {
			c.Reports = append([]Report{report}, c.Reports...)
		} else {
			c.Reports = append(c.Reports, report)
		}
	}
	return c
}

// Coverage says how wide the story was covered, for people.
func (c Clip) Coverage() string {
	if c.Outlets == 1 {
		return "1 outlet"
	}
	return fmt.Sprintf("%d outlets, %d independent", c.Outlets, c.Independent)
}

// Period is the time the review covers, for people.
func (r Review) Period() string {
	return r.From.Format("2 Jan 2006 15:04") + " to " + r.To.Format("2 Jan 2006 15:04 MST")
}

var page = template.Must(template.New("").Funcs(template.FuncMap{
	"iso":   func(t time.Time) string { return t.Format(time.RFC3339) },
	"stamp": func(t time.Time) string { return t.Format("2 Jan 15:04 MST") },
}).Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}, {{.Period}}</title>
</head>
<body>
<h1>{{.Title}}</h1>
<p>{{.Period}}</p>
{{range .Clips}}<h2 dir="auto"><a href="{{.URL}}">{{.Title}}</a></h2>
{{with .Teaser}}<p dir="auto">{{.}}</p>
{{end}}<p><a href="{{.Page}}">{{.Coverage}}</a></p>
<ol>
{{range .Reports}}<li><cite>{{.Outlet}}</cite>, <time datetime="{{iso .Published}}">{{stamp .Published}}</time>: {{if .URL}}<a href="{{.URL}}">{{.Title}}</a>{{else}}{{.Title}}{{end}}{{if eq .Role "copy"}} (same text){{end}}</li>
{{end}}</ol>
{{else}}<p>Nothing qualified.</p>
{{end}}</body>
</html>
`))

// WriteHTML writes the review as a page that stands alone.
func (r Review) WriteHTML(w io.Writer) error {
	return page.Execute(w, r)
}

// WriteMarkdown writes the review as CommonMark.
func (r Review) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", literal(r.Title), r.Period())
	if len(r.Clips) == 0 {
		b.WriteString("\nNothing qualified.\n")
	}
	for _, c := range r.Clips {
		fmt.Fprintf(&b, "\n## [%s](%s)\n\n", literal(c.Title), target(c.URL))
		if c.Teaser != "" {
			fmt.Fprintf(&b, "%s\n\n", literal(c.Teaser))
		}
		fmt.Fprintf(&b, "[%s](%s)\n\n", c.Coverage(), target(c.Page))
		for i, report := range c.Reports {
			title := literal(report.Title)
			if report.URL != "" {
				title = "[" + title + "](" + target(report.URL) + ")"
			}
			fmt.Fprintf(&b, "%d. %s, %s: %s%s\n", i+1, literal(report.Outlet), report.Published.Format("2 Jan 15:04 MST"), title, same(report.Role))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func same(role sheaf.Role) string {
	if role == sheaf.RoleCopy {
		return " (same text)"
	}
	return ""
}

// literal keeps text from being read as markup.
func literal(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_{}[]()<>#+-.!|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// target keeps an address from ending its link early.
func target(address string) string {
	return strings.NewReplacer("(", "%28", ")", "%29").Replace(address)
}

// WriteCSV writes the review as CSV (RFC 4180) with a head line, one report a line. Cells that a spreadsheet would take for a formula
// begin with an apostrophe.
func (r Review) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.UseCRLF = true
	rows := [][]string{{"rank", "story", "headline", "outlets", "independent", "outlet", "title", "url", "published", "role"}}
	for i, clip := range r.Clips {
		for _, report := range clip.Reports {
			rows = append(rows, []string{
				strconv.Itoa(i + 1), string(clip.Story), cell(clip.Title), strconv.Itoa(clip.Outlets), strconv.Itoa(clip.Independent),
				cell(report.Outlet), cell(report.Title), report.URL, report.Published.Format(time.RFC3339), string(report.Role),
			})
		}
	}
	return c.WriteAll(rows)
}

func cell(s string) string {
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		return "'" + s
	}
	return s
}

// WriteJSON writes the review as one JSON document. Keys are added, never renamed.
func (r Review) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

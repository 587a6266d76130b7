package output

import (
	"cmp"
	"html"
	"strconv"
	"strings"
	"time"

	"sheaf"
)

const (
	mostRows   = 25 // list items of a coverage block
	mostCopies = 12 // copies named under one of them
)

// row is a report in its own words with the copies of it.
type row struct {
	at     int // index into the item's reports
	copies []int
}

// coverageBlock is the body of the item in every format: HTML of the few elements that all readers keep, around plain text. Times are
// absolute, so nothing in it changes by itself.
func (v *view) coverageBlock() string {
	b := block{zone: v.site.zone()}
	b.Grow(512 + 512*len(v.Item.Reports))
	if v.Item.News != "" {
		b.add("<p>", html.EscapeString(v.Item.News), "</p>\n")
	}
	if v.Item.Teaser != "" {
		b.add("<p>", html.EscapeString(v.Item.Teaser), "</p>\n")
	}
	if v.digest() {
		b.entries(v)
	} else {
		b.counts(v)
		b.list(v)
	}
	b.add("\n<p>")
	b.link(v.page, v.pageTitle())
	b.add("</p>")
	return b.String()
}

// entries lists the stories of a digest; one that is empty links to itself, so that no reader finds a list without items.
func (b *block) entries(v *view) {
	b.add("<ol>")
	for i := range v.Item.Entries {
		e := &v.Item.Entries[i]
		page := v.site.Page(e.Story)
		b.add("\n<li><strong>")
		b.link(cmp.Or(e.Link, page), e.Title)
		b.add("</strong><br><cite>", html.EscapeString(e.Outlet), "</cite>, ")
		b.time(e.Published)
		b.add("<br>")
		b.link(page, count(e.Outlets, "outlet")+", "+strconv.Itoa(e.Independent)+" independent")
		b.add("</li>")
	}
	if len(v.Item.Entries) == 0 {
		b.add("\n<li>")
		b.link(v.link, v.Item.Title)
		b.add("</li>")
	}
	b.add("\n</ol>")
}

// block is a coverage block being written.
type block struct {
	strings.Builder
	zone *time.Location
}

func (b *block) add(parts ...string) {
	for _, p := range parts {
		b.WriteString(p)
	}
}

func (b *block) counts(v *view) {
	reports := v.Item.Reports
	b.add("<p><strong>", count(len(v.outlets), "outlet"), ", ", count(len(reports), "article"), "</strong>")
	if len(v.outlets) > 1 {
		b.add(". First: ")
		b.mention(&reports[0])
		b.add(". Latest: ")
		b.mention(&reports[len(reports)-1])
	}
	b.add(".</p>\n")
}

func (b *block) mention(r *Report) {
	b.add(html.EscapeString(r.Outlet), ", ")
	b.time(r.Published)
}

func (b *block) list(v *view) {
	rows := v.rows()
	b.add("<ol>")
	for _, r := range rows[:min(len(rows), mostRows)] {
		b.add("\n<li>")
		b.row(v, r)
		b.add("</li>")
	}
	b.add("\n</ol>")
	if more := len(rows) - mostRows; more > 0 {
		b.add("\n<p>")
		b.link(v.page, "and "+strconv.Itoa(more)+" more")
		b.add("</p>")
	}
}

func (b *block) row(v *view, r row) {
	report := &v.Item.Reports[r.at]
	address := report.URL
	if report == v.lead {
		address = v.link
		b.add("<strong>")
	}
	b.link(address, report.Title)
	if report == v.lead {
		b.add("</strong>")
	}
	b.add("<br><cite>", html.EscapeString(report.Outlet), "</cite>, ")
	if report.Authors != "" {
		b.add(html.EscapeString(report.Authors), ", ")
	}
	b.time(report.Published)
	if len(r.copies) == 0 {
		return
	}
	b.add("<br>Same text at ")
	for i, at := range r.copies[:min(len(r.copies), mostCopies)] {
		if i > 0 {
			b.add(", ")
		}
		b.link(v.Item.Reports[at].URL, v.Item.Reports[at].Outlet)
	}
	if more := len(r.copies) - mostCopies; more > 0 {
		b.add(" and ", strconv.Itoa(more), " more")
	}
}

// link writes text, linked if there is an address.
func (b *block) link(address, text string) {
	if address == "" {
		b.add(html.EscapeString(text))
		return
	}
	b.add(`<a href="`, html.EscapeString(address), `">`, html.EscapeString(text), "</a>")
}

func (b *block) time(t time.Time) {
	b.add(`<time datetime="`, rfc3339(t), `">`, html.EscapeString(t.In(b.zone).Format("2 Jan 15:04 MST")), "</time>")
}

// rows puts the lead first, then the others by time, copies folded under their original.
func (v *view) rows() []row {
	at := make(map[sheaf.ArticleID]int, len(v.Item.Reports))
	rows := make([]row, 0, len(v.Item.Reports))
	for i := range v.Item.Reports {
		if r := &v.Item.Reports[i]; r == v.lead {
			at[r.Article] = len(rows)
			rows = append(rows, row{at: i})
		}
	}
	for i := range v.Item.Reports {
		if r := &v.Item.Reports[i]; v.role(r) == string(sheaf.RoleReport) {
			at[r.Article] = len(rows)
			rows = append(rows, row{at: i})
		}
	}
	for i := range v.Item.Reports {
		r := &v.Item.Reports[i]
		if v.role(r) != string(sheaf.RoleCopy) {
			continue
		}
		if j, ok := at[r.CopyOf]; ok {
			rows[j].copies = append(rows[j].copies, i)
		}
	}
	return rows
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

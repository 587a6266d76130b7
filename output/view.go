package output

import (
	"fmt"
	"strings"
	"time"

	"sheaf"
)

const (
	mostCategories = 12 // outlets named as categories of an item
	mostInByline   = 3  // outlets named in its byline
)

// view is an emission with what its three forms share.
type view struct {
	*Emission
	site      Site
	urn       string
	page      string   // our page on the story
	link      string   // the lead's address, else the page
	addresses []string // of the reports, in their order: never empty, so that copies can name their original
	lead      *Report
	outlets   []credit // the lead's first, the others by their first report
	byline    string
	summary   string
	block     string // the coverage block, HTML
}

// credit is an outlet as an item names it.
type credit struct {
	key, name, url string
}

func newView(site Site, e *Emission) *view {
	v := &view{Emission: e, site: site, urn: urn(e.ID), page: site.Page(e.Story), lead: e.Item.lead()}
	if v.digest() {
		v.page = site.Home()
	}
	v.link = v.page
	if e.Item.Link != "" {
		v.link = e.Item.Link
	}
	for i := range e.Item.Reports {
		r := &e.Item.Reports[i]
		switch {
		case r == v.lead:
			v.addresses = append(v.addresses, v.link)
		case r.URL != "":
			v.addresses = append(v.addresses, r.URL)
		default:
			v.addresses = append(v.addresses, v.page+"#"+string(r.Article))
		}
	}
	v.outlets = e.Item.credits(v.lead)
	v.byline = byline(v.outlets)
	v.summary = e.Item.Teaser
	if v.summary == "" {
		v.summary = v.byline
	}
	v.block = v.coverageBlock()
	return v
}

// lead is the report that heads the item; the first one if the memory names none that is listed.
func (it *Item) lead() *Report {
	for i := range it.Reports {
		if it.Reports[i].Article == it.Lead {
			return &it.Reports[i]
		}
	}
	return &it.Reports[0]
}

func (it *Item) credits(lead *Report) []credit {
	seen := make(map[string]bool, len(it.Reports))
	var list []credit
	add := func(r *Report) {
		if !seen[r.Outlet] {
			seen[r.Outlet] = true
			key := string(r.outlet())
			if key == "" {
				key = r.Outlet
			}
			list = append(list, credit{key, r.Outlet, r.OutletURL})
		}
	}
	add(lead)
	for i := range it.Reports {
		add(&it.Reports[i])
	}
	return list
}

func byline(outlets []credit) string {
	var b strings.Builder
	for i, o := range outlets {
		if i == mostInByline {
			fmt.Fprintf(&b, " +%d", len(outlets)-mostInByline)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(o.name)
	}
	return b.String()
}

// role is the report's part in our extension, which knows three: an aside is a text in its own words, so a report.
func (v *view) role(r *Report) string {
	switch {
	case r == v.lead:
		return "lead"
	case r.Role == sheaf.RoleCopy && r.CopyOf != "":
		return string(sheaf.RoleCopy)
	}
	return string(sheaf.RoleReport)
}

// original is the address of the text a copy carries; empty for any other report.
func (v *view) original(r *Report) string {
	if v.role(r) != string(sheaf.RoleCopy) {
		return ""
	}
	for i := range v.Item.Reports {
		if v.Item.Reports[i].Article == r.CopyOf {
			return v.addresses[i]
		}
	}
	return ""
}

// source is an address for the feed the lead came from. A local file has none that may be told: the outlet, else our site, stands in.
func (v *view) source() string {
	switch {
	case v.lead.FeedURL != "":
		return v.lead.FeedURL
	case v.lead.OutletURL != "":
		return v.lead.OutletURL
	}
	return v.site.Home()
}

// related calls f for every report beside the lead, once for each address, with the headline readers show for the link.
func (v *view) related(f func(address, title string)) {
	seen := map[string]bool{v.link: true}
	for i := range v.Item.Reports {
		if a := v.addresses[i]; !seen[a] {
			seen[a] = true
			f(a, v.Item.Reports[i].Outlet+": "+v.Item.Reports[i].Title)
		}
	}
}

// digest says that the item lists stories instead of telling one; it has no page of its own.
func (v *view) digest() bool { return v.Item.Lead == "" || len(v.Item.Entries) > 0 }

// pageTitle is what a link to the page reads.
func (v *view) pageTitle() string {
	if v.digest() {
		return "All channels"
	}
	return "Timeline and full coverage"
}

// threaded says that the item tells a part of a story that is an item of its own elsewhere.
func (v *view) threaded() bool { return v.ID != string(v.Story) }

func (v *view) first() time.Time { return v.Item.Reports[0].Published }
func (v *view) last() time.Time  { return v.Item.Reports[len(v.Item.Reports)-1].Published }

func urn(id string) string { return "urn:uuid:" + id }

func rfc3339(t time.Time) string { return t.UTC().Format(time.RFC3339) }

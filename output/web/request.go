package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"sheaf/output"
	"sheaf/output/web/query"
)

// perPage is how many stories a page lists.
const perPage = 50

// mostPages is how far one can page back: nobody reads on, and programs read the feeds.
const mostPages = 40

// choice is one value of a control.
type choice struct {
	Value, Name string
}

// windows are the spans that a list looks back over, from the newest report. The first, chosen by default, is the shortest of the others
// that fills a screen.
func windows() []choice {
	return []choice{{"", ""}, {"24h", "24 hours"}, {"3d", "3 days"}, {"7d", "7 days"}, {"all", "Any time"}}
}

// fewest is how many stories fill a screen.
const fewest = 12

func leasts() []choice {
	return []choice{{"1", "any"}, {"2", "2 or more"}, {"3", "3 or more"}, {"5", "5 or more"}, {"10", "10 or more"}}
}

func listOrders() []choice {
	return []choice{{string(OrderCovered), "Most covered"}, {string(OrderNewest), "Newest"}, {string(OrderGrowing), "Growing fastest"}}
}

func searchOrders() []choice {
	return []choice{{string(OrderBest), "Best match"}, {string(OrderNewest), "Newest"}}
}

// view is how a list is looked at: what the address says behind its question mark. Whatever is not one of the choices counts as not said,
// so that there are no more views than there are choices.
type view struct {
	Window string
	Least  string
	Order  string
	Lang   string
	Query  query.Query
	Typed  string // the query as it was typed; empty if it looks for nothing
	Page   int    // from 1
	orders []choice
}

// parseView reads what a request asks for. The first of the orders is the usual one.
func parseView(values url.Values, orders []choice) view {
	one := func(key string, choices []choice) string {
		v := values.Get(key)
		if slices.ContainsFunc(choices, func(c choice) bool { return c.Value == v }) {
			return v
		}
		return choices[0].Value
	}
	v := view{Window: one("w", windows()), Least: one("min", leasts()), Order: one("o", orders), Query: query.Parse(values.Get("q")), Page: 1, orders: orders}
	if v.Query.Finds() {
		v.Typed = output.Plain(query.Limited(values.Get("q")))
	}
	if lang := strings.ToLower(values.Get("lang")); len(lang) == 2 || len(lang) == 3 {
		if strings.Trim(lang, "abcdefghijklmnopqrstuvwxyz") == "" {
			v.Lang = lang
		}
	}
	if p, err := strconv.Atoi(values.Get("p")); err == nil && p > 1 {
		v.Page = min(p, mostPages)
	}
	return v
}

// encode is the view as an address says it: what differs from the defaults, in a fixed order.
func (v view) encode() string {
	var parts []string
	add := func(key, value, usual string) {
		if value != usual {
			parts = append(parts, key+"="+url.QueryEscape(value))
		}
	}
	add("q", v.Typed, "")
	add("w", v.Window, windows()[0].Value)
	add("min", v.Least, leasts()[0].Value)
	add("o", v.Order, v.orders[0].Value)
	add("lang", v.Lang, "")
	add("p", strconv.Itoa(v.Page), "1")
	return strings.Join(parts, "&")
}

// onPage is the view of another page of the same list.
func (v view) onPage(n int) view {
	v.Page = n
	return v
}

// selection is what the view asks of the stories, with ages measured from the newest report.
func (v view) selection(newest time.Time) Selection {
	least, err := strconv.Atoi(v.Least)
	if err != nil { // one of the choices
		least = 1
	}
	s := Selection{Least: least, Lang: v.Lang, Order: Order(v.Order), Offset: (v.Page - 1) * perPage, Limit: perPage}
	switch v.Window {
	case "24h":
		s.Since = newest.Add(-24 * time.Hour)
	case "3d":
		s.Since = newest.Add(-3 * 24 * time.Hour)
	case "7d":
		s.Since = newest.Add(-7 * 24 * time.Hour)
	}
	return s
}

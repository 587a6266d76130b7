package feeds

import (
	"time"

	"sheaf/feeds/dates"
)

// Bounds of what is believed of a claimed time.
const (
	maxAhead     = 24 * time.Hour
	stampedLeast = 3 // items with one and the same instant
)

// isPlausible tells a claim that a news feed may make.
func isPlausible(t, now time.Time) bool {
	return !t.IsZero() && t.Year() >= 1995 && !t.After(now.Add(maxAhead))
}

// date reads a date by what is known of the feed, and learns from it.
func (r *reader) date(s string) time.Time {
	if s == "" {
		return time.Time{}
	}
	o := dates.Options{Zone: r.n.Quirks.Zone}
	if r.n.Learned != nil {
		o.Order = dates.Order(r.n.Learned.DateOrder)
	}
	d, ok := dates.Parse(s, o)
	if !ok {
		return time.Time{}
	}
	if r.n.Learned != nil && d.Order != 0 {
		r.n.Learned.DateOrder = int8(d.Order)
	}
	return d.Time
}

// times fills what an item claims, and decides the time for ordering.
func (r *reader) times(it *Item, d *Reading) {
	now := r.n.Now
	d.Published, d.Updated = r.date(it.Published), r.date(it.Updated)
	a := &d.Article
	a.Fetched, a.FirstSeen = now, now
	if isPlausible(d.Published, now) && !d.Published.Equal(r.stamp) {
		a.Published = d.Published
	}
	if isPlausible(d.Updated, now) && !d.Updated.Equal(r.stamp) {
		a.Updated = d.Updated
	}
	switch {
	case !a.Published.IsZero():
		d.Time, d.TimeFrom = a.Published, "published"
	case !a.Updated.IsZero():
		d.Time, d.TimeFrom = a.Updated, "updated"
	default:
		d.TimeFrom = "first_seen"
		return
	}
	if d.Time.After(now) {
		d.Time, d.TimeFrom = now, "clamped"
	}
	if r.n.First {
		a.FirstSeen = d.Time
	}
}

// buildTime finds the time of building that a generator has stamped on all its items: one instant on three or more, which is the feed's
// own as well. It says nothing about any of them.
func (r *reader) buildTime() time.Time {
	if len(r.doc.Items) < stampedLeast {
		return time.Time{}
	}
	own := r.date(r.doc.Feed.Updated)
	if own.IsZero() {
		return own
	}
	for i := range r.doc.Items {
		it := &r.doc.Items[i]
		if t := r.date(first(it.Published, it.Updated)); !t.Equal(own) {
			return time.Time{}
		}
	}
	return own
}

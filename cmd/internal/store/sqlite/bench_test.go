package sqlite

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sheaf"
	"sheaf/cmd/internal/store"
	"sheaf/dedupe"
	"sheaf/feeds"
)

// document is a poll of a feed with n articles of two kilobytes.
func document(feed, n int) feeds.Outcome {
	url := fmt.Sprintf("https://outlet%d.example/rss", feed)
	f := sheaf.Feed{ID: sheaf.NewFeedID(url), URL: url}
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	o := feeds.Outcome{Feed: f, State: feeds.State{Next: now}}
	for i := range n {
		address := fmt.Sprintf("https://outlet%d.example/2026/11/article-%d", feed, i)
		key := "g:" + address
		o.Articles = append(o.Articles, sheaf.Article{
			ID: sheaf.NewArticleID(f.ID, key), Feed: f.ID, FeedURL: url, Outlet: sheaf.Outlet{Name: "Outlet", URL: "https://outlet.example/"},
			Key: key, Aliases: []string{"l:" + address}, GUID: address, Link: address, URL: address, URLKey: address, Title: "A headline of usual length about an event",
			Summary: strings.Repeat("summary ", 30), Text: strings.Repeat("some text ", 200), Authors: []sheaf.Author{{Name: "A. Writer"}},
			Published: now, Fetched: now, FirstSeen: now,
		})
	}
	return o
}

// BenchmarkSave stores articles that are new, then the same ones again, then what grouping decided about them.
func BenchmarkSave(b *testing.B) {
	const articles, perFeed = 7000, 35
	for b.Loop() {
		db, err := Open(b.Context(), filepath.Join(b.TempDir(), "sheaf.db"))
		if err != nil {
			b.Fatal(err)
		}
		var polls []feeds.Outcome
		for f := range articles / perFeed {
			polls = append(polls, document(f, perFeed))
		}
		save := func(metric string) {
			start := time.Now()
			for _, o := range polls {
				if err := db.Save(b.Context(), o); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(time.Since(start).Microseconds())/articles, metric)
		}
		save("µs/new")
		save("µs/known")
		var g store.Grouping
		for _, o := range polls {
			for _, a := range o.Articles {
				id := sheaf.NewStoryID(&a)
				g.Decisions = append(g.Decisions, dedupe.Decision{Article: a.ID, Story: id, Founder: a.ID, Reason: dedupe.ReasonNew, Role: sheaf.RoleReport})
				g.Records = append(g.Records, dedupe.Record{Article: a.ID, Story: id, Data: make([]byte, 1500)})
				g.Stories = append(g.Stories, store.Story{ID: id, Founder: a.ID, Lead: a.ID})
			}
		}
		start := time.Now()
		if err := db.SaveGrouping(b.Context(), g); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(time.Since(start).Microseconds())/articles, "µs/decision")
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

package examples_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"sheaf"
	"sheaf/dedupe"
	"sheaf/feeds"
)

// TestStoriesAreTheTruth groups the samples as a first sweep would, soon after the events and ten years later.
func TestStoriesAreTheTruth(t *testing.T) {
	for _, tt := range []struct {
		name string
		now  time.Time
	}{
		{"the day after", time.Date(2026, 9, 24, 6, 0, 0, 0, time.UTC)},
		{"ten years later", time.Date(2036, 9, 24, 6, 0, 0, 0, time.UTC)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			articles := append(sampleArticles(t, tt.now), inboxArticles(t, tt.now)...)
			checkStories(t, articles, group(t, articles))
		})
	}
}

// sampleArticles reads all sample feeds as on their first sweep.
func sampleArticles(t *testing.T, now time.Time) []sheaf.Article {
	t.Helper()
	var articles []sheaf.Article
	for _, tt := range sampleFeeds {
		body, err := os.ReadFile(tt.file)
		if err != nil {
			t.Fatal(err)
		}
		address := "file:" + tt.file
		doc, err := feeds.Parse(feeds.Input{Body: body, URL: address})
		if err != nil {
			t.Fatalf("parse %s: %v", tt.file, err)
		}
		feed := sheaf.Feed{ID: sheaf.NewFeedID(address), URL: address}
		articles = append(articles, feeds.Normalize(doc, feeds.Normalization{Feed: feed, Now: now, First: true})...)
	}
	return articles
}

// inboxArticles reads the drop folder; all its files were written an hour before now. Each address is set to the file's, as in truth.tsv.
func inboxArticles(t *testing.T, now time.Time) []sheaf.Article {
	t.Helper()
	files, err := filepath.Glob("inbox/*/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("inbox: %d files, %v", len(files), err)
	}
	var articles []sheaf.Article
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.ToSlash(file)
		a, err := feeds.TextArticle(feeds.TextFile{
			Name: name, Modified: now.Add(-time.Hour), Body: body, Now: now, First: true,
			Feed: sheaf.Feed{ID: "inbox", URL: "file:inbox"}, Outlet: sheaf.Outlet{Name: filepath.Base(filepath.Dir(file))},
		})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		a.URL = name
		articles = append(articles, a)
	}
	return articles
}

// group puts the articles into stories and returns the last decision on each.
func group(t *testing.T, articles []sheaf.Article) map[sheaf.ArticleID]dedupe.Decision {
	t.Helper()
	g, err := dedupe.New(dedupe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	last := make(map[sheaf.ArticleID]dedupe.Decision, len(articles))
	for _, d := range append(g.Add(articles), g.Polish()...) {
		last[d.Article] = d
	}
	return last
}

// checkStories compares stories and roles with truth.tsv: one story for each event, nothing else in it.
func checkStories(t *testing.T, articles []sheaf.Article, decisions map[sheaf.ArticleID]dedupe.Decision) {
	t.Helper()
	truth := readTruth(t)
	story := make(map[string]sheaf.StoryID)
	event := make(map[sheaf.StoryID]string)
	for _, a := range articles {
		want, d := truth[a.URL], decisions[a.ID]
		if want.event == "" {
			t.Errorf("truth.tsv lacks %s", a.URL)
			continue
		}
		if s, ok := story[want.event]; ok && s != d.Story {
			t.Errorf("%s is not in the story of %s", a.URL, want.event)
		}
		if e, ok := event[d.Story]; ok && e != want.event {
			t.Errorf("%s is in the story of %s, want %s", a.URL, e, want.event)
		}
		story[want.event], event[d.Story] = d.Story, want.event
		if copied := d.Role == sheaf.RoleCopy; copied != (want.kind == "copy") && want.kind != "wire" {
			t.Errorf("%s has the role %s, want %s", a.URL, d.Role, want.kind)
		}
		if aside := d.Role == sheaf.RoleAside; aside != (want.kind == "live" || want.kind == "opinion" || want.kind == "roundup") {
			t.Errorf("%s has the role %s, want %s", a.URL, d.Role, want.kind)
		}
	}
}

package sqlite

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
	"sheaf/feeds"
)

// knownArticle is article n of a feed, with its keys made up.
func knownArticle(feed sheaf.FeedID, key, urlKey string, aliases ...string) sheaf.Article {
	return sheaf.Article{
		ID: sheaf.NewArticleID(feed, key), Feed: feed, Key: key, Aliases: aliases, Outlet: sheaf.Outlet{Name: "Alpha"}, Title: "Title of " + key,
		Text: "Text of " + key, Link: "https://" + urlKey + "?x", URL: "https://" + urlKey, URLKey: urlKey, Published: time.Unix(1000, 0), FirstSeen: time.Unix(1000, 0),
	}
}

func TestKnown(t *testing.T) {
	db, err := Open(t.Context(), filepath.Join(t.TempDir(), "sheaf.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	stored := knownArticle("f", "g:1", "a.example/1", "l:a.example/1")
	expired := knownArticle("f", "g:old", "a.example/old")
	for _, a := range []sheaf.Article{expired, stored} {
		if err := db.Save(t.Context(), feeds.Outcome{Feed: sheaf.Feed{ID: "f"}, Articles: []sheaf.Article{a}}); err != nil {
			t.Fatal(err)
		}
		if a.Key == expired.Key {
			if _, err := db.Expire(t.Context(), time.Now().Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
	}
	full := feeds.Known{Stored: true, Title: stored.Title, Text: stored.Text, Link: stored.Link, URL: stored.URL}
	for _, tt := range []struct {
		name    string
		article sheaf.Article
		want    feeds.Known
	}{
		{"the same", stored, full},
		{"by another key", knownArticle("f", "g:new", "", "l:a.example/1"), full},
		{"in another feed, by its address", knownArticle("g", "g:1", "a.example/1"), full},
		{"new", knownArticle("f", "g:2", "a.example/2"), feeds.Known{}},
		{"new, of another feed", knownArticle("g", "g:1", ""), feeds.Known{}},
		{"expired", expired, feeds.Known{Stored: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := db.Known(t.Context(), []sheaf.Article{knownArticle("f", "g:3", ""), tt.article})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]feeds.Known{{}, tt.want}, got); diff != "" {
				t.Errorf("Known (-want +got):\n%s", diff)
			}
		})
	}
	if got, err := db.Known(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("Known of nothing = %v, %v", got, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := db.Known(ended, []sheaf.Article{stored}); err == nil {
		t.Error("Known with a context that has ended gave no error")
	}
}

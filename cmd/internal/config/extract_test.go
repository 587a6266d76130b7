package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sheaf"
)

func TestExtract(t *testing.T) {
	text := "feeds:\n- {url: 'https://a.example/rss', extract: true}\n- {url: 'https://b.example/rss', extract: false}\n- {url: 'https://c.example/rss'}\n"
	c, err := Parse("c.yaml", []byte(text), Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[sheaf.FeedID]bool{sheaf.NewFeedID("https://a.example/rss"): true}
	if diff := cmp.Diff(want, c.Polling("dev").Extract); diff != "" {
		t.Errorf("feeds to extract (-want +got):\n%s", diff)
	}
}

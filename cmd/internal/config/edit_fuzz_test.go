package config

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

// Whatever a file looks like: an edit is refused, or it does what it says and nothing else, and undoing it gives the same configuration.
func FuzzEdit(f *testing.F) {
	sample, err := os.ReadFile("../../../config.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{
		string(sample), "", "feeds: []\n", "feeds:\n- url: https://a.example/f\n", "{\"feeds\": [{\"url\": \"https://a.example/f\"}]}",
		"zone: UTC\r\nfeeds: # c\r\n  - {url: https://a.example/f} # d\r\nlisten: ''\r\n",
		"feeds: [\n  {url: https://a.example/f}, # a\n # b\n]\nzone: 'U\n\n  TC'\n", "mail:\n  user: |\n    a\n    # b\nfeeds: ~\n",
	} {
		f.Add(seed, "Alpha: News", 0)
		f.Add(seed, "[", 1)
	}
	f.Fuzz(func(t *testing.T, text, outlet string, remove int) {
		before, err := Parse("config.yaml", []byte(text), Overrides{})
		if err != nil || strings.Contains(outlet, "${") {
			return
		}
		entry := Entry{URL: "https://new.example/f?a=b#c", Outlet: strings.ToValidUTF8(outlet, ""), Comment: outlet}
		added, err := AddFeeds("config.yaml", []byte(text), []Entry{entry})
		if err != nil {
			refused(t, err)
			return
		}
		after := parsed(t, added)
		if len(after.Feeds) != len(before.Feeds)+1 || after.Feeds[len(before.Feeds)].Outlet != entry.Outlet {
			t.Fatalf("%d feeds became %d:\n%s", len(before.Feeds), len(after.Feeds), added)
		}
		for _, line := range comments(text) {
			if !slices.Contains(comments(string(added)), line) {
				t.Fatalf("the comment %q is gone:\n%s", line, added)
			}
		}
		gone := after.Feeds[max(0, remove%len(after.Feeds))].URL
		removed, err := RemoveFeeds("config.yaml", added, []string{gone})
		if err != nil {
			refused(t, err)
			return
		}
		for _, feed := range parsed(t, removed).Feeds {
			if feed.URL == gone {
				t.Fatalf("%s is still there:\n%s", gone, removed)
			}
		}
	})
}

// refused checks that an edit was refused in words, not for a fault in what it made.
func refused(t *testing.T, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
}

func parsed(t *testing.T, data []byte) *Config {
	t.Helper()
	c, err := Parse("config.yaml", data, Overrides{})
	if err != nil {
		t.Fatalf("%v in:\n%s", err, data)
	}
	return c
}

// comments are the lines that hold nothing but a comment.
func comments(text string) []string {
	var found []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") {
			found = append(found, line)
		}
	}
	return found
}

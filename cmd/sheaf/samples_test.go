package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mmcdole/gofeed"
	"golang.org/x/net/html"
)

// samples copies the five outlets' feeds to a directory of the test. They are not part of the repository.
func samples(t *testing.T) string {
	t.Helper()
	const source = "../../../shared/cases/samples"
	if _, err := os.Stat(source); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("the sample articles are missing: %v", err)
		}
		t.Skipf("the sample articles are not here: %v", err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// document is what the test reads of a published JSON Feed.
type document struct {
	Items []struct {
		Title string `json:"title"`
		URL   string `json:"url"`
		Sheaf struct {
			Outlets  int `json:"outlet_count"`
			Articles []struct {
				Outlet string `json:"outlet"`
				Role   string `json:"role"`
			} `json:"articles"`
		} `json:"_sheaf"`
	} `json:"items"`
}

// oneStory checks that a channel holds one story of five outlets, each with a report of its own, in every format.
func oneStory(t *testing.T, dir string) {
	t.Helper()
	files := published(t, dir)
	for suffix, text := range files {
		feed, err := gofeed.NewParser().Parse(strings.NewReader(text))
		if err != nil {
			t.Fatalf("stories%s: %v", suffix, err)
		}
		if len(feed.Items) != 1 {
			t.Fatalf("stories%s has %d items, want 1", suffix, len(feed.Items))
		}
		for _, outlet := range []string{"Harbor Ledger", "Beacon World Service", "Meridian Wire", "Union Jack Post", "Atlantic Dossier"} {
			if !strings.Contains(text, outlet) {
				t.Errorf("stories%s does not name %s", suffix, outlet)
			}
		}
	}
	var d document
	if err := json.Unmarshal([]byte(files[".json"]), &d); err != nil {
		t.Fatal(err)
	}
	roles := map[string]int{}
	for _, a := range d.Items[0].Sheaf.Articles {
		roles[a.Role]++
	}
	if d.Items[0].Sheaf.Outlets != 5 || roles["lead"] != 1 || roles["report"] != 4 || len(roles) != 2 {
		t.Errorf("outlets %d, roles %v; want 5 outlets with a lead and four reports", d.Items[0].Sheaf.Outlets, roles)
	}
}

func TestSamples(t *testing.T) {
	dir := samples(t)
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"once", "--config", filepath.Join(dir, "config.yaml")}, stdio{strings.NewReader(""), &out, &errs}); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out.String(), errs.String())
	}
	oneStory(t, filepath.Join(dir, "public"))
}

// The same texts without any markup, as files of their own and as a drop folder, are the same story.
func TestSamplesAsText(t *testing.T) {
	source := samples(t)
	for _, tt := range []struct {
		name   string
		config func(outlets []string) string
	}{
		{"files", func(outlets []string) string {
			var b strings.Builder
			for _, o := range outlets {
				fmt.Fprintf(&b, "  - url: \"file:inbox/%s/article.txt\"\n    outlet: %s\n", o, o)
			}
			return b.String()
		}},
		{"folder", func([]string) string { return "  - url: file:./inbox\n" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			outlets := writeTexts(t, source, filepath.Join(dir, "inbox"))
			config := filepath.Join(dir, "config.yaml")
			if err := os.WriteFile(config, []byte("channels: [{name: stories, settle: \"0\"}]\nfeeds:\n"+tt.config(outlets)), 0o644); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			if code := run(t.Context(), []string{"once", "--config", config}, stdio{strings.NewReader(""), &out, &errs}); code != 0 {
				t.Fatalf("exit %d\n%s%s", code, out.String(), errs.String())
			}
			oneStory(t, filepath.Join(dir, "public"))
		})
	}
}

// writeTexts writes each sample's text to inbox/OUTLET/article.txt and lists the outlets.
func writeTexts(t *testing.T, source, inbox string) []string {
	t.Helper()
	var outlets []string
	for _, name := range []string{"harborledger.rss", "beaconworld.atom", "meridianwire.json", "unionjackpost.rss", "atlanticdossier.atom"} {
		data, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			t.Fatal(err)
		}
		feed, err := gofeed.NewParser().Parse(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(inbox, feed.Title)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "article.txt"), []byte(plain(t, feed.Items[0].Content)), 0o644); err != nil {
			t.Fatal(err)
		}
		outlets = append(outlets, feed.Title)
	}
	slices.Sort(outlets)
	return outlets
}

// plain gives the paragraphs of markup as lines.
func plain(t *testing.T, markup string) string {
	t.Helper()
	var b strings.Builder
	for z := html.NewTokenizer(strings.NewReader(markup)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			b.WriteString(html.UnescapeString(string(z.Text())))
		case html.EndTagToken:
			b.WriteString("\n")
		}
	}
}

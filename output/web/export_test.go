package web

import (
	"html"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"

	"sheaf/output"
)

var address = regexp.MustCompile(` (?:href|action)="([^"]*)"`)

// Whatever a page of a static site points at on the site is a file of it.
func TestExport(t *testing.T) {
	o := testOptions(t.TempDir())
	publish(t, o, testStory())
	o.Stories = &shelf{stories: append(busyDay(120), testStory()), labels: Labels{Categories: []Label{{"world", "World", 50}}}}
	files := make(map[string]string)
	for f, err := range Export(t.Context(), o) {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := files[f.Name]; twice {
			t.Errorf("%s comes twice", f.Name)
		}
		files[f.Name] = string(f.Data)
	}
	for _, want := range []string{
		"index.html", "data.json", "page/2/index.html", "outlets/index.html", "channels/index.html", "channels.opml", "feeds.opml", "status.json", "stories.atom",
		"feed.css", "topic/world/index.html", "topic/world.rss", "outlet/the-city-3-courier/index.html", "outlet/the-city-3-courier.json",
		"story/" + string(storyID) + "/index.html", "story/" + string(storyID) + "/data.json",
	} {
		if files[want] == "" {
			t.Errorf("%s is missing", want)
		}
	}
	links := 0
	for name, data := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		if strings.Contains(data, "<form") {
			t.Errorf("%s has a form that nobody answers", name)
		}
		for _, m := range address.FindAllStringSubmatch(data, -1) {
			u, err := url.Parse(html.UnescapeString(m[1]))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if u.IsAbs() || u.Path == "" {
				continue
			}
			links++
			target := path.Join(path.Dir(name), u.Path)
			if files[target] == "" && files[path.Join(target, "index.html")] == "" {
				t.Errorf("%s points at %s, which is not there", name, m[1])
			}
		}
	}
	if links < 1000 {
		t.Errorf("%d links looked at, want thousands", links)
	}
}

func TestExportStops(t *testing.T) {
	n := 0
	for range Export(t.Context(), testOptions(t.TempDir())) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d files, want 3", n)
	}
	o := testOptions(t.TempDir())
	broken := testStory()
	broken.Follows = "ffffffff-ffff-ffff-ffff-ffffffffffff"
	o.Stories = &shelf{stories: append(busyDay(1), broken)}
	var last error
	for _, err := range Export(t.Context(), o) {
		last = err
	}
	if last == nil || !strings.Contains(last.Error(), "disk is full") {
		t.Errorf("error = %v, want what broke", last)
	}
}

func TestExportedFilesCanBePublished(t *testing.T) {
	o := testOptions(t.TempDir())
	publish(t, o, testStory())
	dir := t.TempDir()
	first, err := output.PublishTree(dir, Export(t.Context(), o))
	if err != nil || first == 0 {
		t.Fatalf("%d files, %v", first, err)
	}
	if again, err := output.PublishTree(dir, Export(t.Context(), o)); err != nil || again != 0 {
		t.Errorf("published again: %d files, %v; want none", again, err)
	}
}

package output

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"sheaf"
)

func TestWeekOf(t *testing.T) {
	for _, tt := range []struct{ in, monday, name string }{
		{"2026-11-30T00:00:00Z", "2026-11-30", "x-2026-w49"},
		{"2026-12-06T23:59:59Z", "2026-11-30", "x-2026-w49"},
		{"2027-01-03T12:00:00Z", "2026-12-28", "x-2026-w53"},
		{"2024-12-31T12:00:00Z", "2024-12-30", "x-2025-w01"},
	} {
		in, err := time.Parse(time.RFC3339, tt.in)
		if err != nil {
			t.Fatal(err)
		}
		got := weekOf(in)
		if got.Format(time.DateOnly) != tt.monday || archiveName("x", got) != tt.name {
			t.Errorf("weekOf(%s) = %v, %s; want %s, %s", tt.in, got, archiveName("x", got), tt.monday, tt.name)
		}
	}
}

func TestArchive(t *testing.T) {
	const day = 60 * 24
	c := Channel{Name: "stories", Archive: true}
	var memory []Emission
	kept := map[string][]byte{} // as a folder would hold them
	for i, outlet := range []string{"a", "b", "c", "d", "e", "f"} {
		memory = c.Advance(memory, []sheaf.Story{story(0, by(outlet, i*7*day))}, nil, at(i*7*day+1))
		files, err := c.Render(testSite(), memory, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(files) - 3; got != min(i, archiveOpen) {
			t.Fatalf("week %d: %d pages, want %d", i, got, min(i, archiveOpen))
		}
		for _, f := range files {
			checkHostile(t, f)
			kept[f.Name] = f.Data
		}
	}
	// A reader that follows the links back finds every item.
	name, found := "stories.atom", 0
	for range 10 {
		data := kept[name]
		if data == nil {
			t.Fatalf("%s is linked and was never written", name)
		}
		found += bytes.Count(data, []byte("<entry>"))
		if archived := bytes.Contains(data, []byte("<fh:archive>")); archived == (name == "stories.atom") {
			t.Errorf("%s is marked as a page of the archive: %v", name, archived)
		}
		if name = linked(string(data), "prev-archive"); name == "" {
			break
		}
	}
	if want := 6 + 1; found != want { // the window of the document reaches seven days back, into the first page
		t.Errorf("%d items found, want %d", found, want)
	}
	if linked(string(kept["stories-2026-w49.atom"]), "current") != "stories.atom" {
		t.Error("a page does not link to the channel's own document")
	}
}

// linked is the file a document links to with a relation.
func linked(document, rel string) string {
	for line := range strings.Lines(document) {
		if strings.Contains(line, `rel="`+rel+`"`) && !strings.HasPrefix(line, "    ") {
			_, after, _ := strings.Cut(line, "https://news.example.org/")
			name, _, _ := strings.Cut(after, `"`)
			return name
		}
	}
	return ""
}

// A finished page never changes, whatever happens to the channel.
func TestArchivePagesStand(t *testing.T) {
	const day = 60 * 24
	c := Channel{Name: "stories", Archive: true}
	pages := map[string][]string{}
	var memory []Emission
	for i := range 20 {
		memory = c.Advance(memory, []sheaf.Story{story(0, by(string(rune('a'+i)), i*7*day))}, nil, at(i*7*day+1))
		files, err := c.Render(testSite(), memory, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files[3:] {
			pages[f.Name] = append(pages[f.Name], string(f.Data))
		}
	}
	if len(pages) != 19 {
		t.Errorf("%d pages, want 19", len(pages))
	}
	for name, versions := range pages {
		if slices.Sort(versions); versions[0] != versions[len(versions)-1] {
			t.Errorf("%s changed without a change of its items", name)
		}
	}
}

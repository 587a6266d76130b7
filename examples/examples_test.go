// Package examples_test checks that the samples are what examples/README.md says they are.
package examples_test

import (
	"encoding/xml"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"
)

// sampleFeeds are the sample outlets' feeds with the number of items each must hold.
var sampleFeeds = []struct {
	file  string
	title string
	items int
}{
	{"brackwater-free-press.rss", "Brackwater Free Press", 3},
	{"coastline-today.atom", "Coastline Today", 7},
	{"dunmere-daily.json", "Dunmere Daily", 9},
	{"halden-courier.rss", "The Halden Courier", 9},
	{"ledger-and-quay.json", "Ledger & Quay", 5},
	{"radio-carrow.rss", "Radio Carrow", 7},
	{"selwick-examiner.rss", "Selwick Examiner", 9},
	{"tarn-valley-gazette.atom", "Tarn Valley Gazette", 4},
}

// read parses one sample feed.
func read(t *testing.T, file string) *gofeed.Feed {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	feed, err := gofeed.NewParser().Parse(f)
	if err != nil {
		t.Fatalf("parse %s: %v", file, err)
	}
	return feed
}

// address is the link of an item as truth.tsv has it: absolute and without tracking parameters.
func address(t *testing.T, feed *gofeed.Feed, link string) string {
	t.Helper()
	base, err := url.Parse(feed.Link)
	if err != nil {
		t.Fatal(err)
	}
	u, err := base.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	u.RawQuery = ""
	return u.String()
}

func TestFeedsParse(t *testing.T) {
	first := time.Date(2026, 9, 21, 0, 0, 0, 0, time.UTC)
	for _, tt := range sampleFeeds {
		t.Run(tt.file, func(t *testing.T) {
			feed := read(t, tt.file)
			if feed.Title != tt.title || len(feed.Items) != tt.items {
				t.Errorf("%q with %d items, want %q with %d", feed.Title, len(feed.Items), tt.title, tt.items)
			}
			for _, item := range feed.Items {
				p := item.PublishedParsed
				if p == nil || p.Before(first) || p.After(first.AddDate(0, 0, 3)) {
					t.Errorf("%s: published %v, want within three days from %v", item.Link, p, first)
				}
				if item.Title == "" || item.Description == "" && item.Content == "" {
					t.Errorf("%s: item without title or text", item.Link)
				}
			}
		})
	}
}

func TestTruthCoversEveryArticle(t *testing.T) {
	truth := readTruth(t)
	found := make(map[string]bool)
	for _, tt := range sampleFeeds {
		feed := read(t, tt.file)
		for _, item := range feed.Items {
			found[address(t, feed, item.Link)] = true
		}
	}
	files, err := filepath.Glob("inbox/*/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		found[filepath.ToSlash(f)] = true
	}
	for article := range found {
		if _, ok := truth[article]; !ok {
			t.Errorf("truth.tsv lacks %s", article)
		}
	}
	for article := range truth {
		if !found[article] {
			t.Errorf("truth.tsv names %s, which is in no feed", article)
		}
	}
}

// entry is what truth.tsv says of an article.
type entry struct {
	event string // slug of the event; "-" for a roundup
	kind  string
}

// readTruth reads truth.tsv, by article.
func readTruth(t *testing.T) map[string]entry {
	t.Helper()
	b, err := os.ReadFile("truth.tsv")
	if err != nil {
		t.Fatal(err)
	}
	kinds := []string{"report", "copy", "wire", "roundup", "live", "opinion", "single"}
	truth := make(map[string]entry)
	for line := range strings.Lines(string(b)) {
		field := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(field) != 3 || !slices.Contains(kinds, field[2]) {
			t.Fatalf("truth.tsv: bad line %q", line)
		}
		if _, ok := truth[field[0]]; ok {
			t.Errorf("truth.tsv names %s twice", field[0])
		}
		truth[field[0]] = entry{field[1], field[2]}
	}
	return truth
}

// outline is one element of an OPML document.
type outline struct {
	Type     string    `xml:"type,attr"`
	Text     string    `xml:"text,attr"`
	Title    string    `xml:"title,attr"`
	XMLURL   string    `xml:"xmlUrl,attr"`
	HTMLURL  string    `xml:"htmlUrl,attr"`
	Children []outline `xml:"outline"`
}

func TestStarterList(t *testing.T) {
	b, err := os.ReadFile("world-news.opml")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Version string    `xml:"version,attr"`
		Folders []outline `xml:"body>outline"`
	}
	if err := xml.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Version != "2.0" {
		t.Errorf("version %q, want 2.0", doc.Version)
	}
	feeds, outlets := make(map[string]bool), make(map[string]bool)
	for _, folder := range doc.Folders {
		if folder.Text == "" || len(folder.Children) == 0 {
			t.Errorf("folder %q is empty or has no name", folder.Text)
		}
		for _, o := range folder.Children {
			checkOutline(t, o)
			if feeds[o.XMLURL] {
				t.Errorf("%s is listed twice", o.XMLURL)
			}
			feeds[o.XMLURL], outlets[o.HTMLURL] = true, true
		}
	}
	if len(outlets) < 40 {
		t.Errorf("%d outlets, want at least 40", len(outlets))
	}
}

// checkOutline reports what a feed reader would stumble over.
func checkOutline(t *testing.T, o outline) {
	t.Helper()
	if o.Type != "rss" || o.Text == "" || o.Title == "" {
		t.Errorf("outline %+v lacks type, text or title", o)
	}
	for _, address := range []string{o.XMLURL, o.HTMLURL} {
		if u, err := url.Parse(address); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			t.Errorf("%s: %q is not a web address", o.Title, address)
		}
	}
}

package output

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mmcdole/gofeed"

	"sheaf"
)

// told over the wire: what a subscriber's program finds in an item.
type found struct {
	ID, Title, Link, Content string
	Published, Updated       time.Time
	Lead                     string // first name of the byline
}

// Whatever the format, gofeed finds the same items again.
func TestReadBack(t *testing.T) {
	steps := growth()
	c := testChannel()
	memory := c.Advance(nil, steps[2].stories, nil, steps[2].now)
	files, err := c.Render(testSite(), memory, nil)
	if err != nil {
		t.Fatal(err)
	}
	var want []found
	for _, e := range memory {
		want = append(want, found{e.URN(), e.Item.Title, e.Link(testSite()), e.HTML(testSite()), e.Published, e.Updated, e.Item.lead().Outlet})
	}
	for _, f := range files {
		t.Run(f.Name, func(t *testing.T) {
			feed, err := gofeed.NewParser().Parse(bytes.NewReader(f.Data))
			if err != nil {
				t.Fatal(err)
			}
			var got []found
			for _, i := range feed.Items {
				lead, _, _ := strings.Cut(i.Authors[0].Name, ", ")
				got = append(got, found{i.GUID, i.Title, i.Link, i.Content, i.PublishedParsed.UTC(), i.UpdatedParsed.UTC(), lead})
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("items (-published +read):\n%s", diff)
			}
			if feed.Title != "Monitor" || feed.Link != "https://news.example.org/" || feed.Language != "en" {
				t.Errorf("channel = %q, %q, %q", feed.Title, feed.Link, feed.Language)
			}
		})
	}
}

// coverage is our extension as a program reads it.
type coverage struct {
	Outlets, Articles int
	First, Last       string
	Reports           []covered
}

type covered struct{ URL, Title, Outlet, Home, Published, Role, CopyOf, Lang string }

// Atom and JSON Feed state the same coverage.
func TestExtensionAgrees(t *testing.T) {
	steps := growth()
	c := testChannel()
	s := steps[2].stories[0]
	local := member("local", "Local & Co", "x", "From a file", clock(11, 56))
	local.URL, local.FeedURL, local.Role = "", "file:///inbox/x.txt", sheaf.RoleAside
	s.Members = append(s.Members, local)
	files, err := c.Render(testSite(), c.Advance(nil, []sheaf.Story{s}, nil, clock(12, 0)), nil)
	if err != nil {
		t.Fatal(err)
	}
	inAtom, inJSON := atomExtension(t, files[1].Data), jsonExtension(t, files[2].Data)
	if diff := cmp.Diff(inAtom, inJSON); diff != "" {
		t.Errorf("coverage (-atom +json):\n%s", diff)
	}
	page := "https://news.example.org/story/" + string(s.ID)
	if inAtom.Outlets != 6 || inAtom.Articles != 6 || inAtom.First != "2026-11-30T09:02:00Z" || inAtom.Last != "2026-11-30T11:56:00Z" {
		t.Errorf("coverage = %+v", inAtom)
	}
	for i, want := range []covered{
		0: {URL: "https://alpha.example/ferry-bridge", Role: "lead"},
		2: {URL: "https://gamma.example/w1", Role: "report"},
		3: {URL: "https://delta.example/copy-of-w1", Role: "copy", CopyOf: "https://gamma.example/w1"},
		5: {URL: page + "#local-x", Role: "report"},
	} {
		if got := inAtom.Reports[i]; want.URL != "" && (got.URL != want.URL || got.Role != want.Role || got.CopyOf != want.CopyOf) {
			t.Errorf("report %d = %+v, want %+v", i, got, want)
		}
	}
}

func atomExtension(t *testing.T, data []byte) coverage {
	t.Helper()
	var doc struct {
		Entry struct {
			Coverage struct {
				Outlets  int    `xml:"outlets,attr"`
				Articles int    `xml:"articles,attr"`
				First    string `xml:"first,attr"`
				Last     string `xml:"last,attr"`
				Reports  []struct {
					URL       string `xml:"href,attr"`
					Outlet    string `xml:"outlet,attr"`
					Home      string `xml:"outlet-href,attr"`
					Published string `xml:"published,attr"`
					Role      string `xml:"role,attr"`
					CopyOf    string `xml:"copy-of,attr"`
					Lang      string `xml:"lang,attr"`
					Title     string `xml:",chardata"`
				} `xml:"urn:sheaf:coverage:1 article"`
			} `xml:"urn:sheaf:coverage:1 coverage"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	in := doc.Entry.Coverage
	c := coverage{Outlets: in.Outlets, Articles: in.Articles, First: in.First, Last: in.Last}
	for _, r := range in.Reports {
		c.Reports = append(c.Reports, covered{r.URL, r.Title, r.Outlet, r.Home, r.Published, r.Role, r.CopyOf, r.Lang})
	}
	return c
}

func jsonExtension(t *testing.T, data []byte) coverage {
	t.Helper()
	var doc struct {
		Items []struct {
			Sheaf struct {
				About    string
				Outlets  int    `json:"outlet_count"`
				Articles int    `json:"article_count"`
				First    string `json:"first_published"`
				Last     string `json:"last_published"`
				Reports  []struct {
					URL, Title, Outlet, Role, Language string
					Home                               string `json:"outlet_url"`
					Published                          string `json:"date_published"`
					CopyOf                             string `json:"copy_of"`
				} `json:"articles"`
			} `json:"_sheaf"`
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	in := doc.Items[0].Sheaf
	if in.About != "urn:sheaf:coverage:1" {
		t.Errorf("about = %q", in.About)
	}
	c := coverage{Outlets: in.Outlets, Articles: in.Articles, First: in.First, Last: in.Last}
	for _, r := range in.Reports {
		c.Reports = append(c.Reports, covered{r.URL, r.Title, r.Outlet, r.Home, r.Published, r.Role, r.CopyOf, r.Language})
	}
	return c
}

// What only some sites have appears where they have it, and nowhere else.
func TestHeads(t *testing.T) {
	plainSite := Site{BaseURL: "https://x.example/news", Language: "not a tag!"}
	for _, tt := range []struct {
		name    string
		site    Site
		has     []string
		hasNone []string
	}{
		{"all there is", testSite(),
			[]string{`rel="hub"`, "icon.png", `"hubs"`, `<language>en<`, `xml:lang="en"`, `version="1.0">sheaf<`, `href="/feed.css"`, `<ttl>15<`}, nil},
		{"the least", plainSite,
			[]string{`href="/news/feed.css"`, "https://x.example/news/feed.rss", "<ttl>15<", "<title>feed<"},
			[]string{`rel="hub"`, "<image>", "<icon>", `"hubs"`, "not a tag", "xmlns:media", "xmlns:at=", "xmlns:thr", "xmlns:fh", `"_sheaf"`, "<pubDate>"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files, err := Channel{Name: "feed"}.Render(tt.site, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			var all string
			for _, f := range files {
				all += string(f.Data)
			}
			for _, s := range tt.has {
				if !strings.Contains(all, s) {
					t.Errorf("%q is missing in:\n%s", s, all)
				}
			}
			for _, s := range tt.hasNone {
				if strings.Contains(all, s) {
					t.Errorf("%q is in:\n%s", s, all)
				}
			}
		})
	}
}

// A channel without items still says when it changed, and that never changes either.
func TestEmptyChannel(t *testing.T) {
	files, err := Channel{Name: "feed"}.Render(testSite(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"<lastBuildDate>Thu, 01 Jan 1970 00:00:00 +0000<", "<updated>1970-01-01T00:00:00Z<", `"items": []`} {
		if !strings.Contains(string(files[i].Data), want) {
			t.Errorf("%s lacks %s", files[i].Name, want)
		}
		if err := files[i].Check(); err != nil || !files[i].Modified.IsZero() {
			t.Errorf("%s: %v, modified %v", files[i].Name, err, files[i].Modified)
		}
	}
}

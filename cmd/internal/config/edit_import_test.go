package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sheaf/output/opml"
)

func TestAddressKey(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		same       bool
	}{
		{"scheme", "http://a.example/f", "https://a.example/f", true},
		{"case of the host", "https://A.example/f", "https://a.example/f", true},
		{"slash at the end", "https://a.example/f/", "https://a.example/f", true},
		{"usual port", "https://a.example:443/f", "https://a.example/f", true},
		{"fragment", "https://a.example/f#x", "https://a.example/f", true},
		{"case of the path", "https://a.example/F", "https://a.example/f", false},
		{"query", "https://a.example/f?a=1", "https://a.example/f?a=2", false},
		{"other port", "https://a.example:8443/f", "https://a.example/f", false},
		{"files", "file:/a", "file:/b", false},
	} {
		if got := AddressKey(tt.a) == AddressKey(tt.b); got != tt.same {
			t.Errorf("%s: %s and %s are the same: %v, want %v", tt.name, tt.a, tt.b, got, tt.same)
		}
	}
}

func TestOutletOf(t *testing.T) {
	for _, tt := range []struct {
		name string
		feed opml.Feed
		want string
	}{
		{"title alone", opml.Feed{Title: "Alpha"}, "Alpha"},
		{"our own folder", opml.Feed{Title: "Alpha", Folder: []string{"Alpha"}}, "Alpha"},
		{"a feed of the folder's outlet", opml.Feed{Title: "Alpha: World", Folder: []string{"Alpha"}}, "Alpha"},
		{"another separator", opml.Feed{Title: "Alpha – World", Folder: []string{"News", "Alpha"}}, "Alpha"},
		{"a folder that is only the beginning of a name", opml.Feed{Title: "News Daily", Folder: []string{"News"}}, "News Daily"},
		{"a folder by subject", opml.Feed{Title: "Alpha", Folder: []string{"Politics"}}, "Alpha"},
		{"address for a title", opml.Feed{Title: "https://a.example/f", URL: "https://a.example/f"}, ""},
		{"what a configuration takes for a variable", opml.Feed{Title: "${HOME}"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := outletOf(tt.feed); got != tt.want {
				t.Errorf("outletOf(%+v) = %q, want %q", tt.feed, got, tt.want)
			}
		})
	}
}

func TestOutlines(t *testing.T) {
	latin := "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<opml><body>\n<Outline text=\"\xc9cho\" language=\"fr\"\n XMLURL=\"https://a.example/f?a=1&amp;b=2\"/>\n" +
		"<!-- <outline xmlUrl=\"https://no.example/\"/> -->\n<outline text=\"a > b\" xmlUrl=\"https://b.example/f\" language=\"not a tag\"/><outline xmlUrl=\"https://a.example/f?a=1&b=2\"/>\n</body></opml>"
	got := outlines([]byte(latin))
	want := map[string]outline{
		"https://a.example/f?a=1&b=2": {lines: []int{3, 6}, language: "fr"},
		"https://b.example/f":         {lines: []int{6}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(outline{})); diff != "" {
		t.Errorf("outlines (-want +got):\n%s", diff)
	}
}

// What a list of feeds holds is either added or named as left out, and what is written can be read.
func FuzzImport(f *testing.F) {
	f.Add(`<opml><body><outline text="A &amp; B: C" xmlUrl="https://a.example/f"><outline text="x" xmlUrl="feed:b.example"/></outline></body></opml>`)
	f.Add(`<opml><body><outline text="[x]" language="en" xmlUrl="HTTPS://a.example/f"/><outline xmlUrl="https://A.example/f/"/></body></opml>`)
	f.Fuzz(func(t *testing.T, text string) {
		list, err := opml.Read(strings.NewReader(text))
		if err != nil {
			return
		}
		conf, err := Parse("config.yaml", nil, Overrides{})
		if err != nil {
			t.Fatal(err)
		}
		p := conf.PlanImport([]byte(text), list, true)
		if len(p.Entries)+len(p.Skipped) < len(list) {
			t.Fatalf("%d added and %d left out of %d", len(p.Entries), len(p.Skipped), len(list))
		}
		if _, err := AddFeeds("config.yaml", nil, p.Entries); err != nil {
			t.Fatalf("%v, of %q", err, text)
		}
	})
}

package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sheaf/output/opml"
)

func TestListAndOpen(t *testing.T) {
	text := `feeds:
- {url: 'https://a.example/rss', outlet: Alpha}
- {url: 'https://b.example/rss?key=1'}
- {url: 'https://c.example/rss', authorization: Bearer x}
- {url: 'file:/srv/feeds/d.rss', outlet: Delta}
- {url: 'http://127.0.0.1:9000/e.rss'}
- {url: 'https://f.example/atom'}
`
	c, err := Parse("c.yaml", []byte(text), Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	alpha := opml.Feed{Title: "Alpha", URL: "https://a.example/rss", Folder: []string{"Alpha"}}
	if got := c.List(); len(got) != 6 || !cmp.Equal(got[0], alpha) || got[3].URL != "file:/srv/feeds/d.rss" {
		t.Errorf("list = %+v, want all six", got)
	}
	if d := cmp.Diff([]opml.Feed{alpha, {URL: "https://f.example/atom"}}, c.Open()); d != "" {
		t.Errorf("what anybody can poll (-want +got):\n%s", d)
	}
}

package output

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sheaf/output/opml"
)

func TestSubscriptions(t *testing.T) {
	f, err := Subscriptions(testSite(), []Channel{{Name: "stories", Title: "All & sundry"}, {Name: "world"}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := opml.Read(bytes.NewReader(f.Data))
	if err != nil {
		t.Fatal(err)
	}
	want := []opml.Feed{
		{Title: "All & sundry", URL: "https://news.example.org/stories.atom", Site: "https://news.example.org/"},
		{Title: "world", URL: "https://news.example.org/world.atom", Site: "https://news.example.org/"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("channels (-want +got):\n%s", diff)
	}
	golden(t, f.Name, f.Data)
}

package opml

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrite(t *testing.T) {
	feeds := []Feed{
		{Title: "Alpha: World", URL: "https://alpha.example/world.xml?a=1&b=2", Site: "https://alpha.example/start", Folder: []string{"Alpha"}},
		{Title: "Beta & Sons", URL: "https://beta.example/feed.atom"},
		{URL: "https://alpha.example/politics.xml", Folder: []string{"Alpha"}},
		{Title: "Deep", URL: "https://deep.example/x", Folder: []string{"Alpha", "Local \"news\""}},
	}
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head>
    <title>Monitor: feeds</title>
  </head>
  <body>
    <outline text="Alpha" title="Alpha">
      <outline type="rss" text="Alpha: World" title="Alpha: World" xmlUrl="https://alpha.example/world.xml?a=1&amp;b=2" htmlUrl="https://alpha.example/start"></outline>
      <outline type="rss" text="https://alpha.example/politics.xml" title="https://alpha.example/politics.xml" xmlUrl="https://alpha.example/politics.xml" htmlUrl="https://alpha.example/"></outline>
      <outline text="Local &#34;news&#34;" title="Local &#34;news&#34;">
        <outline type="rss" text="Deep" title="Deep" xmlUrl="https://deep.example/x" htmlUrl="https://deep.example/"></outline>
      </outline>
    </outline>
    <outline type="rss" text="Beta &amp; Sons" title="Beta &amp; Sons" xmlUrl="https://beta.example/feed.atom" htmlUrl="https://beta.example/"></outline>
  </body>
</opml>
`
	var b bytes.Buffer
	if err := Write(&b, "Monitor: feeds", feeds); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("Write (-want +got):\n%s", diff)
	}
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []Feed
	}{
		{"empty", `<opml version="2.0"><body/></opml>`, nil},
		{"version 1.0 of newsboat: no text, empty title", `<opml version="1.0"><body><outline type="rss" xmlUrl="https://a.example/f" htmlUrl="" title=""/></body></opml>`,
			[]Feed{{URL: "https://a.example/f"}}},
		{"text alone, as rss2email", `<opml version="1.0"><body><outline type="rss" text="A" xmlUrl="https://a.example/f"/></body></opml>`,
			[]Feed{{Title: "A", URL: "https://a.example/f"}}},
		{"folders", `<opml><body><outline text="News"><outline title="World"><outline text="A" xmlUrl="https://a.example/f" htmlUrl="https://a.example/"/></outline>
			<outline text="B" xmlUrl="https://b.example/f"/></outline><outline text="C" xmlUrl="https://c.example/f"/></body></opml>`,
			[]Feed{{"A", "https://a.example/f", "https://a.example/", []string{"News", "World"}}, {"B", "https://b.example/f", "", []string{"News"}}, {Title: "C", URL: "https://c.example/f"}}},
		{"folders without a name", `<opml><body><outline><outline xmlUrl="https://a.example/f"/></outline></body></opml>`, []Feed{{URL: "https://a.example/f"}}},
		{"a feed that holds a feed", `<opml><body><outline text="A" xmlUrl="https://a.example/f"><outline text="B" xmlUrl="https://b.example/f"/></outline></body></opml>`,
			[]Feed{{Title: "A", URL: "https://a.example/f"}, {Title: "B", URL: "https://b.example/f"}}},
		{"an address twice", `<opml><body><outline text="A" xmlUrl="https://a.example/f"/><outline text="A2" xmlUrl="https://a.example/f"/></body></opml>`,
			[]Feed{{Title: "A", URL: "https://a.example/f"}}},
		{"other case", `<OPML><body><Outline TEXT="A" XMLURL="https://a.example/f"/></body></OPML>`, []Feed{{Title: "A", URL: "https://a.example/f"}}},
		{"bare ampersands and entities of HTML", `<opml><body><outline text="A&eacute; & B" xmlUrl="https://a.example/f?a=1&b=2"/></body></opml>`,
			[]Feed{{Title: "Aé & B", URL: "https://a.example/f?a=1&b=2"}}},
		{"another charset", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><opml><body><outline text=\"\xc9cho\" xmlUrl=\"https://a.example/f\"/></body></opml>",
			[]Feed{{Title: "Écho", URL: "https://a.example/f"}}},
		{"entities that point outside", `<!DOCTYPE opml [<!ENTITY x SYSTEM "file:///etc/passwd">]><opml><body><outline text="&x;" xmlUrl="https://a.example/f"/></body></opml>`,
			[]Feed{{Title: "&x;", URL: "https://a.example/f"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Read(strings.NewReader(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Read (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadFaults(t *testing.T) {
	deep := "<opml><body>" + strings.Repeat("<outline>", maxDepth+1)
	for _, tt := range []struct {
		name, in string
		large    bool
	}{
		{"not XML", "feeds:\n- a", false},
		{"a feed", `<rss version="2.0"><channel/></rss>`, false},
		{"cut off", `<opml><body><outline text="`, false},
		{"an unknown charset", `<?xml version="1.0" encoding="x-none"?><opml/>`, false},
		{"too deep", deep, true},
		{"too long", "<opml>" + strings.Repeat(" ", maxBytes), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(tt.in))
			if err == nil || errors.Is(err, ErrTooLarge) != tt.large {
				t.Errorf("error = %v, want one with ErrTooLarge: %v", err, tt.large)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`<opml><body><outline text="A"><outline xmlUrl="https://a.example/f"/></outline></body></opml>`)
	f.Fuzz(func(t *testing.T, in string) {
		feeds, err := Read(strings.NewReader(in))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, "x", feeds); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&b)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if len(again) != len(feeds) {
			t.Errorf("%d feeds, after writing %d", len(feeds), len(again))
		}
	})
}

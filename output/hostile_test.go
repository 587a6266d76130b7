package output

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sheaf"
)

// FuzzDocuments puts foreign text into every place there is: documents stay well-formed, hold the item, and link to nothing but the web.
func FuzzDocuments(f *testing.F) {
	f.Add("x\x08 \xff ]]> <b>", "https://a.example/?a=1&b=\"2\"", "y\x00 ]]> & \ufffe")
	f.Add("</title><script>alert(1)</script>", "javascript:alert(1)", "\u202egnp.exe")
	f.Add("&amp;lt;b&#0;", "data:text/html,<b>", "<![CDATA[ ]]>")
	f.Add("", "https://user:pw@[::1]:99999/%zz#a#b", "\r\n\t")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		m := member("alpha", a, "x", b, clock(9, 0))
		m.Link, m.URL, m.FeedURL, m.Outlet.URL, m.Image, m.Lang = b, b, c, b, b, c
		m.Summary, m.Text, m.Categories, m.Authors = c, a, []string{a, b, c}, []sheaf.Author{{Name: a}, {Name: c}}
		n := member("beta", c, "y", a, clock(9, 1))
		n.ID, n.URL, n.Lang = sheaf.ArticleID(m.ID+"2"), "", a
		n.Role, n.CopyOf = sheaf.RoleCopy, m.ID
		s := story(0, m, n)
		s.ID = sheaf.StoryID(sheaf.UUID("fuzz"))
		channel := Channel{Name: "feed", Title: a, Description: c}
		files, err := channel.Render(testSite(), channel.Advance(nil, []sheaf.Story{s}, nil, clock(10, 0)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			checkHostile(t, file)
		}
	})
}

func checkHostile(t *testing.T, f File) {
	t.Helper()
	if err := f.Check(); err != nil {
		t.Errorf("%s: %v", f.Name, err)
	}
	if f.Type == typeJSON {
		if !json.Valid(f.Data) {
			t.Errorf("%s is not JSON", f.Name)
		}
		return
	}
	d := xml.NewDecoder(strings.NewReader(string(f.Data)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if start.Name.Local == "script" {
			t.Errorf("%s holds an element of the foreign text", f.Name)
		}
		for _, a := range start.Attr {
			if name := a.Name.Local; (name == "href" || name == "uri" || name == "url") && !strings.HasPrefix(a.Value, "http") {
				t.Errorf("%s links to %q", f.Name, a.Value)
			}
		}
	}
}

// torture is a channel of everything that ever broke a reader: scripts of the world, control bytes, "&" everywhere, one story of 200
// outlets, and stories by the thousand.
func torture(n int) []sheaf.Story {
	texts := []string{
		"R&D at AT&T: \"5 < 6\" & 'so on'", "שלום עולם – ראש הממשלה", "朝日新聞:速報です。", "🚢💥🌉 👩‍👧‍👦", "مرحبا بالعالم",
		"control\x00\x01\x1b bytes\x7f\u0085", "bad \xff\xfe UTF-8", "]]> end of CDATA", "e\u0301 combining \u200d joiner", "under_score *star* `tick`", "<b>bold</b> &amp; &lt;i&gt;",
	}
	var stories []sheaf.Story
	for i := range n {
		key := fmt.Sprintf("host%d", i%50)
		m := member(key, fmt.Sprintf("%s %d", texts[(i/3)%len(texts)], i%50), fmt.Sprintf("p?id=%d&x=1", i), texts[i%len(texts)], clock(9, 0).Add(time.Duration(i)*time.Second))
		m.Summary, m.Categories = strings.Repeat(texts[(i/7)%len(texts)]+" ", 1+i%40), []string{texts[i%len(texts)]}
		m.Lang = []string{"en", "he", "ja", "", "ar"}[i%5]
		stories = append(stories, story(0, m))
	}
	var crowd []sheaf.Member
	for i := range 200 {
		m := member(fmt.Sprintf("crowd%d", i), fmt.Sprintf("Crowd & %d", i), "x", texts[i%len(texts)], clock(9, 0).Add(time.Duration(n+i)*time.Second))
		if i%3 == 1 {
			m.Role, m.CopyOf = sheaf.RoleCopy, crowd[0].ID
		}
		if i%17 == 5 {
			m.URL, m.FeedURL = "", "file:///home/editor/inbox/x.txt"
		}
		crowd = append(crowd, m)
	}
	return append(stories, story(0, crowd...))
}

func TestTorture(t *testing.T) {
	for _, tt := range []struct {
		name    string
		stories []sheaf.Story
		size    int
		want    int
	}{
		{"empty", nil, 0, 0},
		{"usual", torture(300), 0, 200},
		{"thousands", torture(5000), 1500, 1500},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Channel{Name: "feed", Title: "Torture & more", Size: tt.size}
			files, err := c.Render(testSite(), c.Advance(nil, tt.stories, nil, clock(23, 0)), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				if tt.want <= 1000 {
					checkHostile(t, f)
				} else if n := items(t, f); n != tt.want { // well-formed to the end, without the time gofeed would take
					t.Errorf("%s: %d items found, want %d", f.Name, n, tt.want)
				}
				if len(f.ids) != tt.want {
					t.Errorf("%s: %d items, want %d", f.Name, len(f.ids), tt.want)
				}
				if strings.Contains(string(f.Data), "/home/editor") {
					t.Errorf("%s tells a path of this machine", f.Name)
				}
				if *documents != "" {
					write(t, filepath.Join(*documents, "torture", tt.name, f.Name), f.Data)
				}
			}
		})
	}
}

// items counts the items of a document, which must be well-formed.
func items(t *testing.T, f File) int {
	t.Helper()
	if f.Type == typeJSON {
		var feed struct{ Items []struct{ ID string } }
		if err := json.Unmarshal(f.Data, &feed); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		return len(feed.Items)
	}
	if err := f.wellFormed(); err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return strings.Count(string(f.Data), "\n    <item>") + strings.Count(string(f.Data), "\n  <entry>")
}

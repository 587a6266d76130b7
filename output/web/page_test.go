package web

import (
	"strings"
	"testing"

	"sheaf"
)

func TestStoryPage(t *testing.T) {
	h, _ := served(t)
	page := text(t, ask(h, "GET", "/story/"+string(storyID), nil))
	for _, want := range []string{
		"<title>Report &lt; a&gt; – Monitor</title>", `<a href="https://alpha.example/a" rel="noopener noreferrer">Report &lt; a&gt;</a></h1>`,
		"<dt>Outlets</dt><dd>3</dd>", "<dt>Reports</dt><dd>3</dd>", "<dt>Independent</dt><dd>2</dd>", "<dt>Copies</dt><dd>1</dd>",
		`<h3><span dir="auto">Report &lt; b&gt;</span></h3>`, `The same text at`, `<li id="c"><span class="icon" aria-hidden="true">G</span><a href="https://gamma.example/c"`,
		"30 Nov 2026, 09:00 UTC", "<i>&#43;1 min</i>", "Port &lt;Askel&gt;",
		"93 % of the shorter text", `<a href="#a" dir="auto">Alpha</a>`, `aria-label="3 reports, 09:00 to 09:02"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("page lacks %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "javascript") {
		t.Error("an address that is not of the web became a link")
	}
	for _, suffix := range []string{"", ".atom", "/data.json"} {
		r := ask(h, "GET", "/story/"+string(mergedID)+suffix, nil)
		if want := "http://127.0.0.1:8080/story/" + string(storyID) + suffix; r.StatusCode != 308 || r.Header.Get("Location") != want {
			t.Errorf("merged story%s: %d to %q, want 308 to %q", suffix, r.StatusCode, r.Header.Get("Location"), want)
		}
	}
}

func TestFollows(t *testing.T) {
	other := busyDay(1)[0]
	for _, tt := range []struct {
		name    string
		follows sheaf.StoryID
		want    string
	}{
		{"a story that is there", other.ID, `<a href="/story/` + string(other.ID) + `">Continues an earlier story</a>`},
		{"one that went into this one", mergedID, ""},
		{"one that has expired", "00000000-0000-0000-0000-000000000000", ""},
		{"none", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := testOptions(t.TempDir())
			s := testStory()
			s.Follows = tt.follows
			o.Stories = &shelf{stories: []sheaf.Story{s, other}}
			h, err := Handler(o)
			if err != nil {
				t.Fatal(err)
			}
			page := text(t, ask(h, "GET", "/story/"+string(storyID), nil))
			if got := strings.Contains(page, "Continues"); got != (tt.want != "") || !strings.Contains(page, tt.want) {
				t.Errorf("page says that it continues a story: %t, want %q", got, tt.want)
			}
		})
	}
}

func TestAlternates(t *testing.T) {
	h, _ := served(t)
	for _, tt := range []struct{ path, address string }{
		{"/", "/stories"}, {"/?min=2", "/front_page"}, {"/topic/stories", "/stories"}, {"/outlet/alpha", "/outlet/alpha"},
		{"/story/" + string(storyID), "/story/" + string(storyID)}, {"/search?q=report", "/search"}, {"/channels", "http://127.0.0.1:8080/stories"},
	} {
		t.Run(tt.path, func(t *testing.T) {
			page := text(t, ask(h, "GET", tt.path, nil))
			query := ""
			if _, q, ok := strings.Cut(tt.path, "?"); ok {
				query = "?" + q
			}
			last := 0
			for _, want := range []string{
				`rel="alternate" type="application/atom&#43;xml" title="`, `href="` + tt.address + `.atom` + query + `"`,
				`rel="alternate" type="application/rss&#43;xml"`, `href="` + tt.address + `.rss` + query + `"`,
				`rel="alternate" type="application/feed&#43;json"`, `href="` + tt.address + `.json` + query + `"`,
			} {
				i := strings.Index(page, want)
				if i < last {
					t.Fatalf("page lacks %q, or in another order:\n%s", want, page)
				}
				last = i
			}
			for _, suffix := range []string{".atom", ".rss", ".json"} {
				if r := ask(h, "GET", strings.TrimPrefix(tt.address, "http://127.0.0.1:8080")+suffix+query, nil); r.StatusCode != 200 {
					t.Errorf("%s%s%s: status %d", tt.address, suffix, query, r.StatusCode)
				}
			}
		})
	}
}

func TestSiteInAFolder(t *testing.T) {
	o := testOptions(t.TempDir())
	o.Site.BaseURL = "https://x.example/news"
	publish(t, o, testStory())
	h, err := Handler(o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPages(o)
	if err != nil {
		t.Fatal(err)
	}
	style := "/" + p.style.Name
	for _, path := range []string{"/news/", "/news/stories.rss", "/news" + style, "/news/story/" + string(storyID), "/stories.rss", "/"} {
		if r := ask(h, "GET", path, nil); r.StatusCode != 200 {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
	}
	if page := text(t, ask(h, "GET", "/news/", nil)); !strings.Contains(page, `href="/news`+style+`"`) || !strings.Contains(page, `href="/news/story/`) {
		t.Errorf("the page looks elsewhere for its stylesheet or stories:\n%s", page)
	}
	if feed := text(t, ask(h, "GET", "/news/stories.rss", nil)); !strings.Contains(feed, `href="/news/feed.css"`) {
		t.Error("the document looks elsewhere for its stylesheet")
	}
}

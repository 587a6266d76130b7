package web

import (
	"strings"
	"testing"
)

func TestStoryPage(t *testing.T) {
	h, _ := served(t)
	page := text(t, ask(h, "GET", "/story/"+string(storyID), nil))
	for _, want := range []string{
		"<title>Report &lt; a&gt; – Monitor</title>", `<a href="https://alpha.example/a" rel="noopener noreferrer">Report &lt; a&gt;</a>`,
		"3 outlets, 3 articles", `<li id="b"><p dir="auto">Report &lt; b&gt;</p>`, `Same text at <span id="c"><a href="https://gamma.example/c"`,
		`<a href="http://127.0.0.1:8080/story/` + string(mergedID) + `">Continues`, "30 Nov 2026 09:00 UTC",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("page lacks %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "javascript") {
		t.Error("an address that is not of the web became a link")
	}
	r := ask(h, "GET", "/story/"+string(mergedID), nil)
	if r.StatusCode != 308 || r.Header.Get("Location") != "http://127.0.0.1:8080/story/"+string(storyID) {
		t.Errorf("merged story: %d to %q", r.StatusCode, r.Header.Get("Location"))
	}
}

func TestIndex(t *testing.T) {
	h, _ := served(t)
	page := text(t, ask(h, "GET", "/", nil))
	last := 0
	for _, want := range []string{
		`rel="alternate" type="application/atom&#43;xml" title="All &amp; sundry (Atom)" href="http://127.0.0.1:8080/stories.atom"`,
		`rel="alternate" type="application/rss&#43;xml"`, `rel="alternate" type="application/feed&#43;json"`,
		`<a href="http://127.0.0.1:8080/stories.atom"`,
	} {
		i := strings.Index(page, want)
		if i < last {
			t.Errorf("page lacks %q, or in another order:\n%s", want, page)
		}
		last = max(last, i)
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
	for _, path := range []string{"/news/", "/news/stories.rss", "/news/page.css", "/news/story/" + string(storyID), "/stories.rss", "/"} {
		if r := ask(h, "GET", path, nil); r.StatusCode != 200 {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
	}
	if page := text(t, ask(h, "GET", "/news/", nil)); !strings.Contains(page, `href="/news/page.css"`) {
		t.Errorf("the page looks elsewhere for its stylesheet:\n%s", page)
	}
	if feed := text(t, ask(h, "GET", "/news/stories.rss", nil)); !strings.Contains(feed, `href="/news/feed.css"`) {
		t.Error("the document looks elsewhere for its stylesheet")
	}
}

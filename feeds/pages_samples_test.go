package feeds

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sheaf"
	"sheaf/feeds/extract"
)

// template is a page as outlets make them, around the paragraphs of an article.
func template(title string, paragraphs []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<!DOCTYPE html><html><head><meta charset="utf-8"><title>%s – The Outlet</title><script>track("page")</script></head><body>
<div id="cookie-banner" class="cookie-consent"><p>We use cookies to make this site work, and so do our partners. You can accept all of them or choose.</p><button>Accept all</button></div>
<header><a href="/">The Outlet</a><nav><ul><li><a href="/world">World</a></li><li><a href="/business">Business</a></li><li><a href="/sport">Sport</a></li></ul></nav></header>
<main><article><h1>%[1]s</h1><p class="byline">By <a href="/staff">A member of our staff</a></p><div class="share"><a href="#">Share this</a> <a href="#">Copy link</a></div>
<figure><img src="/p.jpg" alt=""><figcaption>A picture of the scene</figcaption></figure><div class="story-body">`, html.EscapeString(title))
	for i, p := range paragraphs {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(p))
		if i == 1 {
			b.WriteString(`<div class="ad-slot">Advertisement</div><aside class="newsletter-signup"><h3>Morning briefing</h3><p>Sign up for our newsletter and have the news of the day in your mailbox before breakfast.</p></aside>`)
		}
	}
	b.WriteString(`</div><div class="tags"><a href="/t/a">Shipping</a> <a href="/t/b">Courts</a></div></article><section class="related"><h2>More on this story</h2><ul>`)
	for i := range 8 {
		fmt.Fprintf(&b, `<li><a href="/r/%d">Headline number %[1]d about something else entirely</a></li>`, i)
	}
	b.WriteString(`</ul></section><section id="comments"><h2>Comments (3)</h2>`)
	for i := range 3 {
		fmt.Fprintf(&b, `<div class="comment"><b>reader%d</b><p>I have read this twice, and I still do not see why anybody should be surprised by it.</p></div>`, i)
	}
	b.WriteString(`</section></main><footer><p>© The Outlet. All rights reserved.</p><a href="/privacy">Privacy</a></footer></body></html>`)
	return b.String()
}

// Every paragraph of the sample articles comes back out of a page full of other things, and none of those with it.
func TestSamplePages(t *testing.T) {
	folder := filepath.Join("..", "..", "shared", "cases", "samples")
	if _, err := os.Stat(folder); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("no ../shared beside the checkout")
	}
	kept, all, furniture := 0, 0, 0
	for _, name := range []string{"atlanticdossier.atom", "beaconworld.atom", "harborledger.rss", "meridianwire.json", "unionjackpost.rss"} {
		body, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := Parse(Input{Body: body, URL: "https://a.example/feed"})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range Normalize(doc, Normalization{Feed: sheaf.Feed{URL: "https://a.example/feed"}}) {
			if a.Text == "" {
				continue
			}
			paragraphs := strings.Split(a.Text, "\n")
			page, err := extract.Text([]byte(template(a.Title, paragraphs)), "https://a.example/1", "text/html")
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			got := make(map[string]bool)
			for l := range strings.SplitSeq(page.Text, "\n") {
				got[l] = true
			}
			for _, p := range paragraphs {
				if got[p] {
					kept++
				} else {
					t.Errorf("%s lost a paragraph: %.60q", name, p)
				}
				delete(got, p)
			}
			for l := range got {
				t.Errorf("%s took furniture for text: %.60q", name, l)
			}
			all, furniture = all+len(paragraphs), furniture+len(got)
		}
	}
	t.Logf("%d of %d paragraphs kept, %d lines of furniture", kept, all, furniture)
	if all < 40 {
		t.Errorf("only %d paragraphs in the samples", all)
	}
}

package feeds

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
)

// normalized makes articles of items of an RSS feed.
func normalized(t *testing.T, n Normalization, items string) []sheaf.Article {
	t.Helper()
	return Normalize(parseString(t, `<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Harbour Daily</title><link>https://www.harbour.example/</link>`+items+`</channel></rss>`), n)
}

func TestNormalizeArticle(t *testing.T) {
	n := testNormalization()
	n.Feed.Outlet, n.Feed.Owner, n.Feed.Lang = "Harbour", "Quay Group", "en-GB"
	got := normalized(t, n, `<item><title>Bridge &amp;amp; ferry</title><link>/a1?utm_source=rss#x</link><guid>https://harbour.example/?p=1</guid>
		<pubDate>Tue, 14 Jul 2026 11:05:00 +0200</pubDate><author>desk@harbour.example (Desk One)</author><category>Ports</category><category>ports</category><category>Ports</category>
		<description>It is open.</description><content:encoded>&lt;p&gt;It is open, and so is the ferry.&lt;/p&gt;&lt;p&gt;Tolls stay.&lt;/p&gt;&lt;img src="/i.jpg"&gt;</content:encoded></item>`)
	at := time.Date(2026, 7, 14, 9, 5, 0, 0, time.UTC)
	want := []sheaf.Article{{
		ID: sheaf.NewArticleID(n.Feed.ID, "g:harbour.example?p=1"), Feed: n.Feed.ID, FeedURL: n.Feed.URL,
		Outlet: sheaf.Outlet{Name: "Harbour", URL: "https://www.harbour.example/", Owner: "Quay Group"},
		Key:    "g:harbour.example?p=1", Aliases: []string{"l:harbour.example/a1"}, GUID: "https://harbour.example/?p=1",
		Link: "https://www.harbour.example/a1?utm_source=rss#x", URL: "https://www.harbour.example/a1", URLKey: "harbour.example/a1",
		Title: "Bridge & ferry", Summary: "It is open.", Text: "It is open, and so is the ferry.\nTolls stay.", HTML: "<p>It is open, and so is the ferry.</p><p>Tolls stay.</p>",
		Authors: []sheaf.Author{{Name: "Desk One", Email: "desk@harbour.example"}}, Categories: []string{"Ports", "ports"}, Lang: "en-GB", Image: "https://harbour.example/i.jpg",
		Published: at, Fetched: n.Now, FirstSeen: n.Now,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("articles (-want +got):\n%s", diff)
	}
}

func TestNormalizeTexts(t *testing.T) {
	sentence := "The harbour bridge reopened on Tuesday after eleven months of repair, the port said. "
	article := "<p>" + strings.Repeat(sentence, 3) + "</p><p>" + strings.Repeat(sentence, 4) + "</p>"
	for _, tt := range []struct {
		name, description, content string
		text                       bool
		summary                    string
	}{
		{"summary alone", "It is open.", "", false, "It is open."},
		{"long summary of one paragraph", strings.Repeat(sentence, 8), "", false, strings.TrimSpace(strings.Repeat(sentence, 8))},
		{"description that is the article", article, "", true, strings.TrimSpace(strings.Repeat(sentence, 3))},
		{"both", "It is open.", article, true, "It is open."},
		{"content that repeats the summary", "It is open.", "<p>It is open.</p>", false, "It is open."},
		{"content that is a part of the summary", "It is open. So is the ferry.", "It is open.", false, "It is open. So is the ferry."},
		{"summary and content are one article", article, article, true, strings.TrimSpace(strings.Repeat(sentence, 3))},
		{"short content alone", "", "It is open.", false, "It is open."},
		{"content alone", "", article, true, strings.TrimSpace(strings.Repeat(sentence, 3))},
		{"ending of a summary", "It is open, said the port. […]", article, true, "It is open, said the port."},
		{"nothing", "", "", false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := normalized(t, testNormalization(), fmt.Sprintf("<item><title>Bridge</title><description><![CDATA[%s]]></description><content:encoded><![CDATA[%s]]></content:encoded></item>", tt.description, tt.content))
			if len(got) != 1 {
				t.Fatalf("%d articles", len(got))
			}
			if (got[0].Text != "") != tt.text || got[0].Summary != tt.summary {
				t.Errorf("summary %q, text %q; want %q and text: %v", got[0].Summary, got[0].Text, tt.summary, tt.text)
			}
		})
	}
}

func TestNormalizeOutlet(t *testing.T) {
	const source = `<item><title>Bridge reopens today - The Quay</title><link>https://news.google.com/a</link>%s</item>`
	for _, tt := range []struct {
		name, outlet, source string
		want                 sheaf.Outlet
		title                string
	}{
		{"the feed's title", "", "", sheaf.Outlet{Name: "Harbour Daily", URL: "https://www.harbour.example/", Owner: "Group"}, "Bridge reopens today - The Quay"},
		{"as configured", "Harbour", "", sheaf.Outlet{Name: "Harbour", URL: "https://www.harbour.example/", Owner: "Group"}, "Bridge reopens today - The Quay"},
		{"an aggregator's source", "Harbour", `<source url="https://quay.example">The Quay</source>`, sheaf.Outlet{Name: "The Quay", URL: "https://quay.example"}, "Bridge reopens today"},
		{"a source with its feed", "Harbour", `<source url="https://quay.example/rss.xml">The Quay</source>`, sheaf.Outlet{Name: "The Quay", URL: "https://quay.example/"}, "Bridge reopens today"},
		{"a source without address", "Harbour", `<source>The Quay</source>`, sheaf.Outlet{Name: "The Quay"}, "Bridge reopens today"},
		{"the outlet itself under its site", "Harbour", `<source url="https://harbour.example/feed.xml">Harbour Daily News</source>`, sheaf.Outlet{Name: "Harbour", URL: "https://www.harbour.example/", Owner: "Group"}, "Bridge reopens today - The Quay"},
		{"a source without name", "Harbour", `<source url="https://quay.example"/>`, sheaf.Outlet{Name: "Harbour", URL: "https://www.harbour.example/", Owner: "Group"}, "Bridge reopens today - The Quay"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := testNormalization()
			n.Feed.Outlet, n.Feed.Owner = tt.outlet, "Group"
			got := normalized(t, n, fmt.Sprintf(source, tt.source))[0]
			if diff := cmp.Diff(tt.want, got.Outlet); diff != "" || got.Title != tt.title {
				t.Errorf("title %q, want %q; outlet (-want +got):\n%s", got.Title, tt.title, diff)
			}
		})
	}
	n := testNormalization()
	doc := parseString(t, `<rss version="2.0"><channel><item><title>a</title></item></channel></rss>`)
	if got := Normalize(doc, n)[0].Outlet.Name; got != "harbour.example" {
		t.Errorf("outlet = %q, want the host where nothing else is known", got)
	}
}

func TestNormalizeTimes(t *testing.T) {
	now := testNormalization().Now
	for _, tt := range []struct {
		name, date      string
		first           bool
		published, seen time.Time
		from            string
	}{
		{"claimed", "2026-07-14T09:00:00Z", false, now.Add(-3 * time.Hour), now, "published"},
		{"claimed, first sweep", "2026-07-14T09:00:00Z", true, now.Add(-3 * time.Hour), now.Add(-3 * time.Hour), "published"},
		{"old claims are kept", "1996-07-14T09:00:00Z", true, time.Date(1996, 7, 14, 9, 0, 0, 0, time.UTC), time.Date(1996, 7, 14, 9, 0, 0, 0, time.UTC), "published"},
		{"before the web had news", "1994-12-31T09:00:00Z", true, time.Time{}, now, "first_seen"},
		{"a few hours ahead", "2026-07-14T20:00:00Z", true, now.Add(8 * time.Hour), now, "clamped"},
		{"days ahead", "2026-07-16T09:00:00Z", false, time.Time{}, now, "first_seen"},
		{"none", "soon", true, time.Time{}, now, "first_seen"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := testNormalization()
			n.First = tt.first
			doc := parseString(t, `<rss version="2.0"><channel><item><title>a</title><pubDate>`+tt.date+`</pubDate></item></channel></rss>`)
			d := Readings(doc, n)[0]
			if !d.Article.Published.Equal(tt.published) || !d.Article.FirstSeen.Equal(tt.seen) || d.TimeFrom != tt.from {
				t.Errorf("published %v, first seen %v, from %s; want %v, %v, %s", d.Article.Published, d.Article.FirstSeen, d.TimeFrom, tt.published, tt.seen, tt.from)
			}
			if d.Article.Time().After(now) {
				t.Errorf("time %v is after now", d.Article.Time())
			}
		})
	}
}

func TestNormalizeLearnsDates(t *testing.T) {
	var learned Learned
	n := testNormalization()
	n.Learned = &learned
	one := func(date string) time.Time {
		return normalized(t, n, `<item><title>a</title><pubDate>`+date+`</pubDate></item>`)[0].Published
	}
	guess := one("03/04/2026")
	one("14/04/2026")
	if learned.DateOrder != 1 {
		t.Errorf("order = %d, want 1: the 14th is no month", learned.DateOrder)
	}
	if got := one("03/04/2026"); got.Equal(guess) || got.Month() != time.April {
		t.Errorf("03/04/2026 = %v after 14/04/2026", got)
	}
	n.Learned, n.Quirks.Zone = nil, time.FixedZone("", 2*3600)
	if got := one("2026-07-14 09:05"); got.Hour() != 7 {
		t.Errorf("2026-07-14 09:05 = %v in the zone of the feed", got)
	}
}

func TestIdentity(t *testing.T) {
	item := func(title, link, guid string) string {
		return "<item><title>" + title + "</title><link>" + link + "</link><guid isPermaLink='false'>" + guid + "</guid></item>"
	}
	for _, tt := range []struct {
		name  string
		items []string
		keys  []string
	}{
		{"guids", []string{item("a", "/a", "1"), item("b", "/b", "2")}, []string{"g:1", "g:2"}},
		{"guids that are addresses", []string{item("a", "/x", "HTTPS://www.harbour.example/a/#3")}, []string{"g:harbour.example/a"}},
		{"guids that are none", []string{item("a", "/a", "0"), item("b", "/b", "NULL"), item("c", "/c", " ")}, []string{"l:harbour.example/a", "l:harbour.example/b", "l:harbour.example/c"}},
		{"one guid for all", []string{item("a", "/a", "1"), item("b", "/b", "1")}, []string{"l:harbour.example/a", "l:harbour.example/b"}},
		{"one link for all", []string{item("a", "/a", ""), item("b", "/a", "")}, []string{"h:" + hashKey("a", "harbour.example/a"), "h:" + hashKey("b", "harbour.example/a")}},
		{"the same item twice", []string{item("a", "/a", "1"), item("a", "/a", "1")}, []string{"g:1"}},
		{"home for a link", []string{item("a", "/", "")}, []string{"h:" + hashKey("a", "harbour.example")}},
		{"no key at all", []string{"<item><title>a</title></item>"}, []string{"h:" + hashKey("a", "")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var keys []string
			for _, a := range normalized(t, testNormalization(), strings.Join(tt.items, "")) {
				keys = append(keys, a.Key)
			}
			if diff := cmp.Diff(tt.keys, keys); diff != "" {
				t.Errorf("keys (-want +got):\n%s", diff)
			}
		})
	}
}

func TestIdentityRemembersDistrust(t *testing.T) {
	var learned Learned
	n := testNormalization()
	n.Learned = &learned
	twins := `<item><title>a</title><link>/a</link><guid>x</guid></item><item><title>b</title><link>/b</link><guid>x</guid></item>`
	first := normalized(t, n, twins)
	alone := normalized(t, n, `<item><title>a</title><link>/a</link><guid>x</guid></item>`)
	if first[0].Key != alone[0].Key {
		t.Errorf("key = %q, and %q once its twin is gone", first[0].Key, alone[0].Key)
	}
	if diff := cmp.Diff([]string{"g:x"}, learned.Shared); diff != "" {
		t.Errorf("learned (-want +got):\n%s", diff)
	}
	many := make(map[string]bool)
	for i := range 2 * maxShared {
		many[fmt.Sprint(i)] = true
	}
	learned.remember(many)
	if len(learned.Shared) != maxShared {
		t.Errorf("%d keys remembered, want %d", len(learned.Shared), maxShared)
	}
}

func TestIdentityAliases(t *testing.T) {
	got := normalized(t, testNormalization(), `<item><title>a</title><link>/a</link><guid>https://old.example/2026/a</guid></item>`)[0]
	if diff := cmp.Diff([]string{"l:harbour.example/a", "g:/2026/a"}, got.Aliases); diff != "" {
		t.Errorf("aliases (-want +got):\n%s", diff)
	}
	both := normalized(t, testNormalization(), `<item><title>a</title><guid>https://one.example/p</guid></item><item><title>b</title><guid>https://two.example/p</guid></item>`)
	for _, a := range both {
		for _, alias := range a.Aliases {
			if alias == "g:/p" {
				t.Errorf("%q is an alias though it is on two hosts", alias)
			}
		}
	}
}

func TestURLKeyNeedsAnAddressOfItsOwn(t *testing.T) {
	for _, tt := range []struct{ name, items, want string }{
		{"its own", `<item><title>a</title><link>/a</link></item>`, "harbour.example/a"},
		{"home", `<item><title>a</title><link>/</link></item>`, ""},
		{"shared", `<item><title>a</title><link>/a</link></item><item><title>b</title><link>/a</link></item>`, ""},
		{"none", `<item><title>a</title></item>`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := normalized(t, testNormalization(), tt.items)[0].URLKey; got != tt.want {
				t.Errorf("URLKey = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestURLKeyOfASiteBelowTheRoot(t *testing.T) {
	doc := parseString(t, `<rss version="2.0"><channel><link>https://harbour.example/news/</link><item><title>a</title><link>https://www.harbour.example/news</link></item></channel></rss>`)
	if a := Normalize(doc, testNormalization())[0]; a.URLKey != "" || a.Key != "h:"+hashKey("a", "harbour.example/news") || a.URL == "" {
		t.Errorf("key %q, URLKey %q, URL %q: the link is the site's, not the article's", a.Key, a.URLKey, a.URL)
	}
}

func TestRepeatedItemsFillGaps(t *testing.T) {
	got := normalized(t, testNormalization(), `<item><title>a</title><guid>1</guid></item>
		<item><title>a</title><guid>1</guid><description>It is open.</description><category>Ports</category><author>Desk</author><pubDate>2026-07-14T09:05:00Z</pubDate></item>
		<item><title/><guid>2</guid></item>`)
	if len(got) != 1 || got[0].Summary != "It is open." || len(got[0].Categories) != 1 || len(got[0].Authors) != 1 || got[0].Published.IsZero() {
		t.Errorf("articles = %+v, want one, filled", got)
	}
}

func TestPerson(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want sheaf.Author
	}{
		{"Desk One", sheaf.Author{Name: "Desk One"}},
		{"desk@harbour.example (Desk One)", sheaf.Author{Name: "Desk One", Email: "desk@harbour.example"}},
		{"Desk One <desk@harbour.example>", sheaf.Author{Name: "Desk One", Email: "desk@harbour.example"}},
		{`"One, Desk" &lt;desk@harbour.example&gt;`, sheaf.Author{Name: "One, Desk", Email: "desk@harbour.example"}},
		{"Desk One (desk@harbour.example)", sheaf.Author{Name: "Desk One", Email: "desk@harbour.example"}},
		{"Desk One desk@harbour.example", sheaf.Author{Name: "Desk One", Email: "desk@harbour.example"}},
		{"desk@harbour.example", sheaf.Author{Email: "desk@harbour.example"}},
		{"mailto:desk@harbour.example", sheaf.Author{Email: "desk@harbour.example"}},
		{"@deskone", sheaf.Author{Name: "@deskone"}},
		{"Desk @ Harbour", sheaf.Author{Name: "Desk @ Harbour"}},
		{"<b>Desk</b> &amp; Co", sheaf.Author{Name: "Desk & Co"}},
		{" ", sheaf.Author{}},
	} {
		if got := person(tt.in); got != tt.want {
			t.Errorf("person(%q) = %+v, want %+v", tt.in, got, tt.want)
		}
	}
}

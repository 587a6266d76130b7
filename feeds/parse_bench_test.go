package feeds

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"

	"sheaf"
	"sheaf/feeds/repair"
	"sheaf/feeds/transcode"
)

// benchItems is how many items the documents of the benchmarks have.
const benchItems = 300

// words from which benchmark texts are made, so that no two paragraphs are the same.
var words = strings.Fields(`harbour bridge council ferry toll repair engineer storm budget vote minister school river port train station market
	hospital strike union price wage forecast evening morning report claim witness police court judge sentence election party candidate`)

func paragraph(seed int) string {
	var b strings.Builder
	for i := range 60 {
		b.WriteString(words[(seed*31+i*(seed%7+3))%len(words)])
		b.WriteString([]string{" ", " ", " of the ", ", ", " and ", " – "}[(seed+i)%6])
	}
	return "The " + b.String() + "said on Tuesday."
}

// article is the markup of one benchmark article, of about five kilobytes.
func article(i int) string {
	var b strings.Builder
	for p := range 10 {
		fmt.Fprintf(&b, "<p>%s</p>\n", paragraph(i*10+p))
		if p == 2 {
			fmt.Fprintf(&b, `<p class="more"><a href="/news/%d" target="_blank">Read our report</a> &amp; see <em>the map</em>.</p>`+"\n"+`<img src="/img/%d.jpg" alt="">`, i, i)
		}
	}
	return b.String()
}

// benchDocuments are one feed in the three ways in which content is carried.
func benchDocuments() map[string][]byte {
	var cdata, escaped, atom bytes.Buffer
	head := `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Harbour Daily</title><link>https://harbour.example/</link><ttl>30</ttl>`
	cdata.WriteString(head)
	escaped.WriteString(head)
	atom.WriteString(`<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour Daily</title><id>urn:f</id><link href="https://harbour.example/"/>`)
	at := time.Date(2026, 7, 14, 9, 5, 0, 0, time.UTC)
	for i := range benchItems {
		when := at.Add(-time.Duration(i) * time.Minute)
		title := html.EscapeString(fmt.Sprintf("Council & ferry %d: %s to reopen after %s", i, words[i%len(words)], words[(i*7)%len(words)]))
		common := fmt.Sprintf(`<item><title>%s</title><link>https://harbour.example/news/%d?utm_source=rss&amp;utm_medium=feed</link><guid isPermaLink="false">harbour-%d</guid><pubDate>%s</pubDate><dc:creator>Desk One</dc:creator><category>World</category><category>Ports</category><description>%s</description><media:content url="https://img.example/%d.jpg" medium="image"/>`,
			title, i, i, when.Format(time.RFC1123Z), paragraph(i), i)
		fmt.Fprintf(&cdata, "%s<content:encoded><![CDATA[%s]]></content:encoded></item>\n", common, article(i))
		fmt.Fprintf(&escaped, "%s<content:encoded>%s</content:encoded></item>\n", common, html.EscapeString(article(i)))
		fmt.Fprintf(&atom, `<entry><title type="html">%s</title><id>urn:%d</id><link href="https://harbour.example/news/%d"/><published>%s</published><author><name>Desk One</name></author><summary type="html">%s</summary><content type="html">%s</content></entry>`+"\n",
			title, i, i, when.Format(time.RFC3339), paragraph(i), html.EscapeString(article(i)))
	}
	cdata.WriteString("</channel></rss>")
	escaped.WriteString("</channel></rss>")
	atom.WriteString("</feed>")
	return map[string][]byte{"cdata": cdata.Bytes(), "escaped": escaped.Bytes(), "atom": atom.Bytes()}
}

// step is one of the things compared, done once on a document.
type step func(tb testing.TB, doc []byte)

// ingest is everything between the bytes of a feed and its articles.
func ingest(tb testing.TB, doc []byte) {
	n := Normalization{Feed: sheaf.Feed{ID: "f", URL: "https://harbour.example/feed.xml"}, Now: time.Date(2026, 7, 14, 12, 0, 0, 0, time.UTC)}
	d, err := Parse(Input{Body: doc, URL: n.Feed.URL})
	if err != nil {
		tb.Fatal(err)
	}
	if got := len(Normalize(d, n)); got != benchItems {
		tb.Fatalf("%d articles", got)
	}
}

// parseAlone is the yardstick: the parser alone on the same bytes.
func parseAlone(tb testing.TB, doc []byte) {
	p := gofeed.NewParser()
	p.RSSTranslator = &gofeed.DefaultRSSTranslator{DisableContentImageScan: true}
	if _, err := p.Parse(bytes.NewReader(doc)); err != nil {
		tb.Fatal(err)
	}
}

// guard is what stands before the parser: charset, repair and check.
func guard(tb testing.TB, doc []byte) {
	d, err := transcode.Decode(doc, "")
	if err != nil {
		tb.Fatal(err)
	}
	r, err := repair.XML(d.Text, "https://harbour.example/feed.xml")
	if err != nil {
		tb.Fatal(err)
	}
	if err := repair.Check(r.Text); err != nil {
		tb.Fatal(err)
	}
}

// The bounds, as parts of what the parser alone takes.
const (
	ingestTime   = 1.4  // of its processor time
	guardTime    = 0.25 // of its processor time
	ingestAllocs = 1.3  // of its allocations (B13)
)

// BenchmarkIngest compares processor times in one run, alternately, each at its least. It fails over the bounds.
func BenchmarkIngest(b *testing.B) {
	for name, doc := range benchDocuments() {
		b.Run(name, func(b *testing.B) {
			steps := [...]step{parseAlone, ingest, guard}
			least := [...]time.Duration{math.MaxInt64, math.MaxInt64, math.MaxInt64}
			for b.Loop() {
				for i, s := range steps {
					least[i] = min(least[i], cpu(func() { s(b, doc) }))
				}
			}
			theirs, ours, guards := float64(least[0]), float64(least[1]), float64(least[2])
			b.ReportMetric(theirs/1000/benchItems, "µs/item-gofeed")
			b.ReportMetric(ours/1000/benchItems, "µs/item")
			b.ReportMetric(ours/theirs, "ratio")
			b.ReportMetric(guards/theirs, "guard-ratio")
			if b.N >= 3 && (ours > ingestTime*theirs || guards > guardTime*theirs) {
				b.Errorf("%.2f and %.2f of the parser's time, want %.2f and %.2f at most", ours/theirs, guards/theirs, ingestTime, guardTime)
			}
		})
	}
}

// TestIngestAllocations holds B13: what articles cost in garbage, against the parser alone.
func TestIngestAllocations(t *testing.T) {
	for name, doc := range benchDocuments() {
		t.Run(name, func(t *testing.T) {
			theirs := testing.AllocsPerRun(2, func() { parseAlone(t, doc) })
			ours := testing.AllocsPerRun(2, func() { ingest(t, doc) })
			t.Logf("%.0f allocations an item, %.2f of the parser's", ours/benchItems, ours/theirs)
			if ours > ingestAllocs*theirs {
				t.Errorf("%.0f allocations an item, the parser alone %.0f; want %.1f times as many at most", ours/benchItems, theirs/benchItems, ingestAllocs)
			}
		})
	}
}

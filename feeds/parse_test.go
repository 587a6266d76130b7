package feeds

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
)

// caseDocuments are the documents of the parser's cases, by file name.
func caseDocuments(tb testing.TB) map[string][]byte {
	tb.Helper()
	names, err := filepath.Glob("testdata/cases/*.*")
	if err != nil || len(names) == 0 {
		tb.Fatalf("no case files: %v", err)
	}
	docs := make(map[string][]byte, len(names))
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			tb.Fatal(err)
		}
		docs[filepath.Base(n)] = b
	}
	return docs
}

func testNormalization() Normalization {
	url := "https://harbour.example/feed.xml"
	return Normalization{Feed: sheaf.Feed{ID: sheaf.NewFeedID(url), URL: url}, Now: time.Date(2026, 7, 14, 12, 0, 0, 0, time.UTC)}
}

func parseString(t *testing.T, s string) *Document {
	t.Helper()
	doc, err := Parse(Input{Body: []byte(s), URL: "https://harbour.example/feed.xml"})
	if err != nil {
		t.Fatalf("Parse(%.200q) = %v", s, err)
	}
	return doc
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       Code
	}{
		{"nothing", "", CodeEmpty},
		{"white space and a mark", "\xef\xbb\xbf \n\t", CodeEmpty},
		{"page", "<!DOCTYPE html><html><body>no</body></html>", CodeHTML},
		{"page in upper case", "<HTML><BODY>no", CodeHTML},
		{"API answer", `{"error":"rate limited"}`, CodeJSONNotFeed},
		{"API list", `[{"id":1}]`, CodeJSONNotFeed},
		{"no items and no version", `{"items":[]}`, CodeJSONNotFeed},
		{"broken JSON", `{"items":`, CodeJSONNotFeed},
		{"OPML", `<opml version="2.0"><body><outline/></body></opml>`, CodeNotFeed},
		{"sitemap", `<urlset xmlns="x"><url/></urlset>`, CodeNotFeed},
		{"prose", "There is no feed here.", CodeNotFeed},
		{"too large", strings.Repeat(" ", MaxDocument+1), CodeTooLarge},
		{"too many elements", inItem(strings.Repeat("<category>a</category>", 200_001)), CodeLimits},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse(Input{Body: []byte(tt.body)})
			if CodeOf(err) != tt.want {
				t.Errorf("Parse = %v, want code %s", err, tt.want)
			}
			var pe *ParseError
			if !errors.As(err, &pe) || pe.Message == "" || pe.Message != strings.ToLower(pe.Message[:1])+pe.Message[1:] {
				t.Errorf("message = %q, want one in lower case", err)
			}
		})
	}
}

func TestParseErrorNamesWhatItFound(t *testing.T) {
	_, err := Parse(Input{Body: []byte(`<urlset/>`)})
	if want := `the document is no feed: it starts with the element "urlset"`; err == nil || err.Error() != want {
		t.Errorf("error = %v, want %s", err, want)
	}
	cause := errors.New("cause")
	pe := &ParseError{Code: CodeSyntax, Message: "cannot be read", Err: cause}
	if !errors.Is(pe, cause) || pe.Error() != "cannot be read: cause" {
		t.Errorf("Error = %q", pe)
	}
	if CodeOf(fmt.Errorf("poll: %w", pe)) != CodeSyntax || CodeOf(cause) != "" || CodeOf(nil) != "" {
		t.Error("CodeOf does not look through wrapping")
	}
}

func TestParseReportsAlternates(t *testing.T) {
	page := `<!doctype html><head><base href="https://cdn.example/x/"><link rel="Alternate" type="application/rss+xml" title="News &amp; more" href="rss.xml">
		<link rel=alternate type=application/atom+xml href="//feeds.example/atom"><link rel="stylesheet" href="a.css"><link rel="alternate" hreflang="de" href="/de">
		<link rel="alternate" type="application/json" href="/api/1"><link rel="alternate" type="application/json" href="/feed.json"></head>`
	_, err := Parse(Input{Body: []byte(page), URL: "https://harbour.example/"})
	var pe *ParseError
	if !errors.As(err, &pe) {
		t.Fatalf("Parse = %v", err)
	}
	want := []Alternate{
		{URL: "https://cdn.example/x/rss.xml", Title: "News & more", Type: "application/rss+xml"},
		{URL: "https://feeds.example/atom", Type: "application/atom+xml"},
		{URL: "https://cdn.example/feed.json", Type: "application/json"},
	}
	if diff := cmp.Diff(want, pe.Alternates); diff != "" {
		t.Errorf("alternates (-want +got):\n%s", diff)
	}
}

// sampleFeed is a document of n items in one of the forms of feeds.
func sampleFeed(form string, n int) string {
	var b strings.Builder
	switch form {
	case "rss":
		b.WriteString(`<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Harbour</title><link>https://harbour.example/</link>`)
		for i := range n {
			fmt.Fprintf(&b, `<item><title>Story &amp; number %d</title><link>https://harbour.example/a%d</link><guid>https://harbour.example/a%d</guid><description><![CDATA[<p>Short %d</p>]]></description><content:encoded>&lt;p&gt;Long text %d&lt;/p&gt;</content:encoded></item>`+"\n", i, i, i, i, i)
		}
		b.WriteString("</channel></rss>")
	case "rdf":
		b.WriteString(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="https://harbour.example/"><title>Harbour</title></channel>`)
		for i := range n {
			fmt.Fprintf(&b, `<item rdf:about="https://harbour.example/a%d"><title>Story number %d</title><link>https://harbour.example/a%d</link></item>`, i, i, i)
		}
		b.WriteString("</rdf:RDF>")
	case "atom":
		b.WriteString(`<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour</title><id>urn:f</id>`)
		for i := range n {
			fmt.Fprintf(&b, `<entry><title type="html">Story &amp;amp; number %d</title><id>urn:%d</id><link href="https://harbour.example/a%d"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Text %d</p></div></content></entry>`, i, i, i, i)
		}
		b.WriteString("</feed>")
	case "json":
		b.WriteString(`{"version":"https://jsonfeed.org/version/1.1","title":"Harbour","items":[`)
		for i := range n {
			fmt.Fprintf(&b, `{"id":"%d","url":"https://harbour.example/a%d","title":"Story number %d","content_html":"<p>Text, {braced} [%d]</p>"},`, i, i, i, i)
		}
		return strings.TrimSuffix(b.String(), ",") + `]}`
	}
	return b.String()
}

// itemEnds are the ends of whole items.
var itemEnds = map[string]string{"rss": "</item>", "rdf": "</item>", "atom": "</entry>", "json": `]</p>"}`}

func TestTruncation(t *testing.T) {
	docs := make(map[string]string)
	for form := range itemEnds {
		docs[form] = sampleFeed(form, 12)
	}
	for name, b := range caseDocuments(t) {
		if form := strings.TrimPrefix(filepath.Ext(name), "."); form == "xml" && !bytes.Contains(b, []byte("\x00")) {
			if whole, err := Parse(Input{Body: b}); err == nil && !(whole.Truncated && !strings.Contains(string(b), "</rss>") && !strings.Contains(string(b), "</feed>")) {
				docs[name] = string(b) // the others are cut to begin with, or no feeds
			}
		}
	}
	if len(docs) < 30 {
		t.Errorf("only %d documents to cut", len(docs))
	}
	for name, doc := range docs {
		t.Run(name, func(t *testing.T) {
			whole, err := Parse(Input{Body: []byte(doc)})
			if err != nil {
				t.Fatal(err)
			}
			for k := 1; k < 20; k++ {
				cut := doc[:len(doc)*k/20]
				complete := strings.Count(cut, "</item>") + strings.Count(cut, "</entry>") + strings.Count(cut, itemEnds["json"])
				got, err := Parse(Input{Body: []byte(cut)})
				if err != nil {
					if complete > 0 {
						t.Errorf("cut at %d/20: %v, with %d complete items", k, err, complete)
					}
					continue
				}
				if len(got.Items) < min(complete, len(whole.Items)) {
					t.Errorf("cut at %d/20: %d items, want %d", k, len(got.Items), complete)
				}
				for i := range min(complete, len(got.Items)) {
					if got.Items[i].GUID != whole.Items[i].GUID || got.Items[i].Title != whole.Items[i].Title {
						t.Errorf("cut at %d/20: item %d = %q, want %q", k, i, got.Items[i].Title, whole.Items[i].Title)
					}
				}
				if !got.Truncated && strings.TrimSpace(doc[len(cut):]) != "" && !strings.HasSuffix(strings.TrimSpace(cut), ">") && complete < len(whole.Items) {
					t.Errorf("cut at %d/20: not flagged", k)
				}
			}
		})
	}
}

// TestMutations breaks documents at random: whatever still has the root of a feed gives a feed, without a panic.
func TestMutations(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 42))
	var docs [][]byte
	for form := range itemEnds {
		if form != "json" {
			docs = append(docs, []byte(sampleFeed(form, 3)))
		}
	}
	n := 10_000
	if raceEnabled {
		n = 1_000
	}
	items := 0
	for range n {
		b := mutate(r, docs[r.IntN(len(docs))])
		doc, err := Parse(Input{Body: b, URL: "https://harbour.example/feed.xml"})
		switch CodeOf(err) {
		case "":
		case CodeNotFeed, CodeEmpty, CodeHTML, CodeJSONNotFeed:
			continue // the root is gone
		default:
			t.Fatalf("Parse(%q) = %v", b, err)
		}
		if err != nil {
			t.Fatalf("Parse(%q) = %v", b, err)
		}
		items += len(Normalize(doc, testNormalization()))
	}
	if items < n {
		t.Errorf("%d articles of %d broken documents, want more than one each", items, n)
	}
}

// mutate makes one to four random edits.
func mutate(r *rand.Rand, b []byte) []byte {
	pieces := []string{"<", ">", "</", "<![CDATA[", "]]>", "<!--", "&", ";", "<item>", "</title>", "\"", "=", "<?", "\x00", "\xff", "&#x1;", "<description>", "</channel>", "<entry>"}
	b = bytes.Clone(b)
	for range r.IntN(4) + 1 {
		i := r.IntN(len(b) + 1)
		switch r.IntN(3) {
		case 0:
			b = append(b[:i:i], append([]byte(pieces[r.IntN(len(pieces))]), b[i:]...)...)
		case 1:
			b = append(b[:i:i], b[min(len(b), i+r.IntN(40)):]...)
		case 2:
			if i < len(b) {
				b[i] = byte(r.IntN(256))
			}
		}
	}
	return b
}

func TestParseConcurrently(t *testing.T) {
	docs := caseDocuments(t)
	want := make(map[string]int)
	for name, b := range docs {
		if doc, err := Parse(Input{Body: b}); err == nil {
			want[name] = len(Normalize(doc, testNormalization()))
		}
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for name, b := range docs {
				doc, err := Parse(Input{Body: b})
				if err != nil {
					continue
				}
				if got := len(Normalize(doc, testNormalization())); got != want[name] {
					t.Errorf("%s: %d articles, want %d", name, got, want[name])
				}
			}
		})
	}
	group.Wait()
}

func TestItemsOverTheLimit(t *testing.T) {
	for _, form := range []string{"rss", "atom", "json"} {
		doc := parseString(t, sampleFeed(form, 5_100))
		if len(doc.Items) != 5_000 {
			t.Errorf("%s: %d items, want 5,000", form, len(doc.Items))
		}
		if got := len(Normalize(doc, testNormalization())); got != maxArticles {
			t.Errorf("%s: %d articles, want %d", form, got, maxArticles)
		}
		if doc.Truncated {
			t.Errorf("%s: flagged as cut off", form)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, b := range caseDocuments(f) {
		f.Add(b, "text/xml; charset=iso-8859-1")
	}
	for form := range itemEnds {
		f.Add([]byte(sampleFeed(form, 2)), "")
	}
	f.Fuzz(func(t *testing.T, b []byte, contentType string) {
		doc, err := Parse(Input{Body: b, URL: "https://harbour.example/feed.xml", ContentType: contentType})
		if err != nil {
			if c := CodeOf(err); c == CodePanic || c == CodeSyntax || c == "" {
				t.Fatalf("Parse(%q) = %v", b, err)
			}
			return
		}
		keys := make(map[string]bool)
		for _, a := range Normalize(doc, testNormalization()) {
			checkArticle(t, &a)
			if keys[a.Key] {
				t.Fatalf("key %q twice in %q", a.Key, b)
			}
			keys[a.Key] = true
		}
	})
}

// checkArticle holds what is promised of every article.
func checkArticle(t *testing.T, a *sheaf.Article) {
	t.Helper()
	switch {
	case a.Title == "" || strings.ContainsAny(a.Title, "\n\r\t"):
		t.Fatalf("title %q is not one line", a.Title)
	case a.Key == "" || a.ID == "" || a.Outlet.Name == "":
		t.Fatalf("key %q, id %q or outlet %q is missing", a.Key, a.ID, a.Outlet.Name)
	case a.URL != "" && !strings.HasPrefix(a.URL, "http"):
		t.Fatalf("URL = %q", a.URL)
	case a.URLKey != "" && a.URL == "":
		t.Fatalf("URLKey %q without URL", a.URLKey)
	case a.FirstSeen.IsZero() || a.Published.Year() > 2026 || !a.Published.IsZero() && a.Published.Year() < 1995:
		t.Fatalf("published %v, first seen %v", a.Published, a.FirstSeen)
	}
	lower := strings.ToLower(a.HTML)
	for _, bad := range []string{"<script", "<iframe", "javascript:", "<img", "<style"} {
		if i := strings.Index(lower, bad); i >= 0 && (bad[0] == '<' || strings.Contains(lower, `="`+bad)) {
			t.Fatalf("HTML %q holds %s", a.HTML, bad)
		}
	}
}

package feeds

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
	"sheaf/feeds/mallory"
)

// B7: one hit for a feed, and one for a page that points at feeds.
func TestProbe(t *testing.T) {
	beta := "http://beta.example/feed"
	const page = `<!doctype html><html><head><title>x</title>
<link rel="alternate" type="application/rss+xml" href="/rss" title="All"><link rel="alternate" type="application/atom+xml" href="https://feeds.example/atom">
</head><body>news</body></html>`
	for _, tt := range []struct {
		name       string
		answer     mallory.Answer
		want       Probed // without what every feed here says
		articles   int
		alternates []string
		code       FetchCode
		hits       int
	}{
		{"a feed", ok([]string{"one", "two"}, `ETag: "a"`), Probed{URL: alpha, Title: "Alpha News", Site: "http://alpha.example/", Capable: true}, 2, nil, "", 1},
		{"moved for good", status(301, "Location: "+beta), Probed{URL: beta, Moved: true, Title: "Alpha News", Site: "http://alpha.example/"}, 1, nil, "", 2},
		{"moved for now", status(302, "Location: "+beta), Probed{URL: beta, Title: "Alpha News", Site: "http://alpha.example/"}, 1, nil, "", 2},
		{"a page", mallory.Answer{Body: page}, Probed{URL: alpha}, 0, []string{"http://news.alpha.example/rss", "https://feeds.example/atom"}, FetchHTML, 1},
		{"nothing", status(404), Probed{}, 0, nil, FetchMissing, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, Options{}, []string{alpha}, func(w *world) {
				w.m.On(alpha, tt.answer)
				w.m.On(beta, ok([]string{"one"}))
				got, err := w.p.Probe(w.t.Context(), w.feeds[0])
				if tt.code != "" {
					fails(w.t, Outcome{Err: err}, tt.code)
				} else if err != nil {
					t.Error(err)
				}
				var alternates []string
				for _, a := range got.Alternates {
					alternates = append(alternates, a.URL)
				}
				if len(got.Articles) != tt.articles || !slices.Equal(alternates, tt.alternates) {
					t.Errorf("%d articles, alternates %v, want %d, %v", len(got.Articles), alternates, tt.articles, tt.alternates)
				}
				if kind := got.Format + ", " + got.Encoding; tt.articles > 0 && kind != "rss 2.0, utf-8" {
					t.Errorf("format and encoding = %q", kind)
				}
				got.Articles, got.Alternates, got.Notes, got.Lang, got.Format, got.Encoding = nil, nil, nil, "", "", ""
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Error(diff)
				}
				if w.m.Hits("") != tt.hits || len(w.store.saves)+len(w.store.leases) != 0 {
					t.Errorf("hits = %d, want %d, and nothing stored", w.m.Hits(""), tt.hits)
				}
			})
		})
	}
}

// A title with markup in it is stored as plain text.
func TestTitleIsPlain(t *testing.T) {
	inWorld(t, Options{}, []string{alpha}, func(w *world) {
		body := strings.Replace(document("", "one"), "Alpha News", "Alpha &amp;amp; &lt;b&gt;Omega&lt;/b&gt;", 1)
		w.m.On(alpha, mallory.Answer{Body: body})
		w.one()
		if got, want := w.state().Title, "Alpha & Omega"; got != want {
			t.Errorf("title = %q, want %q", got, want)
		}
	})
}

func TestProbeFile(t *testing.T) {
	d := newDrop(t)
	d.write("Beta/ferry.txt", "Ferry hits bridge\n\nA ferry hit the bridge.")
	got, err := d.p.Probe(t.Context(), feedsAt("file://" + d.path)[0])
	if err != nil || len(got.Articles) != 1 || got.Articles[0].Outlet.Name != "Beta" {
		t.Errorf("Probe = %+v, %v", got, err)
	}
	if _, err := d.p.Probe(t.Context(), feedsAt("file://" + d.path + "/none")[0]); err == nil {
		t.Error("a missing file is no error")
	}
	d.write("a.rss", document("", "one"))
	d.write("cut.atom", `<?xml version="1.0" encoding="iso-8859-1"?><feed xmlns="http://www.w3.org/2005/Atom" xml:lang="sv"><title>Gr`+"\xe5"+`</title><entry><title>a</title>`)
	for _, tt := range []struct {
		file                   string
		format, encoding, lang string
		truncated              bool
	}{{"a.rss", "rss 2.0", "utf-8", "", false}, {"cut.atom", "atom 1.0", "iso-8859-1", "sv", true}, {"Beta/ferry.txt", "text", "", "", false}} {
		got, err := d.p.Probe(t.Context(), feedsAt("file://" + d.path + "/" + tt.file)[0])
		if err != nil || got.Format != tt.format || got.Encoding != tt.encoding || got.Lang != tt.lang || got.Truncated != tt.truncated {
			t.Errorf("Probe(%s) = %+v, %v; want %+v", tt.file, got, err, tt)
		}
	}
}

// What the operator knows of a feed's documents is heeded, and counts for that feed alone.
func TestQuirks(t *testing.T) {
	const beta = "http://beta.example/feed"
	const body = `<rss version="2.0"><channel><title>Alpha</title><item><title>Bridge shut</title><guid isPermaLink="false">1</guid>
<link>http://alpha.example/a?partner=7&amp;ocid=rss</link><pubDate>30 Nov 1999 12:00</pubDate></item></channel></rss>`
	quirks := Quirks{Zone: time.FixedZone("", 3*3600), Keep: []string{"partner"}}
	inWorld(t, Options{Quirks: map[sheaf.FeedID]Quirks{sheaf.NewFeedID(alpha): quirks}}, []string{alpha, beta}, func(w *world) {
		w.m.On(alpha, mallory.Answer{Body: body})
		w.m.On(beta, mallory.Answer{Body: body})
		got := map[string]string{}
		w.poll()
		for _, a := range w.store.articles {
			got[a.FeedURL] = a.Published.Format(time.TimeOnly) + " " + a.URL + " " + a.URLKey
		}
		want := map[string]string{
			alpha: "09:00:00 http://alpha.example/a?partner=7 alpha.example/a?partner=7",
			beta:  "12:00:00 http://alpha.example/a alpha.example/a",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// What is stored of a feed comes back as it was, and a feed of which nothing is known takes no room.
func TestStateIsJSON(t *testing.T) {
	full := State{
		Validators: Validators{ETag: `W/"a"`, LastModified: "x"}, Next: noon, Polled: noon, Succeeded: noon, Failures: 2, Error: "e", Status: 500,
		Title: "t", Site: "s", BodyHash: "h", First: noon, Failing: noon, Code: FetchServer, Floor: noon, Cooldown: noon, Gone: noon, Disabled: true,
		From: "http://a.example", Packed: "p", Hints: Hints{Every: time.Hour, Hours: 3, Days: 1},
		Caching: Caching{Capable: true, Strategy: StrategyDate, Since: noon, InRow: 1, Wasted: 2, Full: noon, Checked: noon},
		Learned: Learned{
			Shared: []string{"g:1"}, DateOrder: 1, Lines: []Line{{Hash: 1, Since: 2, Met: 3}}, Pages: []Sheet{{Subject: []uint32{4}, Lines: []uint32{5}}},
		}, Moved: Moved{To: "http://b.example", Times: 3, Since: noon, Used: true},
		Took: time.Second, Rhythm: Rhythm{Count: 1.5, At: noon, Hours: [24]float64{3: 1.25}, Window: 20, Seen: "AAAA"},
		Quality: Quality{Items: 5, Undated: 1, Future: 2, Newest: noon, Churned: 3},
	}
	for _, tt := range []struct {
		name string
		s    State
		size int // most bytes
	}{{"nothing", State{}, 2}, {"everything", full, 1400}} {
		t.Run(tt.name, func(t *testing.T) {
			stored, err := json.Marshal(tt.s)
			if err != nil {
				t.Fatal(err)
			}
			if len(stored) > tt.size {
				t.Errorf("%d bytes, want at most %d: %s", len(stored), tt.size, stored)
			}
			var back State
			if err := json.Unmarshal(stored, &back); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.s, back); diff != "" {
				t.Error(diff)
			}
		})
	}
}

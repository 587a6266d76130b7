package feeds

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
		want       Probed
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
				got.Articles, got.Alternates, got.Notes, got.Lang = nil, nil, nil, ""
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
}

// What is stored of a feed comes back as it was, and a feed of which nothing is known takes no room.
func TestStateIsJSON(t *testing.T) {
	full := State{
		Validators: Validators{ETag: `W/"a"`, LastModified: "x"}, Next: noon, Polled: noon, Succeeded: noon, Failures: 2, Error: "e", Status: 500,
		Title: "t", Site: "s", BodyHash: "h", First: noon, Failing: noon, Code: FetchServer, Floor: noon, Cooldown: noon, Gone: noon, Disabled: true,
		From: "http://a.example", Packed: "p", Hints: Hints{Every: time.Hour, Hours: 3, Days: 1},
		Caching: Caching{Capable: true, Strategy: StrategyDate, Since: noon, InRow: 1, Wasted: 2, Full: noon, Checked: noon},
		Learned: Learned{Shared: []string{"g:1"}, DateOrder: 1}, Moved: Moved{To: "http://b.example", Times: 3, Since: noon, Used: true},
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

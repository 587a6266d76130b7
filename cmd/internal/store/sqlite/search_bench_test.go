package sqlite

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sheaf"
	"sheaf/cmd/internal/store"
	"sheaf/dedupe"
	"sheaf/feeds"
	"sheaf/output/web"
	"sheaf/output/web/query"
)

// newsletter writes articles of words as frequent as those of a language: the n-th most frequent comes about 1/n as often as the first.
type newsletter struct {
	random *rand.Rand
	words  *rand.Zipf
}

func newNewsletter() *newsletter {
	r := rand.New(rand.NewPCG(1, 2))
	return &newsletter{r, rand.NewZipf(r, 1.07, 2, 60_000)}
}

func (n *newsletter) text(words int) string {
	var b strings.Builder
	for range words {
		fmt.Fprintf(&b, "w%d ", n.words.Uint64())
	}
	return b.String()
}

// fill stores articles of 300 words, three to a story.
func (n *newsletter) fill(b *testing.B, db *DB, articles int) {
	const batch = 500
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for start := 0; start < articles; start += batch {
		o := feeds.Outcome{Feed: sheaf.Feed{ID: sheaf.FeedID(fmt.Sprint("f", start)), URL: fmt.Sprintf("https://o%d.example/rss", start)}}
		g := store.Grouping{}
		for i := range batch {
			a := sheaf.Article{
				ID: sheaf.NewArticleID(o.Feed.ID, fmt.Sprint(i)), Feed: o.Feed.ID, Key: fmt.Sprint(i), Outlet: sheaf.Outlet{Name: fmt.Sprint("Outlet ", n.random.IntN(500))},
				Title: n.text(10), Summary: n.text(30), Text: n.text(270), Lang: "en", Categories: []string{fmt.Sprint("Category ", n.random.IntN(30))},
				URL: fmt.Sprintf("https://o%d.example/%d", start, i), FirstSeen: now, Fetched: now, Published: now.Add(-time.Duration(articles-start-i) * 6 * time.Second),
			}
			o.Articles = append(o.Articles, a)
			founder := o.Articles[i-i%3]
			id := sheaf.NewStoryID(&founder)
			if i%3 == 0 {
				g.Stories = append(g.Stories, store.Story{ID: id, Founder: a.ID, Lead: a.ID})
			}
			g.Decisions = append(g.Decisions, dedupe.Decision{Article: a.ID, Story: id, Founder: founder.ID, Reason: dedupe.ReasonSameEvent, Role: sheaf.RoleReport})
		}
		if err := db.Save(b.Context(), o); err != nil {
			b.Fatal(err)
		}
		if err := db.SaveGrouping(b.Context(), g); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSearch looks things up among 100,000 articles of a week, as pages do: by words that are rare, frequent and in every text, and
// as a front page. It reports what the index costs, too.
func BenchmarkSearch(b *testing.B) {
	const articles = 100_000
	db, err := Open(b.Context(), filepath.Join(b.TempDir(), "sheaf.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	newNewsletter().fill(b, db, articles)
	start := time.Now()
	if err := errors.Join(db.Index(b.Context()), db.IndexWords(b.Context())); err != nil {
		b.Fatal(err)
	}
	spent := time.Since(start)
	var words, all float64
	if err := db.read.QueryRow(`SELECT (SELECT sum(length(block)) FROM word_data) + (SELECT sum(length(sz) + 8) FROM word_docsize),
		(SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size)`).Scan(&words, &all); err != nil {
		b.Fatal(err)
	}
	newest, err := db.Newest(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		sel  web.Selection
	}{
		{"rare", web.Selection{Query: query.Parse("w20000"), All: true}},
		{"two words", web.Selection{Query: query.Parse("w300 w500"), All: true}},
		{"frequent", web.Selection{Query: query.Parse("w40"), All: true}},
		{"in every text", web.Selection{Query: query.Parse("w0"), All: true}},
		{"phrase", web.Selection{Query: query.Parse(`"w1 w2 w3"`), All: true}},
		{"front page of a day", web.Selection{All: true, Since: newest.Add(-24 * time.Hour)}},
		{"front page of a week", web.Selection{All: true, Since: newest.Add(-7 * 24 * time.Hour)}},
		{"an outlet", web.Selection{All: true, Outlet: "outlet-7", Order: web.OrderNewest}},
	} {
		b.Run(tt.name, func(b *testing.B) {
			found := 0
			for b.Loop() {
				l, err := db.List(b.Context(), tt.sel)
				if err != nil || len(l.Stories) == 0 {
					b.Fatalf("%d stories, %v", len(l.Stories), err)
				}
				found = len(l.Stories)
			}
			b.ReportMetric(float64(found), "stories")
			b.ReportMetric(words/articles, "index-B/article")
			b.ReportMetric(100*words/all, "index-%")
			b.ReportMetric(float64(spent.Microseconds())/articles, "index-µs/article")
		})
	}
	b.Run("labels of three days", func(b *testing.B) {
		for b.Loop() {
			if _, err := db.Labels(b.Context(), newest.Add(-3*24*time.Hour)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

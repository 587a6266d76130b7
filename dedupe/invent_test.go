package dedupe

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"sheaf"
)

// invent makes n articles on invented events: several outlets report each event within two days, some copy one another, some write
// roundups. The same seed gives the same articles.
func invent(n int, seed uint64) []sheaf.Article {
	r := rand.New(rand.NewPCG(seed, 7))
	start := time.Date(2026, 3, 1, 6, 0, 0, 0, time.UTC)
	var articles []sheaf.Article
	for event := 0; len(articles) < n; event++ {
		e := newEvent(r, start.Add(time.Duration(event)*7*time.Hour))
		for range 1 + r.IntN(6) {
			id := sheaf.ArticleID(fmt.Sprintf("a%05d", len(articles)))
			articles = append(articles, e.report(r, id))
		}
	}
	return articles[:n]
}

// event is something to report on: a few rare words and names, and a time.
type event struct {
	at    time.Time
	names []string
	words []string
	texts []string // written so far
}

func newEvent(r *rand.Rand, at time.Time) *event {
	e := &event{at: at}
	for range 4 {
		e.names = append(e.names, coin(r, true))
	}
	for range 25 {
		e.words = append(e.words, coin(r, false))
	}
	return e
}

// coin makes up a word.
func coin(r *rand.Rand, name bool) string {
	const starts, middles, ends = "bdfgklmnprstvz", "aeiou", "lmnrstkd"
	var b strings.Builder
	for range 2 + r.IntN(2) {
		b.WriteByte(starts[r.IntN(len(starts))])
		b.WriteByte(middles[r.IntN(len(middles))])
	}
	b.WriteByte(ends[r.IntN(len(ends))])
	if name {
		return strings.ToUpper(b.String()[:1]) + b.String()[1:]
	}
	return b.String()
}

func (e *event) report(r *rand.Rand, id sheaf.ArticleID) sheaf.Article {
	at := e.at.Add(time.Duration(r.IntN(48*60)) * time.Minute)
	a := sheaf.Article{ID: id, Outlet: sheaf.Outlet{Name: fmt.Sprintf("Outlet %d", r.IntN(40))}, Published: at, FirstSeen: at, Fetched: at, Lang: "en"}
	a.Title = e.sentence(r, 7)
	if r.IntN(4) > 0 {
		a.Summary = e.sentence(r, 18) + "."
	}
	if len(e.texts) > 0 && r.IntN(5) == 0 {
		a.Text = e.texts[r.IntN(len(e.texts))]
		return a
	}
	if r.IntN(2) == 0 {
		for range 6 {
			a.Text += e.sentence(r, 14) + ". "
		}
		e.texts = append(e.texts, a.Text)
	}
	if r.IntN(12) == 0 {
		a.Title = "Morning briefing: " + a.Title
	}
	return a
}

func (e *event) sentence(r *rand.Rand, words int) string {
	s := make([]string, words)
	for i := range s {
		switch r.IntN(5) {
		case 0:
			s[i] = e.names[r.IntN(len(e.names))]
		case 1, 2:
			s[i] = e.words[r.IntN(len(e.words))]
		default:
			s[i] = filler[r.IntN(len(filler))]
		}
	}
	return strings.Join(s, " ")
}

var filler = strings.Fields("people city police minister court company market team week report house water school road power work group country plan vote health police fire storm price home")

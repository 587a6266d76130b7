package feeds

import (
	"html"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"sheaf"
	"sheaf/feeds/canonical"
	"sheaf/feeds/clean"
)

// Normalization is what articles need to know beside the document.
type Normalization struct {
	Feed    sheaf.Feed
	Now     time.Time
	First   bool // first sweep of the feed: articles were first seen when they claim, where that is plausible
	Quirks  Quirks
	Learned *Learned // what earlier documents of the feed have taught; Normalize adds to it. nil: nothing is kept
}

// Quirks are what the operator knows of a feed's documents and they do not say. The zero value knows nothing.
type Quirks struct {
	Zone *time.Location // of dates without a zone; nil: UTC
	Keep []string       // query parameters that are part of its addresses, as in canonical.Rules
}

// Reading is one item as an article, with how it came to be.
type Reading struct {
	Article   sheaf.Article
	TitleFrom string    // "title", "media" or "text"; empty without a title
	Published time.Time // claim as read, plausible or not; zero if there is none
	Updated   time.Time
	Time      time.Time // for ordering; zero with TimeFrom "first_seen"
	TimeFrom  string    // "published", "updated", "clamped" or "first_seen"
	Summary   string    // plain text of the summary as the feed gave it; of the content where there is none
	Text      string    // plain text of the content without furniture; of the summary where there is none
	Dropped   []string  // lines taken out of the text

	alone bool // Summary and Text are one
	whole bool // Text is more than a summary
}

// maxArticles is how many articles of one document are kept: the newest.
const maxArticles = 2000

// Normalize makes articles of the items of doc, in its order: the newest 2,000, each once. An item repeated in the document may only fill
// what its first occurrence leaves empty; one with neither title nor text is dropped. It is pure but for n.Learned, which must not be
// shared between concurrent calls.
func Normalize(doc *Document, n Normalization) []sheaf.Article {
	readings := Readings(doc, n)
	articles := make([]sheaf.Article, 0, len(readings))
	at := make(map[string]int, len(readings))
	for i := range readings {
		a := &readings[i].Article
		if a.Title == "" {
			continue
		}
		if k, again := at[a.Key]; again {
			fill(&articles[k], a)
			continue
		}
		at[a.Key] = len(articles)
		articles = append(articles, *a)
	}
	return newest(articles)
}

// newest keeps the newest articles, in the order of the document.
func newest(articles []sheaf.Article) []sheaf.Article {
	if len(articles) <= maxArticles {
		return articles
	}
	times := make([]time.Time, len(articles))
	for i := range articles {
		times[i] = articles[i].Time()
	}
	slices.SortFunc(times, func(a, b time.Time) int { return b.Compare(a) })
	oldest, kept := times[maxArticles-1], articles[:0]
	for _, a := range articles {
		if len(kept) < maxArticles && !a.Time().Before(oldest) {
			kept = append(kept, a)
		}
	}
	return kept
}

// fill completes an article from a later item with the same key.
func fill(a, b *sheaf.Article) {
	for _, f := range []struct{ into, from *string }{
		{&a.Link, &b.Link}, {&a.URL, &b.URL}, {&a.URLKey, &b.URLKey}, {&a.Summary, &b.Summary}, {&a.Text, &b.Text}, {&a.HTML, &b.HTML},
		{&a.Image, &b.Image}, {&a.Wire, &b.Wire},
	} {
		if *f.into == "" {
			*f.into = *f.from
		}
	}
	if len(a.Authors) == 0 {
		a.Authors = b.Authors
	}
	if len(a.Categories) == 0 {
		a.Categories = b.Categories
	}
	if a.Published.IsZero() && a.Updated.IsZero() {
		a.Published, a.Updated, a.FirstSeen = b.Published, b.Updated, b.FirstSeen
	}
}

// Readings makes an article of every item of doc, in its order, repeated ones included.
func Readings(doc *Document, n Normalization) []Reading {
	r := reader{doc: doc, n: n, rules: canonical.Rules{Keep: n.Quirks.Keep}}
	r.outlet = r.ownOutlet()
	r.stamp = r.buildTime()
	readings := make([]Reading, len(doc.Items))
	for i := range doc.Items {
		readings[i] = r.read(&doc.Items[i])
	}
	r.learn(readings)
	r.identify(readings)
	r.speak(readings)
	return readings
}

// reader makes articles of the items of one document.
type reader struct {
	doc    *Document
	n      Normalization
	outlet sheaf.Outlet
	rules  canonical.Rules
	stamp  time.Time // time of building that stands on every item; zero if there is none
}

// ownOutlet is the outlet of items that name no other.
func (r *reader) ownOutlet() sheaf.Outlet {
	h := &r.doc.Feed
	o := sheaf.Outlet{Name: clean.Line(r.n.Feed.Outlet), Owner: r.n.Feed.Owner}
	if o.Name == "" {
		o.Name = h.PlainTitle()
	}
	if canonical.IsWeb(h.Link) {
		o.URL = canonical.URL(h.Link)
	}
	if o.Name == "" {
		o.Name = first(strings.TrimPrefix(canonical.Host(first(h.Link, r.n.Feed.URL)), "www."), r.n.Feed.URL)
	}
	return o
}

// read makes an article of one item, without its identity.
func (r *reader) read(it *Item) Reading {
	var d Reading
	a := &d.Article
	a.Feed, a.FeedURL, a.GUID = r.n.Feed.ID, r.n.Feed.URL, it.GUID
	a.Outlet = r.credit(it)
	a.Authors = it.Authors
	a.Categories = labelsOf(it.Categories)
	if canonical.IsWeb(it.Link) {
		a.Link = it.Link
		a.URL = r.rules.URL(it.Link)
	}
	r.texts(it, &d)
	r.title(it, &d)
	r.times(it, &d)
	return d
}

// credit is the outlet an item is from: the source that an aggregator names, else the feed's own.
func (r *reader) credit(it *Item) sheaf.Outlet {
	s := &it.Source
	name := s.PlainName()
	if name == "" || (sheaf.Outlet{Name: name}).ID() == r.outlet.ID() {
		return r.outlet
	}
	home := s.Link
	if host := canonical.Host(s.FeedURL); !canonical.IsWeb(home) && host != "" {
		home = canonical.Scheme(s.FeedURL) + "://" + host + "/"
	}
	if site := canonical.Host(canonical.URL(r.outlet.URL)); site != "" && bareHost(canonical.Host(home)) == bareHost(site) {
		return r.outlet
	}
	o := sheaf.Outlet{Name: clean.Cut(name, maxTitle)}
	if canonical.IsWeb(home) {
		o.URL = canonical.URL(home)
	}
	return o
}

func bareHost(host string) string { return strings.TrimPrefix(host, "www.") }

func labelsOf(list []Category) []string {
	var out []string
	for _, c := range list {
		if v := clean.Title(first(c.Label, c.Term)); v != "" && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

func (r *reader) title(it *Item, d *Reading) {
	a := &d.Article
	d.TitleFrom = it.TitleFrom
	if it.TitleText {
		a.Title = clean.PlainTitle(it.Title)
	} else {
		a.Title = clean.Title(it.Title)
	}
	if it.Source.Name != "" {
		a.Title = clean.WithoutOutlet(a.Title, it.Source.PlainName(), r.outlet.Name, r.doc.Feed.PlainTitle())
	}
	if a.Title == "" {
		d.TitleFrom = ""
		if a.Title = clean.Headline(d.Text, 120); a.Title != "" {
			d.TitleFrom = "text"
		}
	}
}

// Lengths that tell a summary from an article, in characters.
const (
	longSummary  = 500 // a summary of several paragraphs over this is the article itself
	shortContent = 300 // content alone under this, of one paragraph, is a summary
	opening      = 300 // of a summary made from the text
)

// texts fills summary, text, markup and picture.
func (r *reader) texts(it *Item, d *Reading) {
	a := &d.Article
	summary := fragment(it.Summary, it.Link)
	content := summary
	if it.Content.Markup != it.Summary.Markup {
		content = fragment(it.Content, it.Link)
	}
	a.Image = first(it.Image, content.Image, summary.Image)
	a.HTML = first(content.HTML, summary.HTML)
	alone := summary.Text == "" || content.Text == "" || repeats(summary.Text, content.Text)
	full := content.Text
	if alone && len(summary.Text) > len(full) {
		full = summary.Text
	}
	if full == "" {
		return
	}
	body := clean.Article(full)
	a.Wire, d.Dropped = body.Wire, body.Dropped
	d.Text, d.Summary = body.Text, summary.Text
	d.alone, d.whole = alone, !alone || isArticle(full, summary.Text == "")
}

// learn finds the lines that the articles of the document repeat, and takes out of all what is known of the feed by now.
func (r *reader) learn(readings []Reading) {
	known := r.n.Learned
	if known == nil {
		known = &Learned{}
	}
	sheets := make([]Sheet, len(readings))
	newest := r.n.Now
	for i := range readings {
		d := &readings[i]
		text := d.Text
		if !d.alone {
			text += "\n" + d.Summary
		}
		sheets[i] = sheetOf(d.Article.Title, text)
		newest = later(newest, claimOf(&d.Article))
	}
	if r.n.First || r.n.Learned == nil {
		newest = time.Time{} // no article of this feed is stored
	}
	known.learn(sheets, newest, r.n.Now)
	for i := range readings {
		readings[i].settle(known)
	}
}

// settle makes text and summary of what the item gives, without the lines that are known.
func (d *Reading) settle(known *Learned) {
	a := &d.Article
	text, lines := known.without(d.Text, claimOf(a))
	d.Text, d.Dropped = text, append(d.Dropped, lines...)
	summary := text
	switch {
	case !d.alone:
		summary, _ = known.without(d.Summary, claimOf(a))
		summary = clean.Lead(summary)
	case d.whole:
		summary = clean.Opening(text, opening)
	}
	if d.whole {
		a.Text = text
	}
	a.Summary = clean.Cut(summary, maxSummary)
}

// maxSummary bounds what is kept of a summary, in bytes.
const maxSummary = 8 << 10

// isArticle tells a text that is more than a summary.
func isArticle(text string, asContent bool) bool {
	paragraphs := strings.Contains(text, "\n")
	n := utf8.RuneCountInString(text)
	return n > longSummary && paragraphs || asContent && (n > shortContent || paragraphs)
}

// repeats tells whether content says no more than summary.
func repeats(summary, content string) bool {
	return len(content) <= len(summary) && strings.HasPrefix(summary, content) || summary == content
}

// fragment takes the markup of a text apart.
func fragment(t Text, link string) clean.Fragment {
	markup := clean.Undouble(t.Markup)
	if markup == "" {
		return clean.Fragment{}
	}
	if t.Plain && !looksLikeMarkup(markup) {
		return clean.Fragment{Text: clean.Paragraphs(strings.ReplaceAll(markup, "\n", "\v"), true), HTML: html.EscapeString(markup)}
	}
	return clean.Markup(markup, first(t.Base, link))
}

// looksLikeMarkup tells text that is markup although its feed says otherwise.
func looksLikeMarkup(s string) bool {
	return strings.Contains(s, "</") || strings.Contains(s, "<br") || strings.Contains(s, "<p>") || strings.Contains(s, "<img ")
}

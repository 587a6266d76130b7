package feeds

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"sheaf"
)

// Probed is what is found at an address.
type Probed struct {
	URL        string // that answered, after redirects; the address itself for files
	Moved      bool   // all redirects on the way were permanent: URL is the address to configure
	Title      string // of the feed
	Site       string
	Lang       string
	Format     string // "rss 2.0", "atom 1.0", "json 1.1", or "text" for plain-text articles; empty for folders
	Encoding   string // name of the charset believed, lower case; empty for plain-text articles and folders
	Articles   []sheaf.Article
	Notes      []Note
	Truncated  bool        // the end of the document was missing
	Served     time.Time   // by the server's clock (Date, RFC 9110 section 6.6.1); zero: it does not say, or a cache answered
	Capable    bool        // the server sent a validator, so unchanged documents need not be sent again
	Alternates []Alternate // with a *FetchError of code html_instead_of_feed: the feeds the page points at
}

// Probe asks once for a feed that need not be configured and says what is there. Nothing is stored, and no second address is asked: the
// alternatives come from the page already fetched (B7). It knows no cool-downs, so it is for people, not for loops.
func (p *Poller) Probe(ctx context.Context, feed sheaf.Feed) (Probed, error) {
	if isFile(feed.URL) {
		return p.probeFile(ctx, feed)
	}
	resp, err := p.fetcher.fetch(ctx, p.request(feed, feed.URL))
	if err != nil {
		return Probed{}, err
	}
	found := Probed{URL: resp.url, Moved: permanent(resp.hops), Capable: validatorsOf(resp.header) != Validators{}, Served: served(resp.header)}
	s := State{}
	doc, articles, err := p.read(ctx, documentInput(resp), s.normalization(feed, p.o.Now()))
	if err != nil {
		var pe *ParseError
		if errors.As(err, &pe) {
			found.Alternates = pe.Alternates
		}
		return found, pageError(err, feed.URL, resp.status)
	}
	found.take(doc)
	found.Articles, found.Notes = articles, doc.Notes
	return found, nil
}

// served is when the server itself made an answer; an answer that was kept on the way bears the time of its making and an Age.
func served(h http.Header) time.Time {
	at, err := http.ParseTime(h.Get("Date"))
	if err != nil || h.Get("Age") != "" && h.Get("Age") != "0" {
		return time.Time{}
	}
	return at
}

// probeFile reads a file or folder as a poll would for the first time.
func (p *Poller) probeFile(ctx context.Context, feed sheaf.Feed) (Probed, error) {
	res, err := p.pollFile(ctx, &job{Due: Due{Feed: feed}, address: feed.URL, local: true})
	if err != nil {
		return Probed{}, err
	}
	found := Probed{URL: feed.URL, Title: res.State.Title, Articles: res.Articles, Notes: res.Notes}
	switch {
	case res.doc != nil:
		found.take(res.doc)
	case isText(feed.URL):
		found.Format = "text"
	}
	return found, res.Err
}

// take takes over what a document says of itself.
func (found *Probed) take(doc *Document) {
	found.Title, found.Site, found.Lang = doc.Feed.PlainTitle(), doc.Feed.Link, doc.Feed.Lang
	found.Format, found.Encoding, found.Truncated = strings.TrimSpace(doc.Format+" "+doc.Version), doc.Encoding, doc.Truncated
}

// permanent reports whether there were redirects, all of them permanent.
func permanent(hops []hop) bool {
	for _, h := range hops {
		if h.status != 301 && h.status != 308 {
			return false
		}
	}
	return len(hops) > 0
}

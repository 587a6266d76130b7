package feeds

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"sheaf"
	"sheaf/feeds/canonical"
	"sheaf/feeds/extract"
)

// The limits on article pages.
const (
	pagesPerPoll = 20              // the newest articles of a feed; the rest keep what the feed gives
	pagesTime    = 2 * time.Minute // after which no page more is asked for in a poll
	pageMemory   = 16 << 20        // of the memory for parsing, while a page is read
	acceptPage   = "text/html, application/xhtml+xml;q=0.9, */*;q=0.1"
)

// The notes on article pages.
const (
	notePageText       = "page_text"       // articles whose text the page gave
	notePageAddress    = "page_address"    // articles whose address the page corrected
	notePageLess       = "page_less"       // pages that gave no more text than the feed, or no article
	notePageDisallowed = "page_disallowed" // pages that robots.txt keeps from us, or whose robots.txt could not be had
	notePageFailed     = "page_failed"     // pages that could not be fetched
	notePageLeftOut    = "page_left_out"   // pages not asked for: too many, or the host wants to be left alone
)

// Known is what a store has of an article.
type Known struct {
	Stored bool // it is or was there, under this or another feed
	Title  string
	Text   string
	Link   string
	URL    string
}

// Recaller is what a [Store] does as well if articles are to be extracted from their pages: without it no page is asked for. Poll calls
// it as it calls the Store.
type Recaller interface {
	// Known tells, for each article, what is stored of it. An article that has expired is stored, and empty.
	Known(ctx context.Context, articles []sheaf.Article) ([]Known, error)
}

var (
	errDisallowed = errors.New("robots.txt does not allow it")
	errLeftAlone  = errors.New("the host is left alone for now")
)

// visit asks for the pages of the articles in one document of a feed.
type visit struct {
	p       *Poller
	feed    sheaf.Feed
	own     string          // host and port the operator has written
	stopped map[string]bool // hosts not to be asked again in this visit
	notes   map[string]int
}

// extract completes the articles of a feed that are new from their pages, in place, and leaves known ones as they are stored where the
// feed has nothing newer. What the pages repeat goes into learned. What goes wrong with a page is a note; the error is the store's, or the
// end of ctx.
func (p *Poller) extract(ctx context.Context, feed sheaf.Feed, articles []sheaf.Article, learned *Learned) ([]Note, error) {
	if !p.o.Extract[feed.ID] {
		return nil, nil
	}
	known, err := p.known(ctx, articles)
	if err != nil || known == nil {
		return nil, err
	}
	var fresh []*sheaf.Article
	for i := range articles {
		switch a := &articles[i]; {
		case known[i].Stored:
			recall(a, known[i])
		case a.URLKey != "":
			fresh = append(fresh, a)
		}
	}
	v := &visit{p: p, feed: feed, stopped: make(map[string]bool), notes: make(map[string]int)}
	if u, err := url.Parse(feed.URL); err == nil {
		v.own = hostPort(u)
	}
	pages, err := v.pages(ctx, fresh)
	if err != nil {
		return nil, err
	}
	v.fill(pages, learned)
	if err := v.readdress(ctx, articles, pages); err != nil {
		return nil, err
	}
	return v.noted(), nil
}

// known asks the store; nil if it cannot tell.
func (p *Poller) known(ctx context.Context, articles []sheaf.Article) ([]Known, error) {
	store, ok := p.store.(Recaller)
	if !ok {
		return nil, nil
	}
	p.storeMu.Lock()
	defer p.storeMu.Unlock()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return store.Known(ctx, articles)
}

// recall gives a known article the text and the address that once came from its page: the feed still has its own.
func recall(a *sheaf.Article, k Known) {
	if len(k.Text) > len(a.Text) {
		a.Text = k.Text
	}
	if k.URL != "" && canonical.URL(k.Link) == canonical.URL(a.Link) {
		a.URL = k.URL
	}
}

// found is an article with its page.
type found struct {
	article *sheaf.Article
	page    extract.Page
}

// pages asks for the pages of the newest articles, one after the other.
func (v *visit) pages(ctx context.Context, fresh []*sheaf.Article) ([]found, error) {
	slices.SortStableFunc(fresh, func(a, b *sheaf.Article) int { return b.Time().Compare(a.Time()) })
	var pages []found
	began := time.Now()
	for i, a := range fresh {
		if i == pagesPerPoll || time.Since(began) > pagesTime {
			v.notes[notePageLeftOut] += len(fresh) - i
			break
		}
		page, err := v.page(ctx, a.URL)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		switch {
		case err == nil:
			pages = append(pages, found{a, page})
		case errors.Is(err, extract.ErrNoArticle), errors.Is(err, extract.ErrNotPage):
			v.notes[notePageLess]++
		case errors.Is(err, errDisallowed):
			v.notes[notePageDisallowed]++
		case errors.Is(err, errLeftAlone):
			v.notes[notePageLeftOut]++
		default:
			v.notes[notePageFailed]++
		}
	}
	return pages, nil
}

// page fetches one page along its redirects and reads it. Every hop obeys the robots.txt of its host.
func (v *visit) page(ctx context.Context, address string) (extract.Page, error) {
	target, err := requestURL(address)
	if err != nil {
		return extract.Page{}, err
	}
	for range maxRedirects + 1 {
		rules, err := v.robots(ctx, target)
		switch {
		case err != nil:
			return extract.Page{}, err
		case !rules.allows(target):
			return extract.Page{}, errDisallowed
		}
		resp, next, err := v.ask(ctx, target, acceptPage, rules.delay())
		if err != nil {
			return extract.Page{}, err
		}
		if next == nil {
			return v.read(ctx, resp)
		}
		target = next
	}
	return extract.Page{}, redirectError(0, errors.New("too many redirects"))
}

// read extracts the article of a page.
func (v *visit) read(ctx context.Context, resp *response) (extract.Page, error) {
	if err := v.p.memory.Acquire(ctx, pageMemory); err != nil {
		return extract.Page{}, err
	}
	defer v.p.memory.Release(pageMemory)
	return extract.Text(resp.body.bytes, resp.url, resp.header.Get("Content-Type"))
}

// ask sends one request when its host may be asked, and gives the answer or where it redirects. A host that says no, that wants rest or
// that cannot be reached is not asked again in this visit.
func (v *visit) ask(ctx context.Context, target *url.URL, accept string, gap time.Duration) (*response, *url.URL, error) {
	p := v.p
	key, local := place(target.String())
	if v.stopped[key] || !local && p.cooling(key) {
		return nil, nil, errLeftAlone
	}
	if !local {
		usual := p.o.HostGap + time.Duration(phase(v.feed.ID, "gap")*float64(p.o.HostGap))
		release, err := p.turn(ctx, key, max(gap, usual), true)
		if err != nil {
			return nil, nil, err
		}
		defer release()
	}
	resp, next, err := p.pager.hop(ctx, request{url: target.String(), accept: accept}, target, v.own)
	var fe *FetchError
	if !errors.As(err, &fe) {
		return resp, next, err
	}
	switch fe.Code {
	case FetchMissing, FetchGone, FetchEmpty, FetchTooLarge, FetchEncoding, FetchRedirect, FetchStatus:
	default:
		if v.stopped[key] = accept == acceptPage || fe.unreachable() || fe.Code == FetchBusy; fe.RetryAfter > 0 && !local {
			p.rest(key, p.o.Now().Add(fe.RetryAfter))
		}
	}
	return nil, nil, err
}

// cooling tells whether a host has asked for rest.
func (p *Poller) cooling(key string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.host(key).cool.After(p.o.Now())
}

// rest keeps every request to a host waiting.
func (p *Poller) rest(key string, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h := p.host(key)
	h.cool = later(h.cool, until)
}

// hop sends one request without validators or log-in and gives the answer, or where it redirects. own is the host and port the operator
// has written. The error is a *FetchError, or the cause of ctx.
func (f *fetcher) hop(ctx context.Context, r request, target *url.URL, own string) (*response, *url.URL, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	watch := newWatch(f.slow, f.timeout, end)
	defer watch.stop()
	_, resp, err := f.get(ctx, r, target, own)
	if err != nil {
		return nil, nil, transportOrOwn(ctx, err)
	}
	if redirects(resp) {
		next, err := nextHop(target, resp, r.waiver)
		discard(resp)
		return nil, next, err
	}
	out := &response{url: target.String(), status: http.StatusOK, header: resp.Header}
	if out.body, err = f.settle(resp, r, false, watch); err != nil {
		return nil, nil, transportOrOwn(ctx, err)
	}
	return out, nil, nil
}

// fill gives articles the text of their pages where that is more than the feed has, without the lines that the pages of the feed repeat.
func (v *visit) fill(pages []found, learned *Learned) {
	if len(pages) == 0 {
		return
	}
	texts, sheets := make([]string, len(pages)), make([]Sheet, len(pages))
	for i := range pages {
		texts[i] = pages[i].page.Text
		sheets[i] = sheetOf(pages[i].article.Title, texts[i])
	}
	learned.learnPages(sheets, v.p.o.Now())
	for i, text := range extract.WithoutRepeated(texts) {
		a := pages[i].article
		text, _ = learned.without(text, ofPage())
		if len(text) <= max(len(a.Text), len(a.Summary)) {
			v.notes[notePageLess]++
			continue
		}
		a.Text, a.Wire = text, cmp.Or(a.Wire, pages[i].page.Wire)
		v.notes[notePageText]++
	}
}

// readdress gives articles the addresses their pages give themselves. An address that different articles claim is none: some sites name
// the same page in all of theirs.
func (v *visit) readdress(ctx context.Context, articles []sheaf.Article, pages []found) error {
	titles := make(map[string]string, len(articles)+len(pages)) // by the key of an address; "\n" for one that is claimed by several
	claim := func(key, title string) {
		if before, ok := titles[key]; ok && before != title {
			title = "\n"
		}
		titles[key] = title
	}
	for i := range articles {
		claim(articles[i].URLKey, articles[i].Title)
	}
	pages = slices.DeleteFunc(slices.Clone(pages), func(f found) bool {
		return f.page.Canonical == "" || f.page.Canonical == f.article.URL || !extract.SameSite(f.page.Canonical, f.article.URL)
	})
	claimed := make([]sheaf.Article, len(pages))
	for i, f := range pages {
		claimed[i] = *f.article
		claimed[i].URL, claimed[i].URLKey = f.page.Canonical, canonical.Key(f.page.Canonical)
		claim(claimed[i].URLKey, f.article.Title)
	}
	known, err := v.p.known(ctx, claimed)
	if err != nil {
		return err
	}
	for i, f := range pages {
		if titles[claimed[i].URLKey] == "\n" || known[i].Stored && known[i].Title != f.article.Title {
			continue
		}
		f.article.URL, f.article.URLKey = claimed[i].URL, claimed[i].URLKey
		v.notes[notePageAddress]++
	}
	return nil
}

// noted is the notes in the order of their codes.
func (v *visit) noted() []Note {
	var notes []Note
	for code, count := range v.notes {
		notes = append(notes, Note{code, count})
	}
	slices.SortFunc(notes, func(a, b Note) int { return strings.Compare(a.Code, b.Code) })
	return notes
}

package app

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"sheaf"
	"sheaf/cmd/internal/config"
	"sheaf/cmd/internal/store"
	"sheaf/dedupe"
	"sheaf/feeds"
	"sheaf/output"
	"sheaf/output/web"
)

// mostCompared is how many articles of a story have what they share with another one told on its page; the others have their reason alone.
const mostCompared = 40

// desk tells the pages of the program around them.
type desk struct {
	config *config.Config
	store  store.Store
	now    func() time.Time
}

// Reasons says why each article of a story belongs to it.
func (d *desk) Reasons(ctx context.Context, s *sheaf.Story) (map[sheaf.ArticleID]web.Reason, error) {
	placed, err := d.store.Reasons(ctx, s.ID)
	if err != nil {
		return nil, err
	}
	at := make(map[sheaf.ArticleID]*store.Placed, len(placed))
	for i := range placed {
		at[placed[i].ID] = &placed[i]
	}
	reasons := make(map[sheaf.ArticleID]web.Reason, len(placed))
	for i := range placed {
		p := &placed[i]
		if p.Decision.Reason == "" {
			continue
		}
		r := web.Reason{Code: string(p.Decision.Reason), Sentence: p.Decision.Reason.Sentence(), Score: p.Decision.Score, Threshold: p.Decision.Threshold}
		if other := at[p.Decision.Compared()]; other != nil && other != p {
			r.Other = other.ID
			if i < mostCompared {
				e, err := dedupe.Compare(&p.Article, &other.Article)
				if err != nil {
					return nil, err
				}
				r.Names, r.Words, r.Quotes = cleaned(e.Names), cleaned(e.Terms), cleaned(e.Quotes)
			}
		}
		reasons[p.ID] = r
	}
	return reasons, nil
}

// cleaned makes words from articles fit for pages.
func cleaned(list []string) []string {
	for i, s := range list {
		list[i] = output.Plain(s)
	}
	return list
}

// Feeds reports on the configured feeds.
func (d *desk) Feeds(ctx context.Context) ([]web.Feed, error) {
	states, err := d.store.States(ctx)
	if err != nil {
		return nil, err
	}
	var list []web.Feed
	for _, f := range d.config.Polled() {
		s := states[f.ID]
		r := FeedReport{Feed: f, State: s}
		w := web.Feed{
			Outlet: output.Plain(r.Name()), URL: shown(f.URL), Site: s.Site, Polled: s.Polled, Succeeded: s.Succeeded, Next: s.Next,
			Items: s.Quality.Items, Status: s.Status, Failures: s.Failures,
		}
		for _, x := range feeds.Health(s, d.now()) {
			w.Findings = append(w.Findings, web.Finding{Condition: string(x.Condition), Trouble: x.Trouble, Message: output.Plain(withoutPath(x.Message, f.URL)), Advice: x.Advice})
		}
		list = append(list, w)
	}
	return list, nil
}

// shown is an address as strangers may see it: without secrets and, of a file, without where on this machine it lies.
func shown(address string) string {
	if path, ok := strings.CutPrefix(address, "file:"); ok {
		return "file:" + filepath.Base(path)
	}
	return feeds.Redact(address)
}

// withoutPath leaves the path of a feed that is a file out of a message about it.
func withoutPath(message, address string) string {
	if path, ok := strings.CutPrefix(address, "file:"); ok {
		return strings.ReplaceAll(message, strings.TrimPrefix(path, "//"), filepath.Base(path))
	}
	return message
}

// Totals counts what is stored.
func (d *desk) Totals(ctx context.Context) (articles, stories int, err error) {
	t, err := d.store.Totals(ctx)
	return t.Articles, t.Stories, err
}

package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"sheaf"
)

// articleWriter holds the prepared statements of one transaction.
type articleWriter struct {
	insertion, waiting, change, alias *sql.Stmt
}

func newArticleWriter(ctx context.Context, tx *sql.Tx) (*articleWriter, error) {
	const insertion = `INSERT INTO article (id, feed_id, feed_url, outlet, outlet_url, owner, key, guid, link, url, url_key, title, authors,
			categories, lang, image, wire, published_at, updated_at, fetched_at, added_at, first_seen_at, time_at, revision, summary, text)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $20, $21, $22, $23, $24, $25)`
	const waiting = `INSERT INTO pending (article_id) VALUES ($1)`
	const change = `UPDATE article SET title = $2, summary = $3, text = $4, link = $5, url = $6,
			updated_at = CASE published_at WHEN 0 THEN updated_at ELSE $7 END, fetched_at = $8, revision = $9 WHERE id = $1`
	const alias = `INSERT INTO article_alias (id, article_id) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`
	w := &articleWriter{}
	for _, p := range []struct {
		statement **sql.Stmt
		text      string
	}{{&w.insertion, insertion}, {&w.waiting, waiting}, {&w.change, change}, {&w.alias, alias}} {
		s, err := tx.PrepareContext(ctx, p.text)
		if err != nil {
			return nil, errors.Join(err, w.close())
		}
		*p.statement = s
	}
	return w, nil
}

func (w *articleWriter) close() error {
	var errs []error
	for _, s := range []*sql.Stmt{w.insertion, w.waiting, w.change, w.alias} {
		if s != nil {
			errs = append(errs, s.Close())
		}
	}
	return errors.Join(errs...)
}

func (w *articleWriter) insert(ctx context.Context, a *sheaf.Article, revision string) error {
	authors, err := json.Marshal(a.Authors)
	if err != nil {
		return err
	}
	categories, err := json.Marshal(a.Categories)
	if err != nil {
		return err
	}
	_, err = w.insertion.ExecContext(ctx, a.ID, a.Feed, a.FeedURL, a.Outlet.Name, a.Outlet.URL, a.Outlet.Owner, a.Key, a.GUID, a.Link, a.URL, a.URLKey,
		a.Title, string(authors), string(categories), a.Lang, a.Image, a.Wire, millis(a.Published), millis(a.Updated), millis(a.Fetched),
		millis(a.FirstSeen), millis(a.Time()), revision, a.Summary, a.Text)
	if err != nil {
		return err
	}
	_, err = w.waiting.ExecContext(ctx, a.ID)
	return err
}

// update keeps what identifies and orders an article: its keys, its first sight, and the claim that gave the time it was
// grouped by.
func (w *articleWriter) update(ctx context.Context, id sheaf.ArticleID, a *sheaf.Article, revision string) error {
	_, err := w.change.ExecContext(ctx, id, a.Title, a.Summary, a.Text, a.Link, a.URL, millis(a.Updated), millis(a.Fetched), revision)
	return err
}

// aliases remembers every id under which the article may come again.
func (w *articleWriter) aliases(ctx context.Context, a *sheaf.Article, stored sheaf.ArticleID, known knownSet) error {
	ids := aliasIDs(a)
	if a.ID != stored {
		ids = append(ids, a.ID)
	}
	for _, id := range ids {
		if _, ok := known.byID[id]; ok {
			continue
		}
		if _, err := w.alias.ExecContext(ctx, id, stored); err != nil {
			return err
		}
	}
	return nil
}

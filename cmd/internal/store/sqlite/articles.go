package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"sheaf"
)

// saveArticles inserts the articles that are new, updates those whose content changed, and remembers under which keys they are found.
func saveArticles(ctx context.Context, tx *sql.Tx, articles []sheaf.Article) error {
	if len(articles) == 0 {
		return nil
	}
	known, err := knownArticles(ctx, tx, articles)
	if err != nil {
		return err
	}
	w, err := newArticleWriter(ctx, tx)
	if err != nil {
		return err
	}
	defer w.close()
	for i := range articles {
		a := &articles[i]
		revision := revisionOf(a)
		stored, ok := known.find(a)
		switch {
		case !ok:
			stored = storedArticle{id: a.ID, revision: revision}
			err = w.insert(ctx, a, revision)
		case stored.revision != revision && stored.feed == a.Feed:
			err = w.update(ctx, stored.id, a, revision)
		}
		if err != nil {
			return fmt.Errorf("article %s: %w", a.ID, err)
		}
		if err := w.aliases(ctx, a, stored.id, known); err != nil {
			return fmt.Errorf("article %s: %w", a.ID, err)
		}
		known.add(a, stored)
	}
	return nil
}

// aliasIDs are the ids the article would have under its other keys.
func aliasIDs(a *sheaf.Article) []sheaf.ArticleID {
	ids := make([]sheaf.ArticleID, 0, len(a.Aliases))
	for _, key := range a.Aliases {
		if id := sheaf.NewArticleID(a.Feed, key); id != a.ID {
			ids = append(ids, id)
		}
	}
	return ids
}

// revisionOf is a hash of what an update may change.
func revisionOf(a *sheaf.Article) string {
	h := sha256.New()
	for _, s := range []string{a.Title, a.Summary, a.Text, a.URL, a.Published.UTC().String(), a.Updated.UTC().String()} {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// storedArticle is what must be known of a stored article to update it.
type storedArticle struct {
	id       sheaf.ArticleID
	feed     sheaf.FeedID // empty: the article has expired
	revision string
}

// knownSet finds stored articles by id or alias, and by the comparison form of their address.
type knownSet struct {
	byID  map[sheaf.ArticleID]storedArticle
	byURL map[string]storedArticle
}

// find looks the article up by its key, then its other keys, then its address: the same report in two feeds is one article.
func (k knownSet) find(a *sheaf.Article) (storedArticle, bool) {
	if s, ok := k.byID[a.ID]; ok {
		return s, true
	}
	for _, id := range aliasIDs(a) {
		if s, ok := k.byID[id]; ok {
			return s, true
		}
	}
	s, ok := k.byURL[a.URLKey]
	return s, ok && a.URLKey != ""
}

func (k knownSet) add(a *sheaf.Article, s storedArticle) {
	k.byID[a.ID] = s
	for _, id := range aliasIDs(a) {
		k.byID[id] = s
	}
	if a.URLKey != "" {
		k.byURL[a.URLKey] = s
	}
}

// knownArticles asks once for all articles of a document.
func knownArticles(ctx context.Context, tx *sql.Tx, articles []sheaf.Article) (knownSet, error) {
	k := knownSet{byID: map[sheaf.ArticleID]storedArticle{}, byURL: map[string]storedArticle{}}
	var ids []sheaf.ArticleID
	var urls []string
	for i := range articles {
		ids = append(append(ids, articles[i].ID), aliasIDs(&articles[i])...)
		if articles[i].URLKey != "" {
			urls = append(urls, articles[i].URLKey)
		}
	}
	const byID = `
		SELECT id, id, feed_id, revision, url_key FROM article WHERE id IN (SELECT value FROM json_each($1))
		UNION ALL
		SELECT l.id, l.article_id, coalesce(a.feed_id, ''), coalesce(a.revision, ''), coalesce(a.url_key, '')
			FROM article_alias l LEFT JOIN article a ON a.id = l.article_id WHERE l.id IN (SELECT value FROM json_each($1))`
	if err := k.read(ctx, tx, byID, ids); err != nil {
		return k, err
	}
	const byURL = `SELECT id, id, feed_id, revision, url_key FROM article WHERE url_key <> '' AND url_key IN (SELECT value FROM json_each($1))`
	return k, k.read(ctx, tx, byURL, urls)
}

func (k knownSet) read(ctx context.Context, tx *sql.Tx, query string, list any) error {
	argument, err := json.Marshal(list)
	if err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, query, string(argument))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var found sheaf.ArticleID
		var url string
		var s storedArticle
		if err := rows.Scan(&found, &s.id, &s.feed, &s.revision, &url); err != nil {
			return err
		}
		k.byID[found] = s
		if url != "" {
			k.byURL[url] = s
		}
	}
	return rows.Err()
}

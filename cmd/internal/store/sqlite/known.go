package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"sheaf"
	"sheaf/feeds"
)

var _ feeds.Recaller = (*DB)(nil)

// Known tells what is stored of articles, found as Save would find them. It reads beside the writer.
func (db *DB) Known(ctx context.Context, articles []sheaf.Article) ([]feeds.Known, error) {
	known := make([]feeds.Known, len(articles))
	if len(articles) == 0 {
		return known, nil
	}
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, fmt.Errorf("look up articles: %w", err)
	}
	defer tx.Rollback() // nothing was written
	set, err := knownArticles(ctx, tx, articles)
	if err != nil {
		return nil, fmt.Errorf("look up articles: %w", err)
	}
	at := make(map[sheaf.ArticleID][]int)
	for i := range articles {
		if s, ok := set.find(&articles[i]); ok {
			known[i].Stored = true
			at[s.id] = append(at[s.id], i)
		}
	}
	if err := readKnown(ctx, tx, known, at); err != nil {
		return nil, fmt.Errorf("look up articles: %w", err)
	}
	return known, nil
}

// readKnown fills in what is stored of the articles, by where they stand in known.
func readKnown(ctx context.Context, tx *sql.Tx, known []feeds.Known, at map[sheaf.ArticleID][]int) error {
	ids := make([]sheaf.ArticleID, 0, len(at))
	for id := range at {
		ids = append(ids, id)
	}
	argument, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, `SELECT id, title, text, link, url FROM article WHERE id IN (SELECT value FROM json_each($1))`, string(argument))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id sheaf.ArticleID
		k := feeds.Known{Stored: true}
		if err := rows.Scan(&id, &k.Title, &k.Text, &k.Link, &k.URL); err != nil {
			return err
		}
		for _, i := range at[id] {
			known[i] = k
		}
	}
	return rows.Err()
}

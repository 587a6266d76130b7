package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"sheaf"
	"sheaf/cmd/internal/store"
	"sheaf/dedupe"
)

// most is how many ids a lookup gives: enough to say that a prefix is ambiguous.
const most = 10

// StoryIDs lists the stories whose id begins with a prefix.
func (db *DB) StoryIDs(ctx context.Context, prefix string) ([]sheaf.StoryID, error) {
	const q = `SELECT id FROM story WHERE id >= $1 AND id < $2 UNION SELECT id FROM story_merge WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3`
	return ids[sheaf.StoryID](ctx, db.read, q, prefix, after(prefix), most)
}

// ArticleIDs lists the articles whose id begins with a prefix, or whose address has the comparison key.
func (db *DB) ArticleIDs(ctx context.Context, prefix, urlKey string) ([]sheaf.ArticleID, error) {
	const q = `SELECT id FROM article WHERE id >= $1 AND id < $2 UNION SELECT id FROM article WHERE url_key = $3 AND url_key <> '' ORDER BY id LIMIT $4`
	return ids[sheaf.ArticleID](ctx, db.read, q, prefix, after(prefix), urlKey, most)
}

// after is the end of the range of texts that begin with a prefix; ids are of letters, digits and hyphens.
func after(prefix string) string { return strings.ToLower(prefix) + "\x7f" }

func ids[ID ~string](ctx context.Context, q queryer, query string, args ...any) ([]ID, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("look up: %w", err)
	}
	defer rows.Close()
	var found []ID
	for rows.Next() {
		var id ID
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("look up: %w", err)
		}
		found = append(found, id)
	}
	return found, rows.Err()
}

// Placed gives an article where grouping put it.
func (db *DB) Placed(ctx context.Context, id sheaf.ArticleID) (store.Placed, error) {
	const q = `SELECT ` + articleColumns + `, coalesce(d.story_id, ''), coalesce(d.role, ''), coalesce(d.copy_of, ''), a.text
		FROM article a LEFT JOIN decision d ON d.article_id = a.id WHERE a.id = $1`
	placed, err := queryPlaced(ctx, db.read, q, id)
	switch {
	case err != nil:
		return store.Placed{}, fmt.Errorf("read article %s: %w", id, err)
	case len(placed) == 0:
		return store.Placed{}, fmt.Errorf("read article %s: %w", id, store.ErrNoArticle)
	}
	p := store.Placed{Member: placed[0].Member, Story: placed[0].story}
	decisions, err := decisions(ctx, db.read, `article_id = $1`, id)
	if err != nil {
		return store.Placed{}, fmt.Errorf("read decision on %s: %w", id, err)
	}
	p.Decision = decisions[id]
	return p, nil
}

// Reasons gives the members of a story with the decisions about them.
func (db *DB) Reasons(ctx context.Context, id sheaf.StoryID) ([]store.Placed, error) {
	const q = `SELECT ` + articleColumns + `, d.story_id, d.role, d.copy_of, a.text FROM decision d JOIN article a ON a.id = d.article_id WHERE d.story_id = $1`
	members, err := queryPlaced(ctx, db.read, q, id)
	if err != nil {
		return nil, fmt.Errorf("read reasons of story %s: %w", id, err)
	}
	decisions, err := decisions(ctx, db.read, `story_id = $1`, id)
	if err != nil {
		return nil, fmt.Errorf("read reasons of story %s: %w", id, err)
	}
	all := make([]store.Placed, len(members))
	for i, m := range members {
		all[i] = store.Placed{Member: m.Member, Story: m.story, Decision: decisions[m.ID]}
	}
	return all, nil
}

// decisions reads the last decisions that a condition selects, by article.
func decisions(ctx context.Context, q queryer, where string, argument any) (map[sheaf.ArticleID]dedupe.Decision, error) {
	rows, err := q.QueryContext(ctx, `SELECT article_id, decision FROM decision WHERE `+where, argument)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := make(map[sheaf.ArticleID]dedupe.Decision)
	for rows.Next() {
		var id sheaf.ArticleID
		var raw []byte
		var d dedupe.Decision
		if err := rows.Scan(&id, &raw); err != nil {
			return nil, err
		}
		if err := unreadable(json.Unmarshal(raw, &d)); err != nil {
			return nil, fmt.Errorf("article %s: %w", id, err)
		}
		all[id] = d
	}
	return all, rows.Err()
}

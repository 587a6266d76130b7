package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"sheaf"
	"sheaf/cmd/internal/store"
	"sheaf/dedupe"
	"sheaf/output"
)

// Pending lists the articles that are stored and not yet grouped, by time and id.
func (db *DB) Pending(ctx context.Context) ([]sheaf.Article, error) {
	const q = `SELECT ` + articleColumns + `, '', '', '', a.text FROM pending p JOIN article a ON a.id = p.article_id ORDER BY a.time_at, a.id`
	placed, err := queryPlaced(ctx, db.read, q)
	if err != nil {
		return nil, fmt.Errorf("read pending articles: %w", err)
	}
	articles := make([]sheaf.Article, len(placed))
	for i := range placed {
		articles[i] = placed[i].Article
	}
	return articles, nil
}

// Newest is the latest time of an article that has been grouped.
func (db *DB) Newest(ctx context.Context) (time.Time, error) {
	var ms sql.NullInt64
	if err := db.read.QueryRowContext(ctx, `SELECT max(last_at) FROM story`).Scan(&ms); err != nil {
		return time.Time{}, fmt.Errorf("read newest story: %w", err)
	}
	return fromMillis(ms.Int64), nil
}

// Records gives what the grouper remembered, in the order of the articles' first decisions.
func (db *DB) Records(ctx context.Context, since time.Time, with []sheaf.ArticleID) ([]dedupe.Record, error) {
	list, err := json.Marshal(with)
	if err != nil {
		return nil, fmt.Errorf("read grouping records: %w", err)
	}
	const q = `SELECT article_id, story_id, record FROM decision WHERE time_at >= $1 OR story_id IN
		(SELECT story_id FROM decision WHERE article_id IN (SELECT value FROM json_each($2))) ORDER BY decided`
	rows, err := db.read.QueryContext(ctx, q, millis(since), string(list))
	if err != nil {
		return nil, fmt.Errorf("read grouping records: %w", err)
	}
	defer rows.Close()
	var records []dedupe.Record
	for rows.Next() {
		var r dedupe.Record
		if err := rows.Scan(&r.Article, &r.Story, &r.Data); err != nil {
			return nil, fmt.Errorf("read grouping records: %w", unreadable(err))
		}
		records = append(records, r)
	}
	return records, rows.Err()
}

// SaveGrouping stores decisions, stories and merges of one run together.
func (db *DB) SaveGrouping(ctx context.Context, g store.Grouping) error {
	return db.inTx(ctx, "save grouping", func(ctx context.Context, tx *sql.Tx) error {
		if err := renameStories(ctx, tx, g.Renamed); err != nil {
			return err
		}
		if err := saveDecisions(ctx, tx, g); err != nil {
			return err
		}
		for _, m := range g.Merges {
			if err := saveMerge(ctx, tx, m); err != nil {
				return fmt.Errorf("merge %s: %w", m.From, err)
			}
		}
		if err := saveStories(ctx, tx, g.Stories); err != nil {
			return err
		}
		return dropEmptyStories(ctx, tx)
	})
}

// saveDecisions numbers decisions in their order; an article keeps the number, and the run, of its first.
func saveDecisions(ctx context.Context, tx *sql.Tx, g store.Grouping) error {
	var next, batch int64
	const counters = `SELECT (SELECT value FROM counter WHERE name = 'decided'), (SELECT value FROM counter WHERE name = 'batch')`
	if err := tx.QueryRowContext(ctx, counters).Scan(&next, &batch); err != nil {
		return err
	}
	batch++
	records := make(map[sheaf.ArticleID][]byte, len(g.Records))
	for _, r := range g.Records {
		records[r.Article] = r.Data
	}
	const insertion = `INSERT INTO decision (article_id, decided, batch, time_at, story_id, role, copy_of, decision, record)
		SELECT $1, $2, $3, time_at, $4, $5, $6, $7, $8 FROM article WHERE id = $1
		ON CONFLICT (article_id) DO UPDATE SET story_id = excluded.story_id, role = excluded.role, copy_of = excluded.copy_of,
			decision = excluded.decision, record = excluded.record`
	insert, err := tx.PrepareContext(ctx, insertion)
	if err != nil {
		return err
	}
	defer insert.Close()
	settled, err := tx.PrepareContext(ctx, `DELETE FROM pending WHERE article_id = $1`)
	if err != nil {
		return err
	}
	defer settled.Close()
	for _, d := range g.Decisions {
		next++
		evidence, err := json.Marshal(d)
		if err != nil {
			return err
		}
		record := records[d.Article]
		if record == nil {
			record = []byte{}
		}
		if _, err := insert.ExecContext(ctx, d.Article, next, batch, d.Story, d.Role, d.CopyOf, string(evidence), record); err != nil {
			return fmt.Errorf("decision on %s: %w", d.Article, err)
		}
		if _, err := settled.ExecContext(ctx, d.Article); err != nil {
			return fmt.Errorf("decision on %s: %w", d.Article, err)
		}
	}
	const count = `UPDATE counter SET value = CASE name WHEN 'decided' THEN $1 WHEN 'batch' THEN $2 ELSE $3 END`
	_, err = tx.ExecContext(ctx, count, next, batch, g.Applied)
	return err
}

// saveMerge keeps chains flat: whatever led to the story that goes now leads to the one it goes into. A story that comes back to life
// is no merge any more.
func saveMerge(ctx context.Context, tx *sql.Tx, m output.Merge) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM story_merge WHERE id = $1`, m.Into); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE story_merge SET into_id = $2 WHERE into_id = $1`, m.From, m.Into); err != nil {
		return err
	}
	const q = `INSERT INTO story_merge (id, into_id, merged_at) VALUES ($1, $2, $3)
		ON CONFLICT (id) DO UPDATE SET into_id = excluded.into_id, merged_at = excluded.merged_at`
	_, err := tx.ExecContext(ctx, q, m.From, m.Into, millis(m.When))
	return err
}

// saveStories writes stories; one that was merged once and lives again is no merge any more.
func saveStories(ctx context.Context, tx *sql.Tx, stories []store.Story) error {
	alive, err := tx.PrepareContext(ctx, `DELETE FROM story_merge WHERE id = $1`)
	if err != nil {
		return err
	}
	defer alive.Close()
	const q = `INSERT INTO story (id, founder_id, lead_id, follows_id, related, last_at, changed)
		SELECT $1, $2, $3, $4, $5, coalesce(max(time_at), 0), (SELECT value FROM counter WHERE name = 'decided') FROM decision WHERE story_id = $1
		ON CONFLICT (id) DO UPDATE SET lead_id = excluded.lead_id, follows_id = excluded.follows_id, related = excluded.related,
			last_at = excluded.last_at, changed = excluded.changed`
	insert, err := tx.PrepareContext(ctx, q)
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, s := range stories {
		related, err := json.Marshal(s.Related)
		if err != nil {
			return err
		}
		if _, err := alive.ExecContext(ctx, s.ID); err != nil {
			return fmt.Errorf("story %s: %w", s.ID, err)
		}
		if _, err := insert.ExecContext(ctx, s.ID, s.Founder, s.Lead, s.Follows, string(related)); err != nil {
			return fmt.Errorf("story %s: %w", s.ID, err)
		}
	}
	return nil
}

// dropEmptyStories removes stories that no article is in any more.
func dropEmptyStories(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM story WHERE NOT EXISTS (SELECT 1 FROM decision WHERE decision.story_id = story.id)`)
	return err
}

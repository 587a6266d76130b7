package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"sheaf"
	"sheaf/cmd/internal/store"
	"sheaf/output"
	"sheaf/output/web"
)

// articleColumns are read by scanArticle, followed by story, role, original and text.
const articleColumns = `a.id, a.feed_id, a.feed_url, a.outlet, a.outlet_url, a.owner, a.key, a.guid, a.link, a.url, a.url_key, a.title, a.authors,
	a.categories, a.lang, a.image, a.wire, a.published_at, a.updated_at, a.fetched_at, a.first_seen_at, a.summary`

// opening is how much of an article's text a story carries: enough for a teaser.
const opening = 600

// queryer is a pool or a transaction.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// placedArticle is an article with its story.
type placedArticle struct {
	sheaf.Member
	story sheaf.StoryID
}

func scanArticle(rows *sql.Rows) (placedArticle, error) {
	var (
		p                                   placedArticle
		authors, categories                 string
		published, updated, fetched, firstS int64
	)
	a := &p.Article
	err := rows.Scan(&a.ID, &a.Feed, &a.FeedURL, &a.Outlet.Name, &a.Outlet.URL, &a.Outlet.Owner, &a.Key, &a.GUID, &a.Link, &a.URL, &a.URLKey, &a.Title,
		&authors, &categories, &a.Lang, &a.Image, &a.Wire, &published, &updated, &fetched, &firstS, &a.Summary, &p.story, &p.Role, &p.CopyOf, &a.Text)
	if err != nil {
		return p, unreadable(err)
	}
	a.Published, a.Updated, a.Fetched, a.FirstSeen = fromMillis(published), fromMillis(updated), fromMillis(fetched), fromMillis(firstS)
	if err := json.Unmarshal([]byte(authors), &a.Authors); err != nil {
		return p, unreadable(err)
	}
	return p, unreadable(json.Unmarshal([]byte(categories), &a.Categories))
}

func queryPlaced(ctx context.Context, q queryer, query string, args ...any) ([]placedArticle, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var placed []placedArticle
	for rows.Next() {
		p, err := scanArticle(rows)
		if err != nil {
			return nil, err
		}
		placed = append(placed, p)
	}
	return placed, rows.Err()
}

// Stories gives the stories of a query, by id.
func (db *DB) Stories(ctx context.Context, q store.StoryQuery) ([]sheaf.Story, store.Mark, error) {
	var mark store.Mark
	if err := db.read.QueryRowContext(ctx, `SELECT coalesce(max(changed), 0) FROM story`).Scan(&mark); err != nil {
		return nil, 0, fmt.Errorf("read stories: %w", err)
	}
	stories, err := db.stories(ctx, `changed > $1 OR last_at >= $2`, q.After, millis(q.Since))
	if err != nil {
		return nil, 0, fmt.Errorf("read stories: %w", err)
	}
	return stories, mark, nil
}

// Story gives one story, following a merge.
func (db *DB) Story(ctx context.Context, id sheaf.StoryID) (sheaf.Story, error) {
	const survivor = `id = coalesce((SELECT into_id FROM story_merge WHERE id = $1), $1)`
	stories, err := db.stories(ctx, survivor, id)
	switch {
	case err != nil:
		return sheaf.Story{}, fmt.Errorf("read story %s: %w", id, err)
	case len(stories) == 0:
		return sheaf.Story{}, fmt.Errorf("read story %s: %w", id, web.ErrNoStory)
	}
	return stories[0], nil
}

// stories reads the stories that a condition on the story table selects, from one snapshot.
func (db *DB) stories(ctx context.Context, where string, arguments ...any) ([]sheaf.Story, error) {
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // read only: nothing to lose
	stories, err := readStories(ctx, tx, where, arguments)
	if err != nil {
		return nil, err
	}
	index := make(map[sheaf.StoryID]int, len(stories))
	for i := range stories {
		index[stories[i].ID] = i
	}
	query := fmt.Sprintf(`SELECT %s, d.story_id, d.role, d.copy_of, substr(a.text, 1, %d)
		FROM decision d JOIN article a ON a.id = d.article_id WHERE d.story_id IN (SELECT id FROM story WHERE %s) ORDER BY a.time_at, a.id`, articleColumns, opening, where)
	placed, err := queryPlaced(ctx, tx, query, arguments...)
	if err != nil {
		return nil, err
	}
	for _, p := range placed {
		s := &stories[index[p.story]]
		s.Members = append(s.Members, p.Member)
	}
	for i := range stories {
		sheaf.SortMembers(stories[i].Members)
	}
	return stories, nil
}

func readStories(ctx context.Context, q queryer, where string, arguments []any) ([]sheaf.Story, error) {
	rows, err := q.QueryContext(ctx, `SELECT id, lead_id, follows_id, related FROM story WHERE `+where+` ORDER BY id`, arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var stories []sheaf.Story
	for rows.Next() {
		var s sheaf.Story
		var related string
		if err := rows.Scan(&s.ID, &s.Lead, &s.Follows, &related); err != nil {
			return nil, unreadable(err)
		}
		if err := json.Unmarshal([]byte(related), &s.Related); err != nil {
			return nil, fmt.Errorf("story %s: %w", s.ID, unreadable(err))
		}
		stories = append(stories, s)
	}
	return stories, rows.Err()
}

// Merges lists the stories that went into others, oldest first.
func (db *DB) Merges(ctx context.Context) ([]output.Merge, error) {
	rows, err := db.read.QueryContext(ctx, `SELECT id, into_id, merged_at FROM story_merge ORDER BY merged_at, id`)
	if err != nil {
		return nil, fmt.Errorf("read merges: %w", err)
	}
	defer rows.Close()
	var merges []output.Merge
	for rows.Next() {
		var m output.Merge
		var when int64
		if err := rows.Scan(&m.From, &m.Into, &when); err != nil {
			return nil, fmt.Errorf("read merges: %w", unreadable(err))
		}
		m.When = fromMillis(when)
		merges = append(merges, m)
	}
	return merges, rows.Err()
}

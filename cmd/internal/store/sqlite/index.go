package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"sheaf"
	"sheaf/output"
	"sheaf/output/web/query"
)

// How much is taken in in one transaction: nobody who writes waits long.
const (
	indexStories = 500
	indexWords   = 500
)

// Index brings what pages look stories up by up to date. It may be interrupted, and then goes on where it stopped.
func (db *DB) Index(ctx context.Context) error { return db.follow(ctx, indexFacts) }

// IndexWords brings what searches look up up to date. It may be interrupted, and then goes on where it stopped.
func (db *DB) IndexWords(ctx context.Context) error { return db.follow(ctx, indexWordsOf) }

// follow repeats a step, in a transaction each, until it finds nothing more.
func (db *DB) follow(ctx context.Context, step func(context.Context, *sql.Tx) (int, error)) error {
	for more := true; more; {
		err := db.inTx(ctx, "index", func(ctx context.Context, tx *sql.Tx) error {
			n, err := step(ctx, tx)
			more = n > 0
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// storyFacts are what pages choose and order a story by.
type storyFacts struct {
	outlets             map[sheaf.OutletID]bool
	first, joined, last int64
	labels              map[string]string // with their names
}

// indexFacts follows the next stories that changed, and says how many.
func indexFacts(ctx context.Context, tx *sql.Tx) (int, error) {
	stale, err := ids[sheaf.StoryID](ctx, tx, `SELECT story_id FROM story_stale ORDER BY story_id LIMIT $1`, indexStories)
	if err != nil || len(stale) == 0 {
		return 0, err
	}
	list, err := json.Marshal(stale)
	if err != nil {
		return 0, err
	}
	facts, err := readFacts(ctx, tx, string(list))
	if err != nil {
		return 0, err
	}
	for _, table := range []string{"story_facts", "story_label", "story_stale"} {
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE story_id IN (SELECT value FROM json_each($1))`, string(list)); err != nil {
			return 0, err
		}
	}
	for _, id := range stale {
		if f := facts[id]; f != nil {
			if err := f.save(ctx, tx, id); err != nil {
				return 0, fmt.Errorf("story %s: %w", id, err)
			}
		}
	}
	return len(stale), nil
}

// readFacts gathers the facts of the stories in a JSON list; those that are gone have none.
func readFacts(ctx context.Context, tx *sql.Tx, list string) (map[sheaf.StoryID]*storyFacts, error) {
	const q = `SELECT d.story_id, a.outlet, a.url, a.feed_url, a.categories, a.lang, a.time_at FROM decision d JOIN article a ON a.id = d.article_id
		WHERE d.story_id IN (SELECT value FROM json_each($1)) ORDER BY a.time_at, a.id`
	rows, err := tx.QueryContext(ctx, q, list)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	facts := make(map[sheaf.StoryID]*storyFacts)
	for rows.Next() {
		var id sheaf.StoryID
		var m sheaf.Member
		var categories string
		var at int64
		if err := rows.Scan(&id, &m.Outlet.Name, &m.URL, &m.FeedURL, &categories, &m.Lang, &at); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(categories), &m.Categories); err != nil {
			return nil, err
		}
		if facts[id] == nil {
			facts[id] = &storyFacts{outlets: make(map[sheaf.OutletID]bool), first: at, joined: at, labels: make(map[string]string)}
		}
		facts[id].add(&m, at)
	}
	return facts, rows.Err()
}

// add takes in the next member by time.
func (f *storyFacts) add(m *sheaf.Member, at int64) {
	f.last = at
	name := output.OutletName(m)
	if id := (sheaf.Outlet{Name: name}).ID(); !f.outlets[id] {
		f.outlets[id], f.joined = true, at
		f.labels[labelOutlet+string(id)] = name
	}
	for _, c := range m.Categories {
		if id := sheaf.NewCategoryID(c); id != "" {
			f.labels[labelCategory+string(id)] = output.Plain(c)
		}
	}
	if lang, _, _ := strings.Cut(strings.ToLower(m.Lang), "-"); lang != "" {
		f.labels[labelLang+lang] = lang
	}
}

func (f *storyFacts) save(ctx context.Context, tx *sql.Tx, id sheaf.StoryID) error {
	const facts = `INSERT INTO story_facts (story_id, outlets, first_at, joined_at) VALUES ($1, $2, $3, $4)`
	if _, err := tx.ExecContext(ctx, facts, id, len(f.outlets), f.first, f.joined); err != nil {
		return err
	}
	for label, name := range f.labels {
		if _, err := tx.ExecContext(ctx, `INSERT INTO story_label (label, story_id, last_at) VALUES ($1, $2, $3)`, label, id, f.last); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO label (label, name) VALUES ($1, $2) ON CONFLICT (label) DO NOTHING`, label, name); err != nil {
			return err
		}
	}
	return nil
}

// indexWordsOf follows the next articles that came, changed or went, and says how many.
func indexWordsOf(ctx context.Context, tx *sql.Tx) (int, error) {
	const next = `SELECT s.number, a.title, a.summary, a.text FROM word_stale s LEFT JOIN article a ON a.number = s.number ORDER BY s.number LIMIT $1`
	rows, err := tx.QueryContext(ctx, next, indexWords)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	n, last := 0, int64(0)
	for ; rows.Next(); n++ {
		var title, summary, text sql.NullString
		if err := rows.Scan(&last, &title, &summary, &text); err != nil {
			return 0, err
		}
		if !title.Valid {
			_, err = tx.ExecContext(ctx, `DELETE FROM word WHERE rowid = $1`, last)
		} else {
			_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO word (rowid, title, text) VALUES ($1, $2, $3)`, last, indexed(title.String), indexed(summary.String+"\n"+text.String))
		}
		if err != nil {
			return 0, fmt.Errorf("words of article %d: %w", last, err)
		}
	}
	if err := rows.Err(); err != nil || n == 0 {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM word_stale WHERE number <= $1`, last)
	return n, err
}

// indexed is a text as the index takes it: its words apart, as searches have them.
func indexed(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	for _, w := range query.Words(text) {
		b.WriteString(w.Folded)
		b.WriteByte(' ')
	}
	return b.String()
}

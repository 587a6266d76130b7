package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"sheaf"
	"sheaf/output/web"
	"sheaf/output/web/query"
)

// The kinds of labels.
const (
	labelOutlet   = "outlet:"
	labelCategory = "category:"
	labelLang     = "lang:"
)

const (
	usualLimit = 50
	mostRanked = 5000 // articles of a search that are ranked: the newest that have the words
)

// List gives the stories of a selection.
func (db *DB) List(ctx context.Context, s web.Selection) (web.List, error) {
	if s.Limit < 1 {
		s.Limit = usualLimit
	}
	chosen, err := db.choose(ctx, s)
	if err != nil {
		return web.List{}, fmt.Errorf("list stories: %w", err)
	}
	more := len(chosen) > s.Limit
	if more {
		chosen = chosen[:s.Limit]
	}
	found, err := db.load(ctx, chosen, s.Query.Finds())
	if err != nil {
		return web.List{}, fmt.Errorf("list stories: %w", err)
	}
	found.More = more
	return found, nil
}

// choice is a story of a selection, with the article that a search found.
type choice struct {
	story   sheaf.StoryID
	article sheaf.ArticleID
}

// choose gives a selection in order, one more than its limit if there are more.
func (db *DB) choose(ctx context.Context, s web.Selection) ([]choice, error) {
	c := condition{}
	columns, from := `s.id, ''`, `story s JOIN story_facts f ON f.story_id = s.id`
	if s.Query.Finds() { // of several rows, min takes the other columns from its own
		columns = `s.id, q.article_id`
		from = `(SELECT d.story_id, d.article_id, min(w.fit) AS fit FROM
			(SELECT rowid, bm25(word, 4.0, 1.0) AS fit FROM word WHERE word MATCH ` + c.bind(expression(s.Query)) + ` ORDER BY rowid DESC LIMIT ` + c.bind(mostRanked) + `) w
			JOIN article a ON a.number = w.rowid JOIN decision d ON d.article_id = a.id GROUP BY d.story_id) q
			JOIN story s ON s.id = q.story_id JOIN story_facts f ON f.story_id = s.id`
	}
	c.narrow(s)
	q := `SELECT ` + columns + ` FROM ` + from + c.where() + ` ORDER BY ` + ordering(s) + `, s.id LIMIT ` + c.bind(s.Limit+1) + ` OFFSET ` + c.bind(s.Offset)
	rows, err := db.read.QueryContext(ctx, q, c.arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var chosen []choice
	for rows.Next() {
		var one choice
		if err := rows.Scan(&one.story, &one.article); err != nil {
			return nil, err
		}
		chosen = append(chosen, one)
	}
	return chosen, rows.Err()
}

// load reads the chosen stories, and the texts of the articles that were found.
func (db *DB) load(ctx context.Context, chosen []choice, searched bool) (web.List, error) {
	var found web.List
	stories, articles := make([]sheaf.StoryID, len(chosen)), make([]sheaf.ArticleID, len(chosen))
	for i, c := range chosen {
		stories[i], articles[i] = c.story, c.article
	}
	list, err := json.Marshal(stories)
	if err != nil {
		return found, err
	}
	read, err := db.stories(ctx, `id IN (SELECT value FROM json_each($1))`, string(list))
	if err != nil {
		return found, err
	}
	byID := make(map[sheaf.StoryID]sheaf.Story, len(read))
	for _, story := range read {
		byID[story.ID] = story
	}
	for _, c := range chosen { // one may have gone since it was chosen
		if story := byID[c.story]; len(story.Members) > 0 {
			found.Stories = append(found.Stories, story)
		}
	}
	if searched {
		found.Hits, err = db.hits(ctx, articles)
	}
	return found, err
}

// condition is a WHERE clause in the making.
type condition struct {
	parts     []string
	arguments []any
}

func (c *condition) bind(v any) string {
	c.arguments = append(c.arguments, v)
	return fmt.Sprintf("$%d", len(c.arguments))
}

func (c *condition) add(part string) { c.parts = append(c.parts, part) }

// narrow asks for what a selection asks for, words apart.
func (c *condition) narrow(s web.Selection) {
	if !s.Since.IsZero() {
		c.add(`s.last_at >= ` + c.bind(millis(s.Since)))
	}
	if s.Least > 1 {
		c.add(`f.outlets >= ` + c.bind(s.Least))
	}
	for _, label := range []struct{ kind, id string }{{labelLang, s.Lang}, {labelCategory, string(s.Category)}, {labelOutlet, string(s.Outlet)}} {
		if label.id != "" {
			c.add(`s.id IN (SELECT story_id FROM story_label WHERE label = ` + c.bind(label.kind+label.id) + `)`)
		}
	}
	switch {
	case s.Channel != "":
		c.add(`EXISTS (SELECT 1 FROM emission e WHERE e.story_id = s.id AND e.live = 1 AND e.channel = ` + c.bind(s.Channel) + `)`)
	case !s.All:
		c.add(`EXISTS (SELECT 1 FROM emission e WHERE e.story_id = s.id AND e.live = 1)`)
	}
}

func (c *condition) where() string {
	if len(c.parts) == 0 {
		return ""
	}
	return ` WHERE ` + strings.Join(c.parts, ` AND `)
}

// ordering sorts stories. What grows is measured over an hour at least, so that two outlets in one minute are no storm.
func ordering(s web.Selection) string {
	switch {
	case s.Order == web.OrderNewest:
		return `s.last_at DESC`
	case s.Order == web.OrderGrowing:
		return `(f.outlets - 1.0) / max(f.joined_at - f.first_at, 3600000) DESC, s.last_at DESC`
	case s.Query.Finds():
		return `q.fit, s.last_at DESC`
	}
	return `f.outlets DESC, s.last_at DESC`
}

// hits reads the texts of articles that were found, by story.
func (db *DB) hits(ctx context.Context, articles []sheaf.ArticleID) (map[sheaf.StoryID]web.Hit, error) {
	list, err := json.Marshal(articles)
	if err != nil {
		return nil, err
	}
	const q = `SELECT d.story_id, a.id, a.summary, a.text FROM article a JOIN decision d ON d.article_id = a.id WHERE a.id IN (SELECT value FROM json_each($1))`
	rows, err := db.read.QueryContext(ctx, q, string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	hits := make(map[sheaf.StoryID]web.Hit)
	for rows.Next() {
		var story sheaf.StoryID
		var hit web.Hit
		var summary, text string
		if err := rows.Scan(&story, &hit.Article, &summary, &text); err != nil {
			return nil, err
		}
		hit.Text = strings.TrimSpace(summary + "\n" + text)
		hits[story] = hit
	}
	return hits, rows.Err()
}

// expression is a query in the language of FTS5. Every word is quoted, so that none of it is taken for anything else.
func expression(q query.Query) string {
	var wanted, unwanted []string
	for _, t := range q.Terms {
		text := `"` + strings.Join(t.Words, " ") + `"`
		if t.Open {
			text += " *"
		}
		if t.Not {
			unwanted = append(unwanted, text)
		} else {
			wanted = append(wanted, text)
		}
	}
	e := strings.Join(wanted, " AND ")
	for _, u := range unwanted {
		e = "(" + e + ") NOT " + u
	}
	return e
}

// Labels counts the categories and languages of recent stories.
func (db *DB) Labels(ctx context.Context, since time.Time) (web.Labels, error) {
	var labels web.Labels
	const q = `SELECT c.label, n.name, c.stories FROM (SELECT label, count(*) AS stories FROM story_label WHERE last_at >= $1 AND label < 'outlet:' GROUP BY label) c
		JOIN label n ON n.label = c.label ORDER BY c.stories DESC, c.label`
	rows, err := db.read.QueryContext(ctx, q, millis(since))
	if err != nil {
		return labels, fmt.Errorf("count labels: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var label string
		var l web.Label
		if err := rows.Scan(&label, &l.Name, &l.Stories); err != nil {
			return labels, fmt.Errorf("count labels: %w", err)
		}
		if id, ok := strings.CutPrefix(label, labelCategory); ok {
			l.ID = id
			labels.Categories = append(labels.Categories, l)
		} else if id, ok := strings.CutPrefix(label, labelLang); ok {
			l.ID = id
			labels.Languages = append(labels.Languages, l)
		}
	}
	return labels, rows.Err()
}

// Reporting says which of some outlets have a story.
func (db *DB) Reporting(ctx context.Context, outlets []sheaf.OutletID) (map[sheaf.OutletID]bool, error) {
	list, err := json.Marshal(outlets)
	if err != nil {
		return nil, fmt.Errorf("look outlets up: %w", err)
	}
	const q = `SELECT o.value FROM json_each($1) o WHERE EXISTS (SELECT 1 FROM story_label WHERE label = 'outlet:' || o.value)`
	found, err := ids[sheaf.OutletID](ctx, db.read, q, string(list))
	if err != nil {
		return nil, err
	}
	known := make(map[sheaf.OutletID]bool, len(found))
	for _, id := range found {
		known[id] = true
	}
	return known, nil
}

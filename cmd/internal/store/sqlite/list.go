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
	usualLimit     = 50
	mostCandidates = 2000 // articles of a search that are ranked by story; nobody pages further
)

// List gives the stories of a selection.
func (db *DB) List(ctx context.Context, s web.Selection) (web.List, error) {
	if s.Limit < 1 {
		s.Limit = usualLimit
	}
	var found web.List
	chosen, err := db.choose(ctx, s)
	if err != nil {
		return found, fmt.Errorf("list stories: %w", err)
	}
	if found.More = len(chosen) > s.Limit; found.More {
		chosen = chosen[:s.Limit]
	}
	list, err := json.Marshal(chosen)
	if err != nil {
		return found, fmt.Errorf("list stories: %w", err)
	}
	stories, err := db.stories(ctx, `id IN (SELECT value FROM json_each($1))`, string(list))
	if err != nil {
		return found, fmt.Errorf("list stories: %w", err)
	}
	byID := make(map[sheaf.StoryID]sheaf.Story, len(stories))
	for _, story := range stories {
		byID[story.ID] = story
	}
	for _, id := range chosen {
		if story := byID[id]; len(story.Members) > 0 {
			found.Stories = append(found.Stories, story)
		}
	}
	if s.Query.Finds() {
		found.Hits, err = db.hits(ctx, s.Query, string(list))
	}
	return found, err
}

// choose gives the ids of a selection in order, one more than its limit if there are more.
func (db *DB) choose(ctx context.Context, s web.Selection) ([]sheaf.StoryID, error) {
	c := condition{}
	from := `story s JOIN story_facts f ON f.story_id = s.id`
	if s.Query.Finds() {
		from = `(SELECT d.story_id, min(w.fit) AS fit FROM (SELECT rowid, bm25(word, 4.0, 1.0) AS fit FROM word WHERE word MATCH ` + c.bind(expression(s.Query)) +
			` ORDER BY fit LIMIT ` + c.bind(mostCandidates) + `) w JOIN article a ON a.number = w.rowid JOIN decision d ON d.article_id = a.id GROUP BY d.story_id) q
			JOIN story s ON s.id = q.story_id JOIN story_facts f ON f.story_id = s.id`
	}
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
	q := `SELECT s.id FROM ` + from + c.where() + ` ORDER BY ` + ordering(s) + `, s.id LIMIT ` + c.bind(s.Limit+1) + ` OFFSET ` + c.bind(s.Offset)
	return ids[sheaf.StoryID](ctx, db.read, q, c.arguments...)
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

// hits finds the best fitting article of each story in a JSON list.
func (db *DB) hits(ctx context.Context, q query.Query, list string) (map[sheaf.StoryID]web.Hit, error) {
	const best = `SELECT d.story_id, a.id, a.summary, a.text FROM (SELECT rowid, bm25(word, 4.0, 1.0) AS fit FROM word WHERE word MATCH $1 ORDER BY fit LIMIT $2) w
		JOIN article a ON a.number = w.rowid JOIN decision d ON d.article_id = a.id WHERE d.story_id IN (SELECT value FROM json_each($3)) ORDER BY w.fit DESC, a.id`
	rows, err := db.read.QueryContext(ctx, best, expression(q), mostCandidates, list)
	if err != nil {
		return nil, fmt.Errorf("find articles: %w", err)
	}
	defer rows.Close()
	hits := make(map[sheaf.StoryID]web.Hit)
	for rows.Next() { // the last of a story stays
		var story sheaf.StoryID
		var hit web.Hit
		var summary, text string
		if err := rows.Scan(&story, &hit.Article, &summary, &text); err != nil {
			return nil, fmt.Errorf("find articles: %w", err)
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

// Labels counts the labels of recent stories.
func (db *DB) Labels(ctx context.Context, since time.Time) (web.Labels, error) {
	var labels web.Labels
	const q = `SELECT l.label, n.name, count(*) FROM story s JOIN story_label l ON l.story_id = s.id JOIN label n ON n.label = l.label
		WHERE s.last_at >= $1 GROUP BY l.label ORDER BY count(*) DESC, l.label`
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
		kind, id, _ := strings.Cut(label, ":")
		l.ID = id
		switch kind + ":" {
		case labelCategory:
			labels.Categories = append(labels.Categories, l)
		case labelOutlet:
			labels.Outlets = append(labels.Outlets, l)
		case labelLang:
			labels.Languages = append(labels.Languages, l)
		}
	}
	return labels, rows.Err()
}

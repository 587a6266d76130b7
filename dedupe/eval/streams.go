package eval

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"sheaf"
)

// Item is one article of an evaluation file.
type Item struct {
	sheaf.Article
	Stream string
	Label  string // gold story; only with Scored
	Scored bool   // it has a label; the others are noise that is grouped but never scored
	Set    string // collection the article comes from
	CopyOf sheaf.ArticleID
	Note   string
}

// Stream is a run of articles that is grouped alone, with an empty state.
type Stream struct {
	Name  string
	Items []Item // in the order of the file
}

// line is the form of an article in a file.
type line struct {
	Stream    string    `json:"stream"`
	ID        string    `json:"id"`
	Outlet    string    `json:"outlet"`
	Owner     string    `json:"owner"`
	Title     string    `json:"title"`
	Summary   string    `json:"summary"`
	Text      string    `json:"text"`
	Published time.Time `json:"published"`
	Lang      string    `json:"lang"`
	URL       string    `json:"url"`
	Label     *string   `json:"label"`
	Set       string    `json:"set"`
	CopyOf    string    `json:"copy_of"`
	Note      string    `json:"note"`
}

// LineError is a line of a file that cannot be used.
type LineError struct {
	File string
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap gives the cause.
func (e *LineError) Unwrap() error { return e.Err }

// Read reads articles, one JSON object a line, and sorts them into streams by first appearance. Blank lines are skipped. The first bad line
// is returned as a *LineError that names the file.
func Read(r io.Reader, file string) ([]Stream, error) {
	var streams []Stream
	byName := make(map[string]int)
	seen := make(map[[2]string]bool)
	lines := bufio.NewReader(r)
	for n := 1; ; n++ {
		data, err := lines.ReadBytes('\n')
		if len(data) > 1 || len(data) == 1 && data[0] != '\n' {
			item, bad := parse(data)
			if bad == nil && seen[[2]string{item.Stream, string(item.ID)}] {
				bad = fmt.Errorf("id %q occurs twice in stream %q", item.ID, item.Stream)
			}
			if bad != nil {
				return nil, &LineError{File: file, Line: n, Err: bad}
			}
			seen[[2]string{item.Stream, string(item.ID)}] = true
			i, ok := byName[item.Stream]
			if !ok {
				i = len(streams)
				byName[item.Stream] = i
				streams = append(streams, Stream{Name: item.Stream})
			}
			streams[i].Items = append(streams[i].Items, item)
		}
		if err == io.EOF {
			return streams, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
	}
}

func parse(data []byte) (Item, error) {
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		return Item{}, fmt.Errorf("not an article: %w", err)
	}
	if l.ID == "" {
		return Item{}, fmt.Errorf("not an article: no id")
	}
	item := Item{
		Article: sheaf.Article{
			ID:        sheaf.ArticleID(l.ID),
			Outlet:    sheaf.Outlet{Name: l.Outlet, Owner: l.Owner},
			Title:     l.Title,
			Summary:   l.Summary,
			Text:      l.Text,
			Published: l.Published,
			FirstSeen: l.Published,
			Fetched:   l.Published,
			Lang:      l.Lang,
			URL:       l.URL,
			Link:      l.URL,
		},
		Stream: l.Stream,
		Set:    l.Set,
		CopyOf: sheaf.ArticleID(l.CopyOf),
		Note:   l.Note,
	}
	if l.Label != nil {
		item.Label, item.Scored = *l.Label, true
	}
	return item, nil
}

// Articles are the articles of a stream without what eval knows about them.
func (s *Stream) Articles() []sheaf.Article {
	articles := make([]sheaf.Article, len(s.Items))
	for i := range s.Items {
		articles[i] = s.Items[i].Article
	}
	return articles
}

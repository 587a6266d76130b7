package output

import (
	"fmt"
	"time"

	"sheaf"
)

// Listing is a document over stories that somebody asked for, such as those of one outlet or of a search: like a channel's, but nothing
// is remembered of it, so it shows every story as it is now. The ids of its items are those of the channels.
type Listing struct {
	Path        string // below the site's address, percent-encoded, without a suffix: "outlet/the-halden-courier"
	Query       string // what follows the question mark; empty: nothing does
	Page        string // address of the page that shows the same
	Title       string
	Description string   // empty: "News by event, every outlet credited"
	Profile     Profile  // ProfileStories or ProfileArticles; empty: ProfileStories
	Snippets    Snippets // length of what is quoted
}

// Suffixes lists what addresses of documents end in, in the order in which pages offer them: some readers take the first.
func Suffixes() []string { return []string{".atom", ".rss", ".json"} }

// Render gives the document with one of [Suffixes]: an item a story or, with ProfileArticles, an article, newest activity first. The bytes
// depend on the arguments alone. The file's name is the last part of the path.
func (l Listing) Render(site Site, stories []sheaf.Story, suffix string) (File, error) {
	site.Hub = "" // no hub is told of it
	c := Channel{Name: l.Path, Title: l.Title, Description: l.Description, Profile: l.Profile, Snippets: l.Snippets, Span: endless, Size: mostListed}.withDefaults()
	var newest time.Time
	for i := range stories {
		newest = later(newest, stories[i].Last())
	}
	shown, _ := c.window(c.Advance(nil, stories, nil, second(newest).Add(time.Second)))
	h := c.head(site, shown, nil)
	h.query, h.home = l.Query, l.Page
	if l.Query != "" {
		h.id = urn(sheaf.UUID(site.Feed(l.Path + "?" + l.Query)))
	}
	for i, f := range formats() {
		if f.suffix != suffix {
			continue
		}
		items, err := new(Cache).items(site, shown)
		if err != nil {
			return File{}, fmt.Errorf("render %s%s: %w", l.Path, suffix, err)
		}
		data, err := f.document(h, collect(items, i, f.separator))
		if err != nil {
			return File{}, fmt.Errorf("render %s%s: %w", l.Path, suffix, err)
		}
		ids := make([]string, 0, len(shown))
		for _, e := range shown {
			ids = append(ids, urn(e.ID))
		}
		return File{Name: l.Path + suffix, Type: f.media, Data: data, Modified: h.updated, ids: ids}, nil
	}
	return File{}, fmt.Errorf("render %s: no format has the suffix %q", l.Path, suffix)
}

const (
	mostListed = 200
	endless    = 100 * 365 * 24 * time.Hour
)

package web

import (
	"context"
	"errors"
	"time"

	"sheaf"
	"sheaf/output/web/query"
)

// ErrNoStory says that no story ever had the id.
var ErrNoStory = errors.New("no such story")

// Stories is what pages show. It is called from many goroutines at once.
type Stories interface {
	// Story finds a story by an id it has or once had. The story of a merged id is the survivor; its ID then differs from the one asked
	// for. An id that never was gives an error wrapping ErrNoStory.
	Story(ctx context.Context, id sheaf.StoryID) (sheaf.Story, error)
	// List gives the stories of a selection, in its order.
	List(ctx context.Context, s Selection) (List, error)
	// Labels counts what the stories with a report at or after since are labeled with, the most frequent first.
	Labels(ctx context.Context, since time.Time) (Labels, error)
	// Reporting says which of some outlets have a story.
	Reporting(ctx context.Context, outlets []sheaf.OutletID) (map[sheaf.OutletID]bool, error)
	// Newest is the time of the newest report; zero if there is none.
	Newest(ctx context.Context) (time.Time, error)
	// Revision is a number that changes whenever anything that a page may show does.
	Revision(ctx context.Context) (int64, error)
}

// Order is how a page sorts its stories.
type Order string

// The orders of a page.
const (
	OrderCovered Order = "top"     // most outlets first
	OrderNewest  Order = "new"     // newest report first
	OrderGrowing Order = "growing" // most outlets an hour first
	OrderBest    Order = "best"    // what fits a search best first; of other lists the same as OrderCovered
)

// Selection says which stories a page lists. The zero value lists all that some channel publishes, most covered first.
type Selection struct {
	Since    time.Time        // with a report at or after it; zero: any
	Least    int              // outlets, at least
	Lang     string           // a report in this language, a BCP 47 tag without its region; empty: any
	Channel  string           // published in this channel; empty: in any, unless All
	Category sheaf.CategoryID // a report carries it; empty: any
	Outlet   sheaf.OutletID   // it reports; empty: anyone
	Query    query.Query      // a report has the words; the zero value: any
	All      bool             // also what no channel publishes
	Order    Order            // empty: OrderCovered
	Offset   int              // stories passed over
	Limit    int              // stories given, at most; below 1: 50
}

// List is a page of a selection.
type List struct {
	Stories []sheaf.Story // members complete and in reading order
	Hits    map[sheaf.StoryID]Hit
	More    bool // there are stories behind these
}

// Hit is the article of a story that a search found, the best where it found several.
type Hit struct {
	Article sheaf.ArticleID
	Text    string // all of it
}

// Labels are what stories can be chosen by.
type Labels struct {
	Categories []Label
	Languages  []Label // BCP 47 tags without their regions
}

// Label is one of them.
type Label struct {
	ID, Name string
	Stories  int
}

// Desk is what pages show of the program around them. It is called from many goroutines at once.
type Desk interface {
	// Reasons says why each article of a story belongs to it, by article.
	Reasons(ctx context.Context, s *sheaf.Story) (map[sheaf.ArticleID]Reason, error)
	// Feeds reports on the feeds that are polled, in the configured order.
	Feeds(ctx context.Context) ([]Feed, error)
	// Totals counts what is stored.
	Totals(ctx context.Context) (articles, stories int, err error)
}

// Reason is why an article is where it is.
type Reason struct {
	Code      string          `json:"code"`             // as stored
	Sentence  string          `json:"sentence"`         // without a full stop
	Score     float64         `json:"score,omitzero"`   // probability in 0–1, of a copy the share of the text; 0: none was made
	Threshold float64         `json:"needed,omitzero"`  // from which an article joins
	Other     sheaf.ArticleID `json:"other,omitzero"`   // the article it was compared with
	Names     []string        `json:"names,omitempty"`  // that both have
	Words     []string        `json:"words,omitempty"`  // that both have
	Quotes    []string        `json:"quotes,omitempty"` // that both have
}

// Feed is what is known of a polled feed. Its JSON keys are an interface: added, never renamed.
type Feed struct {
	Outlet    string    `json:"outlet,omitzero"` // as credited; empty before the first poll
	URL       string    `json:"url"`             // without secrets
	Site      string    `json:"site,omitzero"`   // the outlet's home page; empty: unknown
	Polled    time.Time `json:"polled,omitzero"`
	Succeeded time.Time `json:"succeeded,omitzero"`
	Next      time.Time `json:"next,omitzero"`
	Items     int       `json:"items"`             // in its last document
	Status    int       `json:"status,omitzero"`   // last HTTP status; 0: none
	Failures  int       `json:"failures"`          // in a row
	Findings  []Finding `json:"findings,omitzero"` // the worst first
}

// Finding is one thing an operator may want to know about a feed.
type Finding struct {
	Condition string `json:"condition"`
	Trouble   bool   `json:"trouble"` // no news comes through
	Message   string `json:"message"`
	Advice    string `json:"advice,omitempty"`
}

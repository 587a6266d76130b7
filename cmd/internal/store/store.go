// Package store says what a sweep needs kept between runs. A back end is a package of its own below; every back end passes the suite in
// storetest.
package store

import (
	"context"
	"errors"
	"slices"
	"time"

	"sheaf"
	"sheaf/dedupe"
	"sheaf/feeds"
	"sheaf/feeds/websub"
	"sheaf/output"
	"sheaf/output/notify"
	"sheaf/output/web"
)

// Store is a back end. One process writes at a time; methods may be called concurrently. Every method that writes does so in one
// transaction: after a crash all of it is there or nothing.
type Store interface {
	feeds.Store
	websub.Store

	// States gives what is remembered of every feed ever polled.
	States(ctx context.Context) (map[sheaf.FeedID]feeds.State, error)

	// Pending lists the articles that are stored and not yet grouped.
	Pending(ctx context.Context) ([]sheaf.Article, error)
	// Records gives what the grouper remembered of every article whose time is at or after since, and of all in the stories of the given
	// articles, in the order of their first decision.
	Records(ctx context.Context, since time.Time, with []sheaf.ArticleID) ([]dedupe.Record, error)
	// SaveGrouping stores the outcome of one grouping.
	SaveGrouping(ctx context.Context, g Grouping) error
	// Newest is the latest time of an article that has been grouped; zero if none has.
	Newest(ctx context.Context) (time.Time, error)

	// Stories gives the stories of a query, by id, members complete and in reading order, with Text cut to an opening; and the mark up to
	// which changes have been seen.
	Stories(ctx context.Context, q StoryQuery) ([]sheaf.Story, Mark, error)
	// Story gives the story with the id, or the one it went into. The error wraps web.ErrNoStory if there never was one.
	Story(ctx context.Context, id sheaf.StoryID) (sheaf.Story, error)
	// Pasts gives those of the stories that are stored under the ids themselves, by id.
	Pasts(ctx context.Context, ids []sheaf.StoryID) ([]Past, error)
	// List gives the stories of a selection, in its order. What was stored after the last Index, and for a query the last IndexWords, may be missing.
	List(ctx context.Context, s web.Selection) (web.List, error)
	// Labels counts the categories and languages of the stories with an article at or after since, the most frequent first. It, too,
	// follows with Index.
	Labels(ctx context.Context, since time.Time) (web.Labels, error)
	// Reporting says which of some outlets have a story. It, too, follows with Index.
	Reporting(ctx context.Context, outlets []sheaf.OutletID) (map[sheaf.OutletID]bool, error)
	// Index takes what was stored since the last call into what List and Labels look at, but for the words of queries.
	Index(ctx context.Context) error
	// IndexWords takes what was stored since the last call into what queries look at.
	IndexWords(ctx context.Context) error
	// Revision is a number that changes whenever something is stored. Two numbers are the same only if nothing was stored between.
	Revision(ctx context.Context) (int64, error)
	// StoryIDs lists the stories, merged ones included, whose id begins with a prefix, in order, at most ten.
	StoryIDs(ctx context.Context, prefix string) ([]sheaf.StoryID, error)
	// ArticleIDs lists the articles whose id begins with a prefix, or whose address has the comparison key, in order, at most ten.
	ArticleIDs(ctx context.Context, prefix, urlKey string) ([]sheaf.ArticleID, error)
	// Reasons gives the members of a story, each with the whole of its text and the last decision about it, in no order.
	Reasons(ctx context.Context, id sheaf.StoryID) ([]Placed, error)
	// Placed gives an article with its text, its place, and why it is there. The error wraps ErrNoArticle if there is none.
	Placed(ctx context.Context, id sheaf.ArticleID) (Placed, error)
	// Corrections lists what editors have said, oldest first, undone ones included.
	Corrections(ctx context.Context) ([]Correction, error)
	// SaveCorrection adds a correction and gives its number, or, if it has one, replaces it. It may be called beside the process that
	// holds the lock.
	SaveCorrection(ctx context.Context, c Correction) (int64, error)
	// Applied is the version of the corrections that the grouping is in keeping with.
	Applied(ctx context.Context) (int64, error)
	// Batches lists the grouped articles, with their texts as they are now, run by run in the order of grouping.
	Batches(ctx context.Context) ([][]Placed, error)
	// Merges lists the stories that went into others, chains resolved.
	Merges(ctx context.Context) ([]output.Merge, error)

	// Memory gives what a channel remembers of what it has published; empty for a new channel.
	Memory(ctx context.Context, channel string) (Memory, error)
	// SaveMemory replaces it, and puts messages about what is new in it into the outbox: rows that changed are written, rows that are no
	// longer there removed, a message whose id the outbox has seen is left out. On return it is on the disk, so that nothing is published
	// that the database could forget.
	SaveMemory(ctx context.Context, channel string, m Memory, messages ...notify.Message) error
	// Outbox lists the messages that wait and may be tried at the given time, the longest waiting first.
	Outbox(ctx context.Context, now time.Time) ([]notify.Message, error)
	// SaveMessage stores what became of an attempt.
	SaveMessage(ctx context.Context, m notify.Message) error

	// Totals counts what is stored.
	Totals(ctx context.Context) (Totals, error)
	// Expire drops the articles stored before the given time, and stories left empty, and says how many articles. It remembers that they
	// were there: a feed that still lists one does not bring it back. Memories of published stories stay.
	Expire(ctx context.Context, before time.Time) (articles int, err error)
	// Check reads everything and looks for damage; the error wraps ErrDamaged, or is one of the back end that says so.
	Check(ctx context.Context) error
	// Space says how much room the store takes.
	Space(ctx context.Context) (Space, error)
	// Shrink gives room that is not needed back to the file system.
	Shrink(ctx context.Context) error
	// Close flushes and closes.
	Close() error
}

// ErrDamaged means that what was stored cannot be read as it was written.
var ErrDamaged = errors.New("the database is damaged")

// Space is how much room a store takes, in bytes.
type Space struct {
	Bytes int64 // of the database, Free included
	Free  int64 // of these with nothing in them
	Log   int64 // written and not yet folded in
}

// ErrNoArticle says that no article has the id: there never was one, or it has expired.
var ErrNoArticle = errors.New("no such article")

// Placed is an article where grouping put it.
type Placed struct {
	sheaf.Member
	Story    sheaf.StoryID   // empty: not grouped yet
	Decision dedupe.Decision // the last about it
}

// Correction is an editor's word about stories, kept as constraints on articles, so that it outlives every regrouping.
type Correction struct {
	Number      int64               `json:"number"`
	Kind        string              `json:"kind"`     // merge, split, pin, never
	Subjects    []string            `json:"subjects"` // ids of the stories and articles it was said about
	Constraints []dedupe.Constraint `json:"constraints"`
	Author      string              `json:"author,omitzero"`
	Reason      string              `json:"reason,omitzero"`
	At          time.Time           `json:"at"`
	Undone      time.Time           `json:"undone,omitzero"` // zero: it holds
}

// Version numbers the state of a list of corrections: it grows with every one that is added or undone.
func Version(corrections []Correction) int64 {
	v := int64(len(corrections))
	for _, c := range corrections {
		if !c.Undone.IsZero() {
			v++
		}
	}
	return v
}

// UndoneSince gives the constraints of the corrections that held when the list had a version, and hold no longer.
func UndoneSince(corrections []Correction, version int64) []dedupe.Constraint {
	type event struct {
		at         time.Time
		correction int
		undoes     bool
	}
	var history []event
	for i, c := range corrections {
		history = append(history, event{c.At, i, false})
		if !c.Undone.IsZero() {
			history = append(history, event{c.Undone, i, true})
		}
	}
	slices.SortStableFunc(history, func(a, b event) int { return a.at.Compare(b.at) })
	added := map[int]bool{}
	var constraints []dedupe.Constraint
	for _, e := range history[min(int(max(0, version)), len(history)):] {
		if !e.undoes {
			added[e.correction] = true
		} else if !added[e.correction] {
			constraints = append(constraints, corrections[e.correction].Constraints...)
		}
	}
	return constraints
}

// Mark is a point in the history of the stories: it grows with every stored grouping.
type Mark int64

// StoryQuery selects the stories that changed after a mark, and those with an article at or after a time.
type StoryQuery struct {
	After Mark
	Since time.Time
}

// Past is a story as it was before a grouping, with what readers were shown of it.
type Past struct {
	sheaf.Story
	Emitted time.Time         // when a channel first published it; zero: none has
	Shown   []sheaf.ArticleID // listed in what channels have published about it, sorted
}

// Memory is what a channel remembers of what it has published.
type Memory struct {
	Emissions []output.Emission
	Seen      Mark      // changes up to here are in it
	At        time.Time // when it last looked
}

// Grouping is the outcome of one run of the grouper.
type Grouping struct {
	Decisions []dedupe.Decision               // arrivals and moves; a later decision about an article replaces an earlier one
	Records   []dedupe.Record                 // of the articles decided about, new ones in the order of their decision
	Stories   []Story                         // every story that gained or lost a member and still has one
	Merges    []output.Merge                  // ids that lead to another story from now on
	Renamed   map[sheaf.StoryID]sheaf.StoryID // new ids of stored stories by their old ones, carried out at once and before the decisions
	Applied   int64                           // version of the corrections that it is in keeping with
}

// Story is what is stored of a story beside its members.
type Story struct {
	ID      sheaf.StoryID
	Founder sheaf.ArticleID
	Lead    sheaf.ArticleID
	Related []sheaf.Related
	Follows sheaf.StoryID
}

// Totals counts what is stored.
type Totals struct {
	Feeds, Articles, Stories int
}

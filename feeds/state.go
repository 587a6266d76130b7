package feeds

import (
	"context"
	"time"

	"sheaf"
	"sheaf/feeds/websub"
)

// Validators are a feed's ETag and Last-Modified exactly as received, quotes included; empty where the server sends none.
type Validators struct {
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
}

// State is what polling remembers of one feed. It is stored as JSON: fields are added, never renamed.
type State struct {
	Validators
	Next      time.Time `json:"next,omitzero"`      // earliest next poll; zero: never polled
	Polled    time.Time `json:"polled,omitzero"`    // last attempt
	Succeeded time.Time `json:"succeeded,omitzero"` // last 200 or 304 that was understood; zero: no sweep of this feed has ended well
	Failures  int       `json:"failures,omitempty"` // in a row
	Error     string    `json:"error,omitempty"`    // last failure, for people; empty after a success
	Status    int       `json:"status,omitempty"`   // last HTTP status; 0 for files and failed connections
	Title     string    `json:"title,omitempty"`    // the feed's own title
	Site      string    `json:"site,omitempty"`     // the outlet's home page
	BodyHash  string    `json:"body_hash,omitempty"`

	First    time.Time     `json:"first,omitzero"`    // first attempt
	Failing  time.Time     `json:"failing,omitzero"`  // first failure of the present row
	Code     FetchCode     `json:"code,omitempty"`    // class of the last failure; empty after a success or for a document that is no feed
	Floor    time.Time     `json:"floor,omitzero"`    // the server's word: fresh until then
	Cooldown time.Time     `json:"cooldown,omitzero"` // the server's word: no request to this host before
	Gone     time.Time     `json:"gone,omitzero"`     // first 410 of the present row
	Disabled bool          `json:"disabled,omitempty"`
	From     string        `json:"from,omitempty"`   // address the validators came from
	Packed   string        `json:"packed,omitempty"` // hash of the last body as sent, or stamp of the last file
	Hints    Hints         `json:"hints,omitzero"`
	Caching  Caching       `json:"caching,omitzero"`
	Learned  Learned       `json:"learned,omitzero"`
	Moved    Moved         `json:"moved,omitzero"`
	Took     time.Duration `json:"took,omitempty"` // the last fetch
	Rhythm   Rhythm        `json:"rhythm,omitzero"`
	Quality  Quality       `json:"quality,omitzero"`

	Waived    bool         `json:"waived,omitempty"` // it was polled without a protection that others have
	Offer     websub.Offer `json:"offer,omitzero"`   // of the last complete document
	Announced Announced    `json:"announced,omitzero"`
}

// Due is a feed to poll with what is remembered of it.
type Due struct {
	Feed  sheaf.Feed
	State State
	Push  websub.Push // what hubs have to do with it; zero: nothing
	Held  bool        // not to be polled now: only its cool-down and its share of the budget count
}

// Outcome is what one poll of one feed gave. State is always set, and always with a later Next.
type Outcome struct {
	Feed      sheaf.Feed
	State     State           // to be stored in one transaction with Articles
	Articles  []sheaf.Article // every usable item of the document, in its order; nil if unchanged or failed
	Unchanged bool            // 304, or the same bytes as before
	Notes     []Note          // what had to be mended in the document
	Err       error           // why the poll failed; a *FetchError or *ParseError
}

// Note is one kind of repair made on a document, with how often.
type Note struct {
	Code  string `json:"code"`
	Count int    `json:"count"`
}

// Store keeps what polling must not forget. Poll calls it from one goroutine at a time.
type Store interface {
	// Lease commits the next poll of a feed before its request is sent, so that a crash loop cannot hammer an outlet.
	Lease(ctx context.Context, feed sheaf.FeedID, next time.Time) error
	// Save stores state and articles of a poll in one transaction. Articles already known are updated, never doubled.
	Save(ctx context.Context, o Outcome) error
}

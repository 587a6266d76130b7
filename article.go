package sheaf

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// ArticleID names an article for good: derived from its feed and its key there, never from a date or a text that may change.
type ArticleID string

// Article is one outlet's report, cleaned. A value is immutable once it has left feeds.
type Article struct {
	ID      ArticleID
	Feed    FeedID // feed it was first seen in
	FeedURL string
	Outlet  Outlet // the credited outlet: what the item names as its source, else the feed's

	Key     string   // identity within its feed: "g:" and a GUID, "l:" and a link key, or "h:" and a hash
	Aliases []string // other trusted keys of the same item
	GUID    string   // as given by the feed
	Link    string   // address as found, absolute; empty if the item has none
	URL     string   // address after cleaning, as published; empty if the item has none
	URLKey  string   // comparison form of URL; empty if the address does not identify the article

	Title      string   // one line of plain text; made from the text where the feed has none
	Summary    string   // the feed's running text, plain
	Text       string   // article text, plain, one paragraph a line; empty if the feed gives no more than a summary
	HTML       string   // article markup, made safe
	Authors    []Author // bylines
	Categories []string // labels given by the feed
	Lang       string   // BCP 47; empty if unknown
	Image      string   // address of a picture; empty if none
	Wire       string   // news agency named by a dateline or credit line; empty if none

	Published time.Time // claimed; zero if the feed gives no plausible date
	Updated   time.Time // claimed; zero if none
	Fetched   time.Time // when this version was read
	FirstSeen time.Time // when the article was first read; on a feed's first sweep, what it claims
}

// Author is one name of a byline.
type Author struct {
	Name  string
	Email string
	URL   string
}

// NewArticleID derives the id of the item with the given key in a feed: the first 10 bytes of the SHA-256 of both, in hexadecimal.
func NewArticleID(feed FeedID, key string) ArticleID {
	sum := sha256.Sum256([]byte(string(feed) + "\x00" + key))
	return ArticleID(hex.EncodeToString(sum[:10]))
}

// Time is the instant the article is ordered and grouped by: the claimed publication, else the claimed update, in neither case later
// than the moment it was first seen; without a claim, that moment. A claim in the past is kept however old it is, so that an archive
// groups as it would have when fresh.
func (a *Article) Time() time.Time {
	t := a.Published
	if t.IsZero() {
		t = a.Updated
	}
	if t.IsZero() || (t.After(a.FirstSeen) && !a.FirstSeen.IsZero()) {
		return a.FirstSeen
	}
	return t
}

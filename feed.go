package sheaf

import (
	"crypto/sha256"
	"encoding/hex"
)

// FeedID names a polled feed. It is derived from the configured address and survives redirects.
type FeedID string

// Feed is an address we poll, as the operator configured it.
type Feed struct {
	ID     FeedID
	URL    string // http, https, or an absolute file: address of a feed, a plain-text article or a drop folder
	Outlet string // name of the outlet; empty: the feed's own title
	Owner  string // family of outlets; empty: none known
	Lang   string // BCP 47; empty: what the feed says
}

// NewFeedID derives the id of the feed at the address url: the first 10 bytes of its SHA-256, in hexadecimal.
func NewFeedID(url string) FeedID {
	sum := sha256.Sum256([]byte(url))
	return FeedID(hex.EncodeToString(sum[:10]))
}

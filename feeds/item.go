package feeds

import (
	"time"

	"sheaf"
	"sheaf/feeds/clean"
	"sheaf/feeds/dates"
)

// Input is a feed document as received, with what the transfer told about it.
type Input struct {
	Body            []byte // after content decoding; not modified, not kept
	URL             string // final address after redirects; may be empty
	ContentType     string // header fields as received; may be empty
	ContentLocation string
	ContentLanguage string
}

// Document is a feed document taken apart. Texts are as the feed gave them, decoded once; [Normalize] makes articles of them.
type Document struct {
	Format    string // "rss", "atom" or "json"
	Version   string // as "0.91", "2.0", "0.3", "1.1"; empty if not said
	Encoding  string // name of the charset believed, lower case
	Truncated bool   // the end was missing; validators of such a body must not be kept
	Notes     []Note // repairs, sorted by code
	Feed      Header
	Items     []Item // in document order
	Seen      int    // items the scanner counted; more than len(Items) only with a note items_lost
}

// Header is what a document says about the feed itself, with its hints for the scheduler unparsed.
type Header struct {
	ID         string
	Title      string // markup or text as found
	TitleText  bool   // Title is plain text, not to be read as markup
	Summary    string // markup or text as found
	Link       string // the outlet's home page, absolute
	Self       string // the feed's own address as it claims, absolute
	Links      []Link
	Lang       string // BCP 47 as claimed; empty if unknown
	Authors    []sheaf.Author
	Categories []Category
	Image      string
	Published  string // date as found
	Updated    string // date as found

	TTL             string // RSS ttl, in minutes
	UpdatePeriod    string // sy:updatePeriod
	UpdateFrequency string // sy:updateFrequency
	UpdateBase      string // sy:updateBase
	SkipHours       []string
	SkipDays        []string
	Hubs            []string // WebSub hubs, absolute
}

// PlainTitle is the title as one line of plain text.
func (h *Header) PlainTitle() string {
	if h.TitleText {
		return clean.PlainTitle(h.Title)
	}
	return clean.Title(h.Title)
}

// Times are the dates of the feed as read; zero for what is missing or cannot be read.
func (h *Header) Times() (published, updated time.Time) {
	p, _ := dates.Parse(h.Published, dates.Options{})
	u, _ := dates.Parse(h.Updated, dates.Options{})
	return p.Time, u.Time
}

// Item is one item of a document. Addresses are absolute where a base was known.
type Item struct {
	GUID      string
	Permalink bool // RSS says, or by default means, that GUID is an address
	Title     string
	TitleText bool   // Title is plain text, not to be read as markup
	TitleFrom string // "title" or "media"; empty without a title
	Link      string
	LinkFrom  string // rule that gave Link: link, guid, origlink, alternate, external, content, enclosure
	Links     []Link

	Authors    []sheaf.Author
	Published  string // date as found
	Updated    string // date as found
	Lang       string
	Categories []Category
	Enclosures []Enclosure
	Media      []Media
	Image      string // address of a picture named by an element; those inside markup come with [Normalize]
	Source     Source

	Summary Text
	Content Text
}

// Text is running text of an item: markup as found, with the address its relative links are meant against.
type Text struct {
	Markup string
	Base   string
	Plain  bool // said to be text and not markup
}

// Absolute is the markup with its links made absolute, against link where no base is known. It is not made safe.
func (t Text) Absolute(link string) string {
	return clean.Absolute(clean.Undouble(t.Markup), first(t.Base, link))
}

// Link is an address with its relation.
type Link struct {
	URL   string `json:"url"`
	Rel   string `json:"rel,omitempty"`
	Type  string `json:"type,omitempty"`
	Title string `json:"title,omitempty"`
}

// Category is a label given by a feed.
type Category struct {
	Term   string `json:"term,omitempty"`
	Scheme string `json:"scheme,omitempty"`
	Label  string `json:"label,omitempty"`
}

// Enclosure is an attached file; Length is as found, in bytes.
type Enclosure struct {
	URL    string `json:"url"`
	Type   string `json:"type,omitempty"`
	Length string `json:"length,omitempty"`
}

// Media is one element of Media RSS; numbers are as found.
type Media struct {
	Kind   string `json:"kind"` // content, thumbnail or credit
	URL    string `json:"url,omitempty"`
	Type   string `json:"type,omitempty"`
	Medium string `json:"medium,omitempty"`
	Width  string `json:"width,omitempty"`
	Height string `json:"height,omitempty"`
	Text   string `json:"text,omitempty"`
}

// Source is the outlet or feed that an aggregator's item names as its origin.
type Source struct {
	Name    string `json:"name,omitempty"`
	Link    string `json:"link,omitempty"` // site
	FeedURL string `json:"feed_url,omitempty"`
	ID      string `json:"id,omitempty"`
	Updated string `json:"updated,omitempty"` // date as found

	authors []sheaf.Author
	text    bool // Name is plain text
}

// PlainName is the name as one line of plain text.
func (s *Source) PlainName() string {
	if s.text {
		return clean.PlainTitle(s.Name)
	}
	return clean.Title(s.Name)
}

package output

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"sheaf"
)

// Emission is what a channel remembers of one item it has published: the very facts on the page, kept until the next rise. It is stored
// as JSON: fields are added, never renamed. Within a channel ID is unique; a story has one emission in most channels, but several where
// every milestone or article is an item of its own.
type Emission struct {
	ID        string          `json:"id"`                // of the item, a UUID; for one item a story, the story's
	Story     sheaf.StoryID   `json:"story"`             // the story it is about
	Published time.Time       `json:"published"`         // fixed when first published
	Updated   time.Time       `json:"updated"`           // only ever rises
	Item      Item            `json:"item"`              //
	Absorbed  []sheaf.StoryID `json:"absorbed,omitzero"` // stories whose merge into this one the page already tells, sorted
	Into      sheaf.StoryID   `json:"into,omitzero"`     // story it was merged into, followed to its end; empty: none
	Left      time.Time       `json:"left,omitzero"`     // when it was merged
	Hidden    bool            `json:"hidden,omitzero"`   // the channel's rules no longer admit it
}

// Item holds the facts a page states.
type Item struct {
	Title   string          `json:"title"`
	Link    string          `json:"link,omitzero"` // the lead's address; empty: the lead has none, and our own page stands in
	Lead    sheaf.ArticleID `json:"lead"`
	Teaser  string          `json:"teaser,omitzero"` // of the lead, plain
	Topics  []string        `json:"topics,omitzero"` // labels the lead carries
	Lang    string          `json:"lang,omitzero"`   // of the lead, BCP 47
	Image   string          `json:"image,omitzero"`
	News    string          `json:"news,omitzero"`    // what is new, for items that tell a development
	Entries []Entry         `json:"entries,omitzero"` // of a digest: the stories it lists, best covered first
	Reports []Report        `json:"reports"`          // oldest first, the lead included; of a digest: the stories' leads
}

// Report is one outlet's article as a page lists it.
type Report struct {
	Article   sheaf.ArticleID `json:"article"`
	Title     string          `json:"title"`
	URL       string          `json:"url,omitzero"` // empty: it cannot be linked
	Outlet    string          `json:"outlet"`
	OutletURL string          `json:"outlet_url,omitzero"`
	FeedURL   string          `json:"feed_url,omitzero"` // empty for local files
	Authors   string          `json:"authors,omitzero"`
	Published time.Time       `json:"published"`
	Role      sheaf.Role      `json:"role"`
	CopyOf    sheaf.ArticleID `json:"copy_of,omitzero"` // with RoleCopy: an article of the same item
	Lang      string          `json:"lang,omitzero"`
}

// Merge says that a story lives on in another.
type Merge struct {
	From, Into sheaf.StoryID
	When       time.Time // of the decision
}

// Live says whether the emission may stand in a document.
func (e Emission) Live() bool { return e.Into == "" && !e.Hidden && len(e.Item.Reports) > 0 }

// outlets counts the distinct outlets of the item.
func (it *Item) outlets() int {
	seen := make(map[string]bool, len(it.Reports))
	for i := range it.Reports {
		seen[it.Reports[i].Outlet] = true
	}
	return len(seen)
}

// inOrder sorts emissions as documents show them: newest activity first.
func inOrder(memory []Emission) {
	slices.SortFunc(memory, func(a, b Emission) int {
		return cmp.Or(b.Updated.Compare(a.Updated), b.Published.Compare(a.Published), strings.Compare(a.ID, b.ID))
	})
}

// equal says that both state the same. The cache asks it of every item at every publish, so it goes without reflection.
func (e *Emission) equal(o *Emission) bool {
	return e.ID == o.ID && e.Story == o.Story && e.Published.Equal(o.Published) && e.Updated.Equal(o.Updated) && e.Item.equal(&o.Item) &&
		slices.Equal(e.Absorbed, o.Absorbed) && e.Into == o.Into && e.Left.Equal(o.Left) && e.Hidden == o.Hidden
}

func (it *Item) equal(o *Item) bool {
	return it.Title == o.Title && it.Link == o.Link && it.Lead == o.Lead && it.Teaser == o.Teaser && slices.Equal(it.Topics, o.Topics) &&
		it.Lang == o.Lang && it.Image == o.Image && it.News == o.News && slices.Equal(it.Entries, o.Entries) && slices.Equal(it.Reports, o.Reports)
}

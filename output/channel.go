package output

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"sheaf"
)

// Site is what all channels of one installation share.
type Site struct {
	Title    string         // shown on pages and as the maker of lists; empty: "sheaf"
	BaseURL  string         // http or https address everything is served under, without a slash at the end
	Language string         // BCP 47; for channels that name none; empty: unknown
	Interval time.Duration  // time between publishes, as told to readers (ttl, max-age); zero: 15 minutes
	Version  string         // of the program, for the generator element; empty: none
	Hub      string         // WebSub hub; empty: none
	Icon     string         // address of a picture, http or https; empty: none
	Zone     *time.Location // for times in running text; nil: UTC
}

// Home is the address of the front page.
func (s Site) Home() string { return s.BaseURL + "/" }

// Page is the address of our page on a story.
func (s Site) Page(id sheaf.StoryID) string { return s.BaseURL + "/story/" + string(id) }

// Feed is the address of a published document, such as "stories.atom".
func (s Site) Feed(name string) string { return s.BaseURL + "/" + name }

// Validate reports every fault of the site at once.
func (s Site) Validate() error {
	var errs []error
	if webURL(s.BaseURL) == "" || strings.HasSuffix(s.BaseURL, "/") {
		errs = append(errs, fmt.Errorf("base address %q: not an http or https address without a slash at the end", s.BaseURL))
	}
	if s.Hub != "" && webURL(s.Hub) == "" {
		errs = append(errs, fmt.Errorf("hub %q: not an http or https address", s.Hub))
	}
	if s.Icon != "" && webURL(s.Icon) == "" {
		errs = append(errs, fmt.Errorf("icon %q: not an http or https address", s.Icon))
	}
	return errors.Join(errs...)
}

func (s Site) zone() *time.Location {
	if s.Zone == nil {
		return time.UTC
	}
	return s.Zone
}

func (s Site) interval() time.Duration {
	if s.Interval <= 0 {
		return 15 * time.Minute
	}
	return s.Interval
}

// Profile is what a channel makes an item of.
type Profile string

// The profiles of a channel.
const (
	ProfileStories      Profile = "stories"      // one item a story, updated in place; the default
	ProfileDevelopments Profile = "developments" // one item for each milestone of a story, never updated
	ProfileArticles     Profile = "articles"     // one item an article, threaded to its story
	ProfileAlerts       Profile = "alerts"       // one item when a story meets the channel's rules, again after the cool-down if it does anew
	ProfileDigest       Profile = "digest"       // one item a period, made by AddDigest
)

// Lead says when a published story may get another lead.
type Lead string

// The rules for leads.
const (
	LeadSticky Lead = "sticky" // only if the lead left the story or proves to be a copy; the default
	LeadBest   Lead = "best"   // whenever grouping prefers another
)

// Limits of a channel that are not options: judgement, to be corrected by use.
const (
	defaultSettle  = 10 * time.Minute
	defaultSize    = 200
	defaultSpan    = 7 * 24 * time.Hour
	shortestSpan   = 24 * time.Hour // readers may take items for new that leave and come back
	crowd          = 5              // outlets that end the wait for a story to settle
	freeze         = 48 * time.Hour // after it, only a new independent outlet, a merge or a split changes an item
	tombstones     = 7 * 24 * time.Hour
	shortestMemory = 60 * 24 * time.Hour

	lull             = 12 * time.Hour // silence that makes what follows a development
	revival          = 3              // independent reports after it
	apart            = 3 * time.Hour  // between two developments of a story
	mostDevelopments = 4              // of a story
	defaultCooldown  = 6 * time.Hour
	defaultTop       = 10
)

// Channel is one published feed: which stories it holds and how. The zero value of every field but Name and Settle is a usable default.
type Channel struct {
	Name        string        // slug of 1 to 64 letters a-z, digits and hyphens: NAME.rss, NAME.atom, NAME.json
	Title       string        // empty: Name
	Description string        // empty: "News by event, every outlet credited"
	Language    string        // BCP 47; empty: the site's
	MinOutlets  int           // distinct outlets a story must have before it is first published; below 1: 1
	Settle      time.Duration // wait after MinOutlets is met, so that the first version readers keep is a good one; 0: none; negative: 10 minutes
	Size        int           // items in a document, at most; below 1: 200
	Span        time.Duration // age of the oldest item in a document, before the newest activity; below 1: 7 days; never under 24 hours
	Fewest      int           // items that stay in a document however old they are, so that a quiet channel does not run empty
	Lead        Lead          // when a story may get another lead; empty: LeadSticky
	Profile     Profile       // what an item is; empty: ProfileStories
	Filter      Filter        // what a story must have
	Mute        Mute          // what keeps it out all the same
	Order       Order         // of the items; empty: OrderActivity
	Milestones  []int         // of ProfileDevelopments: numbers of outlets, rising; nil: 3, 10, 30
	Cooldown    time.Duration // of ProfileAlerts: least time between two items on one story; below 1: 6 hours
	Top         int           // of ProfileDigest: stories in an item, at most; below 1: 10
	Archive     bool          // keep what leaves the Atom document in pages by week, NAME-2026-w48.atom (RFC 5005)
	Snippets    Snippets      // length of what is quoted of an outlet's text
}

// Snippets limits what is quoted of articles' texts, in characters, by what outlets allow. Headlines and links are always shown.
type Snippets struct {
	Default int            // 0: 300; negative: none
	Outlets map[string]int // by name of the outlet; 0 or less: none
}

var slug = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)

// Validate reports every fault of the channel at once.
func (c Channel) Validate() error {
	var errs []error
	if !slug.MatchString(c.Name) {
		errs = append(errs, fmt.Errorf("channel %q: name is not 1 to 64 of a-z, 0-9 and hyphens", c.Name))
	}
	if c.Archive && len(c.Name) > longestArchived {
		errs = append(errs, fmt.Errorf("channel %q: a name with an archive has at most %d letters", c.Name, longestArchived))
	}
	oneOf := func(what, is string, list ...string) {
		if is != "" && !slices.Contains(list, is) {
			errs = append(errs, fmt.Errorf("channel %q: %s %q is not one of %s", c.Name, what, is, strings.Join(list, ", ")))
		}
	}
	oneOf("lead", string(c.Lead), "sticky", "best")
	oneOf("profile", string(c.Profile), "stories", "developments", "articles", "alerts", "digest")
	oneOf("order", string(c.Order), "activity", "published", "coverage")
	if !slices.IsSorted(c.Milestones) || len(c.Milestones) > 0 && c.Milestones[0] < 1 {
		errs = append(errs, fmt.Errorf("channel %q: milestones %v do not rise from 1 or more", c.Name, c.Milestones))
	}
	for _, err := range []error{c.Filter.validate(), c.Mute.validate()} {
		if err != nil {
			errs = append(errs, fmt.Errorf("channel %q: %w", c.Name, err))
		}
	}
	if c.Language != "" && !languageTag.MatchString(c.Language) {
		errs = append(errs, fmt.Errorf("channel %q: language %q is not a BCP 47 tag", c.Name, c.Language))
	}
	return errors.Join(errs...)
}

// withDefaults fills what was left out.
func (c Channel) withDefaults() Channel {
	if c.Title == "" {
		c.Title = c.Name
	}
	if c.Description == "" {
		c.Description = "News by event, every outlet credited"
	}
	if c.Settle < 0 {
		c.Settle = defaultSettle
	}
	if c.Size < 1 {
		c.Size = defaultSize
	}
	if c.Span < 1 {
		c.Span = defaultSpan
	}
	c.Span = max(c.Span, shortestSpan)
	c.MinOutlets = max(c.MinOutlets, 1)
	if len(c.Milestones) == 0 {
		c.Milestones = []int{3, 10, 30}
	}
	if c.Cooldown < 1 {
		c.Cooldown = defaultCooldown
	}
	if c.Top < 1 {
		c.Top = defaultTop
	}
	return c
}

package output

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"sheaf"
)

// Filter says what a story must have to be published in a channel. What is left out asks for nothing; of a list one entry is enough. A
// story is looked at until it is first published: later changes do not take it back, only a [Mute] does.
type Filter struct {
	Outlets     []string      // names; one of them reports
	Owners      []string      // names of families of outlets; one of them reports
	Categories  []string      // labels that some report carries
	Languages   []string      // BCP 47; "en" admits "en-GB"
	Words       []string      // words or phrases in a headline or text, whatever the case; "elect*" admits every word that begins so
	Independent int           // independent reports
	Growth      Growth        //
	Age         time.Duration // from the oldest report to the channel's newest activity, at most; 0: any
}

// Growth asks for speed: that many outlets joining within that time, whenever it was. The zero value asks for nothing.
type Growth struct {
	Outlets int
	Within  time.Duration
}

// Mute keeps out what a filter would admit. It acts on published stories too: they leave the channel, and come back with the rule's end.
type Mute struct {
	Outlets []string        // names; their reports are left out, and stories of nobody else
	Words   []string        // as in Filter; in the lead's headline or in half of all headlines
	Stories []sheaf.StoryID //
}

// Order is how a document sorts its items.
type Order string

// The orders of a document.
const (
	OrderActivity  Order = "activity"  // newest change first; the default
	OrderPublished Order = "published" // newest story first
	OrderCoverage  Order = "coverage"  // most outlets first
)

func (f Filter) validate() error {
	var errs []error
	for _, w := range f.Words {
		errs = append(errs, validWord(w))
	}
	if f.Growth.Outlets > 0 && f.Growth.Within <= 0 {
		errs = append(errs, errors.New("growth has no time within which"))
	}
	return errors.Join(errs...)
}

func (m Mute) validate() error {
	var errs []error
	for _, w := range m.Words {
		errs = append(errs, validWord(w))
	}
	return errors.Join(errs...)
}

func validWord(w string) error {
	if strings.TrimSpace(folded(strings.TrimSuffix(w, "*"))) == "" {
		return fmt.Errorf("word %q has neither letter nor digit", w)
	}
	return nil
}

// rules are a channel's filter and mute, made ready.
type rules struct {
	Filter
	outlets, owners, muted map[sheaf.OutletID]bool
	categories             map[string]bool
	words, muteWords       []word
	mutedStories           []sheaf.StoryID
}

func newRules(f Filter, m Mute) rules {
	r := rules{
		Filter: f, outlets: ids(f.Outlets), owners: ids(f.Owners), muted: ids(m.Outlets),
		categories: make(map[string]bool), words: words(f.Words), muteWords: words(m.Words), mutedStories: m.Stories,
	}
	for _, c := range f.Categories {
		r.categories[strings.ToLower(Plain(c))] = true
	}
	return r
}

func ids(names []string) map[sheaf.OutletID]bool {
	set := make(map[sheaf.OutletID]bool, len(names))
	for _, n := range names {
		set[sheaf.Outlet{Name: n}.ID()] = true
	}
	return set
}

// heard is the story without the reports of muted outlets.
func (r *rules) heard(s *sheaf.Story) *sheaf.Story {
	if len(r.muted) == 0 {
		return s
	}
	rest := *s
	rest.Members = slices.DeleteFunc(slices.Clone(s.Members), func(m sheaf.Member) bool { return r.muted[m.Outlet.ID()] })
	return &rest
}

// admits says when the story had all the filter asks for, and whether it has; newest is the channel's newest activity.
func (r *rules) admits(s *sheaf.Story, newest time.Time) (time.Time, bool) {
	some := func(list int, test func(*sheaf.Member) bool) bool {
		return list == 0 || slices.ContainsFunc(s.Members, func(m sheaf.Member) bool { return test(&m) })
	}
	ok := (r.Age <= 0 || newest.Sub(s.First()) <= r.Age) &&
		some(len(r.outlets), func(m *sheaf.Member) bool { return r.outlets[m.Outlet.ID()] }) &&
		some(len(r.owners), func(m *sheaf.Member) bool { return r.owners[sheaf.Outlet{Name: m.Outlet.Owner}.ID()] }) &&
		some(len(r.categories), r.labeled) &&
		some(len(r.Languages), r.speaks) &&
		some(len(r.words), func(m *sheaf.Member) bool { return mentions(m.Title+"\n"+m.Summary+"\n"+m.Text, r.words) })
	var when time.Time
	if ok && r.Independent > 0 {
		when = confirmed(s, r.Independent)
		ok = !when.IsZero()
	}
	if ok && r.Growth.Outlets > 0 {
		grew := r.Growth.grew(s)
		when, ok = later(when, grew), !grew.IsZero()
	}
	return when, ok
}

func (r *rules) labeled(m *sheaf.Member) bool {
	return slices.ContainsFunc(m.Categories, func(c string) bool { return r.categories[strings.ToLower(Plain(c))] })
}

func (r *rules) speaks(m *sheaf.Member) bool {
	return slices.ContainsFunc(r.Languages, func(want string) bool {
		return strings.EqualFold(m.Lang, want) || len(m.Lang) > len(want) && strings.EqualFold(m.Lang[:len(want)+1], want+"-")
	})
}

// grew is when enough outlets had joined within the time asked for; zero if they never have.
func (g Growth) grew(s *sheaf.Story) time.Time {
	joined := joins(s)
	for i := g.Outlets - 1; i < len(joined); i++ {
		if joined[i].at.Sub(joined[i-g.Outlets+1].at) <= g.Within {
			return joined[i].at
		}
	}
	return time.Time{}
}

// confirmed is when the story had its k-th independent report; zero if it has fewer.
func confirmed(s *sheaf.Story, k int) time.Time {
	families := make(map[string]bool)
	for i := range s.Members {
		m := &s.Members[i]
		if m.Role == sheaf.RoleReport && !families[m.Outlet.Family()] {
			if families[m.Outlet.Family()] = true; len(families) == k {
				return m.Time()
			}
		}
	}
	return time.Time{}
}

// join is the first report of an outlet in a story.
type join struct {
	outlet string // as shown
	at     time.Time
}

// joins lists the outlets in the order they joined the story.
func joins(s *sheaf.Story) []join {
	var list []join
	seen := make(map[sheaf.OutletID]bool, len(s.Members))
	for i := range s.Members {
		name := OutletName(&s.Members[i])
		if id := (sheaf.Outlet{Name: name}).ID(); !seen[id] {
			seen[id] = true
			list = append(list, join{name, s.Members[i].Time()})
		}
	}
	return list
}

// mutes says that a published item may not be shown.
func (r *rules) mutes(e *Emission) bool {
	if slices.Contains(r.mutedStories, e.Story) {
		return true
	}
	if len(r.muted) == 0 && len(r.muteWords) == 0 {
		return false
	}
	heard, headlines := 0, 0
	for i := range e.Item.Reports {
		report := &e.Item.Reports[i]
		if !r.muted[report.outlet()] {
			heard++
		}
		if len(r.muteWords) > 0 && mentions(report.Title, r.muteWords) {
			headlines++
		}
	}
	return heard == 0 || 2*headlines >= len(e.Item.Reports) && headlines > 0 || len(r.muteWords) > 0 && mentions(e.Item.Title, r.muteWords)
}

// word is a word or phrase to look for.
type word struct {
	text  string
	loose bool // in a script without spaces between words: anywhere
}

// words makes phrases ready. One that ends in an asterisk is the beginning of a word.
func words(list []string) []word {
	var ready []word
	for _, s := range list {
		open := strings.HasSuffix(s, "*")
		text := folded(strings.TrimSuffix(s, "*"))
		if open {
			text = strings.TrimSuffix(text, " ")
		}
		if loose := strings.ContainsFunc(s, unspaced); loose {
			ready = append(ready, word{strings.TrimSpace(text), true})
		} else if strings.TrimSpace(text) != "" {
			ready = append(ready, word{text, false})
		}
	}
	return ready
}

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// mentions says that one of the words occurs in the text.
func mentions(text string, list []word) bool {
	f := folded(text)
	return slices.ContainsFunc(list, func(w word) bool { return strings.Contains(f, w.text) })
}

// folded is the text in lower case, each run of anything but letters and digits one space, and one at either end.
func folded(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte(' ')
	gap := false
	for _, r := range strings.ToLower(s) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			if gap && b.Len() > 1 {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteRune(r)
		case r == '\'' || r == '’':
		default:
			gap = true
		}
	}
	if b.Len() > 1 {
		b.WriteByte(' ')
	}
	return b.String()
}

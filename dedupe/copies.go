package dedupe

import (
	"strings"

	"sheaf"
	"sheaf/dedupe/text"
)

// traits are facts about an article beside its terms.
type traits struct {
	title     string // core of the headline
	titleHash uint64 // of its words; 0 if there are fewer than six
	bodyHash  uint64 // of the body's words; 0 if there are fewer than 25
	mold      uint64 // of the headline with numbers and names blanked
	outlet    sheaf.OutletID
	family    string // outlets of one family confirm nothing to one another
	urlKey    string
	key       string // identity of the item within its feed, if it can mean no other
	sketch    sketch
	sentences []uint32 // hashes of the sentences that may turn out to be boilerplate
	kind      kind
	apart     bool // no story of others: it has several subjects
	fullText  bool
	headed    bool // it came with a title
	titleCase bool // all words of its title are capitalized
	wire      bool // credited to a news agency
	firstSeen int64

	role    sheaf.Role
	copyOf  *article // the report whose text it is; nil: its own words
	counts  bool     // it is counted in document frequencies
	bound   bool     // a constraint speaks of it
	doubted bool     // Polish looks at it again
	links   []link   // to articles of other stories that are close
}

const (
	fewestTitleWords = 6
	fewestBodyWords  = 25
	dayMillis        = 24 * 60 * 60 * 1000
)

// describe fills the traits of an article that has arrived.
func (g *Grouper) describe(l *text.Language, a *article, in *sheaf.Article, b *bag) {
	id := in.Outlet.ID()
	g.outlets[id] = true
	h := parseHeadline(b.title, g.isOutlet)
	a.title = strings.Clone(h.core)
	a.headed = in.Title != "" && !genericTitle(in.Title)
	if len(h.keys) >= fewestTitleWords || len(h.core) >= 3*fewestTitleWords && len(h.keys) < 3 {
		a.titleHash = hashTerm(strings.Join(h.keys, " "))
	}
	if !a.headed {
		a.titleHash = 0
	}
	a.sketch = sketchOf(b)
	if len(b.words) >= fewestBodyWords {
		a.bodyHash = hashWords(b)
	}
	a.mold = hashTerm(h.mold())
	a.outlet = sheaf.OutletID(g.intern(string(id)))
	a.family = g.intern(in.Outlet.Family())
	a.urlKey = in.URLKey
	if strings.Contains(in.GUID, ":") {
		a.key = in.Key
	}
	a.kind = classify(&h, in)
	a.apart = a.kind == kindRoundup || a.kind == kindLive && listed(h.raw)
	a.fullText = in.Text != ""
	a.titleCase = a.headed && titleCase(l, text.Words(h.core))
	a.wire = in.Wire != ""
	a.firstSeen = in.FirstSeen.UnixMilli()
	a.role = a.ownRole()
}

// hashWords hashes all words of a body in order.
func hashWords(b *bag) uint64 {
	h := uint64(len(b.parsed))
	for _, w := range b.parsed {
		h = (h ^ w.shingle) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

// isOutlet reports the name of an outlet that has been met, with or without a leading "the".
func (g *Grouper) isOutlet(name string) bool {
	id := sheaf.Outlet{Name: name}.ID()
	return id != "" && (g.outlets[id] || g.outlets["the-"+id] || g.outlets[sheaf.OutletID(strings.TrimPrefix(string(id), "the-"))])
}

// intern keeps one copy of a string that many articles share.
func (g *Grouper) intern(s string) string {
	if kept, ok := g.strings[s]; ok {
		return kept
	}
	s = strings.Clone(s)
	g.strings[s] = s
	return s
}

// original finds the article whose text a repeats: first by equal text, which no limit of retrieval can hide, then among the articles
// nearest to it. It returns the report at the root and the containment, or nil. What stands apart copies only what stands apart.
func (s *stream) original(a *article, o *settings) (*article, float64) {
	near := s.retrieval.copies
	if a.apart {
		near = s.nearApart(a)
	} else {
		for _, m := range s.equals(a) {
			if m.story != nil && !m.story.closed(a.at, o.window) && isCopy(a, m) {
				return m.root(), 1
			}
		}
	}
	var best *article
	most := 0.0
	for _, m := range near {
		if unlike(&a.sketch, &m.sketch) {
			continue
		}
		c := containment(&a.sketch, &m.sketch)
		if c >= copyLimit && c > most && mayCopy(a, m) && !m.story.closed(a.at, o.window) {
			best, most = m, c
		}
	}
	if best == nil {
		return nil, 0
	}
	return best.root(), most
}

// equals lists earlier articles with the same words in the body or the headline, oldest first.
func (s *stream) equals(a *article) []*article {
	var same []*article
	if a.bodyHash != 0 {
		same = append(same, s.byBody[a.bodyHash]...)
	}
	if a.titleHash != 0 {
		same = append(same, s.byTitle[a.titleHash]...)
	}
	return same
}

// isCopy judges two articles with equal words somewhere.
func isCopy(a, m *article) bool {
	if a.bodyHash != 0 && a.bodyHash == m.bodyHash {
		return mayCopy(a, m)
	}
	sameDay := max(a.at-m.at, m.at-a.at) < dayMillis
	return sameDay && a.titleHash == m.titleHash && !(a.fullText && m.fullText)
}

// mayCopy tells a copy from an outlet that repeats itself: that is an update or a recurring template, unless headline and day agree too.
func mayCopy(a, m *article) bool {
	if a.outlet != m.outlet || a.outlet == "" {
		return true
	}
	if a.urlKey != "" && a.urlKey == m.urlKey {
		return true
	}
	return a.titleHash != 0 && a.titleHash == m.titleHash && max(a.at-m.at, m.at-a.at) < dayMillis
}

// root is the report at the head of an article's copies, itself if it is none.
func (a *article) root() *article {
	for a.copyOf != nil {
		a = a.copyOf
	}
	return a
}

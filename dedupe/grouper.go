package dedupe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sheaf"
	"sheaf/dedupe/text"
)

// Grouper puts articles into stories. It keeps fingerprints, not texts. It is not safe for concurrent use.
type Grouper struct {
	settings    settings
	tables      *Tables            // background frequencies of English
	streams     map[string]*stream // by language
	articles    map[sheaf.ArticleID]*article
	stories     map[sheaf.StoryID]*story
	changed     []*article                                   // that have become copies since the last Add
	items       map[itemKey]*article                         // by what names them in their outlets
	copies      map[*article]sheaf.ArticleID                 // while restoring: whose copies they are
	constraints map[sheaf.ArticleID]map[sheaf.ArticleID]bool // by both articles: whether they must be together
	outlets     map[sheaf.OutletID]bool
	strings     map[string]string // names of outlets, kept once
}

// New makes an empty Grouper. It fails on options that contradict themselves.
func New(o Options) (*Grouper, error) {
	settings, err := o.settings()
	if err != nil {
		return nil, err
	}
	tables := o.Tables
	if tables == nil {
		if tables, err = EnglishTables(); err != nil {
			return nil, err
		}
	}
	g := &Grouper{
		settings:    settings,
		tables:      tables,
		streams:     make(map[string]*stream),
		articles:    make(map[sheaf.ArticleID]*article),
		stories:     make(map[sheaf.StoryID]*story),
		items:       make(map[itemKey]*article),
		copies:      make(map[*article]sheaf.ArticleID),
		constraints: make(map[sheaf.ArticleID]map[sheaf.ArticleID]bool),
		outlets:     make(map[sheaf.OutletID]bool),
		strings:     make(map[string]string),
	}
	_, err = g.Constrain(o.Constraints...)
	return g, err
}

// Add decides about new articles and returns one Decision for each, in the order they were processed: by time, ties by id. The order of
// the argument does not matter. An article that is known already keeps its place. After them follow Decisions about articles of earlier
// batches that turned out to be copies of a new one, which was seen before them.
func (g *Grouper) Add(articles []sheaf.Article) []Decision {
	for _, code := range g.languages() {
		g.expire(g.streams[code])
	}
	sorted := make([]*sheaf.Article, len(articles))
	for i := range articles {
		sorted[i] = &articles[i]
	}
	slices.SortFunc(sorted, func(a, b *sheaf.Article) int {
		return cmp.Or(a.Time().Compare(b.Time()), strings.Compare(string(a.ID), string(b.ID)))
	})
	decisions := make([]Decision, 0, len(sorted))
	for _, a := range sorted {
		decisions = append(decisions, g.add(a))
	}
	return g.withChanged(decisions)
}

// withChanged brings the decisions about articles that later ones of the batch turned into copies up to date, and adds those about
// articles of earlier batches.
func (g *Grouper) withChanged(decisions []Decision) []Decision {
	at := make(map[sheaf.ArticleID]int)
	for i, d := range decisions {
		at[d.Article] = i
	}
	for _, a := range g.changed {
		d := a.decision(ReasonCopy, 1)
		if i, ok := at[a.id]; ok {
			decisions[i].Role, decisions[i].CopyOf = d.Role, d.CopyOf
			continue
		}
		d.From = d.Story
		at[a.id] = len(decisions)
		decisions = append(decisions, d)
	}
	g.changed = nil
	return decisions
}

// add decides about one article.
func (g *Grouper) add(in *sheaf.Article) Decision {
	if known := g.known(in); known != nil {
		d := known.decision(ReasonSameItem, 1)
		d.Article = in.ID
		return d
	}
	s := g.stream(in.Lang)
	a := &article{id: in.ID, at: in.Time().UnixMilli()}
	cleaned := *in
	if in.Text != "" {
		cleaned.Text, a.sentences = s.unrepeated(in.Text, in.Title)
	}
	b := s.vocabulary.takeApart(&cleaned)
	g.describe(s.language, a, &cleaned, b)
	s.admit(a, b)
	g.enroll(a)
	return g.decide(s, a, b, in)
}

// known is the article that another one is the same item as: it has its id, or the same outlet gives it the same address or key.
func (g *Grouper) known(in *sheaf.Article) *article {
	if a := g.articles[in.ID]; a != nil {
		return a
	}
	outlet := in.Outlet.ID()
	for _, key := range []string{in.URLKey, in.Key} {
		if a := g.items[itemKey{outlet, key}]; a != nil && key != "" {
			return a
		}
	}
	return nil
}

// itemKey is an address or key under which an outlet gives an item.
type itemKey struct {
	outlet sheaf.OutletID
	key    string
}

// enroll makes an article known by its id and keys.
func (g *Grouper) enroll(a *article) {
	g.articles[a.id] = a
	a.bound = len(g.constraints[a.id]) > 0
	g.remember(a)
}

// remember files an article under its keys, the first one to have them.
func (g *Grouper) remember(a *article) {
	for _, key := range []string{a.urlKey, a.key} {
		if k := (itemKey{a.outlet, key}); key != "" && g.items[k] == nil {
			g.items[k] = a
		}
	}
}

// languageCode is the language an article is taken to be in: one that says nothing is taken for English.
func languageCode(tag string) string {
	if code := text.Primary(tag); code != "und" {
		return code
	}
	return "en"
}

// stream is the state of a language.
func (g *Grouper) stream(lang string) *stream {
	code := languageCode(lang)
	s, ok := g.streams[code]
	if !ok {
		var t *Tables
		if code == "en" {
			t = g.tables
		}
		s = newStream(code, t)
		g.streams[code] = s
	}
	return s
}

// start opens a story for articles, the first of which is its founder. An id that is taken is derived from again.
func (g *Grouper) start(s *stream, id sheaf.StoryID, articles ...*article) *story {
	for n := 2; g.stories[id] != nil; n++ {
		id = sheaf.StoryID(sheaf.UUID(fmt.Sprintf("urn:sheaf:story:%s:%d", id, n)))
	}
	st := &story{id: id, founder: articles[0].id, language: s.language.Code()}
	g.stories[id] = st
	s.stories = append(s.stories, st)
	st.insert(s, articles...)
	return st
}

func (a *article) decision(reason Reason, score float64) Decision {
	d := Decision{
		Article: a.id,
		Story:   a.story.id,
		Founder: a.story.founder,
		Reason:  reason,
		Role:    a.role,
		Kind:    a.kind.String(),
		Score:   score,
	}
	if a.copyOf != nil {
		d.CopyOf = a.root().id
	}
	return d
}

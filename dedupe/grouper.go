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
	settings settings
	tables   *Tables            // background frequencies of English
	streams  map[string]*stream // by language
	articles map[sheaf.ArticleID]*article
	stories  map[sheaf.StoryID]*story
	strings  map[string]string // names of outlets, kept once
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
	return &Grouper{
		settings: settings,
		tables:   tables,
		streams:  make(map[string]*stream),
		articles: make(map[sheaf.ArticleID]*article),
		stories:  make(map[sheaf.StoryID]*story),
		strings:  make(map[string]string),
	}, nil
}

// Add decides about new articles and returns one Decision for each, in the order they were processed: by time, ties by id. The order of
// the argument does not matter. An article that is known already keeps its place.
func (g *Grouper) Add(articles []sheaf.Article) []Decision {
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
	return decisions
}

// add decides about one article.
func (g *Grouper) add(in *sheaf.Article) Decision {
	if known, ok := g.articles[in.ID]; ok {
		return known.decision(ReasonSameItem, 1)
	}
	s := g.stream(in.Lang)
	a := &article{id: in.ID, at: in.Time().UnixMilli()}
	b := takeApart(s.language, in)
	g.describe(a, in, b)
	s.admit(a, b)
	g.articles[a.id] = a
	return g.decide(s, a, in)
}

// stream is the state of a language.
func (g *Grouper) stream(lang string) *stream {
	code := text.Primary(lang)
	if code == "und" {
		code = "en"
	}
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
		Score:   score,
	}
	if a.copyOf != nil {
		d.CopyOf = a.root().id
	}
	return d
}

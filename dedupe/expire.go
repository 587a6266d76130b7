package dedupe

import "sheaf"

// expire forgets stories that are too old to be joined or followed, once a day of the articles' own time. What it forgets no decision looks
// at any more, so when it runs cannot be seen from outside.
func (g *Grouper) expire(s *stream) {
	if s.newest-s.expired < dayMillis {
		return
	}
	s.expired = s.newest
	limit := s.newest - max(followSpan, frequencyWindow.Milliseconds())
	var kept []*story
	for _, st := range s.stories {
		if st.newest >= limit {
			kept = append(kept, st)
			continue
		}
		g.drop(st)
	}
	if len(kept) == len(s.stories) {
		return
	}
	s.stories = kept
	s.reindex()
}

// drop forgets a story and its members.
func (g *Grouper) drop(st *story) {
	delete(g.stories, st.id)
	for _, a := range st.members {
		a.story = nil
		delete(g.articles, a.id)
		for _, key := range []string{a.urlKey, a.key} {
			if k := (itemKey{a.outlet, key}); g.items[k] == a {
				delete(g.items, k)
			}
		}
	}
}

// reindex numbers the remaining articles anew, in their old order, and files them again.
func (s *stream) reindex() {
	articles := s.articles
	s.articles, s.apart = nil, nil
	s.retrieval.reached, s.index = nil, index{}
	clear(s.byTitle)
	clear(s.byBody)
	clear(s.sentences)
	for _, a := range articles {
		if a.story == nil {
			continue
		}
		links := a.links[:0]
		for _, l := range a.links {
			if l.to.story != nil {
				links = append(links, l)
			}
		}
		a.links = links
		s.enter(a)
	}
}

// Articles counts the articles a Grouper remembers.
func (g *Grouper) Articles() int { return len(g.articles) }

// Stories lists the ids of the stories a Grouper remembers, oldest first within a language, languages in alphabetical order.
func (g *Grouper) Stories() []sheaf.StoryID {
	var ids []sheaf.StoryID
	for _, code := range g.languages() {
		for _, st := range g.streams[code].stories {
			if len(st.members) > 0 {
				ids = append(ids, st.id)
			}
		}
	}
	return ids
}

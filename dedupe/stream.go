package dedupe

import (
	"time"

	"sheaf/dedupe/text"
)

// stream is the state of one language. Languages are never compared with one another.
type stream struct {
	language   *text.Language
	vocabulary *vocabulary
	tokens     *lexicon
	names      *lexicon
	counted    int        // articles counted in the lexicons, with the background
	recent     []*article // counted articles of the frequency window, in order of arrival
	articles   []*article // by index
	stories    []*story   // with members, oldest first
	index      index
	apart      []*article            // roundups and their like, which are not in the index
	newest     int64                 // time of the newest article
	expired    int64                 // the newest time when old stories were last forgotten
	byTitle    map[uint64][]*article // by hash of the headline's words
	byBody     map[uint64][]*article // by hash of the body's words
	sentences  map[uint32]*article   // by hash: the first article that has the sentence

	background [vectors]float64 // of the article whose candidates were scored last
	sparse     float64          // how far its window is from having many stories, 0 to 1
	threshold  float64          // for the article whose candidates were scored last

	doubts doubts

	// Scratch, kept between calls for its memory.
	retrieval retrieval
	top       []candidate
	probe     probe
	sums      [][vectors]float64
	nameSums  []float64
	sumIDs    []uint32
}

// frequencyWindow is how long an article counts in document frequencies.
const frequencyWindow = 30 * 24 * time.Hour

// leastArticles is how many articles a language without background tables is taken to have, so that its first words are not all rare.
const leastArticles = 200

func newStream(language string, t *Tables) *stream {
	s := &stream{
		language:  text.For(language),
		newest:    -1 << 62,
		byTitle:   make(map[uint64][]*article),
		byBody:    make(map[uint64][]*article),
		sentences: make(map[uint32]*article),
	}
	if t == nil {
		t = &Tables{}
	}
	s.vocabulary = newVocabulary(s.language)
	s.tokens, s.names, s.counted = newLexicon(t.tokens), newLexicon(t.names), t.articles
	return s
}

// admit makes the fingerprint of an article that has just arrived. Its terms are counted first.
func (s *stream) admit(a *article, b *bag) {
	a.terms = make([]entry, 0, len(b.tokens)+len(b.names))
	for i := range b.tokens {
		a.terms = append(a.terms, b.tokens[i].entry(s.tokens))
	}
	a.nTokens = len(b.tokens)
	for i := range b.names {
		a.terms = append(a.terms, b.names[i].entry(s.names))
	}
	s.newest = max(s.newest, a.at)
	s.forget()
	s.count(a)
	for i := range a.terms {
		e := &a.terms[i]
		if i < a.nTokens {
			e.df = s.tokens.df[e.id]
		} else {
			e.df = s.names.df[e.id]
		}
	}
	a.articles = uint32(max(s.counted, leastArticles))
	a.finish()
	s.enter(a)
}

// enter files an article whose fingerprint is complete.
func (s *stream) enter(a *article) {
	a.index = uint32(len(s.articles))
	s.articles = append(s.articles, a)
	s.retrieval.reached = append(s.retrieval.reached, reached{})
	s.noteSentences(a)
	if a.apart {
		s.apart = append(s.apart, a)
		return // nothing may join it
	}
	s.index.add(a)
	if a.titleHash != 0 {
		s.byTitle[a.titleHash] = append(s.byTitle[a.titleHash], a)
	}
	if a.bodyHash != 0 {
		s.byBody[a.bodyHash] = append(s.byBody[a.bodyHash], a)
	}
}

func (t *term) entry(l *lexicon) entry {
	e := entry{id: l.id(t.hash), all: t.all, lede: t.lede, title: min(t.title, namedBit-1)}
	if t.named {
		e.title |= namedBit
	}
	return e
}

// count adds an article to the document frequencies.
func (s *stream) count(a *article) {
	a.counts = true
	s.counted++
	s.recent = append(s.recent, a)
	for i := range a.terms {
		s.lexicon(a, i).df[a.terms[i].id]++
	}
}

// uncount takes back the counting of an article that turned out to be a copy.
func (s *stream) uncount(a *article) {
	a.counts = false
	s.counted--
	s.recent = s.recent[:len(s.recent)-1]
	for i := range a.terms {
		s.lexicon(a, i).df[a.terms[i].id]--
	}
}

// forget takes articles that have left the frequency window out of the document frequencies.
func (s *stream) forget() {
	limit := s.newest - frequencyWindow.Milliseconds()
	kept := s.recent[:0]
	for i, a := range s.recent {
		if a.at >= limit {
			if len(kept) == i {
				// The rest arrived later; only a batch of old articles could leave out of turn, and then it waits.
				return
			}
			kept = append(kept, s.recent[i:]...)
			break
		}
		s.counted--
		for j := range a.terms {
			s.lexicon(a, j).df[a.terms[j].id]--
		}
	}
	clear(s.recent[len(kept):])
	s.recent = kept
}

func (s *stream) lexicon(a *article, term int) *lexicon {
	if term < a.nTokens {
		return s.tokens
	}
	return s.names
}

// closed reports whether a story no longer accepts an article of time at: its newest member is older than the window.
func (st *story) closed(at, window int64) bool { return at-st.newest > window }

// activeStories counts stories open at a time, up to enough.
func (s *stream) activeStories(at, window int64, enough int) int {
	n := 0
	for i := len(s.stories) - 1; i >= 0 && n < enough; i-- {
		if st := s.stories[i]; len(st.members) > 0 && !st.closed(at, window) {
			n++
		}
	}
	return n
}

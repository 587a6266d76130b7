package dedupe

import (
	"errors"
	"fmt"

	"sheaf"
)

// recordVersion is the first byte of every Record's data.
const recordVersion = 1

// ErrRecord is wrapped by every fault of a stored record.
var ErrRecord = errors.New("not a record of this version")

// Record is what to store of an article after Add or Polish has decided about it. It is empty for an article the Grouper does not know.
func (g *Grouper) Record(id sheaf.ArticleID) Record {
	a := g.articles[id]
	if a == nil {
		return Record{}
	}
	s := g.streamOf(a.story)
	var e encoder
	e.byte(recordVersion)
	e.string(a.story.language)
	e.string(string(a.story.founder))
	e.string(string(a.story.follows))
	e.traits(a)
	e.links(a)
	e.fingerprint(s, a)
	e.doubt(a)
	return Record{Article: id, Story: a.story.id, Data: e.data}
}

// Restore fills an empty Grouper with stored records, in the order in which the articles were first decided. Afterwards it goes on byte for
// byte as if it had never stopped. After an error the Grouper must not be used.
func (g *Grouper) Restore(records []Record) error {
	for i := range records {
		if err := g.restore(&records[i]); err != nil {
			return fmt.Errorf("restore article %s: %w", records[i].Article, err)
		}
	}
	for a, id := range g.copies {
		a.copyOf = g.articles[id]
	}
	clear(g.copies)
	for _, code := range g.languages() {
		s := g.streams[code]
		for _, st := range s.stories {
			st.rebuild(s)
		}
	}
	return nil
}

func (g *Grouper) restore(r *Record) error {
	if g.articles[r.Article] != nil {
		return fmt.Errorf("%w: the article occurs twice", ErrRecord)
	}
	d := &decoder{data: r.Data}
	if v := d.byte(); v != recordVersion {
		return fmt.Errorf("%w: version %d, want %d", ErrRecord, v, recordVersion)
	}
	s := g.stream(g.intern(d.string()))
	founder, follows := sheaf.ArticleID(d.string()), sheaf.StoryID(d.string())
	a := &article{id: r.Article}
	d.traits(g, a)
	d.links(g, a)
	d.fingerprint(s, a)
	doubt := d.doubt()
	if d.failed || len(d.data) > 0 {
		return fmt.Errorf("%w: its length is wrong", ErrRecord)
	}
	a.finish()
	g.enroll(a)
	s.newest = max(s.newest, a.at)
	s.forget()
	if a.counts {
		s.count(a)
	}
	s.enter(a)
	st := g.stories[r.Story]
	if st == nil {
		st = &story{id: r.Story, founder: founder, follows: follows, language: s.language.Code()}
		g.stories[r.Story] = st
		s.stories = append(s.stories, st)
	}
	st.members = append(st.members, a)
	a.story = st
	s.doubts.recall(a, doubt)
	return nil
}

func (e *encoder) traits(a *article) {
	e.bool(a.fullText)
	e.bool(a.headed)
	e.bool(a.titleCase)
	e.bool(a.apart)
	e.bool(a.wire)
	e.bool(a.counts)
	e.byte(byte(a.kind))
	e.string(string(a.role))
	e.int(a.at)
	e.int(a.firstSeen)
	e.string(a.title)
	e.hash(a.titleHash)
	e.hash(a.bodyHash)
	e.hash(a.mold)
	e.string(string(a.outlet))
	e.string(a.family)
	e.string(a.urlKey)
	e.string(a.key)
	e.uint(uint64(a.sketch.total))
	e.uint(uint64(len(a.sketch.hashes)))
	last := uint32(0)
	for _, h := range a.sketch.hashes {
		e.uint(uint64(h - last))
		last = h
	}
	e.hashes(a.sentences)
}

func (d *decoder) traits(g *Grouper, a *article) {
	a.fullText, a.headed, a.titleCase = d.bool(), d.bool(), d.bool()
	a.apart, a.wire, a.counts = d.bool(), d.bool(), d.bool()
	a.kind = kind(d.byte())
	a.role = sheaf.Role(g.intern(d.string()))
	a.at, a.firstSeen = d.int(), d.int()
	a.title = d.string()
	a.titleHash, a.bodyHash, a.mold = d.hash(), d.hash(), d.hash()
	a.outlet = sheaf.OutletID(g.intern(d.string()))
	g.outlets[a.outlet] = true
	a.family = g.intern(d.string())
	a.urlKey = d.string()
	a.key = d.string()
	a.sketch.total = int(d.uint())
	a.sketch.hashes = make([]uint32, d.length(1))
	last := uint32(0)
	for i := range a.sketch.hashes {
		last += uint32(d.uint())
		a.sketch.hashes[i] = last
	}
	a.sentences = d.hashes()
}

func (e *encoder) hashes(list []uint32) {
	e.uint(uint64(len(list)))
	for _, h := range list {
		e.uint(uint64(h))
	}
}

func (d *decoder) hashes() []uint32 {
	list := make([]uint32, d.length(1))
	for i := range list {
		list[i] = uint32(d.uint())
	}
	return list
}

// links writes the ties that were made when the article came; later ones are in the records of the later articles.
func (e *encoder) links(a *article) {
	copyOf := ""
	if a.copyOf != nil {
		copyOf = string(a.copyOf.id)
	}
	e.string(copyOf)
	own := 0
	for _, l := range a.links {
		if l.to.index < a.index {
			own++
		}
	}
	e.uint(uint64(own))
	for _, l := range a.links {
		if l.to.index < a.index {
			e.string(string(l.to.id))
			e.float(l.score)
		}
	}
}

// links leaves out ties to articles that have expired.
func (d *decoder) links(g *Grouper, a *article) {
	if id := sheaf.ArticleID(g.intern(d.string())); id != "" {
		g.copies[a] = id
	}
	for range d.length(9) {
		to, score := g.articles[sheaf.ArticleID(d.string())], d.float()
		if to != nil {
			a.tie(to, score)
		}
	}
}

func (e *encoder) fingerprint(s *stream, a *article) {
	e.uint(uint64(a.articles))
	e.uint(uint64(a.nTokens))
	e.uint(uint64(len(a.terms)))
	for i := range a.terms {
		t := &a.terms[i]
		e.hash(s.lexicon(a, i).hashes[t.id])
		e.uint(uint64(t.df))
		e.uint(uint64(t.all))
		e.byte(t.lede)
		e.byte(t.title)
	}
}

func (d *decoder) fingerprint(s *stream, a *article) {
	a.articles = uint32(d.uint())
	a.nTokens = int(d.uint())
	a.terms = make([]entry, d.length(12))
	if a.nTokens > len(a.terms) {
		d.failed = true
		return
	}
	for i := range a.terms {
		t := &a.terms[i]
		t.id = s.lexicon(a, i).id(d.hash())
		t.df = uint32(d.uint())
		t.all = uint16(d.uint())
		t.lede, t.title = d.byte(), d.byte()
	}
}

// doubt writes what Polish would look at again. After a Polish that is nothing.
func (e *encoder) doubt(a *article) {
	doubt := byte(0)
	if a.doubted {
		doubt |= articleDoubted
	}
	if a.story.doubted {
		doubt |= storyDoubted
	}
	if doubt != 0 {
		e.byte(doubt)
	}
}

func (d *decoder) doubt() byte {
	if len(d.data) == 0 {
		return 0
	}
	doubt := d.byte()
	if doubt == 0 || doubt > articleDoubted|storyDoubted {
		d.failed = true
	}
	return doubt
}

package dedupe

import (
	"cmp"
	"slices"
)

// doubts are what the next Polish looks at again: everything else would come out as it was decided.
type doubts struct {
	articles []*article
	stories  []*story // that may be parts of others
}

const (
	sureFrom  = 0.9 // probability from which an article stays where it is
	doubtFrom = 0.1 // probability of another story from which it may not
)

// question marks what the arrival of an article, or its move, leaves open: whether it is in the right story itself, whether the members of
// other stories that are like it would rather be with it, and whether its story is a part of another. An article alone may always turn out
// to belong elsewhere.
func (s *stream) question(a *article, candidates []candidate) {
	alone := len(a.story.members) == 1
	s.doubts.story(a.story)
	for i := range candidates {
		c := &candidates[i]
		switch {
		case c.story == a.story:
			if c.p < sureFrom {
				s.doubts.article(a)
			}
		case c.guard != "":
		case c.p >= doubtFrom:
			s.doubts.article(a)
			s.doubts.article(c.member.root())
		case alone:
			s.doubts.article(a)
		case len(c.story.members) == 1:
			s.doubts.article(c.member)
		}
	}
}

// unsettle marks the members of a story that has lost some: it may not hold them any longer.
func (s *stream) unsettle(st *story) {
	if len(st.members) == 0 {
		return
	}
	for _, m := range st.core() {
		s.doubts.article(m)
	}
	s.doubts.story(st)
}

func (d *doubts) article(a *article) {
	if !a.doubted {
		a.doubted = true
		d.articles = append(d.articles, a)
	}
}

func (d *doubts) story(st *story) {
	if !st.doubted {
		st.doubted = true
		d.stories = append(d.stories, st)
	}
}

// The doubts of a stored article.
const (
	articleDoubted = 1 << iota
	storyDoubted
)

// recall brings the doubts of a stored article back.
func (d *doubts) recall(a *article, doubt byte) {
	if doubt&articleDoubted != 0 {
		d.article(a)
	}
	if doubt&storyDoubted != 0 {
		d.story(a.story)
	}
}

// takeDoubts lists the articles in doubt from the time oldest on, in order of time. Afterwards none is in doubt.
func (s *stream) takeDoubts(oldest int64) []*article {
	taken := s.doubts.articles
	s.doubts.articles = nil
	for _, a := range taken {
		a.doubted = false
	}
	taken = slices.DeleteFunc(taken, func(a *article) bool { return a.at < oldest || a.apart || a.story == nil })
	slices.SortFunc(taken, byTime)
	return taken
}

// takeDoubtedStories lists the stories in doubt, that of the first article to arrive first. Afterwards none is in doubt.
func (s *stream) takeDoubtedStories() []*story {
	taken := s.doubts.stories
	s.doubts.stories = nil
	for _, st := range taken {
		st.doubted = false
	}
	taken = slices.DeleteFunc(taken, func(st *story) bool { return len(st.members) == 0 })
	slices.SortFunc(taken, func(x, y *story) int { return cmp.Compare(x.members[0].index, y.members[0].index) })
	return taken
}

package dedupe

import "sheaf"

// Rename gives stories other ids, all at once: by the present id, the one to go by from now on. Which id of several a story keeps depends
// on what readers have seen, and that is not known here. No decision depends on an id. Ids the Grouper does not know are passed over; the
// new ids must not belong to stories that keep theirs.
func (g *Grouper) Rename(ids map[sheaf.StoryID]sheaf.StoryID) {
	var renamed []*story
	for from, to := range ids {
		st := g.stories[from]
		if st == nil {
			continue
		}
		delete(g.stories, from)
		st.id = to
		renamed = append(renamed, st)
	}
	for _, st := range renamed {
		g.stories[st.id] = st
	}
}

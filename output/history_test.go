package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sheaf"
)

// world is a random history of stories: articles arrive, become copies, leave, move; stories merge and split. It keeps to what grouping
// promises: on a merge the story emitted first survives, a part that splits off takes the id of its earliest article, merges in force are
// flat and end in a story that lives.
type world struct {
	now     time.Time
	stories map[sheaf.StoryID][]sheaf.Member
	merges  map[sheaf.StoryID]Merge
	count   int
	seen    map[sheaf.StoryID]string // what Advance was last shown of a story
	emitted map[sheaf.StoryID]int    // number of the publish that first told of a story
}

func (w *world) ids() []sheaf.StoryID {
	var ids []sheaf.StoryID
	for id := range w.stories {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func (w *world) pick(t *rapid.T) sheaf.StoryID { return rapid.SampledFrom(w.ids()).Draw(t, "story") }

func (w *world) article(t *rapid.T) sheaf.Member {
	w.count++
	outlet := fmt.Sprintf("o%d", rapid.IntRange(0, 8).Draw(t, "outlet"))
	age := time.Duration(rapid.IntRange(0, 300).Draw(t, "age")) * time.Minute
	m := member(outlet, "Outlet "+outlet, fmt.Sprintf("a%d", w.count), fmt.Sprintf("Headline %d", w.count), w.now.Add(-age))
	m.Role = rapid.SampledFrom([]sheaf.Role{sheaf.RoleReport, sheaf.RoleReport, sheaf.RoleAside}).Draw(t, "role")
	return m
}

func (w *world) turn(t *rapid.T) {
	w.now = w.now.Add(time.Duration(rapid.SampledFrom([]int{0, 1, 600, 3600, 90000}).Draw(t, "seconds")) * time.Second)
	if len(w.stories) == 0 {
		w.start(t)
		return
	}
	switch rapid.IntRange(0, 6).Draw(t, "event") {
	case 0:
		w.start(t)
	case 1, 2:
		id := w.pick(t)
		w.stories[id] = append(w.stories[id], w.article(t))
	case 3:
		w.copy(t)
	case 4:
		w.merge(t)
	case 5:
		w.split(t)
	case 6:
		w.withdraw(t)
	}
}

func (w *world) start(t *rapid.T) {
	m := w.article(t)
	w.stories[sheaf.NewStoryID(&m.Article)] = []sheaf.Member{m}
}

func (w *world) copy(t *rapid.T) {
	members := w.stories[w.pick(t)]
	i, j := rapid.IntRange(0, len(members)-1).Draw(t, "copy"), rapid.IntRange(0, len(members)-1).Draw(t, "original")
	members[i].Role, members[i].CopyOf = sheaf.RoleCopy, members[j].ID
}

func (w *world) merge(t *rapid.T) {
	from, into := w.pick(t), w.pick(t)
	if from == into {
		return
	}
	if w.before(from, into) {
		from, into = into, from
	}
	w.stories[into] = append(w.stories[into], w.stories[from]...)
	delete(w.stories, from)
	for id, m := range w.merges {
		if m.Into == from {
			m.Into = into
			w.merges[id] = m
		}
	}
	w.merges[from] = Merge{from, into, w.now}
}

// before says that a story was emitted, and the other was not or later.
func (w *world) before(a, b sheaf.StoryID) bool {
	first, ok := w.emitted[a]
	second, both := w.emitted[b]
	return ok && (!both || first < second)
}

func (w *world) split(t *rapid.T) {
	id := w.pick(t)
	members := w.stories[id]
	n := rapid.IntRange(0, len(members)-1).Draw(t, "keep")
	if n == 0 {
		return
	}
	part := slices.Clone(members[n:])
	sheaf.SortMembers(part)
	new := sheaf.NewStoryID(&part[0].Article)
	if _, taken := w.stories[new]; taken {
		return
	}
	w.stories[id], w.stories[new] = members[:n:n], part
	delete(w.merges, new)
}

func (w *world) withdraw(t *rapid.T) {
	id := w.pick(t)
	if members := w.stories[id]; len(members) > 1 {
		i := rapid.IntRange(0, len(members)-1).Draw(t, "withdrawn")
		w.stories[id] = slices.Delete(slices.Clone(members), i, i+1)
	}
}

// state is what the store hands to Advance: all stories, or those alone that changed since it was last asked; and all merges in force.
func (w *world) state(t *rapid.T, changed bool) ([]sheaf.Story, []Merge) {
	var stories []sheaf.Story
	for _, id := range w.ids() {
		before := w.seen[id]
		w.seen[id] = fmt.Sprint(w.stories[id])
		if changed && before == w.seen[id] {
			continue
		}
		s := sheaf.Story{ID: id, Members: slices.Clone(w.stories[id])}
		sheaf.SortMembers(s.Members)
		s.Lead = s.Members[rapid.IntRange(0, len(s.Members)-1).Draw(t, "lead")].ID
		stories = append(stories, s)
	}
	var merges []Merge
	for _, m := range w.merges {
		merges = append(merges, m)
	}
	slices.SortFunc(merges, func(a, b Merge) int { return strings.Compare(string(a.From), string(b.From)) })
	return stories, merges
}

func drawChannel(t *rapid.T) Channel {
	return Channel{
		Name: "feed", MinOutlets: rapid.IntRange(0, 3).Draw(t, "min outlets"), Size: rapid.IntRange(1, 6).Draw(t, "size"),
		Profile: rapid.SampledFrom([]Profile{ProfileStories, ProfileStories, ProfileDevelopments, ProfileArticles, ProfileAlerts}).Draw(t, "profile"),
		Lead:    rapid.SampledFrom([]Lead{LeadSticky, LeadBest}).Draw(t, "lead rule"),
		Settle:  time.Duration(rapid.SampledFrom([]int{0, -1, 3600}).Draw(t, "settle")) * time.Second,
	}
}

func TestHistories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{
			now: clock(6, 0), stories: map[sheaf.StoryID][]sheaf.Member{}, merges: map[sheaf.StoryID]Merge{},
			seen: map[sheaf.StoryID]string{}, emitted: map[sheaf.StoryID]int{},
		}
		changed := rapid.Bool().Draw(t, "only what changed")
		c := drawChannel(t)
		cache := new(Cache)
		var memory []Emission
		var before []File
		for range rapid.IntRange(1, 20).Draw(t, "turns") {
			w.turn(t)
			stories, merges := w.state(t, changed)
			next := c.Advance(memory, stories, merges, w.now)
			checkMemory(t, w, memory, next)
			checkIdentity(t, w, next)
			if again := c.Advance(next, stories, merges, w.now.Add(time.Hour)); c.Settle <= 0 && len(again) == len(next) {
				checkMemory(t, w, next, again)
			}
			if c.Settle == 0 && (c.Profile == ProfileStories || c.Profile == ProfileArticles) {
				settled := c.Advance(next, stories, merges, w.now.Add(time.Hour))
				if again := c.Advance(settled, stories, merges, w.now.Add(2*time.Hour)); !slices.EqualFunc(settled, again, sameEmission) {
					t.Fatal("the memory changed though no story did")
				}
			}
			files := mustRender(t, c, next, cache)
			checkDocuments(t, memory, next, before, files)
			for i, f := range mustRender(t, c, restart(t, next), nil) {
				if !bytes.Equal(f.Data, files[i].Data) {
					t.Fatalf("%s: a fresh process writes other bytes", f.Name)
				}
			}
			memory, before = next, files
		}
		for _, f := range before {
			if err := f.Check(); err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
		}
	})
}

func sameEmission(a, b Emission) bool { return a.equal(&b) }

func mustRender(t *rapid.T, c Channel, memory []Emission, cache *Cache) []File {
	files, err := c.Render(testSite(), memory, cache)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func restart(t *rapid.T, memory []Emission) []Emission {
	data, err := json.Marshal(memory)
	if err != nil {
		t.Fatal(err)
	}
	var back []Emission
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	return back
}

func checkMemory(t *rapid.T, w *world, previous, next []Emission) {
	old := make(map[string]Emission, len(previous))
	for _, e := range previous {
		old[e.ID] = e
	}
	seen := make(map[string]bool, len(next))
	for _, e := range next {
		if seen[e.ID] {
			t.Fatalf("id %s twice", e.ID)
		}
		seen[e.ID] = true
		if e.Updated.Before(e.Published) {
			t.Fatalf("%s: updated %v before published %v", e.ID, e.Updated, e.Published)
		}
		if e.Into != "" && len(w.stories[e.Into]) == 0 {
			t.Fatalf("%s went into %s, which does not live", e.ID, e.Into)
		}
		was, ok := old[e.ID]
		if !ok {
			continue
		}
		if !e.Published.Equal(was.Published) || e.Updated.Before(was.Updated) {
			t.Fatalf("%s: times went from %v, %v to %v, %v", e.ID, was.Published, was.Updated, e.Published, e.Updated)
		}
		same := e.Item.equal(&was.Item) && e.Story == was.Story
		if rose := e.Updated.After(was.Updated); rose == same {
			t.Fatalf("%s: updated rose: %v, content is the same: %v", e.ID, rose, same)
		}
	}
	for id := range old {
		if !seen[id] {
			t.Fatalf("id %s is forgotten", id)
		}
	}
}

// checkIdentity follows every id that was ever emitted: it leads to a story that lives, and to none that readers came to know later.
func checkIdentity(t *rapid.T, w *world, next []Emission) {
	turn := len(w.emitted) + 1
	for _, e := range next {
		if _, known := w.emitted[e.Story]; !known {
			w.emitted[e.Story] = turn
		}
	}
	for id := range w.emitted {
		end := id
		if m, merged := w.merges[id]; merged {
			end = m.Into
		}
		if len(w.stories[end]) == 0 {
			t.Fatalf("%s, once emitted, leads to %s, which does not live", id, end)
		}
		if w.before(id, end) {
			t.Fatalf("%s went into %s, which was emitted later", id, end)
		}
	}
	for _, e := range next {
		if m, merged := w.merges[e.Story]; merged && e.ID == string(e.Story) && e.Into != m.Into {
			t.Fatalf("item %s says it went into %q, its story into %s", e.ID, e.Into, m.Into)
		}
	}
}

// checkDocuments compares two publishes: an item whose emission did not change has the same bytes, and if none changed the document has.
func checkDocuments(t *rapid.T, previous, next []Emission, before, after []File) {
	if before == nil {
		return
	}
	old := make(map[string]*Emission, len(previous))
	for i := range previous {
		old[previous[i].ID] = &previous[i]
	}
	same := len(previous) == len(next)
	for i := range next {
		e := &next[i]
		was := old[e.ID]
		if was == nil || !was.equal(e) {
			same = false
			continue
		}
		r, err := renderItem(testSite(), e)
		if err != nil {
			t.Fatal(err)
		}
		for j, f := range r.forms {
			if holds(before[j], f) && shows(after[j], e) && !holds(after[j], f) {
				t.Fatalf("%s: the bytes of %s changed, its facts did not", after[j].Name, e.ID)
			}
		}
	}
	for i := range after {
		if same && !bytes.Equal(before[i].Data, after[i].Data) {
			t.Fatalf("%s changed, though no emission did", after[i].Name)
		}
	}
}

func holds(f File, item fragment) bool { return bytes.Contains(f.Data, item.data) }

func shows(f File, e *Emission) bool { return slices.Contains(f.ids, urn(e.ID)) }

package app

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"sheaf"
	"sheaf/cmd/internal/store"
)

// was is a story as stored: its members, of which those in capitals were published, seen in the order of the alphabet. Emitted counts
// minutes from 1; 0 is never.
func was(id string, emitted int, members string) store.Past {
	p := store.Past{Story: sheaf.Story{ID: sheaf.StoryID(id)}}
	start := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	for _, letter := range members {
		name := strings.ToLower(string(letter))
		seen := start.Add(time.Duration(name[0]-'a') * time.Minute)
		a := sheaf.Article{ID: sheaf.ArticleID(name), URL: "https://alpha.example/" + name, Published: seen, FirstSeen: seen}
		p.Members = append(p.Members, sheaf.Member{Article: a, Role: sheaf.RoleReport})
		if string(letter) != name {
			p.Shown = append(p.Shown, a.ID)
		}
	}
	if emitted > 0 {
		p.Emitted = start.Add(time.Duration(emitted) * time.Minute)
	}
	return p
}

func founded(article string) sheaf.StoryID {
	return sheaf.NewStoryID(&sheaf.Article{URL: "https://alpha.example/" + article})
}

func TestIdentify(t *testing.T) {
	type ids = map[sheaf.StoryID]sheaf.StoryID
	for _, tt := range []struct {
		name        string
		pasts       []store.Past
		places      string // "a:X b:Y": articles decided about
		living      string
		names, gone ids
	}{
		{"merge into the one published first", []store.Past{was("X", 1, "AB"), was("Y", 2, "C")}, "c:X", "X", ids{"Y": "X"}, ids{"Y": "X"}},
		{"merge into one published later", []store.Past{was("X", 2, "AB"), was("Y", 1, "C")}, "c:X", "X", ids{"X": "Y"}, ids{"X": "Y"}},
		{"merge into one never published", []store.Past{was("X", 0, "ab"), was("Y", 9, "C")}, "c:X", "X", ids{"X": "Y"}, ids{"X": "Y"}},
		{"neither was published: seen first", []store.Past{was("X", 0, "bc"), was("Y", 0, "ad")}, "a:X d:X", "X", ids{"X": "Y"}, ids{"X": "Y"}},
		{"three become one", []store.Past{was("X", 2, "A"), was("Y", 1, "B"), was("Z", 3, "C")}, "a:Z b:Z", "Z", ids{"X": "Y", "Z": "Y"}, ids{"X": "Y", "Z": "Y"}},
		{"split: the larger part of what was published keeps the id", []store.Past{was("X", 1, "aBCD")}, "b:N c:N d:N", "X N", ids{"N": "X", "X": founded("a")}, nil},
		{"split: the smaller part left", []store.Past{was("X", 1, "ABcd")}, "c:N d:N", "X N", nil, nil},
		{"split in a tie: the founder's part keeps the id", []store.Past{was("X", 1, "ABCD")}, "a:N b:N", "X N", ids{"N": "X", "X": founded("c")}, nil},
		{"split of an unpublished story", []store.Past{was("X", 0, "abc")}, "b:N c:N", "X N", nil, nil},
		{"articles that move between stories take no id along", []store.Past{was("X", 1, "ABC"), was("Y", 2, "DE")}, "a:Y b:Y", "X Y", nil, nil},
		{"all articles went, others came", []store.Past{was("X", 1, "A"), was("Y", 2, "B")}, "a:Y n:X", "X Y", nil, nil},
		{"all went to different stories", []store.Past{was("X", 1, "ABC"), was("Y", 2, "D"), was("Z", 3, "E")}, "a:Y b:Z c:Z", "Y Z", ids{"Z": "X"}, ids{"Z": "X"}},
		{"one started and merged at once was never an id", []store.Past{was("X", 1, "A")}, "n:X", "X", nil, nil},
		{"members forgotten by grouping go along", []store.Past{was("X", 2, "AB"), was("Y", 1, "CD")}, "b:Y", "Y", ids{"X": "Y"}, ids{"X": "Y"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			places := map[sheaf.ArticleID]sheaf.StoryID{}
			for _, pair := range strings.Fields(tt.places) {
				article, story, _ := strings.Cut(pair, ":")
				places[sheaf.ArticleID(article)] = sheaf.StoryID(story)
			}
			var living []sheaf.StoryID
			for _, id := range strings.Fields(tt.living) {
				living = append(living, sheaf.StoryID(id))
			}
			got := identify(tt.pasts, places, living)
			if d := cmp.Diff(tt.names, got.names, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("names (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.gone, got.gone, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("gone (-want +got):\n%s", d)
			}
		})
	}
}

// reader is what somebody who subscribes to everything knows: where each id ever published leads.
type reader struct {
	stories map[sheaf.StoryID]*store.Past
	leads   map[sheaf.StoryID]sheaf.StoryID // merged ids
	minute  int
	started int
}

// Random histories of articles that move, stories that merge and split and are published now and then: two stories never share an id, an id
// that was published leads to a living story for ever, and the one published first outlives a merge.
func TestIdentities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := reader{stories: map[sheaf.StoryID]*store.Past{}, leads: map[sheaf.StoryID]sheaf.StoryID{}}
		for i := range rapid.IntRange(2, 6).Draw(t, "stories") {
			p := was(fmt.Sprintf("s%d", i), 0, string("adgjmp"[i])+string("behknq"[i])+string("cfilor"[i]))
			r.stories[p.ID] = &p
		}
		for range rapid.IntRange(1, 12).Draw(t, "turns") {
			r.minute++
			if rapid.Bool().Draw(t, "publish") {
				r.publish(t)
				continue
			}
			r.regroup(t)
		}
	})
}

func (r *reader) ids() []sheaf.StoryID { return slices.Sorted(maps.Keys(r.stories)) }

func (r *reader) publish(t *rapid.T) {
	p := r.stories[rapid.SampledFrom(r.ids()).Draw(t, "published")]
	if p.Emitted.IsZero() {
		p.Emitted = time.Date(2026, 11, 30, 9, r.minute, 0, 0, time.UTC)
	}
	p.Shown = nil
	for i := range p.Members {
		p.Shown = append(p.Shown, p.Members[i].ID)
	}
}

// regroup moves some articles of a story into another or a new one, as grouping does, and gives ids by the rule.
func (r *reader) regroup(t *rapid.T) {
	from := r.stories[rapid.SampledFrom(r.ids()).Draw(t, "from")]
	into := rapid.SampledFrom(append(r.ids(), "")).Draw(t, "into")
	if into == from.ID {
		return
	}
	if into == "" {
		r.started++
		into = sheaf.StoryID(fmt.Sprintf("n%d", r.started))
	}
	n := rapid.IntRange(1, len(from.Members)).Draw(t, "articles")
	keep := len(from.Members) - n
	if keep > 0 && rapid.Bool().Draw(t, "the first go") {
		slices.Reverse(from.Members)
	}
	places := map[sheaf.ArticleID]sheaf.StoryID{}
	pasts := []store.Past{*from}
	after := map[sheaf.StoryID][]sheaf.Member{into: slices.Clone(from.Members[keep:])}
	for _, m := range from.Members[keep:] {
		places[m.ID] = into
	}
	if keep > 0 {
		after[from.ID] = from.Members[:keep]
	}
	if p := r.stories[into]; p != nil {
		pasts = append(pasts, *p)
		after[into] = append(after[into], p.Members...)
	}
	for i := range pasts {
		sheaf.SortMembers(pasts[i].Members)
	}
	living := slices.Collect(maps.Keys(after))
	for id := range r.stories {
		if after[id] == nil && id != from.ID {
			living = append(living, id)
		}
	}
	r.adopt(t, pasts, identify(pasts, places, living), after)
}

// adopt gives the stories their ids and checks what must hold.
func (r *reader) adopt(t *rapid.T, pasts []store.Past, ids identity, after map[sheaf.StoryID][]sheaf.Member) {
	next := map[sheaf.StoryID]*store.Past{}
	maps.Copy(next, r.stories)
	for _, p := range pasts {
		delete(next, p.ID)
	}
	for grouped, members := range after {
		id := ids.of(grouped)
		if next[id] != nil {
			t.Fatalf("two stories have the id %s", id)
		}
		p := store.Past{Story: sheaf.Story{ID: id, Members: members}}
		if old := r.stories[id]; old != nil {
			p.Emitted, p.Shown = old.Emitted, old.Shown
		}
		next[id] = &p
		delete(r.leads, id)
	}
	maps.Copy(r.leads, ids.gone)
	if into, merged := r.merged(pasts, ids, after); merged {
		for _, p := range pasts {
			if !p.Emitted.IsZero() && (into.Emitted.IsZero() || p.Emitted.Before(into.Emitted)) {
				t.Fatalf("%s outlived %s, which was published before it", into.ID, p.ID)
			}
		}
	}
	for id := range r.stories {
		if end := r.lead(id); next[end] == nil {
			t.Fatalf("%s leads to %s, which is no story", id, end)
		}
	}
	for id := range r.leads {
		if next[r.lead(id)] == nil {
			t.Fatalf("%s, merged long ago, leads nowhere", id)
		}
	}
	r.stories = next
}

// merged says whether two stories became one, and which of them lives on.
func (r *reader) merged(pasts []store.Past, ids identity, after map[sheaf.StoryID][]sheaf.Member) (store.Past, bool) {
	if len(pasts) != 2 || len(after) != 1 {
		return store.Past{}, false
	}
	for grouped := range after {
		for _, p := range pasts {
			if p.ID == ids.of(grouped) {
				return p, true
			}
		}
	}
	return store.Past{}, true
}

// lead follows an id to the end.
func (r *reader) lead(id sheaf.StoryID) sheaf.StoryID {
	for range len(r.leads) + 1 {
		into, ok := r.leads[id]
		if !ok {
			break
		}
		id = into
	}
	return id
}

// A story that nobody was shown grows into one that was published, by an editor's word: the id on the page lives on, though grouping has
// known the other for longer.
func TestPublishedIdSurvivesMerge(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return "file:" + path
	}
	c := settings(t, "channels: [{name: stories, settle: '0', min_outlets: 2}]",
		write("a.rss", rss(item(1, "Council of Velport votes on harbor dues after a long debate"))), write("b.rss", rss()), write("c.rss", rss()))
	c.Feeds[1].Outlet, c.Feeds[2].Outlet = "Second", "Third"
	sweepOnce(t, c)
	write("b.rss", rss(item(2, "Ferry rams the old bridge at Tarn, nobody is hurt")))
	write("c.rss", rss(item(3, "Ferry rams the old bridge at Tarn, nobody is hurt")))
	sweepOnce(t, c)
	published := func() string {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(c.Publish.Dir, "stories.json"))
		if err != nil {
			t.Fatal(err)
		}
		var document struct{ Items []struct{ ID string } }
		if err := json.Unmarshal(data, &document); err != nil {
			t.Fatal(err)
		}
		if len(document.Items) != 1 {
			t.Fatalf("%d items are published, want 1", len(document.Items))
		}
		return document.Items[0].ID
	}
	first := published()
	e, err := OpenEditor(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Merge(t.Context(), "https://outlet.example/1", "https://outlet.example/2"); err != nil {
		t.Fatal(err)
	}
	sweepOnce(t, c)
	sweepOnce(t, c)
	if now := published(); now != first {
		t.Errorf("the item goes by %s, readers know it by %s", now, first)
	}
	for _, article := range []string{"https://outlet.example/1", "https://outlet.example/2", "https://outlet.example/3"} {
		if s, err := e.Story(t.Context(), article); err != nil || "urn:uuid:"+string(s.ID) != first || len(s.Members) != 3 {
			t.Errorf("%s is in story %s of %d articles, %v; want %s of 3", article, s.ID, len(s.Members), err, first)
		}
	}
	old := sheaf.NewStoryID(&sheaf.Article{URL: "https://outlet.example/1"})
	if s, err := e.Story(t.Context(), string(old)); err != nil || "urn:uuid:"+string(s.ID) != first {
		t.Errorf("the id that went leads to %s, %v; want %s", s.ID, err, first)
	}
}

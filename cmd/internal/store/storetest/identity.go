package storetest

import (
	"testing"
	"time"

	"sheaf"
	"sheaf/cmd/internal/store"
	"sheaf/dedupe"
	"sheaf/output"
)

// testRenames lets two stories change ids and a third take a new one, in one grouping.
func testRenames(t *testing.T, open Open) {
	s, reopen := open(t)
	f := feed(1)
	a, b, c := article(f, 1), article(f, 2), article(f, 3)
	must(t, s.Save(t.Context(), poll(f, a, b, c)))
	first, second, third := group(t, s, a), group(t, s, b), group(t, s, c)
	fresh := sheaf.NewStoryID(&sheaf.Article{URL: "https://outlet1.example/fresh"})
	must(t, s.SaveGrouping(t.Context(), store.Grouping{
		Renamed: map[sheaf.StoryID]sheaf.StoryID{first: second, second: first, third: fresh},
		Stories: []store.Story{{ID: first, Lead: b.ID}, {ID: second, Lead: a.ID}, {ID: fresh, Founder: c.ID, Lead: c.ID}},
		Merges:  []output.Merge{{From: third, Into: fresh, When: noon()}},
	}))
	s = reopen()
	for id, want := range map[sheaf.StoryID]sheaf.ArticleID{first: b.ID, second: a.ID, fresh: c.ID, third: c.ID} {
		story, err := s.Story(t.Context(), id)
		must(t, err)
		if len(story.Members) != 1 || story.Members[0].ID != want || story.Lead != want {
			t.Errorf("story %s = %+v, want article %s alone", id, story, want)
		}
	}
	records, err := s.Records(t.Context(), time.Time{}, nil)
	must(t, err)
	diff(t, "story of the first record", second, records[0].Story)
}

func testPasts(t *testing.T, open Open) {
	s, reopen := open(t)
	f := feed(1)
	a, b, c := article(f, 1), article(f, 2), article(f, 3)
	must(t, s.Save(t.Context(), poll(f, a, b, c)))
	known, unknown := group(t, s, a, b), group(t, s, c)
	emission := func(id string, articles ...sheaf.ArticleID) output.Emission {
		e := output.Emission{ID: id, Story: known, Published: noon(), Updated: noon()}
		for _, x := range articles {
			e.Item.Reports = append(e.Item.Reports, output.Report{Article: x, Role: sheaf.RoleReport})
		}
		return e
	}
	publish := func(channel string, at time.Time, emissions ...output.Emission) {
		t.Helper()
		must(t, s.SaveMemory(t.Context(), channel, store.Memory{Emissions: emissions, At: at}))
	}
	publish("world", noon().Add(time.Minute), emission(string(known), a.ID))
	publish("sport", noon(), emission(string(known), "elsewhere"))
	publish("world", noon().Add(time.Hour), emission(string(known), a.ID, b.ID), emission("again", a.ID))
	s = reopen()
	pasts, err := s.Pasts(t.Context(), []sheaf.StoryID{known, unknown, "never-was"})
	must(t, err)
	got := map[sheaf.StoryID]store.Past{}
	for _, p := range pasts {
		got[p.ID] = p
	}
	if len(got) != 2 || len(got[known].Members) != 2 || !got[unknown].Emitted.IsZero() || got[unknown].Shown != nil {
		t.Fatalf("pasts = %+v, want both stories, the second not published", pasts)
	}
	if !got[known].Emitted.Equal(noon()) {
		t.Errorf("first published %v, want %v, by the earlier channel", got[known].Emitted, noon())
	}
	shown := map[sheaf.ArticleID]bool{}
	for _, id := range got[known].Shown {
		shown[id] = true
	}
	diff(t, "articles shown", map[sheaf.ArticleID]bool{a.ID: true, b.ID: true, "elsewhere": true}, shown)
	must(t, s.SaveGrouping(t.Context(), store.Grouping{
		Decisions: []dedupe.Decision{{Article: c.ID, Story: known, From: unknown, Role: sheaf.RoleReport}},
		Merges:    []output.Merge{{From: unknown, Into: known, When: noon()}},
	}))
	pasts, err = s.Pasts(t.Context(), []sheaf.StoryID{unknown})
	must(t, err)
	if len(pasts) != 0 {
		t.Errorf("a merged story is still %d stories of its own", len(pasts))
	}
}

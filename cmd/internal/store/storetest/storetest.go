// Package storetest is the suite that every back end passes.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sheaf"
	"sheaf/cmd/internal/store"
	"sheaf/dedupe"
	"sheaf/feeds"
	"sheaf/feeds/websub"
	"sheaf/output"
	"sheaf/output/notify"
	"sheaf/output/web"
)

// Open gives an empty store for one test, and a function that closes it and opens the same data again.
type Open func(t *testing.T) (s store.Store, reopen func() store.Store)

// Run runs the suite.
func Run(t *testing.T, open Open) {
	for _, tt := range []struct {
		name string
		test func(*testing.T, Open)
	}{
		{"PollsSurviveReopening", testPolls},
		{"LeaseKeepsState", testLease},
		{"HubLeasesAreReplaced", testHubLeases},
		{"ArticlesComeBackWhole", testArticles},
		{"KnownArticlesAreNotDoubled", testIdentity},
		{"UpdatesKeepTheirPlace", testUpdate},
		{"GroupingIsStored", testGrouping},
		{"ArticlesAndStoriesAreFound", testLookup},
		{"StoriesAreListed", testList},
		{"LabelsAreCounted", testLabels},
		{"IndexFollows", testIndex},
		{"RevisionTellsOfChanges", testRevision},
		{"ReasonsAreKept", testReasons},
		{"RecordsKeepFirstOrder", testRecords},
		{"MergesAreFlat", testMerges},
		{"StoriesAreRenamedAtOnce", testRenames},
		{"PastsSayWhatWasPublished", testPasts},
		{"MemoryIsReplaced", testMemory},
		{"CorrectionsAreNumbered", testCorrections},
		{"BatchesKeepTheirOrder", testBatches},
		{"MessagesAreSentOnce", testOutbox},
		{"ExpiredArticlesStayAway", testExpire},
		{"CanceledWritesLeaveNothing", testCanceled},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, open) })
	}
}

// noon is when everything happens, in whole milliseconds as stores keep them.
func noon() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }

func feed(n int) sheaf.Feed {
	url := fmt.Sprintf("https://outlet%d.example/rss", n)
	return sheaf.Feed{ID: sheaf.NewFeedID(url), URL: url, Outlet: fmt.Sprintf("Outlet %d", n)}
}

func article(f sheaf.Feed, n int) sheaf.Article {
	key := fmt.Sprintf("g:item-%d", n)
	return sheaf.Article{
		ID: sheaf.NewArticleID(f.ID, key), Feed: f.ID, FeedURL: f.URL, Outlet: sheaf.Outlet{Name: f.Outlet, URL: "https://outlet.example/", Owner: "Big Co"},
		Key: key, Aliases: []string{fmt.Sprintf("l:%s/%d", f.URL, n)}, GUID: fmt.Sprintf("item-%d", n),
		Link: fmt.Sprintf("%s/%d?utm_source=x", f.URL, n), URL: fmt.Sprintf("%s/%d", f.URL, n), URLKey: fmt.Sprintf("%s/%d", f.URL, n),
		Title: fmt.Sprintf("Title %d", n), Summary: "Ein Fährunglück, 渡船", Text: "First.\nSecond.", Authors: []sheaf.Author{{Name: "A. Author", Email: "a@example.org"}},
		Categories: []string{"World", "Sea"}, Lang: "en", Image: "https://outlet.example/i.png", Wire: "NPA",
		Published: noon().Add(-time.Duration(n) * time.Minute), Fetched: noon(), FirstSeen: noon(),
	}
}

func poll(f sheaf.Feed, articles ...sheaf.Article) feeds.Outcome {
	return feeds.Outcome{Feed: f, State: feeds.State{Validators: feeds.Validators{ETag: `W/"1"`}, Next: noon().Add(time.Hour), Succeeded: noon(), Title: f.Outlet}, Articles: articles}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func pending(t *testing.T, s store.Store) []sheaf.Article {
	t.Helper()
	articles, err := s.Pending(t.Context())
	must(t, err)
	return articles
}

func diff(t *testing.T, what string, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func testPolls(t *testing.T, open Open) {
	s, reopen := open(t)
	o := poll(feed(1), article(feed(1), 1))
	must(t, s.Save(t.Context(), o))
	s = reopen()
	states, err := s.States(t.Context())
	must(t, err)
	diff(t, "states", map[sheaf.FeedID]feeds.State{o.Feed.ID: o.State}, states)
	totals, err := s.Totals(t.Context())
	must(t, err)
	diff(t, "totals", store.Totals{Feeds: 1, Articles: 1}, totals)
}

func testLease(t *testing.T, open Open) {
	s, _ := open(t)
	o := poll(feed(1))
	must(t, s.Lease(t.Context(), o.Feed.ID, noon()))
	must(t, s.Save(t.Context(), o))
	must(t, s.Lease(t.Context(), o.Feed.ID, noon().Add(2*time.Hour)))
	states, err := s.States(t.Context())
	must(t, err)
	want := o.State
	want.Next = noon().Add(2 * time.Hour)
	diff(t, "state after a lease", want, states[o.Feed.ID])
}

func testHubLeases(t *testing.T, open Open) {
	s, reopen := open(t)
	lease := func(n int) websub.Lease {
		return websub.Lease{
			Feed: feed(n).ID, Offer: websub.Offer{Hub: "https://hub.example/", Topic: feed(n).URL}, Next: noon(),
			Pending: websub.Callback{Token: fmt.Sprint(n), Secret: "s", Since: noon(), Until: noon()},
		}
	}
	for n := range 3 {
		must(t, s.SaveLease(t.Context(), lease(n)))
	}
	live := lease(1)
	live.Live, live.Pending, live.Failures, live.Error = live.Pending, websub.Callback{}, 2, "refused"
	must(t, s.SaveLease(t.Context(), live))
	must(t, s.DropLease(t.Context(), feed(0).ID))
	must(t, s.DropLease(t.Context(), feed(9).ID))
	s = reopen()
	all, err := s.Leases(t.Context())
	must(t, err)
	want := []websub.Lease{live, lease(2)}
	slices.SortFunc(want, func(a, b websub.Lease) int { return strings.Compare(string(a.Feed), string(b.Feed)) })
	diff(t, "leases", want, all)
	states, err := s.States(t.Context())
	must(t, err)
	diff(t, "states of feeds never polled", map[sheaf.FeedID]feeds.State{}, states)
}

func testArticles(t *testing.T, open Open) {
	s, _ := open(t)
	a, b := article(feed(1), 1), article(feed(1), 2)
	b.Published, b.URL, b.URLKey, b.Link, b.Authors, b.Categories = time.Time{}, "", "", "", nil, nil
	must(t, s.Save(t.Context(), poll(feed(1), a, b)))
	a.Aliases, b.Aliases = nil, nil
	diff(t, "pending articles, oldest first", []sheaf.Article{a, b}, pending(t, s))
}

func testIdentity(t *testing.T, open Open) {
	s, _ := open(t)
	f, g := feed(1), feed(2)
	first := article(f, 1)
	must(t, s.Save(t.Context(), poll(f, first, first)))
	must(t, s.Save(t.Context(), poll(f, first)))

	churned := article(f, 1) // a new guid, found again by its link key
	churned.Key, churned.ID = "g:https://new-host/item-1", sheaf.NewArticleID(f.ID, "g:https://new-host/item-1")
	churned.URLKey = ""
	must(t, s.Save(t.Context(), poll(f, churned)))
	again := churned // now known by the new guid alone
	again.Aliases = nil
	must(t, s.Save(t.Context(), poll(f, again)))

	elsewhere := article(g, 7) // the same address in another feed
	elsewhere.URLKey = first.URLKey
	must(t, s.Save(t.Context(), poll(g, elsewhere)))
	elsewhere.URLKey = ""
	must(t, s.Save(t.Context(), poll(g, elsewhere)))
	if got := pending(t, s); len(got) != 1 || got[0].ID != first.ID {
		t.Errorf("stored %d articles, want the first alone", len(got))
	}
}

func testUpdate(t *testing.T, open Open) {
	s, _ := open(t)
	a := article(feed(1), 1)
	must(t, s.Save(t.Context(), poll(feed(1), a)))
	changed := a
	changed.Title, changed.Text = "Corrected title", "Corrected."
	changed.Published, changed.Updated = noon().Add(-time.Second), noon()
	changed.FirstSeen, changed.Fetched = noon().Add(time.Hour), noon().Add(time.Hour)
	must(t, s.Save(t.Context(), poll(feed(1), changed)))
	got := pending(t, s)
	if len(got) != 1 {
		t.Fatalf("stored %d articles, want 1", len(got))
	}
	if got[0].Title != "Corrected title" || got[0].Text != "Corrected." || !got[0].Updated.Equal(noon()) {
		t.Errorf("update was not stored: %+v", got[0])
	}
	if !got[0].FirstSeen.Equal(noon()) || !got[0].Time().Equal(a.Time()) {
		t.Errorf("an update moved the article in time: first seen %v, time %v", got[0].FirstSeen, got[0].Time())
	}
	stranger := changed // another feed may not rewrite an outlet's article
	stranger.Feed, stranger.ID, stranger.Title = feed(2).ID, sheaf.NewArticleID(feed(2).ID, "x"), "Rewritten"
	must(t, s.Save(t.Context(), poll(feed(2), stranger)))
	if got := pending(t, s); len(got) != 1 || got[0].Title != "Corrected title" {
		t.Errorf("another feed changed the article: %+v", got)
	}
}

// group stores articles as one story with the first as lead.
func group(t *testing.T, s store.Store, articles ...sheaf.Article) sheaf.StoryID {
	t.Helper()
	id := sheaf.NewStoryID(&articles[0])
	g := store.Grouping{Stories: []store.Story{{ID: id, Founder: articles[0].ID, Lead: articles[0].ID}}}
	for i, a := range articles {
		d := dedupe.Decision{Article: a.ID, Story: id, Founder: articles[0].ID, Reason: dedupe.ReasonSameEvent, Role: sheaf.RoleReport}
		if i == 2 {
			d.Role, d.CopyOf = sheaf.RoleCopy, articles[0].ID
		}
		g.Decisions = append(g.Decisions, d)
		g.Records = append(g.Records, dedupe.Record{Article: a.ID, Story: id, Data: []byte{0, byte(i), 255}})
	}
	must(t, s.SaveGrouping(t.Context(), g))
	return id
}

func testGrouping(t *testing.T, open Open) {
	s, reopen := open(t)
	f := feed(1)
	a, b, c, d := article(f, 1), article(f, 2), article(f, 3), article(f, 4)
	must(t, s.Save(t.Context(), poll(f, a, b, c, d)))
	id := group(t, s, a, b, c)
	s = reopen()
	if got := pending(t, s); len(got) != 1 || got[0].ID != d.ID {
		t.Errorf("pending = %d articles, want the one not decided about", len(got))
	}
	stories, mark, err := s.Stories(t.Context(), store.StoryQuery{})
	must(t, err)
	if len(stories) != 1 {
		t.Fatalf("stories = %d, want 1", len(stories))
	}
	story := stories[0]
	if story.ID != id || story.Lead != a.ID || len(story.Members) != 3 {
		t.Fatalf("story = %+v", story)
	}
	if m := story.Members[0]; m.ID != c.ID || m.Role != sheaf.RoleCopy || m.CopyOf != a.ID || m.Outlet.Owner != "Big Co" || m.Text == "" {
		t.Errorf("oldest member = %+v, want the copy, whole", m)
	}
	one, err := s.Story(t.Context(), id)
	must(t, err)
	diff(t, "one story", story, one)
	later, _, err := s.Stories(t.Context(), store.StoryQuery{After: mark, Since: noon()})
	must(t, err)
	diff(t, "stories neither changed nor recent", []sheaf.Story(nil), later)
	recent, _, err := s.Stories(t.Context(), store.StoryQuery{After: mark, Since: a.Time()})
	must(t, err)
	diff(t, "stories that are recent", []sheaf.Story{story}, recent)
	if _, err := s.Story(t.Context(), "never-was"); !errors.Is(err, web.ErrNoStory) {
		t.Errorf("unknown story: %v, want ErrNoStory", err)
	}
	newest, err := s.Newest(t.Context())
	must(t, err)
	if !newest.Equal(a.Time()) {
		t.Errorf("newest = %v, want %v", newest, a.Time())
	}
}

func testLookup(t *testing.T, open Open) {
	s, _ := open(t)
	f := feed(1)
	a, b := article(f, 1), article(f, 2)
	must(t, s.Save(t.Context(), poll(f, a, b)))
	id := group(t, s, a)
	stories, err := s.StoryIDs(t.Context(), string(id)[:8])
	must(t, err)
	diff(t, "stories by prefix", []sheaf.StoryID{id}, stories)
	articles, err := s.ArticleIDs(t.Context(), string(a.ID)[:8], "")
	must(t, err)
	diff(t, "articles by prefix", []sheaf.ArticleID{a.ID}, articles)
	articles, err = s.ArticleIDs(t.Context(), "zzz", b.URLKey)
	must(t, err)
	diff(t, "articles by address", []sheaf.ArticleID{b.ID}, articles)
	placed, err := s.Placed(t.Context(), a.ID)
	must(t, err)
	if placed.Story != id || placed.Text != a.Text || placed.Decision.Reason != dedupe.ReasonSameEvent || placed.Role != sheaf.RoleReport {
		t.Errorf("placed = %+v", placed)
	}
	waiting, err := s.Placed(t.Context(), b.ID)
	must(t, err)
	if waiting.Story != "" || waiting.Decision.Reason != "" {
		t.Errorf("an article not grouped yet is placed in %q", waiting.Story)
	}
	if _, err := s.Placed(t.Context(), "never-was"); !errors.Is(err, store.ErrNoArticle) {
		t.Errorf("unknown article: %v, want ErrNoArticle", err)
	}
}

func testRecords(t *testing.T, open Open) {
	s, _ := open(t)
	f := feed(1)
	a, b, c := article(f, 1), article(f, 2), article(f, 3)
	must(t, s.Save(t.Context(), poll(f, a, b, c)))
	first := group(t, s, c, a)
	_, before, err := s.Stories(t.Context(), store.StoryQuery{})
	must(t, err)
	second := group(t, s, b, c) // c moves
	if changed, after, err := s.Stories(t.Context(), store.StoryQuery{After: before, Since: noon()}); err != nil || after <= before || len(changed) != 1 || changed[0].ID != second {
		t.Errorf("changed after mark %d: %d stories up to mark %d, %v; want the second alone", before, len(changed), after, err)
	}
	records, err := s.Records(t.Context(), time.Time{}, nil)
	must(t, err)
	want := []dedupe.Record{
		{Article: c.ID, Story: second, Data: []byte{0, 1, 255}},
		{Article: a.ID, Story: first, Data: []byte{0, 1, 255}},
		{Article: b.ID, Story: second, Data: []byte{0, 0, 255}},
	}
	diff(t, "records", want, records)
	recent, err := s.Records(t.Context(), a.Time(), nil)
	must(t, err)
	diff(t, "records of the window", want[1:2], recent)
	with, err := s.Records(t.Context(), noon(), []sheaf.ArticleID{b.ID})
	must(t, err)
	diff(t, "records of an article's story", []dedupe.Record{want[0], want[2]}, with)
}

func testMerges(t *testing.T, open Open) {
	s, _ := open(t)
	f := feed(1)
	articles := []sheaf.Article{article(f, 1), article(f, 2), article(f, 3)}
	must(t, s.Save(t.Context(), poll(f, articles...)))
	var ids []sheaf.StoryID
	for _, a := range articles {
		ids = append(ids, group(t, s, a))
	}
	move := func(a sheaf.Article, from, into sheaf.StoryID) {
		must(t, s.SaveGrouping(t.Context(), store.Grouping{
			Decisions: []dedupe.Decision{{Article: a.ID, Story: into, From: from, Reason: dedupe.ReasonMoved, Role: sheaf.RoleReport}},
			Stories:   []store.Story{{ID: into}},
			Merges:    []output.Merge{{From: from, Into: into, When: noon()}},
		}))
	}
	move(articles[0], ids[0], ids[1])
	must(t, s.SaveGrouping(t.Context(), store.Grouping{
		Decisions: []dedupe.Decision{{Article: articles[0].ID, Story: ids[2], From: ids[1], Reason: dedupe.ReasonMoved, Role: sheaf.RoleReport},
			{Article: articles[1].ID, Story: ids[2], From: ids[1], Reason: dedupe.ReasonMoved, Role: sheaf.RoleReport}},
		Stories: []store.Story{{ID: ids[2], Founder: articles[2].ID, Lead: articles[2].ID}},
		Merges:  []output.Merge{{From: ids[1], Into: ids[2], When: noon()}},
	}))
	merges, err := s.Merges(t.Context())
	must(t, err)
	got := map[sheaf.StoryID]sheaf.StoryID{}
	for _, m := range merges {
		got[m.From] = m.Into
	}
	diff(t, "merges", map[sheaf.StoryID]sheaf.StoryID{ids[0]: ids[2], ids[1]: ids[2]}, got)
	story, err := s.Story(t.Context(), ids[0])
	must(t, err)
	if story.ID != ids[2] || len(story.Members) != 3 {
		t.Errorf("a merged id leads to %s with %d members, want %s with 3", story.ID, len(story.Members), ids[2])
	}
	group(t, s, articles[0]) // it comes back to life under its old id
	story, err = s.Story(t.Context(), ids[0])
	must(t, err)
	if story.ID != ids[0] {
		t.Errorf("a story that lives again leads to %s, want itself", story.ID)
	}
}

func testMemory(t *testing.T, open Open) {
	s, reopen := open(t)
	e := func(id, title string) output.Emission {
		return output.Emission{ID: id, Story: sheaf.StoryID(id), Published: noon(), Updated: noon(), Item: output.Item{Title: title, Reports: []output.Report{{Title: title, Published: noon(), Role: sheaf.RoleReport}}}}
	}
	must(t, s.SaveMemory(t.Context(), "world", store.Memory{Emissions: []output.Emission{e("a", "A"), e("b", "B")}, Seen: 7}))
	must(t, s.SaveMemory(t.Context(), "sport", store.Memory{Emissions: []output.Emission{e("a", "other channel")}, Seen: 8}))
	want := store.Memory{Emissions: []output.Emission{e("b", "B2"), e("c", "C")}, Seen: 9, At: noon()}
	must(t, s.SaveMemory(t.Context(), "world", want))
	s = reopen()
	got, err := s.Memory(t.Context(), "world")
	must(t, err)
	diff(t, "memory", want, got)
	empty, err := s.Memory(t.Context(), "new")
	must(t, err)
	diff(t, "memory of a new channel", store.Memory{}, empty)
}

func testCorrections(t *testing.T, open Open) {
	s, reopen := open(t)
	c := store.Correction{Kind: "merge", Subjects: []string{"x", "y"}, Constraints: []dedupe.Constraint{{A: "a", B: "b", Together: true}}, Author: "desk", Reason: "same ship", At: noon()}
	for want := int64(1); want <= 2; want++ {
		n, err := s.SaveCorrection(t.Context(), c)
		must(t, err)
		diff(t, "number", want, n)
	}
	undone := c
	undone.Number, undone.Undone = 1, noon().Add(time.Hour)
	_, err := s.SaveCorrection(t.Context(), undone)
	must(t, err)
	s = reopen()
	all, err := s.Corrections(t.Context())
	must(t, err)
	second := c
	second.Number = 2
	diff(t, "corrections", []store.Correction{undone, second}, all)
	diff(t, "version", int64(3), store.Version(all))
	must(t, s.SaveGrouping(t.Context(), store.Grouping{Applied: 3}))
	applied, err := s.Applied(t.Context())
	must(t, err)
	diff(t, "applied", int64(3), applied)
}

func testBatches(t *testing.T, open Open) {
	s, _ := open(t)
	f := feed(1)
	a, b, c := article(f, 1), article(f, 2), article(f, 3)
	must(t, s.Save(t.Context(), poll(f, a, b, c)))
	group(t, s, c, a)
	group(t, s, b, c) // c is decided about again, and stays in its run
	batches, err := s.Batches(t.Context())
	must(t, err)
	var got [][]sheaf.ArticleID
	for _, batch := range batches {
		var ids []sheaf.ArticleID
		for _, p := range batch {
			ids = append(ids, p.ID)
		}
		got = append(got, ids)
	}
	diff(t, "batches", [][]sheaf.ArticleID{{c.ID, a.ID}, {b.ID}}, got)
}

func testOutbox(t *testing.T, open Open) {
	s, reopen := open(t)
	m := notify.Message{ID: "m1", Target: "a", Kind: notify.KindWebhook, Type: "application/json", Body: []byte(`{"x":1}`)}
	later := notify.Message{ID: "m2", Target: "a", Kind: notify.KindMail, Next: noon().Add(time.Hour)}
	must(t, s.SaveMemory(t.Context(), "world", store.Memory{Seen: 1}, m, later))
	waiting := func(at time.Time) []notify.Message {
		t.Helper()
		messages, err := s.Outbox(t.Context(), at)
		must(t, err)
		return messages
	}
	diff(t, "outbox now", []notify.Message{m}, waiting(noon()))
	diff(t, "outbox in an hour", []notify.Message{m, later}, waiting(noon().Add(time.Hour)))
	m = m.Tried(noon(), nil, 0)
	must(t, s.SaveMessage(t.Context(), m))
	again := m
	again.Done = time.Time{}
	must(t, s.SaveMemory(t.Context(), "world", store.Memory{Seen: 2}, again))
	s = reopen()
	diff(t, "outbox after delivery, and the same message again", []notify.Message(nil), waiting(noon()))
}

func testExpire(t *testing.T, open Open) {
	s, _ := open(t)
	f := feed(1)
	old, young := article(f, 1), article(f, 2)
	must(t, s.Save(t.Context(), poll(f, old)))
	young.Fetched = noon().Add(time.Hour)
	must(t, s.Save(t.Context(), poll(f, young)))
	id := group(t, s, old)
	n, err := s.Expire(t.Context(), noon().Add(time.Minute))
	must(t, err)
	if n != 1 {
		t.Errorf("expired %d articles, want 1", n)
	}
	if _, err := s.Story(t.Context(), id); !errors.Is(err, web.ErrNoStory) {
		t.Errorf("the story of an expired article: %v, want none", err)
	}
	must(t, s.Save(t.Context(), poll(f, old, young)))
	if got := pending(t, s); len(got) != 1 || got[0].ID != young.ID {
		t.Errorf("after expiry %d articles are pending, want the young one: an old one must not come back as news", len(got))
	}
}

func testCanceled(t *testing.T, open Open) {
	s, _ := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Save(ctx, poll(feed(1), article(feed(1), 1))); err == nil {
		t.Error("a canceled save reports success")
	}
	if got := pending(t, s); len(got) != 0 {
		t.Errorf("a canceled save left %d articles", len(got))
	}
}

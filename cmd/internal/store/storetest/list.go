package storetest

import (
	"fmt"
	"testing"
	"time"

	"sheaf"
	"sheaf/cmd/internal/store"
	"sheaf/dedupe"
	"sheaf/output"
	"sheaf/output/web"
	"sheaf/output/web/query"
)

// report is an article of an outlet, minutes before noon.
func report(outlet, n int, title, lang string, categories ...string) sheaf.Article {
	a := article(feed(outlet), n)
	a.Title, a.Text, a.Summary, a.Lang, a.Categories = title, "", "", lang, categories
	return a
}

// shelve stores three stories: a ferry that three outlets in two languages report, a rate with two, and a market of one; and gives their
// ids by these names.
func shelve(t *testing.T, s store.Store) map[string]sheaf.StoryID {
	t.Helper()
	ferry := []sheaf.Article{
		report(1, 10, "Ferry sinks off Port Askel", "en", "World", "Sea"), report(2, 60, "Fähre sinkt vor Port Askel", "de-AT", "world"), report(3, 200, "Ferry sinks", "en"),
	}
	rate := []sheaf.Article{report(1, 5, "Interest rate raised", "en", "Money"), report(2, 20, "Bank raises interest rate; no ferry in sight", "en", "Money")}
	market := []sheaf.Article{report(4, 2000, "渡船 market opens", "")}
	market[0].Text = "A rate of interest is told of here, and a ferry."
	ids := make(map[string]sheaf.StoryID)
	for name, story := range map[string][]sheaf.Article{"ferry": ferry, "rate": rate, "market": market} {
		for _, a := range story {
			must(t, s.Save(t.Context(), poll(sheaf.Feed{ID: a.Feed, URL: a.FeedURL, Outlet: a.Outlet.Name}, a)))
		}
		ids[name] = group(t, s, story...)
	}
	must(t, s.SaveMemory(t.Context(), "main", store.Memory{Emissions: []output.Emission{emitted("ferry", ids, false), emitted("rate", ids, false)}, At: noon()}))
	must(t, s.SaveMemory(t.Context(), "sea", store.Memory{Emissions: []output.Emission{emitted("ferry", ids, false), emitted("rate", ids, true)}, At: noon()}))
	must(t, s.Index(t.Context()))
	must(t, s.IndexWords(t.Context()))
	return ids
}

func emitted(name string, ids map[string]sheaf.StoryID, hidden bool) output.Emission {
	return output.Emission{ID: string(ids[name]), Story: ids[name], Hidden: hidden, Item: output.Item{Reports: []output.Report{{Title: name}}}}
}

func testList(t *testing.T, open Open) {
	s, reopen := open(t)
	ids := shelve(t, s)
	s = reopen()
	for _, tt := range []struct {
		name string
		sel  web.Selection
		want string
	}{
		{"most covered of what is published", web.Selection{}, "ferry rate"},
		{"everything", web.Selection{All: true}, "ferry rate market"},
		{"newest", web.Selection{All: true, Order: web.OrderNewest}, "rate ferry market"},
		{"growing fastest", web.Selection{Order: web.OrderGrowing}, "rate ferry"},
		{"recent", web.Selection{All: true, Since: noon().Add(-8 * time.Minute)}, "rate"},
		{"of several outlets", web.Selection{Least: 3}, "ferry"},
		{"in a language", web.Selection{Lang: "de"}, "ferry"},
		{"of a channel", web.Selection{Channel: "sea"}, "ferry"},
		{"of no channel", web.Selection{Channel: "none"}, ""},
		{"with a category, however written", web.Selection{Category: "world"}, "ferry"},
		{"of an outlet", web.Selection{Outlet: "outlet-1"}, "ferry rate"},
		{"of an outlet nobody publishes", web.Selection{Outlet: "outlet-4"}, ""},
		{"second page", web.Selection{All: true, Offset: 1, Limit: 1}, "rate"},
		{"behind the end", web.Selection{All: true, Offset: 9}, ""},
		{"words", web.Selection{Query: query.Parse("port askel"), All: true}, "ferry"},
		{"headlines beat texts", web.Selection{Query: query.Parse("interest"), All: true}, "rate market"},
		{"a phrase", web.Selection{Query: query.Parse(`"interest rate"`), All: true}, "rate"},
		{"an open ending", web.Selection{Query: query.Parse("sink*"), All: true}, "ferry"},
		{"without a word", web.Selection{Query: query.Parse("interest -bank"), All: true}, "rate market"},
		{"accents do not count", web.Selection{Query: query.Parse("FAHRE"), All: true}, "ferry"},
		{"Chinese", web.Selection{Query: query.Parse("渡船"), All: true}, "market"},
		{"found, newest first", web.Selection{Query: query.Parse("ferry"), All: true, Order: web.OrderNewest}, "rate ferry market"},
		{"found and published", web.Selection{Query: query.Parse("interest")}, "rate"},
		{"not there", web.Selection{Query: query.Parse("zeppelin"), All: true}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := s.List(t.Context(), tt.sel)
			must(t, err)
			diff(t, "stories", tt.want, names(l, ids))
			if want := tt.sel.Limit == 1; l.More != want {
				t.Errorf("more = %t, want %t", l.More, want)
			}
			for _, story := range l.Stories {
				if _, hit := l.Hits[story.ID]; hit != tt.sel.Query.Finds() || len(story.Members) == 0 {
					t.Errorf("story %s: hit %t, %d members", story.ID, hit, len(story.Members))
				}
			}
		})
	}
}

// names writes the stories of a list by the names they were stored under.
func names(l web.List, ids map[string]sheaf.StoryID) string {
	text := ""
	for _, story := range l.Stories {
		for name, id := range ids {
			if id == story.ID {
				text += " " + name
			}
		}
	}
	return text[min(1, len(text)):]
}

func testLabels(t *testing.T, open Open) {
	s, _ := open(t)
	shelve(t, s)
	labels, err := s.Labels(t.Context(), noon().Add(-time.Hour))
	must(t, err)
	diff(t, "labels", web.Labels{
		Categories: []web.Label{{ID: "money", Name: "Money", Stories: 1}, {ID: "sea", Name: "Sea", Stories: 1}, {ID: "world", Name: "World", Stories: 1}},
		Languages:  []web.Label{{ID: "en", Name: "en", Stories: 2}, {ID: "de", Name: "de", Stories: 1}},
	}, labels)
	known, err := s.Reporting(t.Context(), []sheaf.OutletID{"outlet-1", "outlet-4", "outlet-9", ""})
	must(t, err)
	diff(t, "outlets with stories", map[sheaf.OutletID]bool{"outlet-1": true, "outlet-4": true}, known)
}

// The index follows whatever happens to articles and stories, and can be asked for twice.
func testIndex(t *testing.T, open Open) {
	s, _ := open(t)
	ids := shelve(t, s)
	found := func(words string) string {
		t.Helper()
		must(t, s.Index(t.Context()))
		must(t, s.IndexWords(t.Context()))
		l, err := s.List(t.Context(), web.Selection{Query: query.Parse(words), All: true})
		must(t, err)
		return names(l, ids)
	}
	must(t, s.Index(t.Context()))
	a := report(1, 10, "Liner sinks off Port Askel", "en")
	must(t, s.Save(t.Context(), poll(feed(1), a)))
	diff(t, "stories with a word that a headline lost", "", found(`"ferry sinks off"`))
	diff(t, "stories with a word that a headline got", "ferry", found("liner"))

	must(t, s.SaveGrouping(t.Context(), store.Grouping{ // the market takes a report of the ferry
		Decisions: []dedupe.Decision{{Article: a.ID, Story: ids["market"], From: ids["ferry"], Reason: dedupe.ReasonMoved, Role: sheaf.RoleReport}},
		Stories:   []store.Story{{ID: ids["ferry"]}, {ID: ids["market"]}},
	}))
	diff(t, "stories with the word after a move", "market", found("liner"))
	l, err := s.List(t.Context(), web.Selection{All: true, Least: 2, Outlet: "outlet-1"})
	must(t, err)
	diff(t, "stories of an outlet after a move", "rate market", names(l, ids))

	_, err = s.Expire(t.Context(), time.Now().Add(time.Hour))
	must(t, err)
	diff(t, "stories with the word after all have expired", "", found("liner"))
	labels, err := s.Labels(t.Context(), time.Time{})
	must(t, err)
	diff(t, "labels after all have expired", web.Labels{}, labels)
}

func testRevision(t *testing.T, open Open) {
	s, _ := open(t)
	revision := func() int64 {
		t.Helper()
		n, err := s.Revision(t.Context())
		must(t, err)
		return n
	}
	first := revision()
	if again := revision(); again != first {
		t.Errorf("the revision went from %d to %d while nothing was stored", first, again)
	}
	for i := range 3 {
		must(t, s.Save(t.Context(), poll(feed(1), article(feed(1), i))))
		if next := revision(); next == first {
			t.Errorf("the revision stayed %d while something was stored", first)
		} else {
			first = next
		}
	}
}

func testReasons(t *testing.T, open Open) {
	s, _ := open(t)
	f := feed(1)
	articles := []sheaf.Article{article(f, 1), article(f, 2), article(f, 3)}
	must(t, s.Save(t.Context(), poll(f, articles...)))
	id := group(t, s, articles...)
	placed, err := s.Reasons(t.Context(), id)
	must(t, err)
	got := make(map[string]string)
	for _, p := range placed {
		got[p.Title] = fmt.Sprintf("%q, %s as %s because %s", p.Text, p.Story, p.Role, p.Decision.Reason)
	}
	want := make(map[string]string)
	for i, role := range []string{"report", "report", "copy"} {
		want[articles[i].Title] = fmt.Sprintf("%q, %s as %s because same_event", articles[i].Text, id, role)
	}
	diff(t, "reasons", want, got)
	if none, err := s.Reasons(t.Context(), "never-was"); err != nil || len(none) != 0 {
		t.Errorf("reasons of no story: %v, %v", none, err)
	}
}

package feeds

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
	"sheaf/feeds/mallory"
)

// Known implements Recaller.
func (m *memory) Known(_ context.Context, articles []sheaf.Article) ([]Known, error) {
	defer m.enter()()
	known := make([]Known, len(articles))
	for i, a := range articles {
		for _, b := range m.articles {
			if a.ID == b.ID || a.URLKey != "" && a.URLKey == b.URLKey {
				known[i] = Known{true, b.Title, b.Text, b.Link, b.URL}
			}
		}
	}
	return known, m.failWith
}

const (
	siteRobots = "http://alpha.example/robots.txt"
	siteItem   = "http://alpha.example/"
)

// report is the text of a page's article that nothing else has.
func report(name string) string {
	return fmt.Sprintf("The council said of %s that it had been told nothing, and that it would ask for a report before the end of the week.\n"+
		"Nobody at the company that owns %[1]s could be reached on Monday, and its office by the harbour was closed for the whole of the day.", name)
}

// webPage is a page with an article about name, and elements for its head.
func webPage(name string, head ...string) mallory.Answer {
	return mallory.Answer{Header: []string{"Content-Type: text/html"}, Body: "<html><head><title>" + name + "</title>" + strings.Join(head, "") +
		"</head><body><article><p>" + strings.ReplaceAll(report(name), "\n", "</p><p>") + "</p></article></body></html>"}
}

// inSite is inWorld for one feed with extraction on, whose site has no robots.txt and a page for every name.
func inSite(t *testing.T, names []string, test func(w *world)) {
	t.Helper()
	o := Options{Extract: map[sheaf.FeedID]bool{sheaf.NewFeedID(alpha): true}}
	inWorld(t, o, []string{alpha}, func(w *world) {
		w.m.On(alpha, ok(names))
		w.m.On(siteRobots, status(404))
		for _, name := range names {
			w.m.On(siteItem+name, webPage(name))
		}
		test(w)
	})
}

// texts is the stored texts by title.
func (m *memory) texts() map[string]string {
	texts := make(map[string]string)
	for _, a := range m.articles {
		texts[a.Title] = a.Text
	}
	return texts
}

func noteCount(o Outcome, code string) int {
	for _, n := range o.Notes {
		if n.Code == code {
			return n.Count
		}
	}
	return 0
}

func TestPagesCompleteNewArticles(t *testing.T) {
	inSite(t, []string{"one", "two"}, func(w *world) {
		o := w.one()
		if diff := cmp.Diff([]Note{{notePageText, 2}}, o.Notes); o.Err != nil || diff != "" {
			t.Errorf("err %v, notes (-want +got):\n%s", o.Err, diff)
		}
		if diff := cmp.Diff(map[string]string{"one": report("one"), "two": report("two")}, w.store.texts()); diff != "" {
			t.Errorf("texts (-want +got):\n%s", diff)
		}
		w.m.On(alpha, ok([]string{"three", "one", "two"}))
		w.m.On(siteItem+"three", webPage("three"))
		w.again()
		if diff := cmp.Diff(map[string]string{"one": report("one"), "two": report("two"), "three": report("three")}, w.store.texts()); diff != "" {
			t.Errorf("texts after a second poll (-want +got):\n%s", diff)
		}
		for _, name := range []string{siteRobots, siteItem + "one", siteItem + "two", siteItem + "three"} {
			if got := w.m.Hits(name); got != 1 {
				t.Errorf("%s was asked for %d times, want once", name, got)
			}
		}
	})
}

func TestPagesOfOtherFeedsAreLeftAlone(t *testing.T) {
	inWorld(t, Options{}, []string{alpha}, func(w *world) {
		w.m.On(alpha, ok([]string{"one"}))
		w.one()
		if got := w.m.Hits(""); got != 1 {
			t.Errorf("requests = %d, want that for the feed alone", got)
		}
	})
}

// The feed's own text stays where the page gives no more, and its summary always.
func TestPageAgainstFeed(t *testing.T) {
	long := strings.Repeat("The feed itself says a good deal more about the matter than the page does. ", 8)
	for _, tt := range []struct{ name, description, summary, text string }{
		{"a summary", "The council was told nothing.", "The council was told nothing.", report("one")},
		{"more than the page", "<p>" + long + "</p><p>" + long + "</p>", "", strings.TrimSpace(long) + "\n" + strings.TrimSpace(long)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inSite(t, []string{"one"}, func(w *world) {
				body := strings.Replace(document("", "one"), "</link></item>", "</link><description><![CDATA["+tt.description+"]]></description></item>", 1)
				w.m.On(alpha, mallory.Answer{Body: body})
				w.one()
				for _, a := range w.store.articles {
					if a.Text != tt.text || tt.summary != "" && a.Summary != tt.summary {
						t.Errorf("text %q, summary %q; want %q and %q", a.Text, a.Summary, tt.text, tt.summary)
					}
				}
			})
		})
	}
}

func TestPageAddresses(t *testing.T) {
	head := func(path string) string { return `<link rel="canonical" href="` + path + `">` }
	for _, tt := range []struct {
		name     string
		one, two string // canonical addresses of the two pages
		stored   sheaf.Article
		want     []string
	}{
		{"of their own", "/story/1", "/story/2", sheaf.Article{}, []string{siteItem + "story/1", siteItem + "story/2"}},
		{"the same in both", "/live", "/live", sheaf.Article{}, []string{siteItem + "one", siteItem + "two"}},
		{"that of the other", "/two", "/two", sheaf.Article{}, []string{siteItem + "one", siteItem + "two"}},
		{"another host of the site", "http://www.alpha.example/story/1", "", sheaf.Article{}, []string{siteItem + "two", "http://www.alpha.example/story/1"}},
		{"another site", "http://beta.example/story/1", "", sheaf.Article{}, []string{siteItem + "one", siteItem + "two"}},
		{"stored under another title", "/live", "", sheaf.Article{ID: "x", Title: "old", URLKey: "alpha.example/live"}, []string{siteItem + "one", siteItem + "two"}},
		{"stored under this title", "/story/1", "", sheaf.Article{ID: "x", Title: "one", URLKey: "alpha.example/story/1"}, []string{siteItem + "story/1", siteItem + "two"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inSite(t, []string{"one", "two"}, func(w *world) {
				if tt.stored.ID != "" {
					w.store.articles[tt.stored.ID] = tt.stored
				}
				w.m.On(siteItem+"one", webPage("one", head(tt.one)))
				w.m.On(siteItem+"two", webPage("two", head(tt.two)))
				w.one()
				var got []string
				for _, a := range w.store.saves[0].Articles {
					got = append(got, a.URL)
				}
				slices.Sort(got)
				slices.Sort(tt.want)
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("addresses (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// An address that came from a page stays when the feed shows the article again, unless the feed has a new one.
func TestRecall(t *testing.T) {
	stored := Known{Stored: true, Text: "From the page.", Link: "http://a.example/1?utm_source=rss", URL: "http://a.example/story/1"}
	for _, tt := range []struct {
		name    string
		article sheaf.Article
		known   Known
		text    string
		url     string
	}{
		{"as it was", sheaf.Article{Link: "http://a.example/1", URL: "http://a.example/1"}, stored, "From the page.", "http://a.example/story/1"},
		{"moved by the feed", sheaf.Article{Link: "http://a.example/2", URL: "http://a.example/2"}, stored, "From the page.", "http://a.example/2"},
		{"more in the feed", sheaf.Article{Text: "Much more, from the feed.", Link: "http://a.example/1"}, stored, "Much more, from the feed.", "http://a.example/story/1"},
		{"expired", sheaf.Article{Text: "x", Link: "http://a.example/1", URL: "http://a.example/1"}, Known{Stored: true}, "x", "http://a.example/1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			recall(&tt.article, tt.known)
			if tt.article.Text != tt.text || tt.article.URL != tt.url {
				t.Errorf("text %q, address %q; want %q and %q", tt.article.Text, tt.article.URL, tt.text, tt.url)
			}
		})
	}
}

// The end of ctx leaves no outcome: the feed is read again, and its articles are still new.
func TestPagesEndWithContext(t *testing.T) {
	inSite(t, []string{"one"}, func(w *world) {
		w.m.On(siteItem+"one", mallory.Answer{Hang: true})
		ctx, cancel := context.WithTimeout(w.t.Context(), 8*time.Second)
		defer cancel()
		outcomes, err := w.p.Poll(ctx, w.store.due(w.feeds))
		if !errors.Is(err, context.DeadlineExceeded) || len(outcomes) != 0 || len(w.store.saves) != 0 {
			t.Errorf("err = %v with %d outcomes, want the end of ctx and none", err, len(outcomes))
		}
	})
}

// A store that cannot be asked ends the round; one that cannot tell what it knows gets articles as the feed has them.
func TestPagesAndStores(t *testing.T) {
	inSite(t, []string{"one"}, func(w *world) {
		w.store.failWith = errors.New("disk full")
		if _, err := w.p.known(w.t.Context(), nil); !errors.Is(err, w.store.failWith) {
			t.Errorf("err = %v, want %v", err, w.store.failWith)
		}
		w.store.failWith = nil
		w.p.store = struct{ Store }{w.store}
		if o := w.one(); o.Err != nil || w.m.Hits("") != 1 {
			t.Errorf("err %v, %d requests; want the feed alone", o.Err, w.m.Hits(""))
		}
	})
}

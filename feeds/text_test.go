package feeds

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
)

func TestTextArticle(t *testing.T) {
	long := "The harbour bridge reopened on Tuesday after eleven months of repair. Drivers had been sent around the bay since the " +
		"collapse of a pillar last summer."
	tests := []struct {
		name, file, body     string
		title, text, summary string
	}{
		{"first line is the title", "a.txt", "Bridge reopens\n\n" + long + "\nTolls stay as they are.\n", "Bridge reopens", long + "\nTolls stay as they are.", long + " Tolls stay as they are."},
		{"title cut from a paragraph stays in it", "b.txt", long, "The harbour bridge reopened on Tuesday after eleven months of repair.", long, long},
		{"Windows line ends and a mark", "c.txt", "\xef\xbb\xbfBridge reopens\r\n\r\nIt is open.\r\n", "Bridge reopens", "It is open.", "It is open."},
		{"Latin-1", "d.txt", "Caf\xe9s r\xe9ouverts\n\nIls sont ouverts \xe0 nouveau, dit la mairie.\n", "Cafés réouverts", "Ils sont ouverts à nouveau, dit la mairie.", "Ils sont ouverts à nouveau, dit la mairie."},
		{"wrapped lines are one paragraph", "e.txt", "Bridge reopens\n\nThe harbour bridge reopened on Tuesday after eleven\nmonths of repair, the port said in a statement that\nwas read out.\n", "Bridge reopens",
			"The harbour bridge reopened on Tuesday after eleven months of repair, the port said in a statement that was read out.",
			"The harbour bridge reopened on Tuesday after eleven months of repair, the port said in a statement that was read out."},
		{"title alone", "f.txt", "Bridge reopens\n", "Bridge reopens", "", ""},
		{"page with a heading", "g.html", "<!doctype html><html lang=en><title>Bridge | Harbour Daily</title><body><nav>Home</nav><article><h1>Bridge reopens</h1><p>It is open.</p><p>Tolls stay.</p></article><footer>©</footer>",
			"Bridge reopens", "It is open.\nTolls stay.", "It is open. Tolls stay."},
		{"page without one", "h.htm", "<title>Bridge reopens</title><p>It is open.", "Bridge reopens", "It is open.", "It is open."},
		{"page under another name", "i.txt", "<!DOCTYPE html>\n<title>Bridge reopens</title><p>It is open.", "Bridge reopens", "It is open.", "It is open."},
		{"dateline", "j.txt", "Bridge reopens\n\nLONDON, July 14 (Reuters) - It is open, the port said.\n", "Bridge reopens", "It is open, the port said.", "It is open, the port said."},
	}
	now := time.Date(2026, 7, 14, 12, 0, 0, 0, time.UTC)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := TextArticle(TextFile{Name: tt.file, Modified: now.Add(-time.Hour), Body: []byte(tt.body), Feed: sheaf.Feed{ID: "f"}, Now: now})
			if err != nil {
				t.Fatal(err)
			}
			got, want := []string{a.Title, a.Text, a.Summary}, []string{tt.title, tt.text, tt.summary}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("title, text, summary (-want +got):\n%s", diff)
			}
			if !a.Published.Equal(now.Add(-time.Hour)) || !a.FirstSeen.Equal(now) {
				t.Errorf("published %v, first seen %v", a.Published, a.FirstSeen)
			}
		})
	}
}

func TestTextArticleIdentity(t *testing.T) {
	now := time.Date(2026, 7, 14, 12, 0, 0, 0, time.UTC)
	f := TextFile{
		Name: "alpha/bridge.html", Modified: now.Add(time.Hour), Now: now, First: true, Feed: sheaf.Feed{ID: "f", URL: "file:///drop", Outlet: "Alpha", Owner: "Big", Lang: "en"},
		Body: []byte(`<html lang="de"><link rel="canonical" href="https://alpha.example/bridge?utm_source=x"><meta name="author" content="Desk One"><h1>Bridge</h1><p>Open &amp; free.<script>x()</script>`),
	}
	a, err := TextArticle(f)
	if err != nil {
		t.Fatal(err)
	}
	want := sheaf.Article{
		ID: sheaf.NewArticleID("f", "g:alpha/bridge.html"), Feed: "f", FeedURL: "file:///drop", Key: "g:alpha/bridge.html", GUID: "alpha/bridge.html",
		Outlet: sheaf.Outlet{Name: "Alpha", Owner: "Big"}, Lang: "en", Title: "Bridge", Text: "Open & free.", Summary: "Open & free.",
		Link: "https://alpha.example/bridge?utm_source=x", URL: "https://alpha.example/bridge", URLKey: "alpha.example/bridge",
		Authors: []sheaf.Author{{Name: "Desk One"}}, HTML: "<h1>Bridge</h1><p>Open &amp; free.</p>",
		Published: now.Add(time.Hour), Fetched: now, FirstSeen: now,
	}
	if diff := cmp.Diff(want, a); diff != "" {
		t.Errorf("article (-want +got):\n%s", diff)
	}
	f.Outlet = sheaf.Outlet{Name: "Beta"}
	if a, _ = TextArticle(f); a.Outlet.Name != "Beta" {
		t.Errorf("outlet = %q, want Beta: the caller knows better", a.Outlet.Name)
	}
	f.Outlet, f.Feed.Outlet = sheaf.Outlet{}, ""
	if a, _ = TextArticle(f); a.Outlet.Name != "alpha/bridge" {
		t.Errorf("outlet = %q, want the name of the file", a.Outlet.Name)
	}
}

func TestTextArticleRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       Code
	}{
		{"empty", " \n\t\n", CodeEmpty},
		{"no words", "<html><body></body></html>", CodeEmpty},
		{"binary", "PK\x03\x04" + strings.Repeat("\x00\x01\x02word", 100), CodeNotFeed},
		{"too large", strings.Repeat("a", MaxDocument+1), CodeTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := TextArticle(TextFile{Name: "a.txt", Body: []byte(tt.body)}); CodeOf(err) != tt.want {
				t.Errorf("TextArticle = %v, want code %s", err, tt.want)
			}
		})
	}
}

package web

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"sheaf"
	"sheaf/output"
)

// busyDay is n stories as a busy front page has them: the first told by 20 outlets, the others by fewer and fewer, with addresses,
// headlines and ledes of usual length.
func busyDay(n int) []sheaf.Story {
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var stories []sheaf.Story
	for i := range n {
		s := sheaf.Story{ID: sheaf.StoryID(sheaf.UUID(fmt.Sprint("story", i)))}
		for j := range max(1, 20/(1+i/3)) {
			a := sheaf.Article{
				ID: sheaf.ArticleID(fmt.Sprintf("%04x%04x", i, j)), Outlet: sheaf.Outlet{Name: fmt.Sprintf("The City %d Courier", (i+j)%60)}, Lang: "en",
				Title:   fmt.Sprintf("Headline %d of story %d is about as long as headlines commonly are", j, i),
				Summary: strings.Repeat("What happened is told in some detail here. ", 6), Categories: []string{"World"},
				URL:       fmt.Sprintf("https://www.city-%d-courier.example/news/2026/11/30/headline-of-a-story-as-addresses-have-it-%d", (i+j)%60, i*100+j),
				Published: noon.Add(time.Duration(i+j*7-300) * time.Minute), FirstSeen: noon,
			}
			s.Members = append(s.Members, sheaf.Member{Article: a, Role: sheaf.RoleReport})
		}
		sheaf.SortMembers(s.Members)
		s.Lead = s.Members[0].ID
		stories = append(stories, s)
	}
	return stories
}

func busySite(t testing.TB, n int) (http.Handler, *shelf) {
	t.Helper()
	o := testOptions(t.TempDir())
	s := &shelf{stories: busyDay(n), labels: Labels{Categories: []Label{{"world", "World", 50}}, Languages: []Label{{"en", "en", 40}, {"de", "de", 9}}}}
	o.Stories = s
	h, err := Handler(o)
	if err != nil {
		t.Fatal(err)
	}
	return h, s
}

func TestPageSize(t *testing.T) {
	h, _ := busySite(t, 60)
	for _, path := range []string{"/", "/?p=2", "/outlet/the-city-3-courier", "/search?q=headline", "/topic/world"} {
		t.Run(path, func(t *testing.T) {
			r := ask(h, "GET", path, nil)
			page := text(t, r)
			if stories := strings.Count(page, "<article"); r.StatusCode != 200 || stories == 0 || len(page) > 50_000 {
				t.Errorf("status %d, %d stories in %d bytes, want at most 50,000", r.StatusCode, stories, len(page))
			}
		})
	}
	page := text(t, ask(h, "GET", "/", nil))
	if n := strings.Count(page, "<article"); n != 50 {
		t.Errorf("%d stories on the front page, want 50", n)
	}
	if !strings.Contains(page, `<a rel="next" href="/?p=2">`) || strings.Contains(page, `rel="prev"`) {
		t.Error("the front page does not lead to older stories alone")
	}
	small, _ := busySite(t, 4)
	if page := text(t, ask(small, "GET", "/", nil)); strings.Count(page, "<summary>All ") != 4 {
		t.Error("a page with room does not show all reports")
	}
}

func TestSqueeze(t *testing.T) {
	entries := func() []entry {
		list := make([]entry, 3)
		for i := range list {
			list[i].Outlets, list[i].Also = 9, make([]output.Report, 8)
		}
		return list
	}
	for _, tt := range []struct {
		name   string
		excess int
		want   string
	}{
		{"nothing to do", 0, "8 8 8"}, {"a little, at the bottom", 1, "8 8 4"}, {"more", 4*linkBytes + 1, "8 4 4"},
		{"a second round", 12 * linkBytes, "4 2 2"}, {"more than there is", 1 << 20, "0 0 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list := entries()
			squeeze(list, tt.excess)
			got := fmt.Sprint(len(list[0].Also), len(list[1].Also), len(list[2].Also))
			if got != tt.want {
				t.Errorf("links = %s, want %s", got, tt.want)
			}
			for _, e := range list {
				if len(e.Also)+e.More != 8 {
					t.Errorf("%d outlets linked, %d counted, want 8 in all", len(e.Also), e.More)
				}
			}
		})
	}
}

func TestView(t *testing.T) {
	newest := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name, in, want string
		sel            Selection
	}{
		{"usual", "", "", Selection{Least: 1, Order: OrderCovered, Limit: perPage}},
		{"everything said", "w=3d&min=5&o=new&lang=DE&p=3", "w=3d&min=5&o=new&lang=de&p=3", Selection{Since: newest.Add(-72 * time.Hour), Least: 5, Order: OrderNewest, Lang: "de", Offset: 100, Limit: perPage}},
		{"nonsense", "w=9y&min=x&o=up&lang=e%22&p=-1&q=&other=1", "", Selection{Least: 1, Order: OrderCovered, Limit: perPage}},
		{"far back", "p=999999", "p=40", Selection{Least: 1, Order: OrderCovered, Offset: 39 * perPage, Limit: perPage}},
		{"a search", "q=Zürich+%22a+b%22", "q=Z%C3%BCrich+%22a+b%22", Selection{Least: 1, Order: OrderCovered, Limit: perPage}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			values, err := url.ParseQuery(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			v := parseView(values, listOrders())
			if got := v.encode(); got != tt.want {
				t.Errorf("encode = %q, want %q", got, tt.want)
			}
			if got := v.selection(newest); fmt.Sprint(got) != fmt.Sprint(tt.sel) {
				t.Errorf("selection = %+v, want %+v", got, tt.sel)
			}
		})
	}
}

// A page is made once for all who want it, again after a change, and never for an address that only looks different.
func TestPagesAreKept(t *testing.T) {
	o := testOptions(t.TempDir())
	s := &shelf{stories: busyDay(20)}
	clock := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	o.Stories, o.Now = s, func() time.Time { return clock }
	h, err := Handler(o)
	if err != nil {
		t.Fatal(err)
	}
	made := func(path string) int64 {
		t.Helper()
		before := s.lists.Load()
		if r := ask(h, "GET", path, nil); r.StatusCode != 200 {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
		return s.lists.Load() - before
	}
	if made("/") == 0 || made("/") != 0 || made("/?x=1&w=nonsense&p=1") != 0 {
		t.Error("the page was not made once")
	}
	s.revision.Add(1)
	if made("/") != 0 {
		t.Error("changes are looked for at every request")
	}
	clock = clock.Add(glance)
	if made("/") == 0 || made("/") != 0 {
		t.Error("the page was not made again once after a change")
	}
	etag := ask(h, "GET", "/", nil).Header.Get("ETag")
	s.revision.Add(1)
	clock = clock.Add(glance)
	if r := ask(h, "GET", "/", map[string]string{"If-None-Match": etag}); r.StatusCode != 304 {
		t.Errorf("a change that the page does not show: status %d, want 304", r.StatusCode)
	}
}

// Two hundred clients at once get the page whole, over connections of their own.
func TestManyClients(t *testing.T) {
	h, s := busySite(t, 60)
	server := httptest.NewServer(h)
	defer server.Close()
	transport := &http.Transport{MaxIdleConnsPerHost: 200}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	want := len(text(t, ask(h, "GET", "/", nil)))
	made := s.lists.Load()
	var clients sync.WaitGroup
	for range 200 {
		clients.Go(func() {
			for range 3 {
				r, err := client.Get(server.URL + "/")
				if err != nil {
					t.Error(err)
					return
				}
				data, err := io.ReadAll(r.Body)
				r.Body.Close()
				if err != nil || r.StatusCode != 200 || len(data) != want {
					t.Errorf("status %d, %d bytes, %v; want %d bytes", r.StatusCode, len(data), err, want)
				}
			}
		})
	}
	clients.Wait()
	if n := s.lists.Load() - made; n != 0 {
		t.Errorf("the page was made again, in %d lists", n)
	}
}

func TestNotThere(t *testing.T) {
	h, _ := busySite(t, 3)
	for _, path := range []string{
		"/topic/nothing", "/outlet/nobody", "/outlet/", "/topic/a/b", "/story/", "/outlets.atom", "/search/deep", "/data", "/x/data.json",
		"/front_page", "/topic/nothing.atom", "/outlets/x", "/status", "/story/x/data.json", "/.atom", "/search.xml",
	} {
		if r := ask(h, "GET", path, nil); r.StatusCode != 404 {
			t.Errorf("%s: status %d, want 404", path, r.StatusCode)
		}
	}
	if r := ask(h, "GET", "/topic/stories.atom", nil); r.StatusCode != 308 || r.Header.Get("Location") != "http://127.0.0.1:8080/stories.atom" {
		t.Errorf("documents of a channel's topic: %d to %q", r.StatusCode, r.Header.Get("Location"))
	}
}

func TestSearchPage(t *testing.T) {
	h, _ := busySite(t, 3)
	page := text(t, ask(h, "GET", "/search?q=HEADLINE+%3Cscript%3E", nil))
	for _, want := range []string{`value="HEADLINE &lt;script&gt;"`, "<mark>Headline</mark>", `href="/search.atom?q=HEADLINE&#43;%3Cscript%3E"`} {
		if !strings.Contains(page, want) {
			t.Errorf("page lacks %q", want)
		}
	}
	if strings.Contains(page, "<script") {
		t.Error("what was searched for came back as markup")
	}
	for path, want := range map[string]string{"/search": "Type words to look for", "/search?q=zeppelin": "Nothing was found", "/search?q=-headline": "Type words"} {
		if page := text(t, ask(h, "GET", path, nil)); !strings.Contains(page, want) {
			t.Errorf("%s does not say %q", path, want)
		}
	}
}

func TestOutletsPage(t *testing.T) {
	h, _ := served(t)
	page := text(t, ask(h, "GET", "/outlets", nil))
	for _, want := range []string{
		"2 feeds: 1 in trouble, 0 could do better, 1 well", `<a href="/outlet/alpha">Alpha</a>`, `<h3 dir="auto">lost.example</h3>`, "Last success never",
		"3 failures since 2026-11-28: &lt;404&gt;", "look for the feed the outlet uses now",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("page lacks %q:\n%s", want, page)
		}
	}
	if status := text(t, ask(h, "GET", "/status.json", nil)); !strings.Contains(status, `"failing": 1`) || !strings.Contains(status, `"stories": 1`) {
		t.Errorf("status = %s", status)
	}
}

func TestBars(t *testing.T) {
	f := &frame{zone: time.UTC, Newest: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	at := func(minutes int, role sheaf.Role) output.Report {
		return output.Report{Role: role, Published: f.Newest.Add(time.Duration(minutes-60) * time.Minute)}
	}
	b := sketch{3, 10, 20}.draw(f, []output.Report{at(0, sheaf.RoleReport), at(59, sheaf.RoleReport), at(60, sheaf.RoleReport), at(60, sheaf.RoleCopy)})
	if b == nil || b.Own != "M5 20v-10M15 20v-10M25 20v-10" || b.Copies != "M25 10v-10" || b.Label != "4 reports, 11:00 to 12:00, most (2) around 12:00" {
		t.Errorf("bars = %+v", b)
	}
	for name, reports := range map[string][]output.Report{"none": nil, "one": {at(0, "")}, "one instant": {at(0, ""), at(0, "")}} {
		if b := (sketch{3, 10, 20}).draw(f, reports); b != nil {
			t.Errorf("%s: %+v, want no bars", name, b)
		}
	}
}

func TestDistance(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "", -time.Hour: "", 29 * time.Second: "", time.Minute: "+1 min", 61 * time.Minute: "+1 h 01 min", 50 * time.Hour: "+2 d 2 h",
	} {
		if got := distance(d); got != want {
			t.Errorf("distance(%v) = %q, want %q", d, got, want)
		}
	}
}

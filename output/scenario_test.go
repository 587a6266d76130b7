package output

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"sheaf"
)

var (
	update    = flag.Bool("update", false, "write the golden documents anew")
	documents = flag.String("documents", "", "folder to write the documents of the growth scenario to, for tests from outside")
)

func clock(h, m int) time.Time { return time.Date(2026, 11, 30, h, m, 0, 0, time.UTC) }

func testSite() Site {
	return Site{
		Title: "Monitor", BaseURL: "https://news.example.org", Language: "en", Interval: 15 * time.Minute, Version: "1.0",
		Hub: "https://hub.example.org/", Icon: "https://news.example.org/icon.png",
	}
}

func testChannel() Channel {
	return Channel{Name: "feed", Title: "Monitor", Settle: 0}
}

// member is a report of the outlet with the key, which names its server too.
func member(key, name, path, title string, at time.Time) sheaf.Member {
	home := "https://" + key + ".example/"
	return sheaf.Member{Role: sheaf.RoleReport, Article: sheaf.Article{
		ID: sheaf.ArticleID(key + "-" + path), FeedURL: home + "feed.xml", Outlet: sheaf.Outlet{Name: name, URL: home},
		URL: home + path, Title: title, Summary: "What " + name + " says of it: <it's> \"new\" & short.", Lang: "en",
		Published: at, FirstSeen: at,
	}}
}

// step is a state of the world in the growth scenario.
type step struct {
	stories []sheaf.Story
	merges  []Merge
	now     time.Time
}

func story(lead int, members ...sheaf.Member) sheaf.Story {
	s := sheaf.Story{ID: sheaf.NewStoryID(&members[0].Article), Lead: members[lead].ID, Members: append([]sheaf.Member(nil), members...)}
	sheaf.SortMembers(s.Members)
	return s
}

// growth is the scenario every reader is shown: one outlet, two, five, another lead, and a second story merged in.
func growth() []step {
	ferry := []sheaf.Member{
		member("alpha", "Alpha News", "ferry-bridge", "Ferry hits harbour bridge, traffic halted", clock(9, 2)),
		member("beta", "Beta & Sons", "bridge?id=1&lang=en", "Harbour bridge closed after ferry collision, port & police say", clock(9, 40)),
		member("gamma", "Gamma Wire", "w1", "Ferry collides with bridge – no injuries reported", clock(10, 15)),
		member("delta", "Delta Post", "copy-of-w1", "Ferry collides with bridge – no injuries reported", clock(10, 31)),
		member("epsilon", "Épsilon TV", "inspection", "Engineers inspect the damaged pier", clock(11, 55)),
	}
	ferry[0].Image, ferry[0].Categories = "https://alpha.example/ferry.jpg", []string{"Transport", "transport", "R&D"}
	ferry[1].Authors = []sheaf.Author{{Name: "Ana Beispiel"}, {Name: "Bo Sample"}}
	ferry[3].Role, ferry[3].CopyOf = sheaf.RoleCopy, ferry[2].ID
	trains := member("beta", "Beta & Sons", "trains", "Commuter trains diverted as harbour bridge shuts", clock(9, 20))
	quake := story(0, member("zeta", "Zeta Radio", "quake", "Quake felt in three coastal towns", clock(8, 0)))

	one := func(lead, n int) sheaf.Story { return story(lead, ferry[:n]...) }
	withdrawn := story(0, ferry[1:]...)
	withdrawn.ID = one(0, 1).ID
	merged := story(0, append(ferry[1:5:5], trains)...)
	merged.ID = withdrawn.ID
	two := story(0, trains)
	return []step{
		{stories: []sheaf.Story{one(0, 1), two, quake}, now: clock(9, 30)},
		{stories: []sheaf.Story{one(0, 2), two, quake}, now: clock(10, 0)},
		{stories: []sheaf.Story{one(0, 5), two, quake}, now: clock(12, 0)},
		{stories: []sheaf.Story{withdrawn, two, quake}, now: clock(12, 10)},
		{stories: []sheaf.Story{merged, quake}, merges: []Merge{{From: two.ID, Into: merged.ID, When: clock(12, 20)}}, now: clock(12, 30)},
	}
}

// play renders every step of the scenario.
func play(t testing.TB, c Channel, site Site, steps []step) [][]File {
	t.Helper()
	var memory []Emission
	var all [][]File
	cache := new(Cache)
	for i, s := range steps {
		memory = c.Advance(memory, s.stories, s.merges, s.now)
		files, err := c.Render(site, memory, cache)
		if err != nil {
			t.Fatalf("step %d: %v", i+1, err)
		}
		all = append(all, files)
	}
	return all
}

func TestGrowthGolden(t *testing.T) {
	for i, files := range play(t, testChannel(), testSite(), growth()) {
		for _, f := range files {
			golden(t, filepath.Join("growth", "step"+strconv.Itoa(i+1), f.Name), f.Data)
		}
	}
}

// golden compares data with a file under testdata, or with -update makes it so.
func golden(t *testing.T, name string, data []byte) {
	t.Helper()
	if *documents != "" {
		write(t, filepath.Join(*documents, name), data)
	}
	path := filepath.Join("testdata", name)
	if *update {
		write(t, path, data)
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if string(want) != string(data) {
		t.Errorf("%s differs from the golden document; if that is meant: go test -update", name)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

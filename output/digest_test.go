package output

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
)

func dayOfNews() []sheaf.Story {
	copied := by("d", 105)
	copied.Role, copied.CopyOf = sheaf.RoleCopy, "a-x"
	return []sheaf.Story{
		story(0, by("a", 100), copied),                      // one independent, two outlets
		story(0, by("b", 110), by("c", 120), by("e", 2000)), // two independent within the day
		story(0, by("f", 90)),                               // one
		story(0, by("g", 95)),                               // one, younger
		story(0, by("h", -100)),                             // the day before
		story(0, by("i", 3000)),                             // after it
		story(0, by("j", -10), by("k", 5), by("l", -20)),    // three, from before until today
	}
}

func TestTop(t *testing.T) {
	from, to := at(0), at(24*60)
	for _, tt := range []struct {
		name string
		n    int
		want []sheaf.ArticleID // leads
	}{
		{"all", 10, []sheaf.ArticleID{"j-x", "b-x", "a-x", "f-x", "g-x"}},
		{"some", 2, []sheaf.ArticleID{"j-x", "b-x"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []sheaf.ArticleID
			for _, s := range Top(dayOfNews(), from, to, tt.n) {
				got = append(got, s.Lead)
				if s.Lead == "b-x" && len(s.Members) != 2 {
					t.Errorf("%d members, want those of the period", len(s.Members))
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Top (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAddDigest(t *testing.T) {
	c := Channel{Name: "digest", Title: "Morning & more", Profile: ProfileDigest, Top: 3, Mute: Mute{Words: []string{"title a"}}}
	from, to := at(0), at(24*60)
	memory := c.AddDigest(nil, dayOfNews(), from, to)
	if again := c.AddDigest(memory, nil, from, to); len(again) != 1 || !sameEmission(again[0], memory[0]) {
		t.Errorf("the digest of a period was made twice: %+v", again)
	}
	item := memory[0].Item
	if item.Title != "3 stories, 30 Nov 00:00 to 1 Dec 00:00 UTC" || item.Link != "https://j.example/x" || !memory[0].Published.Equal(to) {
		t.Errorf("item = %+v", item)
	}
	var titles []string
	for _, e := range item.Entries {
		titles = append(titles, e.Title)
	}
	if diff := cmp.Diff([]string{"Title j", "Title b", "Title f"}, titles); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	memory = c.AddDigest(memory, dayOfNews(), to.Add(240*time.Hour), to.Add(264*time.Hour))
	if item := memory[0].Item; item.Title != "No stories, 11 Dec 00:00 to 12 Dec 00:00 UTC" || item.News != "Nothing qualified, 11 Dec 00:00 to 12 Dec 00:00 UTC." {
		t.Errorf("a period without news: %+v", item)
	}
	if kept := c.Advance(memory, dayOfNews(), nil, at(24*60*20)); len(kept) != 2 {
		t.Errorf("Advance keeps %d digests, want 2", len(kept))
	}
	c.Span = 30 * 24 * time.Hour
	files, err := c.Render(testSite(), memory, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		checkHostile(t, f)
		golden(t, filepath.Join("profiles", f.Name), f.Data)
	}
}

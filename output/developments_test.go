package output

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
)

// crew is a story of n outlets, one every gap minutes from minute 0.
func crew(n, gap int) sheaf.Story {
	var members []sheaf.Member
	for i := range n {
		members = append(members, by(string(rune('a'+i)), i*gap))
	}
	return story(0, members...)
}

// seen plays a channel over states of one story and returns what it tells, oldest first.
func seen(c Channel, states []sheaf.Story, nows []int) []Emission {
	var memory []Emission
	for i, s := range states {
		memory = c.Advance(memory, []sheaf.Story{s}, nil, at(nows[i]))
	}
	for i, j := 0, len(memory)-1; i < j; i, j = i+1, j-1 {
		memory[i], memory[j] = memory[j], memory[i]
	}
	return memory
}

func TestDevelopments(t *testing.T) {
	c := Channel{Name: "developments", Profile: ProfileDevelopments}
	quiet := crew(3, 1)
	awake := crew(3, 1)
	for i, o := range []string{"x", "y", "z"} {
		awake.Members = append(awake.Members, by(o, 13*60+i))
	}
	for _, tt := range []struct {
		name   string
		states []sheaf.Story
		nows   []int
		want   []int // minutes of what is told
		news   string
	}{
		{"below the first", []sheaf.Story{crew(2, 1)}, []int{500}, nil, ""},
		{"the first", []sheaf.Story{crew(3, 1)}, []int{500}, []int{2}, "Now 3 outlets."},
		{"told once", []sheaf.Story{crew(3, 1), crew(9, 1)}, []int{500, 600}, []int{2}, "Now 3 outlets."},
		{"only the highest of several", []sheaf.Story{crew(11, 1)}, []int{500}, []int{9}, "Now 11 outlets."},
		{"the second, three hours after the first at least", []sheaf.Story{crew(3, 1), crew(10, 1), crew(10, 1)}, []int{10, 20, 200}, []int{2, 182},
			"Now 10 outlets (3 at 30 Nov 00:02 UTC). New: Outlet d, Outlet e, Outlet f, Outlet g, Outlet h, Outlet i, Outlet j."},
		{"not yet three hours", []sheaf.Story{crew(3, 1), crew(10, 1)}, []int{10, 181}, []int{2}, "Now 3 outlets."},
		{"a lull of twelve hours", []sheaf.Story{quiet, awake}, []int{500, 900}, []int{2, 782},
			"Now 6 outlets (3 at 30 Nov 00:02 UTC). New: Outlet x, Outlet y, Outlet z."},
		{"long lists of names end", []sheaf.Story{crew(3, 1), crew(14, 1)}, []int{10, 500}, []int{2, 182},
			"Now 14 outlets (3 at 30 Nov 00:02 UTC). New: Outlet d, Outlet e, Outlet f, Outlet g, Outlet h, Outlet i, Outlet j, Outlet k, 3 more."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			told := seen(c, tt.states, tt.nows)
			var minutes []int
			for _, e := range told {
				minutes = append(minutes, tell(e).Published)
			}
			if diff := cmp.Diff(tt.want, minutes); diff != "" {
				t.Fatalf("told at (-want +got):\n%s", diff)
			}
			if len(told) > 0 && told[len(told)-1].Item.News != tt.news {
				t.Errorf("news = %q, want %q", told[len(told)-1].Item.News, tt.news)
			}
		})
	}
}

func TestDevelopmentIDs(t *testing.T) {
	s := crew(10, 1)
	s.ID = "fea1b806-87fa-517b-ac11-cecf2b2b1357"
	three := crew(3, 1)
	three.ID = s.ID
	told := seen(Channel{Name: "d", Profile: ProfileDevelopments}, []sheaf.Story{three, s}, []int{10, 500})
	if len(told) != 2 || told[1].ID != "4b02b07d-e82b-59ae-a4e5-5ee842d654c5" {
		t.Errorf("the second development is %+v, want the id of the specification", told)
	}
}

func TestDevelopmentsEnd(t *testing.T) {
	c := Channel{Name: "d", Profile: ProfileDevelopments, Milestones: []int{1, 2, 3, 4, 5, 6}}
	var states []sheaf.Story
	var nows []int
	for n := 1; n <= 6; n++ {
		states, nows = append(states, crew(n, 240)), append(nows, n*240+60)
	}
	if told := seen(c, states, nows); len(told) != mostDevelopments {
		t.Errorf("%d developments, want %d", len(told), mostDevelopments)
	}
}

func TestAlerts(t *testing.T) {
	c := Channel{Name: "alerts", Profile: ProfileAlerts, MinOutlets: 3}
	for _, tt := range []struct {
		name   string
		states []sheaf.Story
		nows   []int
		want   []int
	}{
		{"below", []sheaf.Story{crew(2, 1)}, []int{500}, nil},
		{"reached", []sheaf.Story{crew(3, 1), crew(4, 1)}, []int{10, 20}, []int{2}},
		{"as many again, cooling down", []sheaf.Story{crew(3, 1), crew(6, 1)}, []int{10, 300}, []int{2}},
		{"as many again, cooled down", []sheaf.Story{crew(3, 1), crew(6, 1), crew(6, 1)}, []int{10, 300, 400}, []int{2, 362}},
		{"fewer than that, cooled down", []sheaf.Story{crew(3, 1), crew(5, 1)}, []int{10, 500}, []int{2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var minutes []int
			ids := map[string]bool{}
			for _, e := range seen(c, tt.states, tt.nows) {
				minutes = append(minutes, tell(e).Published)
				ids[e.ID] = true
			}
			if diff := cmp.Diff(tt.want, minutes); diff != "" || len(ids) != len(minutes) {
				t.Errorf("alerts (-want +got), %d ids:\n%s", len(ids), diff)
			}
		})
	}
}

func TestArticles(t *testing.T) {
	c := Channel{Name: "articles", Profile: ProfileArticles}
	one, other := story(0, by("a", 100), by("b", 110)), story(0, by("c", 120))
	memory := c.Advance(nil, []sheaf.Story{one, other}, nil, at(200))
	if len(memory) != 3 || tell(memory[0]) != (told{120, 120, "c-x", 1}) || memory[0].ID == string(other.ID) {
		t.Fatalf("memory = %+v", memory)
	}
	moved := story(0, by("c", 120), by("b", 110))
	moved.ID = other.ID
	memory = c.Advance(memory, []sheaf.Story{story(0, by("a", 100)), moved}, nil, at(300))
	for _, e := range memory {
		want := map[sheaf.ArticleID]sheaf.StoryID{"a-x": one.ID, "b-x": other.ID, "c-x": other.ID}[e.Item.Lead]
		if e.Story != want || e.Updated.After(e.Published) != (e.Item.Lead == "b-x") {
			t.Errorf("%s belongs to %s, want %s; updated %v", e.Item.Lead, e.Story, want, e.Updated)
		}
	}
	later := story(0, by("z", 60*24*30))
	memory = c.Advance(memory, []sheaf.Story{later}, nil, at(60*24*31))
	if n := len(c.Advance(memory, []sheaf.Story{one, later}, nil, at(60*24*31))); n != len(memory) {
		t.Errorf("%d items, want %d: what lies behind the window must not come back as new", n, len(memory))
	}
}

func TestProfilesGolden(t *testing.T) {
	for _, profile := range []Profile{ProfileDevelopments, ProfileArticles, ProfileAlerts} {
		t.Run(string(profile), func(t *testing.T) {
			c := Channel{Name: string(profile), Title: "Monitor: " + string(profile), Profile: profile, Milestones: []int{2, 5}, Cooldown: time.Hour}
			steps := growth()
			steps[3].now, steps[4].now = clock(15, 0), clock(15, 10)
			all := play(t, c, testSite(), steps)
			for _, f := range all[len(all)-1] {
				golden(t, filepath.Join("profiles", f.Name), f.Data)
			}
		})
	}
}

package output

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
)

// at is a moment of the test day.
func at(minutes int) time.Time { return clock(0, 0).Add(time.Duration(minutes) * time.Minute) }

// by is a report of the outlet in a story of the day.
func by(outlet string, minutes int) sheaf.Member {
	return member(outlet, "Outlet "+outlet, "x", "Title "+outlet, at(minutes))
}

// told is what most tests look at in an emission.
type told struct {
	Published, Updated int // minutes of the day; a second more counts as nothing
	Lead               sheaf.ArticleID
	Reports            int
}

func tell(e Emission) told {
	minutes := func(t time.Time) int { return int(t.Sub(clock(0, 0)) / time.Minute) }
	return told{minutes(e.Published), minutes(e.Updated), e.Item.Lead, len(e.Item.Reports)}
}

func TestFirstEmission(t *testing.T) {
	two := []sheaf.Member{by("a", 100), by("b", 130), by("a2", 131)}
	two[2].Outlet.Name = "Outlet a"
	five := []sheaf.Member{by("a", 100), by("b", 101), by("c", 102), by("d", 103), by("e", 104)}
	for _, tt := range []struct {
		name    string
		channel Channel
		members []sheaf.Member
		now     int
		want    *told
	}{
		{"at once", Channel{}, two[:1], 100, &told{100, 100, "a-x", 1}},
		{"settling", Channel{Settle: -1}, two[:1], 109, nil},
		{"settled", Channel{Settle: -1}, two[:1], 110, &told{100, 100, "a-x", 1}},
		{"too few outlets", Channel{MinOutlets: 3}, two, 500, nil},
		{"published when the k-th outlet came", Channel{MinOutlets: 2}, two, 500, &told{130, 130, "a-x", 3}},
		{"settling from then", Channel{MinOutlets: 2, Settle: time.Hour}, two, 189, nil},
		{"five outlets end the wait", Channel{Settle: time.Hour}, five, 105, &told{100, 104, "a-x", 5}},
		{"a time ahead is waited for", Channel{}, two[:1], 99, nil},
		{"no member ahead shows in a time", Channel{}, two, 110, &told{100, 110, "a-x", 3}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			memory := tt.channel.Advance(nil, []sheaf.Story{story(0, tt.members...)}, nil, at(tt.now))
			if tt.want == nil {
				if len(memory) != 0 {
					t.Errorf("emitted %+v", tell(memory[0]))
				}
				return
			}
			if len(memory) != 1 {
				t.Fatalf("%d emissions, want 1", len(memory))
			}
			if diff := cmp.Diff(*tt.want, tell(memory[0])); diff != "" {
				t.Errorf("emission (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRise(t *testing.T) {
	base := []sheaf.Member{by("a", 100), by("b", 110)}
	with := func(lead int, more ...sheaf.Member) sheaf.Story {
		return story(lead, append(slices.Clone(base), more...)...)
	}
	changed := func(m sheaf.Member, change func(*sheaf.Member)) sheaf.Member {
		change(&m)
		return m
	}
	copied := changed(by("c", 120), func(m *sheaf.Member) { m.Role, m.CopyOf = sheaf.RoleCopy, "a-x" })
	second := changed(by("b2", 120), func(m *sheaf.Member) { m.Outlet.Name = "Outlet b" })
	aside := changed(by("c", 120), func(m *sheaf.Member) { m.Role = sheaf.RoleAside })
	late := by("c", 60*72)
	gone := story(0, base[1])
	gone.ID = with(0).ID
	leadCopied := with(1)
	leadCopied.Members[0].Role, leadCopied.Members[0].CopyOf = sheaf.RoleCopy, "b-x"
	other := story(0, base[1], by("z", 90))
	bigger := with(0, second)
	for _, tt := range []struct {
		name    string
		channel Channel
		stories []sheaf.Story
		merges  []Merge
		now     int
		want    told // {100, 110, "a-x", 2} is no rise
	}{
		{"nothing new", Channel{}, []sheaf.Story{with(0)}, nil, 500, told{100, 110, "a-x", 2}},
		{"the story is not among those given", Channel{}, nil, nil, 500, told{100, 110, "a-x", 2}},
		{"another outlet", Channel{}, []sheaf.Story{with(0, by("c", 120))}, nil, 500, told{100, 120, "a-x", 3}},
		{"another outlet with an old date", Channel{}, []sheaf.Story{with(0, by("c", 105))}, nil, 500, told{100, 110, "a-x", 3}},
		{"a verbatim copy", Channel{}, []sheaf.Story{with(0, copied)}, nil, 500, told{100, 110, "a-x", 2}},
		{"a second article of an outlet", Channel{}, []sheaf.Story{with(0, second)}, nil, 500, told{100, 110, "a-x", 2}},
		{"an aside", Channel{}, []sheaf.Story{with(0, aside)}, nil, 500, told{100, 110, "a-x", 2}},
		{"a copy comes along with the next outlet", Channel{}, []sheaf.Story{with(0, copied, by("d", 130))}, nil, 500, told{100, 130, "a-x", 4}},
		{"a better lead while leads stick", Channel{}, []sheaf.Story{with(1)}, nil, 500, told{100, 110, "a-x", 2}},
		{"a better lead while the best leads", Channel{Lead: LeadBest}, []sheaf.Story{with(1)}, nil, 500, told{100, 110, "b-x", 2}},
		{"the lead is withdrawn", Channel{}, []sheaf.Story{gone}, nil, 500, told{100, 110, "b-x", 1}},
		{"the lead proves to be a copy", Channel{}, []sheaf.Story{leadCopied}, nil, 500, told{100, 110, "b-x", 2}},
		{"an article moved to another story", Channel{MinOutlets: 2}, []sheaf.Story{story(0, base[0]), other}, nil, 500, told{100, 110, "a-x", 1}},
		{"a merge that brings an article", Channel{}, []sheaf.Story{bigger}, []Merge{{"z", bigger.ID, at(140)}}, 500, told{100, 140, "a-x", 3}},
		{"a merge that brings none", Channel{}, []sheaf.Story{with(0)}, []Merge{{"z", bigger.ID, at(140)}}, 500, told{100, 110, "a-x", 2}},
		{"a new outlet after three days", Channel{}, []sheaf.Story{with(0, late)}, nil, 60 * 80, told{100, 60 * 72, "a-x", 3}},
		{"a better lead after three days", Channel{Lead: LeadBest}, []sheaf.Story{with(1), story(0, late)}, nil, 60 * 80, told{100, 110, "a-x", 2}},
		{"in the second of the last rise", Channel{}, []sheaf.Story{with(0, by("c", 105))}, nil, 110, told{100, 110, "a-x", 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := Channel{}.Advance(nil, []sheaf.Story{with(0)}, nil, at(115))
			kept := slices.Clone(before)
			memory := tt.channel.Advance(before, tt.stories, tt.merges, at(tt.now))
			i := slices.IndexFunc(memory, func(e Emission) bool { return e.Story == with(0).ID })
			if i < 0 {
				t.Fatal("the emission is gone")
			}
			if diff := cmp.Diff(tt.want, tell(memory[i])); diff != "" {
				t.Errorf("emission (-want +got):\n%s", diff)
			}
			if rose, changed := memory[i].Updated.After(before[0].Updated), !cmp.Equal(memory[i].Item, before[0].Item); rose != changed {
				t.Errorf("updated rose: %v, content changed: %v", rose, changed)
			}
			if diff := cmp.Diff(kept, before); diff != "" {
				t.Errorf("the previous memory changed:\n%s", diff)
			}
		})
	}
}

// A headline edited by the lead's outlet is not taken over: readers that key on it would show the story twice.
func TestLeadIsSticky(t *testing.T) {
	s := story(0, by("a", 100), by("b", 110))
	memory := Channel{}.Advance(nil, []sheaf.Story{s}, nil, at(115))
	s = story(0, by("a", 100), by("b", 110), by("c", 120))
	s.Members[0].Title, s.Members[0].URL = "Edited", "https://a.example/edited"
	memory = Channel{}.Advance(memory, []sheaf.Story{s}, nil, at(130))
	item := memory[0].Item
	if item.Title != "Title a" || item.Link != "https://a.example/x" || item.Reports[0].URL != item.Link || item.Reports[0].Title != item.Title {
		t.Errorf("item = %+v", item)
	}
}

func TestMergeLeavesTombstone(t *testing.T) {
	one, two, three := story(0, by("a", 100)), story(0, by("b", 110)), story(0, by("c", 120))
	var c Channel
	memory := c.Advance(nil, []sheaf.Story{one, two, three}, nil, at(150))

	both := story(0, by("a", 100), by("b", 110))
	merges := []Merge{{two.ID, one.ID, at(160)}}
	memory = c.Advance(memory, []sheaf.Story{both, three}, merges, at(170))
	shown, gone := c.withDefaults().window(memory)
	if len(shown) != 2 || len(gone) != 1 || gone[0].ID != string(two.ID) || gone[0].Into != one.ID || !gone[0].Left.Equal(at(160)) {
		t.Fatalf("shown %d, gone %+v", len(shown), gone)
	}

	all := story(0, by("c", 120), by("a", 100), by("b", 110))
	all.ID = three.ID
	merges = append(merges, Merge{one.ID, three.ID, at(180)})
	memory = c.Advance(memory, []sheaf.Story{all}, merges, at(190))
	shown, gone = c.withDefaults().window(memory)
	if len(shown) != 1 || len(gone) != 2 || gone[0].Into != three.ID || gone[1].Into != three.ID {
		t.Errorf("after a chain: shown %d, gone %+v", len(shown), gone)
	}

	memory = c.Advance(memory, []sheaf.Story{story(0, by("b", 110)), story(0, by("c", 120), by("a", 100))}, merges[1:], at(200))
	i := slices.IndexFunc(memory, func(e Emission) bool { return e.Story == two.ID })
	if e := memory[i]; e.Into != "" || !e.Published.Equal(at(110)) || len(memory) != 3 {
		t.Errorf("a story that came back by a split: %+v", e)
	}
}

func TestMergesInACircleEnd(t *testing.T) {
	a, b := story(0, by("a", 100)), story(0, by("b", 110))
	memory := Channel{}.Advance(nil, []sheaf.Story{a, b}, nil, at(150))
	memory = Channel{}.Advance(memory, nil, []Merge{{a.ID, b.ID, at(160)}, {b.ID, a.ID, at(160)}}, at(170))
	if len(memory) != 2 {
		t.Errorf("%d emissions, want 2", len(memory))
	}
}

// The channel forgets what can never be shown again, measured from its newest activity and not from the clock.
func TestForget(t *testing.T) {
	old, new := story(0, by("a", 100)), story(0, by("b", 60*24*70))
	memory := Channel{}.Advance(nil, []sheaf.Story{old}, nil, at(150))
	if memory = (Channel{}).Advance(memory, nil, nil, at(60*24*5000)); len(memory) != 1 {
		t.Fatal("the clock alone made the channel forget")
	}
	memory = Channel{}.Advance(memory, []sheaf.Story{new}, nil, at(60*24*71))
	if len(memory) != 1 || memory[0].Story != new.ID {
		t.Errorf("memory = %+v", memory)
	}
	quiet := Channel{Fewest: 2}
	memory = quiet.Advance(nil, []sheaf.Story{old}, nil, at(150))
	if memory = quiet.Advance(memory, []sheaf.Story{new}, nil, at(60*24*71)); len(memory) != 2 {
		t.Errorf("a quiet channel forgot: memory = %+v", memory)
	}
}

func TestWindow(t *testing.T) {
	var stories []sheaf.Story
	for i, outlet := range []string{"a", "b", "c", "d"} {
		stories = append(stories, story(0, by(outlet, i*60*13)))
	}
	for _, tt := range []struct {
		name    string
		channel Channel
		want    int
	}{
		{"all", Channel{}, 4},
		{"by size", Channel{Size: 2}, 2},
		{"by span", Channel{Span: 30 * time.Hour}, 3},
		{"a span is a day at least", Channel{Span: time.Minute}, 2},
		{"but never fewer", Channel{Span: time.Minute, Fewest: 3}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			memory := tt.channel.Advance(nil, stories, nil, at(60*24*3))
			shown, _ := tt.channel.withDefaults().window(memory)
			if len(shown) != tt.want {
				t.Errorf("%d shown, want %d", len(shown), tt.want)
			}
			for i := 1; i < len(shown); i++ {
				if shown[i].Updated.After(shown[i-1].Updated) {
					t.Error("not newest first")
				}
			}
		})
	}
}

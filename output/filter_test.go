package output

import (
	"strings"
	"testing"
	"time"

	"sheaf"
)

func TestFilter(t *testing.T) {
	s := story(0, by("a", 100), by("b", 110), by("c", 300))
	s.Members[0].Categories, s.Members[0].Text = []string{"World  News"}, "The ferry's captain spoke of a Near-Miss."
	s.Members[1].Lang, s.Members[1].Outlet.Owner = "de-AT", "Big Co."
	s.Members[2].Title = "港で衝突事故が発生"
	for _, tt := range []struct {
		name   string
		filter Filter
		want   bool
	}{
		{"nothing asked", Filter{}, true},
		{"an outlet", Filter{Outlets: []string{"x", "OUTLET  b"}}, true},
		{"other outlets", Filter{Outlets: []string{"x"}}, false},
		{"an owner", Filter{Owners: []string{"big co"}}, true},
		{"another owner", Filter{Owners: []string{"small co"}}, false},
		{"a category", Filter{Categories: []string{"world news"}}, true},
		{"another category", Filter{Categories: []string{"world"}}, false},
		{"a language", Filter{Languages: []string{"DE"}}, true},
		{"a region", Filter{Languages: []string{"de-CH"}}, false},
		{"a language that only begins alike", Filter{Languages: []string{"e"}}, false},
		{"a word", Filter{Words: []string{"Ferrys"}}, true},
		{"a phrase across punctuation", Filter{Words: []string{"near miss"}}, true},
		{"a part of a word", Filter{Words: []string{"capt"}}, false},
		{"the beginning of a word", Filter{Words: []string{"capt*"}}, true},
		{"a word of a script without spaces", Filter{Words: []string{"衝突"}}, true},
		{"another one", Filter{Words: []string{"地震"}}, false},
		{"enough independent reports", Filter{Independent: 3}, true},
		{"too few", Filter{Independent: 4}, false},
		{"fast enough", Filter{Growth: Growth{2, 10 * time.Minute}}, true},
		{"too slow", Filter{Growth: Growth{3, time.Hour}}, false},
		{"young enough", Filter{Age: 200 * time.Minute}, true},
		{"too old", Filter{Age: 199 * time.Minute}, false},
		{"all must be met", Filter{Outlets: []string{"Outlet a"}, Words: []string{"earthquake"}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.filter.validate(); err != nil {
				t.Fatal(err)
			}
			memory := Channel{Filter: tt.filter}.Advance(nil, []sheaf.Story{s}, nil, at(400))
			if got := len(memory) == 1; got != tt.want {
				t.Errorf("published: %v, want %v", got, tt.want)
			}
		})
	}
}

// A story that qualifies late must not slip in below what was read already.
func TestFilterSetsPublished(t *testing.T) {
	s := story(0, by("a", 100), by("b", 110), by("c", 300))
	for _, tt := range []struct {
		name   string
		filter Filter
		want   int
	}{
		{"independent", Filter{Independent: 3}, 300}, {"growth", Filter{Growth: Growth{2, time.Hour}}, 110}, {"none", Filter{}, 100},
	} {
		t.Run(tt.name, func(t *testing.T) {
			memory := Channel{Filter: tt.filter}.Advance(nil, []sheaf.Story{s}, nil, at(400))
			if got := tell(memory[0]).Published; got != tt.want {
				t.Errorf("published at minute %d, want %d", got, tt.want)
			}
		})
	}
}

func TestMute(t *testing.T) {
	s := story(0, by("a", 100), by("b", 110), by("c", 120))
	s.Members[0].Title, s.Members[1].Title, s.Members[2].Title = "Cup final tonight", "Football: cup final", "A quiet match"
	for _, tt := range []struct {
		name  string
		mute  Mute
		shown bool
	}{
		{"nothing", Mute{}, true},
		{"one outlet of three", Mute{Outlets: []string{"Outlet a"}}, true},
		{"all outlets", Mute{Outlets: []string{"Outlet a", "outlet B", "Outlet c"}}, false},
		{"a word of the lead", Mute{Words: []string{"tonight"}}, false},
		{"a word of most", Mute{Words: []string{"cup final"}}, false},
		{"a word of one", Mute{Words: []string{"quiet"}}, true},
		{"a word of none", Mute{Words: []string{"chess"}}, true},
		{"the story", Mute{Stories: []sheaf.StoryID{s.ID}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fresh := Channel{Mute: tt.mute}.Advance(nil, []sheaf.Story{s}, nil, at(400))
			shown, _ := Channel{}.withDefaults().window(fresh)
			if got := len(shown) == 1; got != tt.shown {
				t.Errorf("a new story is shown: %v, want %v", got, tt.shown)
			}
			published := Channel{}.Advance(nil, []sheaf.Story{s}, nil, at(400))
			muted := Channel{Mute: tt.mute}.Advance(published, nil, nil, at(500))
			shown, _ = Channel{}.withDefaults().window(muted)
			if got := len(shown) == 1; got != tt.shown {
				t.Errorf("a published story is shown: %v, want %v", got, tt.shown)
			}
			back := Channel{}.Advance(muted, nil, nil, at(600))
			if !sameEmission(back[0], published[0]) {
				t.Error("without the mute the item is not what it was")
			}
		})
	}
}

func TestMutedOutletIsLeftOut(t *testing.T) {
	s := story(0, by("a", 100), by("b", 110), by("c", 120))
	memory := Channel{Mute: Mute{Outlets: []string{"Outlet a"}}}.Advance(nil, []sheaf.Story{s}, nil, at(400))
	if got := tell(memory[0]); got != (told{110, 120, "b-x", 2}) {
		t.Errorf("emission = %+v", got)
	}
}

func TestOrder(t *testing.T) {
	old, wide, new := story(0, by("a", 100)), story(0, by("b", 110), by("c", 111), by("d", 112)), story(0, by("e", 120))
	grown := story(0, by("a", 100), by("f", 130))
	memory := Channel{}.Advance(nil, []sheaf.Story{old, wide, new}, nil, at(125))
	memory = Channel{}.Advance(memory, []sheaf.Story{grown}, nil, at(140))
	for _, tt := range []struct {
		order Order
		want  [3]sheaf.StoryID
	}{
		{"", [3]sheaf.StoryID{old.ID, new.ID, wide.ID}},
		{OrderActivity, [3]sheaf.StoryID{old.ID, new.ID, wide.ID}},
		{OrderPublished, [3]sheaf.StoryID{new.ID, wide.ID, old.ID}},
		{OrderCoverage, [3]sheaf.StoryID{wide.ID, old.ID, new.ID}},
	} {
		t.Run(string(tt.order), func(t *testing.T) {
			shown, _ := Channel{Order: tt.order}.withDefaults().window(memory)
			for i, e := range shown {
				if e.Story != tt.want[i] {
					t.Errorf("item %d is %s, want %s", i, e.Story, tt.want[i])
				}
			}
		})
	}
}

func TestValidate(t *testing.T) {
	for _, tt := range []struct {
		name    string
		channel Channel
		ok      bool
	}{
		{"least", Channel{Name: "a"}, true},
		{"all", Channel{Name: "world-2", Language: "en-GB", Lead: LeadBest, Profile: ProfileAlerts, Order: OrderCoverage, Milestones: []int{2, 5}}, true},
		{"no name", Channel{}, false},
		{"a name with a slash", Channel{Name: "a/b"}, false},
		{"a name in capitals", Channel{Name: "World"}, false},
		{"too long a name for an archive", Channel{Name: strings.Repeat("a", 60), Archive: true}, false},
		{"lead", Channel{Name: "a", Lead: "newest"}, false},
		{"profile", Channel{Name: "a", Profile: "story"}, false},
		{"order", Channel{Name: "a", Order: "random"}, false},
		{"language", Channel{Name: "a", Language: "English, please"}, false},
		{"milestones that fall", Channel{Name: "a", Milestones: []int{10, 3}}, false},
		{"milestones from nothing", Channel{Name: "a", Milestones: []int{0, 3}}, false},
		{"a word of nothing", Channel{Name: "a", Filter: Filter{Words: []string{"*"}}}, false},
		{"a muted word of nothing", Channel{Name: "a", Mute: Mute{Words: []string{" - "}}}, false},
		{"growth without time", Channel{Name: "a", Filter: Filter{Growth: Growth{Outlets: 3}}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.channel.Validate(); (err == nil) != tt.ok {
				t.Errorf("Validate() = %v", err)
			}
		})
	}
}

func TestValidateSite(t *testing.T) {
	for _, tt := range []struct {
		name string
		site Site
		ok   bool
	}{
		{"least", Site{BaseURL: "http://127.0.0.1:8080"}, true},
		{"in a folder", Site{BaseURL: "https://x.example/news", Hub: "https://hub.example/", Icon: "https://x.example/i.png"}, true},
		{"none", Site{}, false},
		{"slash at the end", Site{BaseURL: "https://x.example/"}, false},
		{"hub", Site{BaseURL: "https://x.example", Hub: "hub"}, false},
		{"icon", Site{BaseURL: "https://x.example", Icon: "data:image/png,x"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.site.Validate(); (err == nil) != tt.ok {
				t.Errorf("Validate() = %v", err)
			}
		})
	}
}

func TestSnippets(t *testing.T) {
	s := story(0, by("a", 100))
	s.Members[0].Summary = "One sentence here. And another one, rather longer than the first."
	for _, tt := range []struct {
		name string
		of   Snippets
		want string
	}{
		{"default", Snippets{}, s.Members[0].Summary},
		{"shorter", Snippets{Default: 20}, "One sentence here."},
		{"none", Snippets{Default: -1}, ""},
		{"of one outlet", Snippets{Default: 20, Outlets: map[string]int{"OUTLET a": 300}}, s.Members[0].Summary},
		{"none of one outlet", Snippets{Outlets: map[string]int{"Outlet a": 0}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			memory := Channel{Snippets: tt.of}.Advance(nil, []sheaf.Story{s}, nil, at(200))
			if got := memory[0].Item.Teaser; got != tt.want {
				t.Errorf("teaser = %q, want %q", got, tt.want)
			}
		})
	}
}

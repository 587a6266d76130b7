package sheaf

import (
	"testing"
	"time"
)

func TestUUID(t *testing.T) {
	// Vector of the output specification; checked against another implementation.
	if got, want := UUID("https://alpha.example/ferry-bridge"), "fea1b806-87fa-517b-ac11-cecf2b2b1357"; got != want {
		t.Errorf("UUID = %s, want %s", got, want)
	}
}

func TestOutletID(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"Alpha News", "alpha-news"},
		{"  Beta & Sons ", "beta-sons"},
		{"L’Écho", "lécho"},
		{"The People's Post", "the-peoples-post"},
		{"朝日新聞", "朝日新聞"},
		{"N.Y. 24/7", "n-y-24-7"},
		{"...", ""},
	} {
		if got := (Outlet{Name: tt.name}).ID(); string(got) != tt.want {
			t.Errorf("Outlet{%q}.ID() = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestArticleTime(t *testing.T) {
	seen := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	old, future := seen.AddDate(-3, 0, 0), seen.Add(time.Hour)
	for _, tt := range []struct {
		name string
		a    Article
		want time.Time
	}{
		{"claim in the past is kept", Article{Published: old, FirstSeen: seen}, old},
		{"claim in the future is clamped", Article{Published: future, FirstSeen: seen}, seen},
		{"update stands in for publication", Article{Updated: old, FirstSeen: seen}, old},
		{"no claim", Article{FirstSeen: seen}, seen},
		{"outside a sweep nothing was seen", Article{Published: old}, old},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.a.Time(); !got.Equal(tt.want) {
				t.Errorf("Time() = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestStoryFacts(t *testing.T) {
	at := func(h int) time.Time { return time.Date(2026, 11, 30, h, 0, 0, 0, time.UTC) }
	report := func(id, outlet, owner string, h int, role Role) Member {
		return Member{Article: Article{ID: ArticleID(id), Outlet: Outlet{Name: outlet, Owner: owner}, Published: at(h)}, Role: role}
	}
	s := Story{Members: []Member{
		report("d", "Delta", "Big Co", 11, RoleReport),
		report("a", "Alpha", "", 9, RoleReport),
		report("b", "Beta", "Big Co", 10, RoleReport),
		report("a2", "Alpha", "", 12, RoleReport),
		report("c", "Gamma", "", 10, RoleCopy),
		report("e", "Epsilon", "", 13, RoleAside),
	}}
	SortMembers(s.Members)
	if got := s.Members[1].ID; got != "b" {
		t.Errorf("second member = %s, want b: ties go by id", got)
	}
	if got, want := len(s.Outlets()), 5; got != want {
		t.Errorf("outlets = %d, want %d", got, want)
	}
	if got, want := s.Independent(), 2; got != want {
		t.Errorf("independent = %d, want %d: Alpha and one of Big Co", got, want)
	}
	if !s.First().Equal(at(9)) || !s.Last().Equal(at(13)) {
		t.Errorf("first, last = %v, %v", s.First(), s.Last())
	}
	if got := s.Led().Name; got != "Alpha" {
		t.Errorf("led by %s, want Alpha", got)
	}
	s.Members[0].FirstSeen = at(20) // an old date that was claimed late
	if got := s.Led().Name; got == "Alpha" {
		t.Error("a back-dated article stole the lead")
	}
	if got, want := s.Speed(), 1.0; got != want {
		t.Errorf("speed = %v outlets an hour, want %v: four joined in four hours", got, want)
	}
	if s.Member("c") == nil || s.Member("zz") != nil {
		t.Error("Member does not find by id")
	}
}

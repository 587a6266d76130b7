package sheaf

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// StoryID names a story for good: a UUID, given once when the story starts and never reused.
type StoryID string

// Story is every article on one event.
type Story struct {
	ID      StoryID
	Lead    ArticleID // the article that heads the story, by the rules of grouping; a member
	Members []Member  // oldest first by (Time, ID)
	Related []Related // stories on other events that are close to this one; at most three
	Follows StoryID   // the closed story this one continues; empty if none
}

// Role says what a member contributes to the coverage.
type Role string

// The roles of a member.
const (
	RoleReport Role = "report" // an independent report: its own words
	RoleCopy   Role = "copy"   // the text of another member, lightly edited or under another name
	RoleAside  Role = "aside"  // opinion, explainer or live blog: listed, neither lead nor independent report
)

// Member is an article with its part in a story.
type Member struct {
	Article
	Role   Role
	CopyOf ArticleID // with RoleCopy: the member whose text it is
}

// Related points at another story without counting its articles.
type Related struct {
	Story StoryID
	Score float64 // probability in 0–1 that both are one event
}

// SortMembers puts members in reading order: oldest first, ties by id.
func SortMembers(members []Member) {
	slices.SortFunc(members, func(a, b Member) int {
		return cmp.Or(a.Time().Compare(b.Time()), strings.Compare(string(a.ID), string(b.ID)))
	})
}

// Member returns the member with the given id, or nil.
func (s *Story) Member(id ArticleID) *Member {
	for i := range s.Members {
		if s.Members[i].ID == id {
			return &s.Members[i]
		}
	}
	return nil
}

// Outlets lists the distinct outlets in the order of their first article. Outlets that only carry a copy are included.
func (s *Story) Outlets() []Outlet {
	var outlets []Outlet
	seen := make(map[OutletID]bool, len(s.Members))
	for i := range s.Members {
		if id := s.Members[i].Outlet.ID(); !seen[id] {
			seen[id] = true
			outlets = append(outlets, s.Members[i].Outlet)
		}
	}
	return outlets
}

// Independent counts the texts written in their own words, one for each family of outlets: copies, asides and a second report of the
// same family confirm nothing.
func (s *Story) Independent() int {
	families := make(map[string]bool, len(s.Members))
	for i := range s.Members {
		if m := &s.Members[i]; m.Role == RoleReport {
			families[m.Outlet.Family()] = true
		}
	}
	return len(families)
}

// First is the time of the oldest member, Last of the newest; both are zero for a story without members.
func (s *Story) First() time.Time {
	if len(s.Members) == 0 {
		return time.Time{}
	}
	return s.Members[0].Time()
}

// Last is the time of the newest member.
func (s *Story) Last() time.Time {
	if len(s.Members) == 0 {
		return time.Time{}
	}
	return s.Members[len(s.Members)-1].Time()
}

// Led is the outlet that reported first: the one whose article was seen first, ties going to the earlier claim. An article that claims an
// old date cannot steal the place.
func (s *Story) Led() Outlet {
	var led *Member
	for i := range s.Members {
		m := &s.Members[i]
		if led == nil || m.FirstSeen.Before(led.FirstSeen) {
			led = m
		}
	}
	if led == nil {
		return Outlet{}
	}
	return led.Outlet
}

// Wire is the agency that a member credits; empty if none does.
func (s *Story) Wire() string {
	for i := range s.Members {
		if s.Members[i].Wire != "" {
			return s.Members[i].Wire
		}
	}
	return ""
}

// Speed is how many outlets joined an hour, from the first article to the last outlet's first; 0 for a story of one outlet or moment.
func (s *Story) Speed() float64 {
	seen := make(map[OutletID]bool, len(s.Members))
	var last time.Time
	for i := range s.Members {
		if id := s.Members[i].Outlet.ID(); !seen[id] {
			seen[id] = true
			last = s.Members[i].Time()
		}
	}
	hours := last.Sub(s.First()).Hours()
	if len(seen) < 2 || hours <= 0 {
		return 0
	}
	return float64(len(seen)-1) / hours
}

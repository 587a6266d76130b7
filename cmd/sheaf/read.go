package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"sheaf"
	"sheaf/cmd/internal/app"
	"sheaf/cmd/internal/config"
)

// reading makes the body of a command that only reads an installation.
func (g *global) reading(f func(c *cobra.Command, r *app.Reader, conf *config.Config, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) (err error) {
		conf, err := g.load()
		if err != nil {
			return err
		}
		r, err := app.OpenReader(c.Context(), conf)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, r.Close()) }()
		return f(c, r, conf, args)
	}
}

// writeJSON prints one document.
func writeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// storyView is a story as the commands print it. Its JSON keys are an interface: added, never renamed.
type storyView struct {
	ID          sheaf.StoryID   `json:"id"`
	Title       string          `json:"title"`
	URL         string          `json:"url,omitzero"`
	First       time.Time       `json:"first"`
	Last        time.Time       `json:"last"`
	Articles    int             `json:"articles"`
	Outlets     int             `json:"outlets"`
	Families    int             `json:"families"`    // outlets of one owner counted once
	Independent int             `json:"independent"` // families with words of their own
	Texts       int             `json:"texts"`       // different texts, copies left out
	Led         string          `json:"led"`         // outlet that was first
	Wire        string          `json:"wire,omitzero"`
	PerHour     float64         `json:"per_hour"` // outlets that joined, an hour, from the first to the last of them
	Follows     sheaf.StoryID   `json:"follows,omitzero"`
	Related     []sheaf.Related `json:"related,omitzero"`
	Members     []memberView    `json:"members,omitzero"`
}

// memberView is an article in a story.
type memberView struct {
	ID        sheaf.ArticleID `json:"id"`
	Outlet    string          `json:"outlet"`
	Title     string          `json:"title"`
	URL       string          `json:"url,omitzero"`
	Published time.Time       `json:"published"`
	FirstSeen time.Time       `json:"first_seen"`
	Role      sheaf.Role      `json:"role"`
	CopyOf    sheaf.ArticleID `json:"copy_of,omitzero"`
}

// viewOf gathers the facts of a story.
func viewOf(s *sheaf.Story) storyView {
	v := storyView{
		ID: s.ID, First: s.First(), Last: s.Last(), Articles: len(s.Members), Outlets: len(s.Outlets()), Independent: s.Independent(),
		Led: s.Led().Name, Wire: s.Wire(), PerHour: s.Speed(), Follows: s.Follows, Related: s.Related,
	}
	if lead := s.Member(s.Lead); lead != nil {
		v.Title, v.URL = lead.Title, lead.URL
	}
	families := map[string]bool{}
	for i := range s.Members {
		m := &s.Members[i]
		families[m.Outlet.Family()] = true
		if m.Role != sheaf.RoleCopy {
			v.Texts++
		}
		v.Members = append(v.Members, memberView{m.ID, m.Outlet.Name, m.Title, m.URL, m.Time(), m.FirstSeen, m.Role, m.CopyOf})
	}
	v.Families = len(families)
	return v
}

func writeStoryView(w io.Writer, v storyView) {
	fmt.Fprintf(w, "%s\n  story %s\n", v.Title, v.ID)
	if v.URL != "" {
		fmt.Fprintf(w, "  %s\n", v.URL)
	}
	fmt.Fprintf(w, "  %s by %s; %s, %s\n", count(v.Articles, "article"), count(v.Outlets, "outlet"), count(v.Texts, "text"), count(v.Independent, "independent report"))
	fmt.Fprintf(w, "  first %s by %s, latest %s", clock(v.First), v.Led, clock(v.Last))
	if v.PerHour > 0 {
		fmt.Fprintf(w, ", %.1f outlets an hour", v.PerHour)
	}
	fmt.Fprintln(w)
	if v.Wire != "" {
		fmt.Fprintf(w, "  wire: %s\n", v.Wire)
	}
	if v.Follows != "" {
		fmt.Fprintf(w, "  follows story %s\n", v.Follows)
	}
	for _, r := range v.Related {
		fmt.Fprintf(w, "  related: story %s (%.2f)\n", r.Story, r.Score)
	}
}

func writeMember(w io.Writer, m memberView) {
	note := ""
	switch m.Role {
	case sheaf.RoleCopy:
		note = ", same text as " + string(m.CopyOf)
	case sheaf.RoleAside:
		note = ", aside"
	}
	fmt.Fprintf(w, "\n  %s  %s%s\n    %s\n    article %s\n", clock(m.Published), m.Outlet, note, m.Title, m.ID)
	if m.URL != "" {
		fmt.Fprintf(w, "    %s\n", m.URL)
	}
}

func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sheaf"
)

// What an editor takes back leaves no trace: every article is with those it was with before.
func TestUndo(t *testing.T) {
	for _, tc := range []struct {
		name    string
		correct func(ctx context.Context, e *Editor, first, second sheaf.Story) error
	}{
		{"merge", func(ctx context.Context, e *Editor, first, second sheaf.Story) error {
			_, err := e.Merge(ctx, string(first.ID), string(second.ID))
			return err
		}},
		{"split", func(ctx context.Context, e *Editor, first, _ sheaf.Story) error {
			_, err := e.Split(ctx, string(first.ID), []string{string(first.Members[0].ID), string(first.Members[1].ID)})
			return err
		}},
		{"never", func(ctx context.Context, e *Editor, first, _ sheaf.Story) error {
			_, err := e.Never(ctx, string(first.Members[0].ID), string(first.Members[2].ID))
			return err
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := samplesIn(t, "channels: [{name: stories, settle: '0'}]")
			sweepOnce(t, c)
			e, err := OpenEditor(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			before, first, second := placed(t, e)
			if err := tc.correct(t.Context(), e, first, second); err != nil {
				t.Fatal(err)
			}
			sweepOnce(t, c)
			if corrected, _, _ := placed(t, e); cmp.Equal(together(before), together(corrected)) {
				t.Fatal("the correction changed nothing")
			}
			if _, err := e.Undo(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
			sweepOnce(t, c)
			after, _, _ := placed(t, e)
			if diff := cmp.Diff(together(before), together(after)); diff != "" {
				t.Errorf("placement (-before +after the undo):\n%s", diff)
			}
		})
	}
}

// together lists the articles of each story, whatever its id.
func together(p Placement) []string {
	var stories []string
	for _, members := range p.stories() {
		slices.Sort(members)
		stories = append(stories, fmt.Sprint(members))
	}
	slices.Sort(stories)
	return stories
}

// placed says where every article is, and gives the two stories with the most reports in their own words.
func placed(t *testing.T, e *Editor) (p Placement, first, second sheaf.Story) {
	t.Helper()
	p, err := e.Placed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	newest, err := e.Newest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stories, err := e.Stories(t.Context(), newest.AddDate(-1, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	for i := range stories {
		stories[i].Members = slices.DeleteFunc(stories[i].Members, func(m sheaf.Member) bool { return m.Role != sheaf.RoleReport })
	}
	slices.SortFunc(stories, func(a, b sheaf.Story) int {
		if n := len(b.Members) - len(a.Members); n != 0 {
			return n
		}
		return strings.Compare(string(a.ID), string(b.ID))
	})
	return p, stories[0], stories[1]
}

package store

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf/dedupe"
)

func TestUndoneSince(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2026, 9, 22, 12, minute, 0, 0, time.UTC) }
	first := dedupe.Constraint{A: "a", B: "b", Together: true}
	second := dedupe.Constraint{A: "c", B: "d"}
	corrections := []Correction{
		{Constraints: []dedupe.Constraint{first}, At: at(1), Undone: at(4)},
		{Constraints: []dedupe.Constraint{second}, At: at(2), Undone: at(3)},
		{At: at(5)},
	}
	for _, tc := range []struct {
		name    string
		version int64
		want    []dedupe.Constraint
	}{
		{"what was never carried out need not be taken back", 0, nil},
		{"said, the other not yet", 1, []dedupe.Constraint{first}},
		{"both held", 2, []dedupe.Constraint{second, first}},
		{"one of them undone already", 3, []dedupe.Constraint{first}},
		{"all undone already", 4, nil},
		{"nothing new", 5, nil},
		{"a version from elsewhere", 9, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, UndoneSince(corrections, tc.version)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

package sqlite

import (
	"path/filepath"
	"testing"
)

// A database that is written between two checks is sound in both: FTS5 keeps what it knows of its segments for each connection, and its
// part of the check does not see that they were merged since.
func TestCheckAgain(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "sheaf.db"))
	for round := range 40 {
		if err := db.Save(t.Context(), document(round, 5)); err != nil {
			t.Fatal(err)
		}
		if err := db.IndexWords(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := db.Check(t.Context()); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
}

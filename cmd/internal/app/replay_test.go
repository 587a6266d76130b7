package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sheaf"
	"sheaf/cmd/internal/config"
	"sheaf/dedupe"
)

// samplesIn opens an App on the sample outlets, state and documents in a directory of the test.
func samplesIn(t *testing.T, extra string) *config.Config {
	t.Helper()
	examples, err := filepath.Abs("../../../examples")
	if err != nil {
		t.Fatal(err)
	}
	var addresses []string
	for _, pattern := range []string{"*.rss", "*.atom", "*.json"} {
		files, err := filepath.Glob(filepath.Join(examples, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			addresses = append(addresses, "file:"+f)
		}
	}
	return settings(t, extra, addresses...)
}

// sweepOnce is a process of one sweep.
func sweepOnce(t *testing.T, c *config.Config) {
	t.Helper()
	a, err := Open(t.Context(), c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	sweep(t, a)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

// What was grouped in several runs, by several processes, is grouped alike when replayed from scratch.
func TestReplay(t *testing.T) {
	c := samplesIn(t, "channels: [{name: stories, settle: '0'}]")
	all := c.Feeds
	for _, n := range []int{2, 5, len(all)} { // feeds are added over time
		c.Feeds = all[:n]
		sweepOnce(t, c)
	}
	r, err := OpenReader(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	live, err := r.Placed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again, err := r.Replay(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(live) < 50 {
		t.Errorf("only %d articles were grouped", len(live))
	}
	if diff := cmp.Diff(live, again); diff != "" {
		t.Errorf("placement (-live +replayed):\n%s", diff)
	}
}

// A configuration that contradicts an editor is told apart from one that does not.
func TestBacktest(t *testing.T) {
	c := samplesIn(t, "channels: [{name: stories, settle: '0'}]")
	sweepOnce(t, c)
	e, err := OpenEditor(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Pin(t.Context(), "https://www.radiocarrow.example/ferry-rescue-carrow-bay"); err != nil {
		t.Fatal(err)
	}
	same, err := e.Backtest(t.Context(), c, c)
	if err != nil {
		t.Fatal(err)
	}
	if same.Worse() || len(same.Changes) != 0 || same.Constraints != 1 || same.KeptBefore != 1 {
		t.Errorf("the same configuration = %+v, want no change and the constraint kept", same)
	}
	blind := *c
	blind.Grouping.Model = filepath.Join(t.TempDir(), "model.json")
	if err := os.WriteFile(blind.Grouping.Model, []byte(`{"version": "blind", "bias": -20, "terms": [{"term": "c_at", "weight": 0.1}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	worse, err := e.Backtest(t.Context(), c, &blind)
	if err != nil {
		t.Fatal(err)
	}
	if !worse.Worse() || len(worse.Changes) == 0 || worse.Changes[0].Kind != "split" {
		t.Errorf("a model that joins nothing = %+v, want it to be worse, by splits", worse)
	}
}

func TestCompare(t *testing.T) {
	before := Placement{"a": "1", "b": "1", "c": "2", "d": "3", "e": "3", "f": "4", "g": "5", "h": "5"}
	after := Placement{"a": "1", "b": "1", "c": "3", "d": "3", "e": "3", "f": "4", "g": "5", "h": "6"}
	want := []Change{
		{Kind: "merge", Before: []sheaf.StoryID{"2", "3"}, After: []sheaf.StoryID{"3"}, Members: []sheaf.ArticleID{"c", "d", "e"}},
		{Kind: "split", Before: []sheaf.StoryID{"5"}, After: []sheaf.StoryID{"5", "6"}, Members: []sheaf.ArticleID{"g", "h"}},
	}
	if diff := cmp.Diff(want, before.Compare(after)); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	kept, of := after.Kept([]dedupe.Constraint{{A: "c", B: "d", Together: true}, {A: "g", B: "h", Together: true}, {A: "a", B: "f"}, {A: "a", B: "gone"}})
	if kept != 2 || of != 3 {
		t.Errorf("kept %d of %d, want 2 of 3", kept, of)
	}
}

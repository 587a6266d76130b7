package eval

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"sheaf/dedupe"
)

// TestDevelopmentStreams holds the grouping to what it reaches on the labelled development streams, which lie beside the checkout.
func TestDevelopmentStreams(t *testing.T) {
	for _, tt := range []struct {
		file                    string
		b3, pairwise, macro, nm float64 // least allowed
	}{
		{"dev-summary", 0.92, 0.90, 0.92, 0},
		{"dev-mixed", 0.93, 0.91, 0.92, 0},
		{"dev-title", 0.843, 0.773, 0.858, 0},
		{"dev-duels-summary", 0.911, 0.885, 0, 0.855},
	} {
		t.Run(tt.file, func(t *testing.T) {
			streams := development(t, tt.file)
			groupings := make([]Grouping, len(streams))
			for i := range streams {
				decisions, err := Group(streams[i].Articles(), dedupe.Options{})
				if err != nil {
					t.Fatal(err)
				}
				groupings[i] = Stories(decisions)
			}
			r := Evaluate(streams, groupings)
			t.Logf("B-cubed %.4f, pairwise %.4f, macro %.4f, never mixed %.4f", r.All.B3.F, r.All.Pairwise.F, r.MacroB3, r.NeverMixed)
			for what, v := range map[string][2]float64{
				"B-cubed F": {r.All.B3.F, tt.b3}, "pairwise F": {r.All.Pairwise.F, tt.pairwise},
				"mean B-cubed F of sets": {r.MacroB3, tt.macro}, "never mixed": {r.NeverMixed, tt.nm},
			} {
				if v[0] < v[1] {
					t.Errorf("%s = %.4f, want %.4f at least", what, v[0], v[1])
				}
			}
		})
	}
}

// TestSeeds groups five reports of one event in a week of other events about the same people.
func TestSeeds(t *testing.T) {
	for profile, most := range map[dedupe.Profile]int{dedupe.Strict: 0, dedupe.Balanced: 2} {
		t.Run(string(profile), func(t *testing.T) {
			s := development(t, "seeds")[0]
			decisions, err := Group(s.Articles(), dedupe.Options{Profile: profile})
			if err != nil {
				t.Fatal(err)
			}
			home := ""
			joined := 0
			for _, it := range s.Items {
				story := string(decisions[it.ID].Story)
				if it.Note != "seed" {
					continue
				}
				if home == "" {
					home = story
				}
				if d := decisions[it.ID]; story != home || d.CopyOf != "" {
					t.Errorf("%s is in story %s, copy of %q, want story %s in its own words", it.ID, story, d.CopyOf, home)
				}
			}
			for _, it := range s.Items {
				if string(decisions[it.ID].Story) != home {
					continue
				}
				switch it.Note {
				case "distractor":
					joined++
				case "roundup":
					t.Errorf("the roundup counts as coverage")
				}
			}
			if joined > most {
				t.Errorf("%d distractors joined, want %d at most", joined, most)
			}
		})
	}
}

// development reads one of the streams; without them the test is skipped, but not in CI.
func development(t *testing.T, name string) []Stream {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", "grouping", name+".jsonl.gz")
	f, err := os.Open(path)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("no development data: %v", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	streams, err := Read(z, path)
	if err != nil {
		t.Fatal(err)
	}
	return streams
}

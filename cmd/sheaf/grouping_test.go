package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"sheaf/dedupe"
)

const fewArticles = `{"stream":"s","id":"2","outlet":"Echo","title":"Fog blamed as ferry Halvard hits rocks near Calder Point","published":"2026-03-02T09:30:00Z","label":"ferry","set":"x"}
{"stream":"s","id":"1","outlet":"Post","title":"Ferry Halvard runs aground off Calder Point","summary":"The ferry Halvard ran aground on rocks off Calder Point in fog.","published":"2026-03-02T08:00:00Z","label":"ferry","set":"x"}
{"stream":"s","id":"3","outlet":"Post","title":"Orchestra cancels summer tour","published":"2026-03-02T10:00:00Z","label":"tour","set":"x"}
`

// runTool executes a command with arguments and gives what it printed.
func runTool(t *testing.T, c *cobra.Command, stdin string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	c.SetArgs(args)
	c.SetIn(strings.NewReader(stdin))
	c.SetOut(&out)
	c.SetErr(&out)
	c.SilenceUsage, c.SilenceErrors = true, true
	err := c.Execute()
	return out.String(), err
}

func gzipped(t *testing.T, dir, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "articles.jsonl.gz")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestGroupPrintsArticlesInOrderOfTheFile(t *testing.T) {
	for name, args := range map[string][]string{"standard input": {"-"}, "gzip": {gzipped(t, t.TempDir(), fewArticles)}} {
		t.Run(name, func(t *testing.T) {
			out, err := runTool(t, groupCommand(), fewArticles, args...)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for dec := json.NewDecoder(strings.NewReader(out)); dec.More(); {
				var l struct{ Stream, ID, Story, Decision, Reason string }
				if err := dec.Decode(&l); err != nil {
					t.Fatal(err)
				}
				got = append(got, l.ID+" "+l.Story+" "+l.Decision+" "+l.Reason)
			}
			want := "2 1 join same_event, 1 1 start new, 3 3 start new"
			if s := strings.Join(got, ", "); s != want {
				t.Errorf("group printed %q, want %q", s, want)
			}
		})
	}
}

func TestEvalJSON(t *testing.T) {
	out, err := runTool(t, evalCommand(), fewArticles, "--json", "-")
	if err != nil {
		t.Fatal(err)
	}
	var r map[string]json.RawMessage
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"file", "all", "macro", "sets", "stories", "gold", "streams"} {
		if r[key] == nil {
			t.Errorf("no %q in %s", key, out)
		}
	}
	if r["never_mixed"] != nil {
		t.Error("one stream says never_mixed")
	}
	two := fewArticles + strings.ReplaceAll(fewArticles, `"stream":"s"`, `"stream":"t"`)
	out, err = runTool(t, evalCommand(), two, "--json", "-")
	if err != nil || !strings.Contains(out, `"never_mixed":1`) {
		t.Errorf("two streams: %s, %v, want never_mixed 1", out, err)
	}
}

func TestEvalForPeople(t *testing.T) {
	out, err := runTool(t, evalCommand(), fewArticles, "-")
	if err != nil || !strings.Contains(out, "B-cubed 1.0000 1.0000 1.0000") {
		t.Errorf("eval printed %q, %v", out, err)
	}
}

func TestGroupingFaults(t *testing.T) {
	for _, tt := range []struct {
		name, stdin, want string
		args              []string
	}{
		{"bad line", "{}\n", "stdin:1: ", []string{"-"}},
		{"no file", "", "no such file", []string{"missing.jsonl"}},
		{"unknown profile", fewArticles, "unknown profile", []string{"--profile", "bold", "-"}},
		{"no model", fewArticles, "no such file", []string{"--model", "missing.json", "-"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if out, err := runTool(t, groupCommand(), tt.stdin, tt.args...); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("group: %q, %v, want %q", out, err, tt.want)
			}
		})
	}
	if _, err := runTool(t, evalCommand(), "", "-"); err == nil {
		t.Error("eval of nothing succeeded")
	}
}

func TestTrainWritesAModelThatEvalTakes(t *testing.T) {
	var lines strings.Builder
	for _, event := range []string{"alpha", "bravo", "cargo", "delta", "eagle", "fjord", "gamma", "hotel"} {
		for _, n := range []string{"one", "two", "three", "four"} {
			lines.WriteString(`{"stream":"s","id":"` + event + n + `","outlet":"` + n + `","title":"` + event + ` crane falls on ` + event + `town","summary":"The ` +
				event + ` crane fell, ` + n + ` said.","published":"2026-03-02T08:00:00Z","label":"` + event + `","set":"x"}` + "\n")
		}
	}
	out := filepath.Join(t.TempDir(), "model.json")
	if _, err := runTool(t, trainCommand(), lines.String(), "-o", out, "-"); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := dedupe.ParseModel(data); err != nil || m.Version == "" {
		t.Errorf("model %+v, %v", m, err)
	}
	if _, err := runTool(t, evalCommand(), fewArticles, "--model", out, "-"); err != nil {
		t.Errorf("eval with the model: %v", err)
	}
}

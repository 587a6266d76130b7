package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// caseFolder holds the documents of the parser's cases, each with one fault.
const caseFolder = "../../feeds/testdata/cases"

// parseCase is one document with what must come out of it.
type parseCase struct {
	File    string
	Class   string
	Outcome string
	Input   struct {
		URL         string `json:"url"`
		ContentType string `json:"content_type"`
	}
	Checks []parseCheck
}

// parseCheck is a path into the output, and one condition.
type parseCheck struct {
	Path        string
	Equals      any
	Len         *int
	MinLen      *int `json:"min_len"`
	Contains    string
	Lacks       string
	MaxRunes    int `json:"max_runes"`
	Absent      bool
	SameAs      string `json:"same_as"`
	DiffersFrom string `json:"differs_from"`
}

func readCases(t *testing.T, name string) []parseCase {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../feeds/testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var cases []parseCase
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// execute runs `sheaf parse` with args, and returns what it writes and its exit code.
func execute(t *testing.T, stdin string, args ...string) (out string, code int) {
	t.Helper()
	cmd := parseCommand()
	var b bytes.Buffer
	cmd.SetArgs(args)
	cmd.SetIn(strings.NewReader(stdin))
	cmd.SetOut(&b)
	cmd.SetErr(&b)
	err := cmd.Execute()
	var coded interface{ ExitCode() int }
	switch {
	case err == nil:
		return b.String(), 0
	case errors.As(err, &coded):
		return b.String(), coded.ExitCode()
	}
	return b.String(), -1
}

// at walks a path such as articles[0].authors[1].name.
func at(v any, path string) any {
	for _, step := range strings.Split(path, ".") {
		name, index, indexed := strings.Cut(strings.TrimSuffix(step, "]"), "[")
		o, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = o[name]
		if !indexed {
			continue
		}
		i, err := strconv.Atoi(index)
		list, ok := v.([]any)
		if err != nil || !ok || i >= len(list) {
			return nil
		}
		v = list[i]
	}
	return v
}

// fails says why a check does not hold; empty if it does.
func (c parseCheck) fails(root any) string {
	v := at(root, c.Path)
	text, _ := v.(string)
	list, _ := v.([]any)
	switch {
	case c.Equals != nil && v != c.Equals:
		return fmt.Sprintf("= %q, want %q", v, c.Equals)
	case c.Len != nil && len(list) != *c.Len:
		return fmt.Sprintf("has %d elements, want %d", len(list), *c.Len)
	case c.MinLen != nil && len(list) < *c.MinLen:
		return fmt.Sprintf("has %d elements, want %d at least", len(list), *c.MinLen)
	case c.Contains != "" && !strings.Contains(text, c.Contains):
		return fmt.Sprintf("= %q, lacks %q", text, c.Contains)
	case c.Lacks != "" && strings.Contains(text, c.Lacks):
		return fmt.Sprintf("= %q, must not hold %q", text, c.Lacks)
	case c.MaxRunes > 0 && (text == "" || utf8.RuneCountInString(text) > c.MaxRunes):
		return fmt.Sprintf("= %q, want 1 to %d characters", text, c.MaxRunes)
	case c.Absent && v != nil && v != false && text+"x" != "x" && len(list) == 0:
		return fmt.Sprintf("= %v, want none", v)
	case c.SameAs != "" && (v == nil || v != at(root, c.SameAs)):
		return fmt.Sprintf("= %v, want %v as at %s", v, at(root, c.SameAs), c.SameAs)
	case c.DiffersFrom != "" && (v == nil || v == at(root, c.DiffersFrom)):
		return fmt.Sprintf("= %v, the same as %s", v, c.DiffersFrom)
	}
	return ""
}

// runCases parses all documents of a list in one batch.
func runCases(t *testing.T, list string) {
	cases := readCases(t, list)
	var in strings.Builder
	for _, c := range cases {
		line, err := json.Marshal(map[string]string{"file": filepath.Join(caseFolder, c.File), "url": c.Input.URL, "content_type": c.Input.ContentType})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&in, "%s\n", line)
	}
	out, code := execute(t, in.String(), "--json", "--batch", "--markup", "--now", "2026-07-14T12:00:00Z")
	if code != exitPartly {
		t.Errorf("exit code = %d, want %d: some of the cases are no feeds", code, exitPartly)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != len(cases) {
		t.Fatalf("%d lines for %d documents", len(lines), len(cases))
	}
	for i, c := range cases {
		t.Run(c.File, func(t *testing.T) {
			var got any
			if err := json.Unmarshal([]byte(lines[i]), &got); err != nil {
				t.Fatal(err)
			}
			for _, check := range c.Checks {
				if why := check.fails(got); why != "" {
					t.Errorf("%s %s (%s)", check.Path, why, c.Outcome)
				}
			}
		})
	}
}

func TestParseCases(t *testing.T) { runCases(t, "cases.json") }

func TestParseMoreCases(t *testing.T) { runCases(t, "more.json") }

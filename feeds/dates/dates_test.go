package dates

import (
	"encoding/json"
	"os"
	"testing"
	"time"
)

type dateCase struct {
	In  string  `json:"in"`
	UTC *string `json:"utc"`
}

func check(t *testing.T, c dateCase) {
	t.Helper()
	want := "none"
	if c.UTC != nil {
		want = *c.UTC
	}
	got := "none"
	if d, ok := Parse(c.In, Options{}); ok {
		got = d.Time.Truncate(time.Second).Format(time.RFC3339)
	}
	if got != want {
		t.Errorf("Parse(%q) = %s, want %s", c.In, got, want)
	}
}

func TestDates(t *testing.T) {
	b, err := os.ReadFile("../testdata/dates.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []dateCase
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		check(t, c)
	}
}

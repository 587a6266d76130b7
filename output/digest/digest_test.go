package digest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sheaf"
	"sheaf/output"
)

var update = flag.Bool("update", false, "write the golden reviews anew")

var (
	from = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	to   = from.Add(24 * time.Hour)
	site = output.Site{BaseURL: "https://news.example.org"}
)

func report(outlet, title, address string, hour int) sheaf.Member {
	return sheaf.Member{Role: sheaf.RoleReport, Article: sheaf.Article{
		ID: sheaf.ArticleID(outlet), Outlet: sheaf.Outlet{Name: outlet}, Title: title, URL: address, Published: from.Add(time.Duration(hour) * time.Hour),
	}}
}

func stories() []sheaf.Story {
	ferry := []sheaf.Member{
		report("Alpha", "Ferry *hits* bridge", "https://alpha.example/a_(1)", 9),
		report("Beta & Sons", "=SUM(A1) [closed] <now>", "https://beta.example/b", 10),
		report("Gamma", "Ferry *hits* bridge", "", 11),
	}
	ferry[1].Summary = "It's #1 on the list."
	ferry[2].Role, ferry[2].CopyOf = sheaf.RoleCopy, "Alpha"
	return []sheaf.Story{
		{ID: "20cd041d-6b23-5b01-a83b-9b9fc1727902", Lead: "Zeta", Members: []sheaf.Member{report("Zeta", "Quake felt", "", 8)}},
		{ID: "fea1b806-87fa-517b-ac11-cecf2b2b1357", Lead: "Beta & Sons", Members: ferry},
	}
}

func TestGolden(t *testing.T) {
	full := New(site, output.Channel{Name: "digest", Title: "Morning & more"}, stories(), from, to)
	empty := New(site, output.Channel{Name: "digest"}, nil, from, to)
	for _, tt := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"full.html", full.WriteHTML}, {"full.md", full.WriteMarkdown}, {"full.csv", full.WriteCSV}, {"full.json", full.WriteJSON},
		{"empty.html", empty.WriteHTML}, {"empty.md", empty.WriteMarkdown}, {"empty.csv", empty.WriteCSV}, {"empty.json", empty.WriteJSON},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := tt.write(&b); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", tt.name)
			if *update {
				if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v (go test -update writes it)", err)
			}
			if b.String() != string(want) {
				t.Errorf("%s differs; if that is meant: go test -update\n%s", path, b.String())
			}
		})
	}
}

func TestOrder(t *testing.T) {
	r := New(site, output.Channel{}, stories(), from, to)
	if len(r.Clips) != 2 || r.Clips[0].Independent != 2 || r.Clips[0].Outlets != 3 {
		t.Fatalf("clips = %+v", r.Clips)
	}
	var outlets []string
	for _, report := range r.Clips[0].Reports {
		outlets = append(outlets, report.Outlet)
	}
	if got := outlets; got[0] != "Beta & Sons" || got[1] != "Alpha" || got[2] != "Gamma" {
		t.Errorf("reports by %v, want the lead first, then by time", got)
	}
	if r.Clips[1].URL != r.Clips[1].Page {
		t.Errorf("a lead without an address leads to %q, want our page", r.Clips[1].URL)
	}
}

func TestReadable(t *testing.T) {
	r := New(site, output.Channel{}, stories(), from, to)
	var b bytes.Buffer
	if err := r.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 5 || rows[1][6] != "'=SUM(A1) [closed] <now>" {
		t.Errorf("CSV read back: %v, %v", rows, err)
	}
	b.Reset()
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var back Review
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || len(back.Clips) != 2 {
		t.Errorf("JSON read back: %+v, %v", back, err)
	}
}

package dedupe

import (
	"encoding/json"
	"math"
	"os"
	"testing"
	"time"

	"sheaf"
)

// reference is what the research prototype, an independent implementation, made of testdata/reference.jsonl.
type reference struct {
	Model    json.RawMessage
	Articles []struct {
		Article    string
		Story      string
		Tokens     int
		Names      []string
		Candidates []struct {
			Story    string
			P        float64
			Features []float64
		}
	}
}

func TestScorerAgreesWithReference(t *testing.T) {
	const tolerance = 1e-9
	ref, articles := readReference(t)
	model, err := ParseModel(ref.Model)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string][]Scored)
	oracle := func(id sheaf.ArticleID, c []Scored) (sheaf.ArticleID, bool) {
		seen[string(id)] = c
		return "", false
	}
	g, err := New(Options{Model: model, Oracle: oracle})
	if err != nil {
		t.Fatal(err)
	}
	stories := make(map[string]string)
	for _, d := range g.Add(articles) {
		stories[string(d.Article)] = string(d.Founder)
	}
	for _, want := range ref.Articles {
		if got := stories[want.Article]; got != want.Story {
			t.Errorf("%s is in story %s, want %s", want.Article, got, want.Story)
		}
		got := seen[want.Article]
		if len(got) != len(want.Candidates) {
			t.Errorf("%s has %d candidates, want %d", want.Article, len(got), len(want.Candidates))
			continue
		}
		for i, c := range want.Candidates {
			if founder := string(got[i].Members[0]); founder != c.Story {
				t.Errorf("%s: candidate %d is %s, want %s", want.Article, i, founder, c.Story)
			}
			if math.Abs(got[i].Score-c.P) > tolerance {
				t.Errorf("%s: p of %s is %v, want %v", want.Article, c.Story, got[i].Score, c.P)
			}
			for f, name := range FeatureNames[:len(c.Features)] {
				if math.Abs(got[i].Features[f]-c.Features[f]) > tolerance {
					t.Errorf("%s: %s of %s is %v, want %v", want.Article, name, c.Story, got[i].Features[f], c.Features[f])
				}
			}
		}
	}
}

func readReference(t *testing.T) (*reference, []sheaf.Article) {
	t.Helper()
	data, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var ref reference
	if err := json.Unmarshal(data, &ref); err != nil {
		t.Fatal(err)
	}
	return &ref, readArticles(t, "testdata/reference.jsonl")
}

// readArticles reads articles, one JSON object a line.
func readArticles(t *testing.T, path string) []sheaf.Article {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var articles []sheaf.Article
	for dec := json.NewDecoder(f); dec.More(); {
		var l struct {
			ID, Title, Summary, Text, Outlet, Lang string
			Published                              time.Time
		}
		if err := dec.Decode(&l); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		articles = append(articles, sheaf.Article{
			ID: sheaf.ArticleID(l.ID), Title: l.Title, Summary: l.Summary, Text: l.Text, Lang: l.Lang,
			Outlet: sheaf.Outlet{Name: l.Outlet}, Published: l.Published, FirstSeen: l.Published, Fetched: l.Published,
		})
	}
	return articles
}

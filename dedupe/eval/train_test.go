package eval

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"sheaf"
	"sheaf/dedupe"
)

func withID(it Item, id string) Item {
	it.ID = sheaf.ArticleID(id)
	return it
}

func TestRead(t *testing.T) {
	in := `{"stream":"s","id":"1","title":"T","published":"2026-03-01T08:00:00Z","label":"a","set":"x"}

{"stream":"t","id":"1","title":"U","published":"2026-03-01T08:00:00Z","label":null,"copy_of":null}
{"stream":"s","id":"2","title":"V","published":"2026-03-01T09:00:00Z"}`
	streams, err := Read(strings.NewReader(in), "f")
	if err != nil {
		t.Fatal(err)
	}
	if len(streams) != 2 || len(streams[0].Items) != 2 || streams[1].Name != "t" {
		t.Fatalf("streams = %+v", streams)
	}
	if !streams[0].Items[0].Scored || streams[1].Items[0].Scored {
		t.Error("a null label is scored, or a label is not")
	}
}

func TestReadNamesTheBadLine(t *testing.T) {
	good := `{"stream":"s","id":"1","published":"2026-03-01T08:00:00Z"}` + "\n"
	for _, tt := range []struct {
		name, in string
		line     int
	}{
		{"no JSON", good + "nonsense\n", 2},
		{"no id", `{"stream":"s"}`, 1},
		{"twice", good + "\n" + good, 3},
		{"bad time", good + `{"id":"2","published":"yesterday"}`, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(tt.in), "f.jsonl")
			var bad *LineError
			if !errors.As(err, &bad) || bad.Line != tt.line || !strings.HasPrefix(err.Error(), fmt.Sprintf("f.jsonl:%d: ", tt.line)) {
				t.Errorf("Read = %v, want an error at line %d", err, tt.line)
			}
		})
	}
}

// lesson makes streams whose articles share all words within a label and hardly any across.
func lesson(events, each int) Stream {
	s := Stream{Name: "lesson"}
	start := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	for e := range events {
		for i := range each {
			id := fmt.Sprintf("%d-%d", e, i)
			at := start.Add(time.Duration(e*5+i) * time.Hour)
			text := fmt.Sprintf("subject%d happened near place%d while witness%d watched word%d", e, e, e, e*each+i)
			s.Items = append(s.Items, Item{
				Stream: "lesson", Label: fmt.Sprint(e), Scored: true,
				Article: sheaf.Article{
					ID: sheaf.ArticleID(id), Title: fmt.Sprintf("subject%d shakes place%d %d", e, e%3, i), Summary: text, Lang: "en",
					Outlet: sheaf.Outlet{Name: fmt.Sprint("Outlet ", i)}, Published: at, FirstSeen: at,
				},
			})
		}
	}
	return s
}

func TestTrainLearnsAndRepeatsItself(t *testing.T) {
	training := Training{Dense: []Stream{lesson(12, 4)}, Duels: []Stream{lesson(2, 5)}}
	m, err := Train(training)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Train(training)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(m.Encode(), again.Encode()) {
		t.Error("the same files give another model")
	}
	read, err := dedupe.ParseModel(m.Encode())
	if err != nil {
		t.Fatal(err)
	}
	s := lesson(12, 4)
	decisions, err := Group(s.Articles(), dedupe.Options{Model: read})
	if err != nil {
		t.Fatal(err)
	}
	if r := Evaluate([]Stream{s}, []Grouping{Stories(decisions)}); r.All.B3.F < 0.95 {
		t.Errorf("B-cubed F on what it was taught = %.3f, want 0.95 and more", r.All.B3.F)
	}
}

func TestTrainRefusesUnknownTerms(t *testing.T) {
	if _, err := Train(Training{Dense: []Stream{lesson(3, 2)}, Terms: []string{"c_at*nothing"}}); !errors.Is(err, dedupe.ErrModel) {
		t.Errorf("Train = %v, want ErrModel", err)
	}
}

func TestFitFindsTheLogisticOptimum(t *testing.T) {
	term, err := dedupe.ParseTerm("c_lt")
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for i := range 200 {
		x := float64(i) / 200
		r := row{weight: 1, same: i%7 < i/30}
		r.features[0] = x
		rows = append(rows, r)
	}
	m, err := fit(rows, []dedupe.Term{term}, 1e6)
	if err != nil {
		t.Fatal(err)
	}
	// At the optimum without a penalty the residuals are orthogonal to every term and to the bias.
	var sum, dot float64
	for i := range rows {
		miss := m.Score(&rows[i].features)
		if rows[i].same {
			miss--
		}
		sum += miss
		dot += miss * rows[i].features[0]
	}
	if math.Abs(sum) > 1e-4 || math.Abs(dot) > 1e-4 {
		t.Errorf("residuals sum to %v, times the term to %v, want 0", sum, dot)
	}
}

func TestLabelledCountsEachArticleOnce(t *testing.T) {
	s := lesson(2, 2)
	s.Items = append(s.Items, Item{Article: sheaf.Article{ID: "noise"}})
	if got := len(Labelled([]Stream{s, s})); got != 4 {
		t.Errorf("%d labelled articles, want 4", got)
	}
}

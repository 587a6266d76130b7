package eval

import (
	"fmt"
	"slices"

	"sheaf"
	"sheaf/dedupe"
)

// Training is what a scorer is fitted to.
type Training struct {
	Dense   []Stream                // streams in which many events go on at once
	Duels   []Stream                // streams of two events; without them a scorer relies on a crowd being there. Lessons are made of them
	Terms   []string                // terms of the model; nil: DefaultTerms
	Tables  []*dedupe.Tables        // background frequencies to collect rows with, each in turn; nil: the embedded ones
	Missing dedupe.Missing          // of the model
	Rounds  int                     // how often the scorer is fitted to its own groupings; 0: 1
	C       float64                 // inverse strength of the penalty; 0: 0.3
	Weight  float64                 // of a row of a duel, where one of a dense stream counts 1; 0: 0.4
	Skip    func(label string) bool // labels to train without; nil: none
}

// DefaultTerms are the terms of the embedded model: the features of the reference, single shared terms and best members, what is shared
// beside names, and what is different for short articles.
var DefaultTerms = []string{
	"c_lt", "c_at", "m_at", "ta_max", "ta_rev", "te_max", "size", "len_d", "len_c", "short", "k_at", "k_tt", "k_e",
	"t_new", "t_old", "t_gap", "r_at", "r_e", "min_ene",
	"rarest", "rare", "runs", "second", "mean", "len_min", "m_lt", "m_e", "m_tt", "plain",
	"na_max", "na_rev", "c_ne", "m_ne", "hardest", "telling",
	"c_at*short", "m_at*short", "c_lt*short", "ta_max*short", "ta_rev*short", "te_max*short", "k_at*short", "k_tt*short",
	"k_e*short", "r_at*short", "r_e*short", "min_ene*short", "size*short", "t_gap*short", "plain*short", "rare*short",
}

// DefaultMissing is the mean background of articles in a dense stream, and half as much again: a collection with few stories is not trusted
// to show how alike unrelated ones are.
var DefaultMissing = dedupe.Missing{All: 0.0975, Names: 0.06, Title: 0.0675}

// ownThreshold is the probability from which articles join while a scorer groups for its own training.
const ownThreshold = 0.45

// Train fits a scorer. It begins with rows in which every article is where its label says. Then, as often as asked, the scorer so far
// groups the streams by itself, and the rows it meets on the way, mistakes included, are added: at run time it never meets a true state.
func Train(t Training) (*dedupe.Model, error) {
	t.defaults()
	t.Duels = slices.Concat(t.Duels, lessons(t.Duels))
	terms := make([]dedupe.Term, len(t.Terms))
	for i, s := range t.Terms {
		var err error
		if terms[i], err = dedupe.ParseTerm(s); err != nil {
			return nil, err
		}
	}
	truth, err := t.truthRows(terms)
	if err != nil {
		return nil, err
	}
	model, err := fit(truth, terms, t.C)
	if err != nil {
		return nil, fmt.Errorf("fit to %d rows: %w", len(truth), err)
	}
	model.Missing = t.Missing
	for range t.Rounds {
		own, err := t.ownRows(model)
		if err != nil {
			return nil, err
		}
		if model, err = fit(append(slices.Clip(truth), own...), terms, t.C); err != nil {
			return nil, err
		}
		model.Missing = t.Missing
	}
	return model, nil
}

func (t *Training) defaults() {
	if t.Terms == nil {
		t.Terms = DefaultTerms
	}
	if t.Missing == (dedupe.Missing{}) {
		t.Missing = DefaultMissing
	}
	if t.Tables == nil {
		t.Tables = []*dedupe.Tables{nil}
	}
	if t.Rounds == 0 {
		t.Rounds = 1
	}
	if t.C == 0 {
		t.C = 0.3
	}
	if t.Weight == 0 {
		t.Weight = 0.4
	}
}

// truthRows are the rows with the true state: of dense streams the three best by a first fit, and every true one; of duels all.
func (t *Training) truthRows(terms []dedupe.Term) ([]row, error) {
	options := dedupe.Options{Model: &dedupe.Model{Missing: t.Missing}}
	all, err := t.gather(t.Dense, 1, func(c *collector) { c.truth = true }, options)
	if err != nil {
		return nil, err
	}
	first, err := fit(all, terms, 0.5)
	if err != nil {
		return nil, fmt.Errorf("fit to %d rows: %w", len(all), err)
	}
	rank := func(s *dedupe.Scored) float64 { return first.Score(&s.Features) }
	rows, err := t.gather(t.Dense, 1, func(c *collector) { c.truth, c.top, c.rank = true, 3, rank }, options)
	if err != nil {
		return nil, err
	}
	duels, err := t.gather(t.Duels, t.Weight, func(c *collector) { c.truth = true }, options)
	return append(rows, duels...), err
}

// ownRows are the rows that a model meets when it groups by itself. With full texts it makes few mistakes that it could learn from.
func (t *Training) ownRows(m *dedupe.Model) ([]row, error) {
	rank := func(s *dedupe.Scored) float64 { return s.Score }
	options := dedupe.Options{Model: m, Threshold: ownThreshold}
	rows, err := t.gather(short(t.Dense), 1, func(c *collector) { c.top, c.rank = 3, rank }, options)
	if err != nil {
		return nil, err
	}
	duels, err := t.gather(short(t.Duels), t.Weight, func(*collector) {}, options)
	return append(rows, duels...), err
}

// gather collects rows over streams and tables, without the labels to skip.
func (t *Training) gather(streams []Stream, weight float64, set func(*collector), o dedupe.Options) ([]row, error) {
	var rows []row
	for _, tables := range t.Tables {
		o.Tables = tables
		for i := range streams {
			c := newCollector(&streams[i], weight/float64(len(t.Tables)))
			set(c)
			met, err := collect(&streams[i], o, c)
			if err != nil {
				return nil, fmt.Errorf("stream %s: %w", streams[i].Name, err)
			}
			for _, r := range met {
				if t.Skip == nil || !(r.mine != "" && t.Skip(r.mine)) && !(r.theirs != "" && t.Skip(r.theirs)) {
					rows = append(rows, r)
				}
			}
		}
	}
	return rows, nil
}

// Labelled lists the labelled articles of streams, each id once.
func Labelled(streams []Stream) []sheaf.Article {
	var articles []sheaf.Article
	seen := make(map[sheaf.ArticleID]bool)
	for i := range streams {
		for j := range streams[i].Items {
			if it := &streams[i].Items[j]; it.Scored && !seen[it.ID] {
				seen[it.ID] = true
				articles = append(articles, it.Article)
			}
		}
	}
	return articles
}

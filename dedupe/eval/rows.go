package eval

import (
	"cmp"
	"slices"

	"sheaf"
	"sheaf/dedupe"
)

// row is one article scored against one story, as training sees it.
type row struct {
	features dedupe.Features
	same     bool    // they are one event
	weight   float64 // how much it counts
	mine     string  // label of the article; empty for noise
	theirs   string  // label of the story; empty for noise
}

// collector gathers rows while one stream is grouped.
type collector struct {
	labels map[sheaf.ArticleID]string // of articles that have one
	first  map[string]sheaf.ArticleID // first article met of each label
	weight float64
	top    int                          // keep only the best candidates by rank, and every true one; 0: keep all
	rank   func(*dedupe.Scored) float64 // higher is better
	truth  bool                         // put every article where its label says
	rows   []row
}

func newCollector(s *Stream, weight float64) *collector {
	c := &collector{labels: make(map[sheaf.ArticleID]string), first: make(map[string]sheaf.ArticleID), weight: weight}
	for i := range s.Items {
		if it := &s.Items[i]; it.Scored {
			c.labels[it.ID] = it.Label
		}
	}
	return c
}

// see is the Oracle of a Grouper.
func (c *collector) see(id sheaf.ArticleID, candidates []dedupe.Scored) (sheaf.ArticleID, bool) {
	label := c.labels[id]
	order := make([]int, len(candidates))
	for i := range order {
		order[i] = i
	}
	if c.rank != nil {
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(c.rank(&candidates[j]), c.rank(&candidates[i])) })
	}
	for place, i := range order {
		theirs := c.majority(candidates[i].Members)
		if label == "" && theirs == "" {
			continue
		}
		same := label != "" && label == theirs
		if c.top == 0 || place < c.top || same {
			c.rows = append(c.rows, row{candidates[i].Features, same, c.weight, label, theirs})
		}
	}
	if !c.truth {
		return "", false
	}
	if label == "" {
		return id, true
	}
	if home, ok := c.first[label]; ok {
		return home, true
	}
	c.first[label] = id
	return id, true
}

// majority is the commonest label of articles, ties by label; empty if none has one.
func (c *collector) majority(members []sheaf.ArticleID) string {
	times := make(map[string]int)
	best := ""
	for _, id := range members {
		label := c.labels[id]
		if label == "" {
			continue
		}
		times[label]++
		if best == "" || times[label] > times[best] || times[label] == times[best] && label < best {
			best = label
		}
	}
	return best
}

// collect groups a stream and returns the rows met on the way. With o.Model the stream runs on its own decisions, else on the labels.
func collect(s *Stream, o dedupe.Options, c *collector) ([]row, error) {
	o.Oracle = c.see
	g, err := dedupe.New(o)
	if err != nil {
		return nil, err
	}
	g.Add(s.Articles())
	return c.rows, nil
}

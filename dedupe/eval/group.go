package eval

import (
	"sheaf"
	"sheaf/dedupe"
)

// Group puts the articles of one stream into stories, as a Grouper does that meets them all in one batch and polishes at the end. It
// returns the last Decision of every article.
func Group(articles []sheaf.Article, o dedupe.Options) (map[sheaf.ArticleID]dedupe.Decision, error) {
	o.PolishAll = true
	g, err := dedupe.New(o)
	if err != nil {
		return nil, err
	}
	last := make(map[sheaf.ArticleID]dedupe.Decision, len(articles))
	for _, d := range g.Add(articles) {
		last[d.Article] = d
	}
	for _, d := range g.Polish() {
		last[d.Article] = d
	}
	return last, nil
}

// Stories is what evaluation needs of decisions.
func Stories(decisions map[sheaf.ArticleID]dedupe.Decision) Grouping {
	g := make(Grouping, len(decisions))
	for id, d := range decisions {
		g[id] = string(d.Story)
	}
	return g
}

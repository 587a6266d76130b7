package web

import (
	"context"

	"sheaf"
	"sheaf/output"
	"sheaf/output/web/query"
)

// shortSnippet is how much of a text is shown around what was found, in characters, where the outlet allows as much.
const shortSnippet = 200

// search answers with the stories that have an article with what is looked for.
func (p *pages) search(ctx context.Context, t target, v view) (*answer, error) {
	l := listing{path: "/search", documents: "/search", heading: "Search"}
	l.selection = Selection{Query: v.Query, All: true, Order: Order(v.Order), Offset: (v.Page - 1) * perPage, Limit: perPage}
	l.empty = `Type words to look for. "Quotation marks" keep words together, an asterisk leaves an ending open (elect*), a minus keeps a word out.`
	var found List
	if v.Query.Finds() {
		l.empty = "Nothing was found. Fewer words, or an open ending (elect*), may find more."
		var err error
		if found, err = p.Stories.List(ctx, l.selection); err != nil {
			return nil, err
		}
	}
	if t.suffix != "" {
		return p.show(ctx, t, v, &l, found)
	}
	f, err := p.frame(ctx, l.path)
	if err != nil {
		return nil, err
	}
	page := p.listPage(f, v, &l, found)
	page.Searched = true
	for i := range page.Entries {
		p.highlight(&page.Entries[i], found.Hits, v.Query)
	}
	if t.data {
		return data(page.json(v))
	}
	if v.Query.Finds() {
		f.Title = v.Typed + ": search"
		page.Controls = &controls{Action: f.To(l.path), Query: v.Typed, Selects: []chooser{{"o", "Order", searchOrders(), v.Order}}}
	} else {
		f.Title, f.Alternates, f.Data = "Search", nil, ""
	}
	return page.html()
}

// highlight shows the article that was found in the place of the lead, with what was looked for marked.
func (p *pages) highlight(e *entry, hits map[sheaf.StoryID]Hit, q query.Query) {
	hit := hits[e.Story]
	for _, r := range e.Reports {
		if r.Article == hit.Article && r.Article != e.Lead.Article {
			e.Lead, e.Lede = r, nil
		}
	}
	e.Headline = q.Mark(e.Lead.Title)
	if snippet, ok := q.Snippet(output.Plain(hit.Text), min(shortSnippet, p.Snippets.Limit(e.Lead.Outlet))); ok {
		e.Lede = snippet
	}
}

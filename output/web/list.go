package web

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"sheaf"
	"sheaf/output"
)

// listPage is what list.html shows.
type listPage struct {
	*frame
	Heading  string
	Foreign  bool   // the heading is a name that came from a feed
	Intro    string // under the heading
	Home     string // the outlet's own address; empty: unknown, or no outlet
	Controls *controls
	Searched bool // it lists what was found
	Entries  []entry
	From     int    // number of the first
	Newer    string // address of the page before; empty: none
	Older    string
	Empty    string // what is said if there is nothing
}

// controls is the form that says how a list is looked at.
type controls struct {
	Action  string
	Query   string // kept
	Selects []chooser
}

// chooser is one control with its choices.
type chooser struct {
	Key, Label string
	Choices    []choice
	Chosen     string
}

// listing is a list before it is shown: what is selected, and what it is called.
type listing struct {
	path      string // below the site, percent-encoded
	documents string // path of its documents, without a suffix; percent-encoded
	heading   string
	foreign   bool
	intro     string
	home      string
	selection Selection
	window    string // that was chosen
	controls  bool
	channel   string // the list is one channel's, whose documents are its feeds
	empty     string
}

// list answers with the river, a topic or an outlet.
func (p *pages) list(ctx context.Context, t target, v view) (*answer, error) {
	newest, err := p.Stories.Newest(ctx)
	if err != nil {
		return nil, err
	}
	l := listing{selection: v.selection(newest), window: v.Window}
	switch t.page {
	case "river":
		p.describeRiver(&l)
	case "topic":
		err = p.describeTopic(ctx, t.id, &l)
	case "outlet":
		err = p.describeOutlet(ctx, t.id, &l)
	}
	if err != nil || l.path == "" {
		return nil, err
	}
	if t.suffix != "" && l.channel != "" && v.encode() == "" {
		return &answer{location: p.Site.Feed(l.channel + t.suffix)}, nil
	}
	if l.controls && l.window == "" {
		if err := p.fill(ctx, v, newest, &l); err != nil {
			return nil, err
		}
	}
	found, err := p.Stories.List(ctx, l.selection)
	if err != nil {
		return nil, err
	}
	return p.show(ctx, t, v, &l, found)
}

// fill chooses the shortest window that fills a screen.
func (p *pages) fill(ctx context.Context, v view, newest time.Time, l *listing) error {
	for _, w := range windows()[1:] {
		v.Window, l.window = w.Value, w.Value
		l.selection.Since = v.selection(newest).Since
		probe := l.selection
		probe.Offset, probe.Limit = fewest-1, 1
		found, err := p.Stories.List(ctx, probe)
		if err != nil || len(found.Stories) > 0 {
			return err
		}
	}
	return nil
}

// show gives a list in the form that is asked for.
func (p *pages) show(ctx context.Context, t target, v view, l *listing, found List) (*answer, error) {
	if t.suffix != "" {
		return p.document(output.Listing{
			Path: strings.TrimPrefix(l.documents, "/"), Query: v.encode(), Page: p.full(l.path) + mark(v.encode()),
			Title: siteTitle(p.Site) + ": " + l.title(v), Description: l.intro,
		}, found.Stories, t.suffix)
	}
	f, err := p.frame(ctx, p.link.page(l.path, v))
	if err != nil {
		return nil, err
	}
	page := p.listPage(f, v, l, found)
	if t.data {
		return data(page.json(v))
	}
	if l.controls {
		if page.Controls, err = p.controls(ctx, f, v, l); err != nil {
			return nil, err
		}
	}
	return page.html()
}

func (l *listing) title(v view) string {
	if v.Query.Finds() {
		return v.Typed
	}
	return l.heading
}

func (p *pages) describeRiver(l *listing) {
	l.path, l.documents, l.heading, l.controls = "/", "/"+frontName, "Stories", true
	l.empty = "No story in this window. A longer one may have some."
	l.selection.All = len(p.Channels) == 0
	if len(p.Channels) == 1 {
		l.channel = p.Channels[0].Name
	}
}

// describeTopic takes the topic for a channel or else for a category; a category that no story has is no topic.
func (p *pages) describeTopic(ctx context.Context, id string, l *listing) error {
	if c := p.channel(id); c != nil {
		l.heading, l.intro, l.channel = cmp.Or(c.Title, c.Name), c.Description, c.Name
		l.selection.Channel = c.Name
	} else {
		category := sheaf.NewCategoryID(id)
		one, err := p.Stories.List(ctx, Selection{Category: category, All: true, Order: OrderNewest, Limit: 1})
		if err != nil || len(one.Stories) == 0 {
			return err
		}
		l.heading, l.foreign = spelling(&one.Stories[0], category), true
		l.selection.Category, l.selection.All, id = category, true, string(category)
	}
	l.path, l.controls, l.empty = topicPath(id), true, "No story in this window. A longer one may have some."
	l.documents = l.path
	return nil
}

// spelling is how a report writes a category.
func spelling(s *sheaf.Story, id sheaf.CategoryID) string {
	for i := range s.Members {
		for _, c := range s.Members[i].Categories {
			if sheaf.NewCategoryID(c) == id {
				return output.Plain(c)
			}
		}
	}
	return string(id)
}

// describeOutlet finds an outlet; one without a story is none. Its stories are listed newest first, whatever the window.
func (p *pages) describeOutlet(ctx context.Context, id string, l *listing) error {
	outlet := sheaf.Outlet{Name: id}.ID()
	s := Selection{Outlet: outlet, All: true, Order: OrderNewest, Offset: l.selection.Offset, Limit: l.selection.Limit}
	one, err := p.Stories.List(ctx, Selection{Outlet: outlet, All: true, Order: OrderNewest, Limit: 1})
	if err != nil || len(one.Stories) == 0 {
		return err
	}
	if p.link.relative { // files are not made of all that ever was
		newest, err := p.Stories.Newest(ctx)
		if err != nil {
			return err
		}
		s.Since = newest.Add(-exportedSpan)
	}
	l.selection, l.path, l.foreign = s, outletPath(outlet), true
	l.documents = l.path
	for _, r := range output.NewItem(&one.Stories[0], p.Snippets).Reports {
		if (sheaf.Outlet{Name: r.Outlet}).ID() == outlet {
			l.heading, l.home = r.Outlet, cmp.Or(r.OutletURL, l.home)
		}
	}
	l.heading = cmp.Or(l.heading, string(outlet))
	l.intro = "Stories this outlet reported on, newest first."
	return nil
}

// listPage puts a list on a page.
func (p *pages) listPage(f *frame, v view, l *listing, found List) *listPage {
	page := &listPage{frame: f, Heading: l.heading, Foreign: l.foreign, Intro: l.intro, Home: l.home, Empty: l.empty, From: l.selection.Offset + 1}
	if l.path != "/" {
		f.Title = l.title(v)
	}
	f.Query = v.Typed
	f.Data = f.To(dataPath(f.page(l.path, v)))
	if v.encode() == "" {
		f.Canonical = p.full(l.path)
	}
	f.Alternates = alternates(f.links, l.documents, v.onPage(1).encode(), cmp.Or(f.Title, f.Site))
	if v.onPage(1).encode() == "" && l.path == "/" && len(p.Channels) > 0 {
		f.Alternates = nil
		for _, c := range p.Channels {
			f.Alternates = append(f.Alternates, alternates(f.links, "/"+c.Name, "", cmp.Or(c.Title, c.Name))...)
		}
	} else if v.onPage(1).encode() == "" && l.channel != "" {
		f.Alternates = alternates(f.links, "/"+l.channel, "", l.heading)
	}
	for i := range found.Stories {
		page.Entries = append(page.Entries, newEntry(f, &found.Stories[i], p.Snippets))
	}
	if v.Page > 1 {
		page.Newer = f.To(f.page(l.path, v.onPage(v.Page-1)))
	}
	last := mostPages
	if f.relative {
		last = exportedPages
	}
	if found.More && v.Page < last {
		page.Older = f.To(f.page(l.path, v.onPage(v.Page+1)))
	}
	return page
}

// html renders the page within its size: a long one links fewer outlets beside each lead, a short one shows all reports at once.
func (page *listPage) html() (*answer, error) {
	a, err := rendered("list.html", page)
	if err != nil {
		return nil, err
	}
	if room := pageBytes - len(a.data); room < 0 {
		squeeze(page.Entries, -room)
	} else {
		open(page.Entries, room)
	}
	if a, err = rendered("list.html", page); err == nil {
		a.more = page.Older != ""
	}
	return a, err
}

// controls offers the views of a list.
func (p *pages) controls(ctx context.Context, f *frame, v view, l *listing) (*controls, error) {
	if f.relative {
		return nil, nil
	}
	labels, err := p.Stories.Labels(ctx, l.selection.Since)
	if err != nil {
		return nil, err
	}
	languages := []choice{{"", "any"}}
	for _, lang := range labels.Languages {
		languages = append(languages, choice{lang.ID, languageName(lang.ID)})
	}
	if v.Lang != "" && !slices.ContainsFunc(languages, func(c choice) bool { return c.Value == v.Lang }) {
		languages = append(languages, choice{v.Lang, languageName(v.Lang)})
	}
	c := &controls{Action: f.To(l.path), Selects: []chooser{
		{"w", "Last", windows()[1:], l.window}, {"min", "Outlets", leasts(), v.Least}, {"o", "Order", listOrders(), v.Order},
	}}
	if len(languages) > 2 {
		c.Selects = append(c.Selects, chooser{"lang", "Language", languages, v.Lang})
	}
	return c, nil
}

// mark puts a question mark before what an address says behind it.
func mark(query string) string {
	if query == "" {
		return ""
	}
	return "?" + query
}

// dataPath is where a page is as JSON.
func dataPath(address string) string {
	path, query, _ := strings.Cut(address, "?")
	return strings.TrimSuffix(path, "/") + "/data.json" + mark(query)
}

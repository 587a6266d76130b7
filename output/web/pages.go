package web

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"sheaf"
	"sheaf/output"
)

// pages makes the pages of a site.
type pages struct {
	Options
	style output.File // its hash in its name
	link  links
}

func newPages(o Options) (*pages, error) {
	sheet, err := assets.ReadFile("style.css")
	if err != nil {
		return nil, fmt.Errorf("stylesheet: %w", err)
	}
	sum := sha256.Sum256(sheet)
	name := "style-" + hex.EncodeToString(sum[:6]) + ".css"
	return &pages{Options: o, style: output.File{Name: name, Type: "text/css", Data: sheet}, link: links{base: o.Site.Path()}}, nil
}

// answer is what is served at an address: a body, or a redirect.
type answer struct {
	*body
	location string // redirect to it; empty: the body is served
	kind     kind   // of a feed document; zero for pages
	link     []string
	more     bool // there is another page of the list behind it
}

var uuid = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// target is what a path means.
type target struct {
	page   string // river, topic, outlet, story, search, outlets, channels, status
	id     string // of the topic, outlet or story
	suffix string // of a feed document; empty: none
	data   bool   // the page as JSON
}

// frontName is what the front page's own documents are called: no channel can have the name.
const frontName = "front_page"

// parseTarget reads a path; false if nothing can be there.
func parseTarget(path string) (target, bool) {
	var t target
	if path == "/status.json" {
		return target{page: "status"}, true
	}
	if rest, ok := strings.CutSuffix(path, "/data.json"); ok {
		t.data, path = true, cmp.Or(rest, "/")
	} else {
		for _, suffix := range output.Suffixes() {
			if rest, ok := strings.CutSuffix(path, suffix); ok {
				t.suffix, path = suffix, rest
			}
		}
	}
	if path == "/" && t.suffix == "" || path == "/"+frontName && t.suffix != "" {
		t.page = "river"
		return t, true
	}
	name, id, deep := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	t.page, t.id = name, id
	switch name {
	case "topic", "outlet", "story":
		return t, id != "" && !strings.Contains(id, "/")
	case "search":
		return t, !deep
	case "outlets", "channels":
		return t, !deep && t.suffix == ""
	}
	return t, false
}

// page answers for everything that is made from the stories.
func (s *server) page(w http.ResponseWriter, r *http.Request, path string) {
	t, ok := parseTarget(path)
	if !ok || s.Stories == nil && t.page != "channels" && t.page != "river" {
		refuse(w, http.StatusNotFound)
		return
	}
	orders := listOrders()
	if t.page == "search" {
		orders = searchOrders()
	}
	v := parseView(r.URL.Query(), orders)
	a, err := s.cache.get(r.Context(), path+"?"+v.encode(), func(ctx context.Context) (*answer, error) { return s.pages.answer(ctx, t, v) })
	switch {
	case err != nil:
		s.Fail(fmt.Errorf("page: %w", err))
		refuse(w, http.StatusInternalServerError)
	case a == nil:
		refuse(w, http.StatusNotFound)
	case a.location != "":
		w.Header().Set("Location", a.location)
		refuse(w, http.StatusPermanentRedirect)
	default:
		if a.kind.suffix != "" {
			w.Header()["Content-Security-Policy"] = []string{documentPolicy}
			w.Header()["Link"] = a.link
			w.Header().Set("Content-Type", a.kind.contentType(r.Header.Get("Accept")))
		}
		a.serve(w, r, s.maxAge())
	}
}

// answer makes what is at a target; nil if nothing is.
func (p *pages) answer(ctx context.Context, t target, v view) (*answer, error) {
	if p.Stories == nil {
		return p.channels(ctx, t)
	}
	switch t.page {
	case "river", "topic", "outlet":
		return p.list(ctx, t, v)
	case "search":
		return p.search(ctx, t, v)
	case "story":
		return p.story(ctx, t, sheaf.StoryID(t.id))
	case "outlets":
		return p.outlets(ctx, t)
	case "channels":
		return p.channels(ctx, t)
	}
	return p.status(ctx)
}

// frame starts a page at a path.
func (p *pages) frame(ctx context.Context, path string) (*frame, error) {
	path, _, _ = strings.Cut(path, "?")
	f := &frame{
		links: p.link, Site: siteTitle(p.Site), Lang: siteLang(p.Site), Path: path, Style: p.style.Name, Search: p.Stories != nil && !p.link.relative,
		Referrer: "no-referrer", zone: siteZone(p.Site), icons: p.Icons,
	}
	f.depth = strings.Count(strings.TrimSuffix(path, "/"), "/")
	if p.Stories == nil {
		return f, nil
	}
	var err error
	if f.Newest, err = p.Stories.Newest(ctx); err != nil {
		return nil, err
	}
	if f.Topics, err = p.topics(ctx, f); err != nil {
		return nil, err
	}
	if p.Desk == nil {
		return f, nil
	}
	feeds, err := p.Desk.Feeds(ctx)
	for _, feed := range feeds {
		if feed.Polled.After(f.Updated) {
			f.Updated = feed.Polled
		}
	}
	return f, err
}

const (
	mostTopics  = 8                  // in the navigation
	topicWindow = 3 * 24 * time.Hour // in which they are counted
	topicLeast  = 3                  // stories that a category must have
)

// topics lists the channels, if there are several, and the busiest categories.
func (p *pages) topics(ctx context.Context, f *frame) ([]topic, error) {
	var all []topic
	add := func(name, path string) {
		if !slices.ContainsFunc(all, func(t topic) bool { return strings.EqualFold(t.Name, name) }) {
			all = append(all, topic{name, f.toPage(path), path == f.Path || strings.HasPrefix(f.Path, path+"/page/")})
		}
	}
	if len(p.Channels) > 1 {
		for _, c := range p.Channels {
			if c.Profile != output.ProfileDigest {
				add(cmp.Or(c.Title, c.Name), topicPath(c.Name))
			}
		}
	}
	labels, err := p.Stories.Labels(ctx, f.Newest.Add(-topicWindow))
	if err != nil {
		return nil, err
	}
	for _, l := range labels.Categories {
		if len(all) < mostTopics && l.Stories >= topicLeast {
			add(l.Name, topicPath(l.ID))
		}
	}
	return all, nil
}

// channel finds a channel by its name; nil if there is none.
func (p *pages) channel(name string) *output.Channel {
	for i := range p.Channels {
		if p.Channels[i].Name == name {
			return &p.Channels[i]
		}
	}
	return nil
}

// rendered is a page made from its template.
func rendered(name string, data any) (*answer, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		return nil, err
	}
	return &answer{body: newBody(b.Bytes(), "text/html; charset=utf-8", time.Time{})}, nil
}

// data renders a page as JSON.
func data(v any) (*answer, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return &answer{body: newBody(b.Bytes(), "application/json; charset=utf-8", time.Time{})}, nil
}

// document renders stories as a feed.
func (p *pages) document(l output.Listing, stories []sheaf.Story, suffix string) (*answer, error) {
	l.Snippets = p.Snippets
	f, err := l.Render(p.Site, stories, suffix)
	if err != nil {
		return nil, err
	}
	a := &answer{body: newBody(f.Data, "", f.Modified)}
	for _, k := range kinds() {
		if k.suffix == suffix {
			a.kind = k
		}
	}
	name := f.Name
	if l.Query != "" {
		name += "?" + l.Query
	}
	a.link = []string{"<" + p.Site.Feed(name) + `>; rel="self"`}
	return a, nil
}

// full is the whole address of a path of the site.
func (p *pages) full(path string) string { return p.Site.BaseURL + path }

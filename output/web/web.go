// Package web serves the published documents and the pages that lead to them, as a model origin should: strong validators, 304 while
// nothing changed, compressed twins, and nothing in any answer that came from the request.
package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"

	"sheaf"
	"sheaf/output"
)

// ErrNoStory says that no story ever had the id.
var ErrNoStory = errors.New("no such story")

// Stories finds a story by an id it has or once had. The story of a merged id is the survivor; its ID then differs from the one asked
// for. An id that never was gives an error wrapping ErrNoStory. It is called from many goroutines at once.
type Stories interface {
	Story(ctx context.Context, id sheaf.StoryID) (sheaf.Story, error)
}

// Options say what is served.
type Options struct {
	Dir      string           // where output.Publish puts the documents; it need not exist yet
	Site     output.Site      //
	Channels []output.Channel // those served; other files of Dir are not
	Stories  Stories          // nil: no story pages
	Files    []output.File    // served besides, each at /NAME, such as the list of the feeds that are polled
	Snippets output.Snippets  // what story pages may quote
	Fail     func(error)      // told of what went wrong inside while answering; nil: nobody is
}

// Handler serves the channels' documents at /NAME.rss, /NAME.atom and /NAME.json, an index at /, their list at
// /channels.opml, story pages at /story/ID, and the
// stylesheets. It is safe for concurrent use and holds each document in memory once, read again when its file changes.
func Handler(o Options) (http.Handler, error) {
	if o.Fail == nil {
		o.Fail = func(error) {}
	}
	index, err := indexPage(o.Site, o.Channels)
	if err != nil {
		return nil, fmt.Errorf("index page: %w", err)
	}
	s := &server{Options: o, base: o.Site.Path(), static: map[string]*body{"/": index}, documents: make(map[string]*document)}
	page, err := assets.ReadFile("page.css")
	if err != nil {
		return nil, fmt.Errorf("stylesheet: %w", err)
	}
	s.static["/page.css"] = newBody(page, "text/css; charset=utf-8", time.Time{})
	s.static["/feed.css"] = newBody(output.Stylesheet().Data, "text/css; charset=utf-8", time.Time{})
	list, err := output.Subscriptions(o.Site, o.Channels)
	if err != nil {
		return nil, fmt.Errorf("list of channels: %w", err)
	}
	s.static["/"+list.Name] = newBody(list.Data, list.Type+"; charset=utf-8", time.Time{})
	for _, f := range o.Files {
		s.static["/"+f.Name] = newBody(f.Data, f.Type+"; charset=utf-8", f.Modified)
	}
	for _, c := range o.Channels {
		for _, kind := range kinds() {
			name := c.Name + kind.suffix
			s.documents["/"+name] = &document{name: name, kind: kind, link: linkHeader(o.Site, name)}
		}
	}
	return s, nil
}

// server answers requests.
type server struct {
	Options
	base      string // path of the site's base address
	static    map[string]*body
	documents map[string]*document
}

// ServeHTTP routes by hand: a ServeMux would answer odd paths with redirects that repeat them.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	path := s.path(r)
	id, story := strings.CutPrefix(path, "/story/")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed)
	case story:
		s.story(w, r, sheaf.StoryID(id))
	case s.static[path] != nil:
		s.static[path].serve(w, r, s.maxAge())
	default:
		s.document(w, r, path)
	}
}

// path is what is asked for below the site's base address, whether or not a proxy in front has taken the base off.
func (s *server) path(r *http.Request) string {
	if rest, ok := strings.CutPrefix(r.URL.Path, s.base); ok && strings.HasPrefix(rest, "/") {
		return rest
	}
	return r.URL.Path
}

// document serves a published file.
func (s *server) document(w http.ResponseWriter, r *http.Request, path string) {
	d := s.find(path)
	if d == nil {
		refuse(w, http.StatusNotFound)
		return
	}
	b, err := d.read(s.Dir)
	if errors.Is(err, os.ErrNotExist) {
		refuse(w, http.StatusNotFound)
		return
	}
	if err != nil {
		s.Fail(fmt.Errorf("serve %s: %w", d.name, err))
		refuse(w, http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h["Content-Security-Policy"] = []string{policy + "; sandbox"}
	h["Link"] = d.link
	h.Set("Content-Type", d.kind.contentType(r.Header.Get("Accept")))
	b.serve(w, r, s.maxAge())
}

// archived matches the page of an archive, and captures its channel.
var archived = regexp.MustCompile(`^/([a-z0-9-]+)-\d{4}-w\d{2}\.atom$`)

// find returns the document at a path, nil if none can be there. Pages of archives are looked up anew each time: few ask for them.
func (s *server) find(path string) *document {
	if d := s.documents[path]; d != nil {
		return d
	}
	m := archived.FindStringSubmatch(path)
	if m == nil || s.documents["/"+m[1]+".atom"] == nil {
		return nil
	}
	name := path[1:]
	return &document{name: name, kind: kinds()[0], link: linkHeader(s.Site, name)}
}

// maxAge is half the time between publishes: what a reader holds is never older than one and a half of it.
func (s *server) maxAge() time.Duration {
	interval := s.Site.Interval
	if interval <= 0 {
		interval = 15 * time.Minute
	}
	return interval / 2
}

// policy lets a page load our stylesheet and nothing else. A document is put into a sandbox besides: of it, nothing is ours but the frame.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// secure sets what every answer carries: nothing foreign is loaded, nothing runs.
func secure(h http.Header) {
	h["Content-Security-Policy"] = []string{policy}
	h["X-Content-Type-Options"] = []string{"nosniff"}
	h["Referrer-Policy"] = []string{"no-referrer"}
}

// refuse answers without a word of what was asked.
func refuse(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	fmt.Fprintln(w, http.StatusText(status))
}

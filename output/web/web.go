// Package web serves the published documents and the pages that lead to them, as a model origin should: strong validators, 304 while
// nothing changed, compressed twins, and nothing in any answer that came from the request but what was searched for.
//
// Every page is made from a [Stories] and a [Desk], kept until what is stored changes, and shown without script. [Handler] serves the
// pages; [Export] writes the same as files for a host that only serves files.
package web

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"

	"sheaf/output"
)

// Options say what is served.
type Options struct {
	Dir      string           // where output.Publish puts the documents; it need not exist yet
	Site     output.Site      //
	Channels []output.Channel // those served; other files of Dir are not
	Stories  Stories          // nil: no pages but the list of channels
	Desk     Desk             // nil: no reasons on story pages, no page of outlets
	Files    []output.File    // served besides, each at /NAME, such as the list of the feeds that are polled
	Snippets output.Snippets  // what pages may quote
	Fail     func(error)      // told of what went wrong inside while answering; nil: nobody is
	Now      func() time.Time // nil: time.Now
	Icons    Icons            // nil: outlets are marked by their initials
	Edit     *Edit            // nil: nobody corrects stories from their pages
}

func (o Options) withDefaults() Options {
	if o.Fail == nil {
		o.Fail = func(error) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Handler serves
//
//   - the channels' documents at /NAME.atom, /NAME.rss and /NAME.json, and their list at /channels.opml
//   - stories at /, /topic/T, /outlet/O, /search?q= and /story/ID; each with .atom, .rss and .json, and as data at …/data.json
//   - the polled feeds at /outlets, the channels at /channels, counts for programs at /status.json
//
// and the stylesheets. It is safe for concurrent use and holds each document in memory once, read again when its file changes.
func Handler(o Options) (http.Handler, error) {
	o = o.withDefaults()
	p, err := newPages(o)
	if err != nil {
		return nil, err
	}
	s := &server{Options: o, base: o.Site.Path(), pages: p, cache: newCache(o), static: make(map[string]*body), documents: make(map[string]*document)}
	s.static[p.style.Name] = newBody(p.style.Data, "text/css; charset=utf-8", time.Time{})
	s.static["feed.css"] = newBody(output.Stylesheet().Data, "text/css; charset=utf-8", time.Time{})
	list, err := output.Subscriptions(o.Site, o.Channels)
	if err != nil {
		return nil, fmt.Errorf("list of channels: %w", err)
	}
	for _, f := range append([]output.File{list}, o.Files...) {
		s.static[f.Name] = newBody(f.Data, f.Type+"; charset=utf-8", f.Modified)
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
	pages     *pages
	cache     *cache
	static    map[string]*body // by name
	documents map[string]*document
}

// ServeHTTP routes by hand: a ServeMux would answer odd paths with redirects that repeat them.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	path := s.path(r)
	if id, ok := s.editedStory(path); ok {
		s.edit(w, r, id)
		return
	}
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed)
	case s.static[strings.TrimPrefix(path, "/")] != nil:
		s.serveStatic(w, r, strings.TrimPrefix(path, "/"))
	case s.find(path) != nil:
		s.document(w, r, s.find(path))
	case s.Icons != nil && strings.HasPrefix(path, "/icon/"):
		s.icon(w, r, strings.TrimPrefix(path, "/icon/"))
	default:
		s.page(w, r, path)
	}
}

// path is what is asked for below the site's base address, whether or not a proxy in front has taken the base off.
func (s *server) path(r *http.Request) string {
	if rest, ok := strings.CutPrefix(r.URL.Path, s.base); ok && strings.HasPrefix(rest, "/") {
		return rest
	}
	return r.URL.Path
}

// serveStatic serves what does not change while the program runs. The stylesheet of the pages carries its hash in its name.
func (s *server) serveStatic(w http.ResponseWriter, r *http.Request, name string) {
	age := s.maxAge()
	if name == s.pages.style.Name {
		age = 365 * 24 * time.Hour
	}
	s.static[name].serve(w, r, age)
}

// document serves a published file.
func (s *server) document(w http.ResponseWriter, r *http.Request, d *document) {
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
	h["Content-Security-Policy"] = []string{documentPolicy}
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

// policy lets a page load our stylesheet and pictures, send its forms to us, and nothing else. A document is put into a sandbox: of it,
// nothing is ours but the frame.
const (
	policy         = "default-src 'none'; img-src 'self'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	documentPolicy = "default-src 'none'; img-src 'self'; style-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"
)

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

package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sheaf/output"
)

const (
	exportedPages = 4                  // of a list
	exportedSpan  = 7 * 24 * time.Hour // age of the oldest story with a page of its own, before the newest report
)

// Export gives the pages of a site as files for a host that only serves files: the river, topics, outlets, stories, feeds, channels, each
// as index.html in a folder of its name with data.json beside it, and the documents they point at, those of the channels as they were
// published last. Pages link to each other by relative addresses; what a page links to is there. There is no search. Files come one by
// one; an error ends them.
func Export(ctx context.Context, o Options) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		o = o.withDefaults()
		o.Edit, o.Icons = nil, nil // nobody answers; initials stand in
		p, err := newPages(o)
		if err != nil {
			yield(output.File{}, err)
			return
		}
		e := &export{pages: p, yield: yield, asked: make(map[string]bool)}
		p.link = links{relative: true, ask: e.ask}
		if err := e.run(ctx); err != nil && !errors.Is(err, errEnough) {
			yield(output.File{}, fmt.Errorf("make static pages: %w", err))
		}
	}
}

// errEnough says that no more files are wanted.
var errEnough = errors.New("no more files are wanted")

// export is one call of Export.
type export struct {
	*pages
	yield func(output.File, error) bool
	asked map[string]bool // paths that are made or waiting
	queue []string
}

// ask wants the page at a path, percent-encoded, once.
func (e *export) ask(path string) {
	if !e.asked[path] {
		e.asked[path] = true
		e.queue = append(e.queue, path)
	}
}

func (e *export) run(ctx context.Context) error {
	if err := e.files(); err != nil {
		return err
	}
	for _, path := range []string{"/", "/outlets", "/channels", "/status.json"} {
		e.ask(path)
	}
	if err := e.askStories(ctx); err != nil {
		return err
	}
	for len(e.queue) > 0 {
		path := e.queue[0]
		e.queue = e.queue[1:]
		if err := e.make(ctx, path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// askStories wants the stories that documents may link to, whether or not a page does.
func (e *export) askStories(ctx context.Context) error {
	newest, err := e.Stories.Newest(ctx)
	if err != nil {
		return err
	}
	s := Selection{All: true, Since: newest.Add(-exportedSpan), Order: OrderNewest, Limit: 200}
	for more := true; more; s.Offset += s.Limit {
		found, err := e.Stories.List(ctx, s)
		if err != nil {
			return err
		}
		for i := range found.Stories {
			e.ask(storyPath(found.Stories[i].ID))
		}
		more = found.More
	}
	return nil
}

// make gives the files of a page: every number of a list, as a page and as data, and its documents.
func (e *export) make(ctx context.Context, path string) error {
	decoded, err := url.PathUnescape(path)
	if err != nil {
		return err
	}
	t, _ := parseTarget(decoded)
	v := parseView(nil, listOrders())
	for more := true; more && v.Page <= exportedPages; v.Page++ {
		a, err := e.answer(ctx, t, v)
		if err != nil || a == nil || a.body == nil {
			return err
		}
		if t.page == "status" {
			return e.put(decoded, a)
		}
		at := e.link.page(decoded, v)
		more = a.more
		if err := e.put(at+"/index.html", a); err != nil {
			return err
		}
		t.data = true
		if a, err = e.answer(ctx, t, v); err != nil {
			return err
		}
		if err := e.put(dataPath(at), a); err != nil {
			return err
		}
		t.data = false
	}
	if t.page == "outlet" || t.page == "topic" && e.channel(t.id) == nil {
		return e.documents(ctx, t, decoded)
	}
	return nil
}

// documents gives a list as feeds.
func (e *export) documents(ctx context.Context, t target, path string) error {
	for _, suffix := range output.Suffixes() {
		t.suffix = suffix
		a, err := e.answer(ctx, t, parseView(nil, listOrders()))
		if err != nil {
			return err
		}
		if err := e.put(path+suffix, a); err != nil {
			return err
		}
	}
	return nil
}

func (e *export) put(path string, a *answer) error {
	return e.give(output.File{Name: strings.TrimLeft(path, "/"), Data: a.body.data, Modified: a.time})
}

func (e *export) give(f output.File) error {
	if !e.yield(f, nil) {
		return errEnough
	}
	return nil
}

// files gives what pages point at and what is made already: stylesheets, lists, and the documents of the channels with their archives.
func (e *export) files() error {
	list, err := output.Subscriptions(e.Site, e.Channels)
	if err != nil {
		return err
	}
	for _, f := range append([]output.File{e.style, output.Stylesheet(), list}, e.Files...) {
		if err := e.give(f); err != nil {
			return err
		}
	}
	for _, c := range e.Channels {
		names, err := filepath.Glob(filepath.Join(e.Dir, c.Name+"-*.atom"))
		if err != nil {
			return err
		}
		for _, k := range kinds() {
			names = append(names, filepath.Join(e.Dir, c.Name+k.suffix))
		}
		for _, name := range names {
			if err := e.copy(name, c.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// copy gives a published document of the channel, if it is there and is one.
func (e *export) copy(name, channel string) error {
	base := filepath.Base(name)
	if m := archived.FindStringSubmatch("/" + base); strings.HasPrefix(base, channel+"-") && (m == nil || m[1] != channel) {
		return nil
	}
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	return e.give(output.File{Name: base, Data: data, Modified: info.ModTime()})
}

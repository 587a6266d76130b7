package web

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"sheaf/output"
)

// kind is a format of documents.
type kind struct {
	suffix, media string
	title         string // as pages name it
	xml           bool   // browsers are sent it as application/xml, the only type under which they apply a stylesheet
}

// kinds lists the formats in the order they are offered: some readers take the first.
func kinds() []kind {
	return []kind{
		{".atom", "application/atom+xml", "Atom", true},
		{".rss", "application/rss+xml", "RSS", true},
		{".json", "application/feed+json", "JSON Feed", false},
	}
}

func (k kind) contentType(accept string) string {
	if k.xml && strings.Contains(strings.ToLower(accept), "text/html") {
		return "application/xml; charset=utf-8"
	}
	return k.media + "; charset=utf-8"
}

// document is a published file.
type document struct {
	name string
	kind kind
	link []string // values of the Link header

	mu    sync.Mutex
	body  *body // nil: not read yet
	time  time.Time
	bytes int64
}

// read returns the document's present version. Publishing gives every version a later time, so time and size tell versions apart.
func (d *document) read(dir string) (*body, error) {
	path := filepath.Join(dir, d.name)
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.body != nil && d.time.Equal(info.ModTime()) && d.bytes == info.Size() {
		return d.body, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d.body, d.time, d.bytes = newBody(data, "", info.ModTime()), info.ModTime(), info.Size()
	return d.body, nil
}

// linkHeader names the document's own address and the hub (WebSub, section 4).
func linkHeader(site output.Site, name string) []string {
	links := []string{"<" + site.Feed(name) + `>; rel="self"`}
	if site.Hub != "" {
		links = append(links, "<"+site.Hub+`>; rel="hub"`)
	}
	return links
}

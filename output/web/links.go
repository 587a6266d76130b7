package web

import (
	"net/url"
	"path"
	"strconv"
	"strings"

	"sheaf"
)

// links makes the addresses that pages point at each other with.
type links struct {
	base     string            // path of the site's base address; empty unless it lives in a folder
	relative bool              // from page to page as files of a folder, for a host that only serves files
	depth    int               // of the page they stand on, in folders
	ask      func(path string) // told of every page that is linked, if a site is made of files; nil: nobody is
}

// To is the address of a path of the site, such as "/outlets" or "/story/ID.atom", percent-encoded already.
func (l links) To(address string) string {
	if !l.relative {
		return l.base + address
	}
	place, query, ok := strings.Cut(address, "?")
	if ok {
		query = "?" + query
	}
	place = strings.TrimPrefix(place, "/")
	if place != "" && path.Ext(place) == "" {
		place += "/"
	}
	if up := strings.Repeat("../", l.depth); up+place != "" {
		return up + place + query
	}
	return "./" + query
}

// Static says that the page is a file.
func (l links) Static() bool { return l.relative }

// page is the path of a list as it is viewed: of files, only its first page has no number.
func (l links) page(path string, v view) string {
	if !l.relative {
		return path + mark(v.encode())
	}
	if v.Page == 1 {
		return path
	}
	return strings.TrimSuffix(path, "/") + "/page/" + strconv.Itoa(v.Page)
}

// Story is the address of our page on a story.
func (l links) Story(id sheaf.StoryID) string { return l.toPage(storyPath(id)) }

// Outlet is the address of our page on an outlet.
func (l links) Outlet(name string) string { return l.toPage(outletPath(sheaf.Outlet{Name: name}.ID())) }

// toPage is To for a page of which there is one for every story, outlet or topic.
func (l links) toPage(path string) string {
	if l.ask != nil {
		l.ask(path)
	}
	return l.To(path)
}

func storyPath(id sheaf.StoryID) string   { return "/story/" + string(id) }
func outletPath(id sheaf.OutletID) string { return "/outlet/" + url.PathEscape(string(id)) }
func topicPath(topic string) string       { return "/topic/" + url.PathEscape(topic) }

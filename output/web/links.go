package web

import (
	"net/url"
	"path"
	"strings"

	"sheaf"
)

// links makes the addresses that pages point at each other with.
type links struct {
	base     string // path of the site's base address; empty unless it lives in a folder
	relative bool   // from page to page as files of a folder, for a host that only serves files
	depth    int    // of the page they stand on, in folders
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

// Story is the address of our page on a story.
func (l links) Story(id sheaf.StoryID) string { return l.To(storyPath(id)) }

// Outlet is the address of our page on an outlet.
func (l links) Outlet(name string) string { return l.To(outletPath(sheaf.Outlet{Name: name}.ID())) }

func storyPath(id sheaf.StoryID) string   { return "/story/" + string(id) }
func outletPath(id sheaf.OutletID) string { return "/outlet/" + url.PathEscape(string(id)) }
func topicPath(topic string) string       { return "/topic/" + url.PathEscape(topic) }

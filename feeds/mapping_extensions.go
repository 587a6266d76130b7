package feeds

import (
	"strings"

	ext "github.com/mmcdole/gofeed/extensions"

	"sheaf/feeds/canonical"
)

// atomPrefixes are the names under which the parser files Atom elements inside other formats.
var atomPrefixes = [...]string{"atom", "atom03", "a10", "atom10"}

// extension is the text of the first such element that has any.
func extension(e ext.Extensions, prefix string, names ...string) string {
	for _, name := range names {
		for _, x := range e[prefix][name] {
			if v := strings.TrimSpace(x.Value); v != "" {
				return v
			}
		}
	}
	return ""
}

// atomExtension is the same for Atom elements, whatever their prefix.
func atomExtension(e ext.Extensions, names ...string) string {
	for _, prefix := range atomPrefixes {
		if v := extension(e, prefix, names...); v != "" {
			return v
		}
	}
	return ""
}

// atomLinks are the Atom links inside another format.
func (m *mapper) atomLinks(e ext.Extensions) []Link {
	var links []Link
	for _, prefix := range atomPrefixes {
		for _, x := range e[prefix]["link"] {
			href := m.abs(first(x.Attrs["href"], x.Value))
			if href == "" {
				continue
			}
			links = append(links, Link{URL: href, Rel: first(strings.TrimSpace(x.Attrs["rel"]), "alternate"), Type: x.Attrs["type"], Title: x.Attrs["title"]})
		}
	}
	return links
}

// creators are all bylines of Dublin Core.
func creators(e ext.Extensions) people {
	var p people
	for _, name := range [...]string{"creator", "author"} {
		for _, x := range e["dc"][name] {
			p.add(person(x.Value))
		}
	}
	return p
}

// labels adds the categories that extensions give.
func labels(c *categories, e ext.Extensions) {
	for _, x := range e["dc"]["subject"] {
		c.add(x.Value, "", "")
	}
	for _, x := range e["itunes"]["keywords"] {
		for k := range strings.SplitSeq(x.Value, ",") {
			c.add(k, "http://www.itunes.com/", "")
		}
	}
	itunesCategories(c, e["itunes"]["category"])
	for _, group := range mediaGroups(e) {
		for _, x := range group["category"] {
			c.add(x.Value, first(x.Attrs["scheme"], "http://search.yahoo.com/mrss/category_schema"), x.Attrs["label"])
		}
	}
}

func itunesCategories(c *categories, list []ext.Extension) {
	for _, x := range list {
		c.add(x.Attrs["text"], "http://www.itunes.com/", "")
		itunesCategories(c, x.Children["category"])
	}
}

// mediaGroups are the places where Media RSS elements of an item stand: the item, its groups and its contents.
func mediaGroups(e ext.Extensions) []map[string][]ext.Extension {
	if e["media"] == nil {
		return nil
	}
	groups := []map[string][]ext.Extension{e["media"]}
	for i := 0; i < len(groups) && len(groups) < maxLinks; i++ {
		for _, name := range [...]string{"group", "content"} {
			for _, x := range groups[i][name] {
				if len(x.Children) > 0 {
					groups = append(groups, x.Children)
				}
			}
		}
	}
	return groups
}

// media lists the content, thumbnails and credits of Media RSS.
func (m *mapper) media(e ext.Extensions) []Media {
	var list []Media
	groups := mediaGroups(e)
	for _, kind := range [...]string{"content", "thumbnail", "credit"} {
		for _, group := range groups {
			for _, x := range group[kind] {
				list = append(list, Media{
					Kind: kind, URL: m.abs(x.Attrs["url"]), Type: x.Attrs["type"], Medium: x.Attrs["medium"],
					Width: x.Attrs["width"], Height: x.Attrs["height"], Text: x.Value,
				})
			}
		}
	}
	return list
}

// mediaText is a title or description of Media RSS on the item or its group; those of single pictures are not the item's.
func (m *mapper) mediaText(e ext.Extensions, name string) string {
	if v := extension(e, "media", name); v != "" {
		return v
	}
	for _, x := range e["media"]["group"] {
		for _, c := range x.Children[name] {
			if c.Value != "" {
				return c.Value
			}
		}
	}
	return ""
}

// picture chooses the picture that elements name: the podcast's, a picture of Media RSS or among the enclosures, a thumbnail.
func (m *mapper) picture(e ext.Extensions, it *Item) string {
	for _, x := range e["itunes"]["image"] {
		if u := m.abs(first(x.Attrs["href"], x.Attrs["url"], x.Value)); canonical.IsWeb(u) {
			return u
		}
	}
	for _, x := range e["itunes"]["link"] {
		if u := m.abs(x.Attrs["href"]); strings.EqualFold(x.Attrs["rel"], "image") && canonical.IsWeb(u) {
			return u
		}
	}
	for _, v := range it.Media {
		if v.Kind == "content" && isPicture(v.Type, v.Medium, v.URL) {
			return v.URL
		}
	}
	for _, v := range it.Enclosures {
		if isPicture(v.Type, "", v.URL) {
			return v.URL
		}
	}
	for _, v := range it.Media {
		if v.Kind == "thumbnail" && canonical.IsWeb(v.URL) {
			return v.URL
		}
	}
	return ""
}

func isPicture(kind, medium, link string) bool {
	if !canonical.IsWeb(link) {
		return false
	}
	if kind != "" || medium != "" {
		return strings.HasPrefix(strings.ToLower(kind), "image/") || strings.EqualFold(medium, "image")
	}
	path, _, _ := strings.Cut(strings.ToLower(link), "?")
	for _, end := range [...]string{".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif"} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	return false
}

// hints takes the links and update hints of a feed.
func (m *mapper) hints(e ext.Extensions) {
	h := &m.doc.Feed
	for _, l := range h.Links {
		switch l.Rel {
		case "self":
			h.Self = first(h.Self, l.URL)
		case "hub":
			h.Hubs = append(h.Hubs, l.URL)
		}
	}
	h.UpdatePeriod = extension(e, "sy", "updatePeriod")
	h.UpdateFrequency = extension(e, "sy", "updateFrequency")
	h.UpdateBase = extension(e, "sy", "updateBase")
}

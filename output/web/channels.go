package web

import (
	"cmp"
	"context"

	"sheaf/output"
)

// channelsPage is what channels.html shows.
type channelsPage struct {
	*frame
	Channels []channelLine
	List     string   // address of the channels as OPML
	Files    []string // addresses of other lists
}

// channelLine is a channel with the addresses to subscribe to.
type channelLine struct {
	Name, Title, Description string
	Stories                  string // address of its page; empty: none
	Feeds                    []alternate
}

// channels answers with what is published.
func (p *pages) channels(ctx context.Context, t target) (*answer, error) {
	f, err := p.frame(ctx, "/channels")
	if err != nil || t.suffix != "" {
		return nil, err
	}
	f.Title, f.Data, f.Canonical = "Subscribe", f.To("/channels/data.json"), p.full("/channels")
	page := &channelsPage{frame: f, List: f.To("/channels.opml")}
	for _, file := range p.Files {
		if file.Type == "text/x-opml" {
			page.Files = append(page.Files, f.To("/"+file.Name))
		}
	}
	for _, c := range p.Channels {
		l := channelLine{Name: c.Name, Title: cmp.Or(c.Title, c.Name), Description: c.Description}
		if p.Stories != nil && c.Profile != output.ProfileDigest {
			l.Stories = f.toPage(topicPath(c.Name))
		}
		for _, k := range kinds() { // whole addresses: they are there to be copied
			l.Feeds = append(l.Feeds, alternate{k.title, k.media, l.Title + " (" + k.title + ")", p.Site.Feed(c.Name + k.suffix)})
		}
		page.Channels = append(page.Channels, l)
		f.Alternates = append(f.Alternates, l.Feeds...)
	}
	if t.data {
		return data(page.json())
	}
	return rendered("channels.html", page)
}

type channelJSON struct {
	Name        string            `json:"name"`
	Title       string            `json:"title"`
	Description string            `json:"description,omitzero"`
	Feeds       map[string]string `json:"feeds"` // addresses by media type
}

func (page *channelsPage) json() any {
	list := make([]channelJSON, 0, len(page.Channels))
	for _, c := range page.Channels {
		j := channelJSON{c.Name, c.Title, c.Description, make(map[string]string, len(c.Feeds))}
		for _, f := range c.Feeds {
			j.Feeds[f.Media] = f.Address
		}
		list = append(list, j)
	}
	return struct {
		Channels []channelJSON `json:"channels"`
	}{list}
}

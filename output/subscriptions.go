package output

import (
	"bytes"
	"cmp"

	"sheaf/output/opml"
)

// Subscriptions is the list of the channels as OPML, channels.opml, for subscribing to all of them in one step. It names each once, as
// Atom: two formats of one channel hide each other's items in readers that know items across feeds by their ids.
func Subscriptions(site Site, channels []Channel) (File, error) {
	title := Plain(cmp.Or(site.Title, "sheaf"))
	feeds := make([]opml.Feed, 0, len(channels))
	for _, c := range channels {
		feeds = append(feeds, opml.Feed{Title: Plain(cmp.Or(c.Title, c.Name)), URL: site.Feed(c.Name + ".atom"), Site: site.Home()})
	}
	var b bytes.Buffer
	err := opml.Write(&b, title+": channels", feeds)
	return File{Name: "channels.opml", Type: "text/x-opml", Data: b.Bytes()}, err
}

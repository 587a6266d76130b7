package output

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/gorilla/feeds"
)

// The JSON types embed gorilla's, as the RSS types do.

type jsonRoot struct {
	*feeds.JSONFeed
	Items []struct{}   `json:"items"` // always empty: a place for the rendered items
	Sheaf *jsonChannel `json:"_sheaf,omitempty"`
}

type jsonChannel struct {
	About  string            `json:"about"`
	Merged map[string]string `json:"merged"` // old id to surviving id
}

type jsonItem struct {
	*feeds.JSONItem
	BannerImage string    `json:"banner_,omitempty"`     // removes a wrong key
	Attachments *struct{} `json:"attachments,omitempty"` // removes a list with a wrong key
	Author      *struct{} `json:"author,omitempty"`      // removes the deprecated key
	Summary     string    `json:"summary"`
	Language    string    `json:"language,omitempty"`
	Sheaf       jsonStory `json:"_sheaf"`
}

type jsonStory struct {
	About    string        `json:"about"`
	Outlets  int           `json:"outlet_count"`
	Articles int           `json:"article_count"`
	First    string        `json:"first_published"`
	Last     string        `json:"last_published"`
	Page     string        `json:"page_url"`
	Reports  []jsonArticle `json:"articles"`
}

type jsonArticle struct {
	URL       string `json:"url"`
	Title     string `json:"title"`
	Outlet    string `json:"outlet"`
	OutletURL string `json:"outlet_url,omitempty"`
	FeedURL   string `json:"feed_url,omitempty"`
	Published string `json:"date_published"`
	Role      string `json:"role"`
	CopyOf    string `json:"copy_of,omitempty"`
	Language  string `json:"language,omitempty"`
}

func jsonFragment(v *view) (fragment, error) {
	published, updated := v.Published.UTC().Truncate(time.Second), v.Updated.UTC().Truncate(time.Second)
	item := &jsonItem{
		JSONItem: &feeds.JSONItem{
			Id: v.urn, Url: v.link, Title: v.Item.Title, ContentHTML: v.block, Image: v.Item.Image, Tags: tags(v.Item.Topics),
			PublishedDate: &published, ModifiedDate: &updated,
		},
		Summary:  v.summary,
		Language: v.Item.Lang,
		Sheaf: jsonStory{
			About: nsCoverage, Outlets: len(v.outlets), Articles: len(v.Item.Reports),
			First: rfc3339(v.first()), Last: rfc3339(v.last()), Page: v.page,
		},
	}
	for _, o := range v.outlets { // as authors, not tags: FreshRSS cannot read a "&" in tags
		item.Authors = append(item.Authors, &feeds.JSONAuthor{Name: o.name, Url: o.url})
	}
	for i := range v.Item.Reports {
		r := &v.Item.Reports[i]
		item.Sheaf.Reports = append(item.Sheaf.Reports, jsonArticle{
			URL: v.addresses[i], Title: r.Title, Outlet: r.Outlet, OutletURL: r.OutletURL, FeedURL: r.FeedURL,
			Published: rfc3339(r.Published), Role: v.role(r), CopyOf: v.original(r), Language: r.Lang,
		})
	}
	data, err := indented(item, "    ")
	return fragment{data: append([]byte("\n    "), data...)}, err
}

// tags leaves out labels that break the one reader that turns them into XML unescaped.
func tags(topics []string) []string {
	var list []string
	for _, t := range topics {
		if !strings.ContainsAny(t, "&<") {
			list = append(list, t)
		}
	}
	return list
}

func jsonDocument(h *head, items *fragments) ([]byte, error) {
	j := (&feeds.JSON{Feed: h.generic()}).JSONFeed()
	j.FeedUrl, j.Language, j.Icon, j.Favicon = h.address(".json"), h.language, h.site.Icon, h.site.Icon
	j.Authors = nil // Miniflux would add them to every item
	if h.site.Hub != "" {
		j.Hubs = []*feeds.JSONHub{{Type: "WebSub", Url: h.site.Hub}}
	}
	root := &jsonRoot{JSONFeed: j, Items: []struct{}{}}
	if len(h.gone) > 0 {
		root.Sheaf = &jsonChannel{About: nsCoverage, Merged: make(map[string]string, len(h.gone))}
		for _, e := range h.gone {
			root.Sheaf.Merged[urn(e.ID)] = urn(string(e.Into))
		}
	}
	data, err := indented(root, "")
	if err != nil {
		return nil, err
	}
	data = append(data, '\n')
	const empty = `"items": []` // unescaped quotes: no text of the head can look like it
	at := bytes.Index(data, []byte(empty)) + len(empty) - 1
	if at < len(empty)-1 {
		return nil, errors.New("no place for the items")
	}
	if len(items.parts) == 0 {
		return data, nil
	}
	return items.between(data[:at], append([]byte("\n  "), data[at:]...)), nil
}

func indented(v any, prefix string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, "  ")
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

package main

import (
	"strings"
	"time"

	"sheaf"
	"sheaf/feeds"
	"sheaf/feeds/clean"
)

// parsed is the object that `sheaf parse --json` prints. Keys may be added; these do not change their meaning.
type parsed struct {
	File      string          `json:"file"`
	Error     *parseFailure   `json:"error,omitempty"`
	Format    string          `json:"format,omitempty"`
	Version   string          `json:"version,omitempty"`
	Encoding  string          `json:"encoding,omitempty"`
	Truncated bool            `json:"truncated,omitempty"`
	Notes     []feeds.Note    `json:"notes,omitempty"`
	Feed      *parsedFeed     `json:"feed,omitempty"`
	Articles  []parsedArticle `json:"articles"`
}

type parseFailure struct {
	Code    string            `json:"code"`
	Message string            `json:"message"`
	Feeds   []feeds.Alternate `json:"feeds,omitempty"`
}

type parsedFeed struct {
	ID           string           `json:"id,omitempty"`
	Title        string           `json:"title,omitempty"`
	Summary      string           `json:"summary,omitempty"`
	Link         string           `json:"link,omitempty"`
	FeedLink     string           `json:"feed_link,omitempty"`
	Links        []feeds.Link     `json:"links,omitempty"`
	Language     string           `json:"language,omitempty"`
	Authors      []parsedAuthor   `json:"authors,omitempty"`
	Categories   []feeds.Category `json:"categories,omitempty"`
	Image        string           `json:"image,omitempty"`
	Published    string           `json:"published,omitempty"`
	PublishedRaw string           `json:"published_raw,omitempty"`
	Updated      string           `json:"updated,omitempty"`
	UpdatedRaw   string           `json:"updated_raw,omitempty"`

	TTL             string   `json:"ttl,omitempty"`
	UpdatePeriod    string   `json:"update_period,omitempty"`
	UpdateFrequency string   `json:"update_frequency,omitempty"`
	SkipHours       []string `json:"skip_hours,omitempty"`
	SkipDays        []string `json:"skip_days,omitempty"`
	Hubs            []string `json:"hubs,omitempty"`
}

type parsedAuthor struct {
	Name  string `json:"name,omitempty"`
	Email string `json:"email,omitempty"`
	URL   string `json:"url,omitempty"`
}

type parsedArticle struct {
	Key           string            `json:"key,omitempty"`
	Aliases       []string          `json:"aliases,omitempty"`
	GUID          string            `json:"guid,omitempty"`
	GUIDPermalink bool              `json:"guid_permalink,omitempty"`
	Title         string            `json:"title,omitempty"`
	TitleFrom     string            `json:"title_from,omitempty"`
	Link          string            `json:"link,omitempty"`
	LinkFrom      string            `json:"link_from,omitempty"`
	URL           string            `json:"url,omitempty"`
	URLKey        string            `json:"url_key,omitempty"`
	Links         []feeds.Link      `json:"links,omitempty"`
	Authors       []parsedAuthor    `json:"authors,omitempty"`
	Published     string            `json:"published,omitempty"`
	PublishedRaw  string            `json:"published_raw,omitempty"`
	Updated       string            `json:"updated,omitempty"`
	UpdatedRaw    string            `json:"updated_raw,omitempty"`
	Time          string            `json:"time,omitempty"`
	TimeFrom      string            `json:"time_from,omitempty"`
	Language      string            `json:"language,omitempty"`
	Image         string            `json:"image,omitempty"`
	Categories    []feeds.Category  `json:"categories,omitempty"`
	Enclosures    []feeds.Enclosure `json:"enclosures,omitempty"`
	Media         []feeds.Media     `json:"media,omitempty"`
	Source        *feeds.Source     `json:"source,omitempty"`
	Outlet        string            `json:"outlet,omitempty"`
	Summary       string            `json:"summary,omitempty"`
	Text          string            `json:"text,omitempty"`
	HTML          string            `json:"html,omitempty"`
	Wire          string            `json:"wire,omitempty"`
	Dropped       []string          `json:"dropped,omitempty"`
	SummaryMarkup string            `json:"summary_markup,omitempty"`
	ContentMarkup string            `json:"content_markup,omitempty"`
}

func failure(file, code, message string) parsed {
	return parsed{File: file, Error: &parseFailure{Code: code, Message: message}, Articles: []parsedArticle{}}
}

// describe puts an error into a sentence for people.
func (f *parseFailure) describe() string {
	if len(f.Feeds) == 0 {
		return f.Message
	}
	addresses := make([]string, len(f.Feeds))
	for i := range f.Feeds {
		addresses[i] = f.Feeds[i].URL
	}
	return f.Message + "; it points at " + strings.Join(addresses, ", ")
}

// describe makes the object of a document that was parsed.
func describe(req parseRequest, doc *feeds.Document, o *parseOptions) parsed {
	readings := feeds.Readings(doc, feeds.Normalization{Feed: sheaf.Feed{ID: sheaf.NewFeedID(req.URL), URL: req.URL}, Now: o.clock})
	r := parsed{
		File: req.File, Format: doc.Format, Version: doc.Version, Encoding: doc.Encoding, Truncated: doc.Truncated, Notes: doc.Notes,
		Feed: describeFeed(&doc.Feed), Articles: make([]parsedArticle, len(doc.Items)),
	}
	for i := range doc.Items {
		r.Articles[i] = describeArticle(&doc.Items[i], &readings[i])
		if o.markup {
			it := &doc.Items[i]
			r.Articles[i].SummaryMarkup = it.Summary.Absolute(it.Link)
			r.Articles[i].ContentMarkup = it.Content.Absolute(it.Link)
		}
	}
	return r
}

func describeFeed(h *feeds.Header) *parsedFeed {
	published, updated := h.Times()
	return &parsedFeed{
		ID: h.ID, Title: h.PlainTitle(), Summary: clean.Markup(h.Summary, h.Link).Text, Link: h.Link, FeedLink: h.Self, Links: h.Links,
		Language: h.Lang, Authors: describeAuthors(h.Authors), Categories: h.Categories, Image: h.Image,
		Published: instant(published), PublishedRaw: h.Published, Updated: instant(updated), UpdatedRaw: h.Updated,
		TTL: h.TTL, UpdatePeriod: h.UpdatePeriod, UpdateFrequency: h.UpdateFrequency, SkipHours: h.SkipHours, SkipDays: h.SkipDays, Hubs: h.Hubs,
	}
}

func describeArticle(it *feeds.Item, d *feeds.Reading) parsedArticle {
	a := &d.Article
	p := parsedArticle{
		Key: a.Key, Aliases: a.Aliases, GUID: a.GUID, GUIDPermalink: it.Permalink, Title: a.Title, TitleFrom: d.TitleFrom,
		Link: it.Link, LinkFrom: it.LinkFrom, URL: a.URL, URLKey: a.URLKey, Links: it.Links, Authors: describeAuthors(it.Authors),
		Published: instant(d.Published), PublishedRaw: it.Published, Updated: instant(d.Updated), UpdatedRaw: it.Updated,
		Time: instant(d.Time), TimeFrom: d.TimeFrom, Language: a.Lang, Image: a.Image, Categories: it.Categories,
		Enclosures: it.Enclosures, Media: it.Media, Outlet: a.Outlet.Name,
		Summary: d.Summary, Text: d.Text, HTML: a.HTML, Wire: a.Wire, Dropped: d.Dropped,
	}
	if s := it.Source; s.Name != "" || s.Link != "" || s.FeedURL != "" || s.ID != "" {
		s.Name = s.PlainName()
		p.Source = &s
	}
	return p
}

func describeAuthors(list []sheaf.Author) []parsedAuthor {
	var out []parsedAuthor
	for _, a := range list {
		out = append(out, parsedAuthor(a))
	}
	return out
}

// instant is a time as the contract has it: UTC, whole seconds; empty for none.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Truncate(time.Second).Format(time.RFC3339)
}

package web

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"regexp"
	"time"

	"sheaf"
	"sheaf/output"
)

//go:embed page.css index.html story.html
var assets embed.FS

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"iso": func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
}).ParseFS(assets, "*.html"))

// indexData is what index.html shows.
type indexData struct {
	Title, Lang, Base string
	Channels          []channelData
}

type channelData struct {
	Title, Description string
	Feeds              []feedData
}

type feedData struct {
	Address, Media, Kind string
}

// indexPage lists the channels with the addresses to subscribe to.
func indexPage(site output.Site, channels []output.Channel) (*body, error) {
	data := indexData{Title: siteTitle(site), Lang: siteLang(site), Base: site.Path()}
	for _, c := range channels {
		shown := channelData{Title: c.Title, Description: c.Description}
		if shown.Title == "" {
			shown.Title = c.Name
		}
		for _, k := range kinds() {
			shown.Feeds = append(shown.Feeds, feedData{site.Feed(c.Name + k.suffix), k.media, k.title})
		}
		data.Channels = append(data.Channels, shown)
	}
	return render("index.html", data)
}

// storyData is what story.html shows.
type storyData struct {
	Site, Lang string
	Base       string // path the site lives under
	Item       output.Item
	Page       string
	Follows    string // address of the story this one continues; empty: none
	Outlets    int
	Rows       []rowData
}

type rowData struct {
	output.Report
	Lead   bool
	Time   string // in the site's zone
	Copies []output.Report
}

var uuid = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// story serves the page of a story, and sends whoever asks for a merged one to the survivor.
func (s *server) story(w http.ResponseWriter, r *http.Request, id sheaf.StoryID) {
	if s.Stories == nil || !uuid.MatchString(string(id)) {
		refuse(w, http.StatusNotFound)
		return
	}
	found, err := s.Stories.Story(r.Context(), id)
	switch {
	case errors.Is(err, ErrNoStory), err == nil && len(found.Members) == 0:
		refuse(w, http.StatusNotFound)
		return
	case err != nil:
		s.Fail(fmt.Errorf("story page: %w", err))
		refuse(w, http.StatusInternalServerError)
		return
	case found.ID != id:
		w.Header().Set("Location", s.Site.Page(found.ID))
		refuse(w, http.StatusPermanentRedirect)
		return
	}
	page, err := storyPage(s.Site, &found, s.Snippets)
	if err != nil {
		s.Fail(fmt.Errorf("story page: %w", err))
		refuse(w, http.StatusInternalServerError)
		return
	}
	page.serve(w, r, s.maxAge())
}

func storyPage(site output.Site, story *sheaf.Story, allowed output.Snippets) (*body, error) {
	item := output.NewItem(story, allowed)
	data := storyData{Site: siteTitle(site), Lang: siteLang(site), Base: site.Path(), Item: item, Page: site.Page(story.ID)}
	if story.Follows != "" {
		data.Follows = site.Page(story.Follows)
	}
	zone := site.Zone
	if zone == nil {
		zone = time.UTC
	}
	outlets := make(map[string]bool)
	copies := make(map[sheaf.ArticleID][]output.Report)
	for _, r := range item.Reports {
		outlets[r.Outlet] = true
		if r.CopyOf != "" {
			copies[r.CopyOf] = append(copies[r.CopyOf], r)
		}
	}
	for _, r := range item.Reports {
		if lead := r.Article == item.Lead; r.CopyOf == "" || lead {
			data.Rows = append(data.Rows, rowData{r, lead, r.Published.In(zone).Format("2 Jan 2006 15:04 MST"), copies[r.Article]})
		}
	}
	data.Outlets = len(outlets)
	return render("story.html", data)
}

func render(name string, data any) (*body, error) {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, data); err != nil {
		return nil, err
	}
	return newBody(b.Bytes(), "text/html; charset=utf-8", time.Time{}), nil
}

func siteTitle(site output.Site) string {
	if site.Title == "" {
		return "sheaf"
	}
	return site.Title
}

func siteLang(site output.Site) string {
	if site.Language == "" {
		return "en"
	}
	return site.Language
}

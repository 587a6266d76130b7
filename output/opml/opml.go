// Package opml writes and reads lists of feeds, as feed readers exchange them.
package opml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html/charset"
)

// Feed is one entry of a list.
type Feed struct {
	Title  string   // empty: none given
	URL    string   // of the feed
	Site   string   // of the page it belongs to; empty: unknown
	Folder []string // names of the folders it lies in, outermost first
}

// Limits of what is read: no list of people's feeds comes near them.
const (
	maxBytes = 8 << 20
	maxDepth = 32
	maxFeeds = 50_000
)

// ErrTooLarge says that a list exceeds a limit of this package.
var ErrTooLarge = errors.New("list of feeds is too large")

// document and outline are the elements written. Only what every reader understands: type "rss" whatever the format, text and title
// equal, no date of the writing.
type document struct {
	XMLName  xml.Name  `xml:"opml"`
	Version  string    `xml:"version,attr"`
	Title    string    `xml:"head>title"`
	Outlines []outline `xml:"body>outline"`
}

type outline struct {
	Type     string    `xml:"type,attr,omitempty"`
	Text     string    `xml:"text,attr"`
	Title    string    `xml:"title,attr"`
	URL      string    `xml:"xmlUrl,attr,omitempty"`
	Site     string    `xml:"htmlUrl,attr,omitempty"`
	Outlines []outline `xml:"outline"`
}

// Write writes the feeds as OPML 2.0, in their order; those of one folder stand together where its first stands. The same feeds give the
// same bytes.
func Write(w io.Writer, title string, feeds []Feed) error {
	d := document{Version: "2.0", Title: title}
	for _, f := range feeds {
		place := &d.Outlines
		for _, name := range f.Folder {
			i := slices.IndexFunc(*place, func(o outline) bool { return o.URL == "" && o.Text == name })
			if i < 0 {
				i = len(*place)
				*place = append(*place, outline{Text: name, Title: name})
			}
			place = &(*place)[i].Outlines
		}
		*place = append(*place, entry(f))
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e := xml.NewEncoder(&b)
	e.Indent("", "  ")
	if err := e.Encode(d); err != nil {
		return fmt.Errorf("write opml: %w", err)
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}

// entry is the outline of a feed, with a title and a site even where none is known: some readers drop feeds that lack one.
func entry(f Feed) outline {
	o := outline{Type: "rss", Text: f.Title, Title: f.Title, URL: f.URL, Site: f.Site}
	u, err := url.Parse(f.URL)
	if o.Site == "" && err == nil && u.Host != "" {
		o.Site = u.Scheme + "://" + u.Host + "/"
	}
	if o.Text == "" {
		o.Text, o.Title = f.URL, f.URL
	}
	return o
}

// Read reads a list of any version, however carelessly written: an outline with xmlUrl is a feed, any other a folder; text, title and
// htmlUrl may be missing, and type means nothing. Feeds keep the order of the document; one address is listed once, where it stands first.
// Entities that point outside are not followed.
func Read(r io.Reader) ([]Feed, error) {
	d := xml.NewDecoder(&limited{r: r, left: maxBytes})
	d.Strict = false
	d.Entity = xml.HTMLEntity
	d.CharsetReader = charset.NewReaderLabel
	p := parser{seen: make(map[string]bool)}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = p.take(token)
		}
		if err != nil {
			return nil, fmt.Errorf("read opml: %w", err)
		}
	}
	if !p.opml {
		return nil, errors.New("read opml: not an OPML document")
	}
	return p.feeds, nil
}

// limited ends in ErrTooLarge where io.LimitReader would feign the end of the document.
type limited struct {
	r    io.Reader
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, ErrTooLarge
	}
	n, err := l.r.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

// parser gathers feeds from the tokens of a document.
type parser struct {
	opml   bool
	folder []string // of each open outline; empty for one that is a feed
	feeds  []Feed
	seen   map[string]bool
}

func (p *parser) take(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		if strings.EqualFold(t.Name.Local, "opml") {
			p.opml = true
		}
		if strings.EqualFold(t.Name.Local, "outline") {
			return p.open(t)
		}
	case xml.EndElement:
		if strings.EqualFold(t.Name.Local, "outline") && len(p.folder) > 0 {
			p.folder = p.folder[:len(p.folder)-1]
		}
	}
	return nil
}

func (p *parser) open(t xml.StartElement) error {
	if len(p.folder) >= maxDepth || len(p.feeds) >= maxFeeds {
		return ErrTooLarge
	}
	address := attribute(t, "xmlUrl")
	name := attribute(t, "title")
	if name == "" {
		name = attribute(t, "text")
	}
	if address == "" {
		p.folder = append(p.folder, name)
		return nil
	}
	if !p.seen[address] {
		p.seen[address] = true
		f := Feed{Title: name, URL: address, Site: attribute(t, "htmlUrl")}
		for _, folder := range p.folder {
			if folder != "" {
				f.Folder = append(f.Folder, folder)
			}
		}
		p.feeds = append(p.feeds, f)
	}
	p.folder = append(p.folder, "")
	return nil
}

// attribute reads an attribute whatever the case of its name, on one line.
func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if strings.EqualFold(a.Name.Local, name) {
			return strings.Join(strings.Fields(a.Value), " ")
		}
	}
	return ""
}

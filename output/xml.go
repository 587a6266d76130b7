package output

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"strings"

	"github.com/gorilla/feeds"
)

// The namespaces of our documents. A namespace is a name: none of these is ever fetched. The last is ours, frozen with the first release.
const (
	nsAtom       = "http://www.w3.org/2005/Atom"
	nsContent    = "http://purl.org/rss/1.0/modules/content/"
	nsDublinCore = "http://purl.org/dc/elements/1.1/"
	nsMedia      = "http://search.yahoo.com/mrss/"
	nsThread     = "http://purl.org/syndication/thread/1.0"
	nsTombstones = "http://purl.org/atompub/tombstones/1.0"
	nsCoverage   = "urn:sheaf:coverage:1"
)

// document puts the stylesheet for browsers before the root element. It is a feeds.XmlFeed, so feeds.WriteXML does the rest.
type document struct {
	site Site
	root any
}

// FeedXml gives what feeds.WriteXML encodes.
func (d document) FeedXml() any { return d }

// MarshalXML writes the stylesheet's instruction, then the root.
func (d document) MarshalXML(e *xml.Encoder, _ xml.StartElement) error {
	inst := fmt.Sprintf(`href="%s/%s" type="text/css"`, html.EscapeString(d.site.Path()), stylesheetName)
	if err := e.EncodeToken(xml.ProcInst{Target: "xml-stylesheet", Inst: []byte(inst)}); err != nil {
		return err
	}
	return e.Encode(d.root)
}

// place stands for the items in a root. The encoder writes it as it is; nothing else in a document can be a NUL.
const place = "\x00"

// with encodes the document and puts the items into their place.
func (d document) with(items *fragments) ([]byte, error) {
	var b bytes.Buffer
	if err := feeds.WriteXML(d, &b); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	before, after, ok := bytes.Cut(b.Bytes(), []byte(place))
	if !ok {
		return nil, errors.New("no place for the items")
	}
	return items.between(before, after), nil
}

// element encodes one item as it stands depth steps inside its document.
func element(item any, depth int) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('\n')
	e := xml.NewEncoder(&b)
	e.Indent(strings.Repeat("  ", depth), "  ")
	if err := e.Encode(item); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// xmlLink is a link of Atom, also in RSS: gorilla's lacks the title.
type xmlLink struct {
	XMLName xml.Name
	Href    string `xml:"href,attr"`
	Rel     string `xml:"rel,attr,omitempty"`
	Type    string `xml:"type,attr,omitempty"`
	Title   string `xml:"title,attr,omitempty"`
}

type xmlThumbnail struct {
	XMLName xml.Name `xml:"media:thumbnail"`
	URL     string   `xml:"url,attr"`
}

func thumbnail(address string) *xmlThumbnail {
	if address == "" {
		return nil
	}
	return &xmlThumbnail{URL: address}
}

// generic is the item in gorilla's own model, as far as that can say it.
func (v *view) generic() *feeds.Feed {
	return &feeds.Feed{Items: []*feeds.Item{{
		Id:          v.urn,
		IsPermaLink: "false",
		Title:       v.Item.Title,
		Link:        &feeds.Link{Href: v.link, Rel: "alternate", Type: "text/html"},
		Description: v.summary,
		Content:     v.block,
		Created:     v.Published.UTC(),
		Updated:     v.Updated.UTC(),
	}}}
}

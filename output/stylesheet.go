package output

import (
	_ "embed"
	"net/url"
)

//go:embed feed.css
var stylesheet []byte

// stylesheetName is where documents look for it, beside the front page.
const stylesheetName = "feed.css"

// Stylesheet is the file that makes RSS and Atom documents readable in a browser. It belongs beside them, wherever they are served from.
func Stylesheet() File {
	return File{Name: stylesheetName, Type: "text/css", Data: stylesheet}
}

// Path is the part of BaseURL behind the host, without a slash at the end: empty unless the site lives in a folder.
func (s Site) Path() string {
	u, err := url.Parse(s.BaseURL)
	if err != nil {
		return ""
	}
	return u.EscapedPath()
}

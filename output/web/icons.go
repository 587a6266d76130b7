package web

import (
	"net/http"
	"strings"
	"time"
	"unicode"

	"sheaf/output"
)

// Icons are small pictures of outlets, kept by us: a page asks nobody else for anything. It is called from many goroutines at once.
type Icons interface {
	// Name is what the picture of the outlet with the home page is called, of letters, digits, hyphens and dots; empty: there is none.
	Name(home string) string
	// Picture gives a PNG by its name, and when it came in.
	Picture(name string) (data []byte, came time.Time, err error)
}

// iconAge is how long a browser keeps a picture.
const iconAge = 7 * 24 * time.Hour

// icon is how a page marks an outlet: by its picture, or by its initials.
type icon struct {
	Address  string // empty: there is no picture
	Initials string
}

// Icon marks the outlet that signs a report.
func (f *frame) Icon(r output.Report) icon {
	if f.icons != nil && r.OutletURL != "" {
		if name := f.icons.Name(r.OutletURL); name != "" {
			return icon{Address: f.To("/icon/" + name)}
		}
	}
	return icon{Initials: initials(r.Outlet)}
}

// initials are the first letters of the first and the last word of a name, or of its only one.
func initials(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	if len(words) > 2 {
		words = []string{words[0], words[len(words)-1]}
	}
	var b strings.Builder
	for _, w := range words {
		b.WriteRune(unicode.ToUpper([]rune(w)[0]))
	}
	return b.String()
}

// icon serves a picture.
func (s *server) icon(w http.ResponseWriter, r *http.Request, name string) {
	data, came, err := s.Icons.Picture(name)
	if err != nil {
		refuse(w, http.StatusNotFound)
		return
	}
	w.Header()["Content-Security-Policy"] = []string{documentPolicy}
	newBody(data, "image/png", came).serve(w, r, iconAge)
}

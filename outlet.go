package sheaf

import (
	"strings"
	"unicode"
)

// OutletID names an outlet in addresses, categories and the database: its name in lower case, words joined by hyphens.
type OutletID string

// Outlet is a news organisation credited for reports.
type Outlet struct {
	Name  string // as shown to readers; never empty on a stored article
	URL   string // home page, http or https; empty if unknown
	Owner string // family of outlets under one owner, as configured; empty means the outlet stands alone
}

// ID is derived from the name, so that two feeds of one outlet are one outlet. Letters and digits of every script are kept.
func (o Outlet) ID() OutletID { return OutletID(hyphenated(o.Name)) }

// CategoryID names a label given by feeds, in addresses and the database: in lower case, words joined by hyphens.
type CategoryID string

// NewCategoryID is the id of a label, the same for every spelling that differs in case and punctuation only.
func NewCategoryID(label string) CategoryID { return CategoryID(hyphenated(label)) }

// hyphenated joins the words of a name, in lower case.
func hyphenated(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(name) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		case r == '\'' || r == '’':
		default:
			gap = true
		}
	}
	return b.String()
}

// Family is the unit that can confirm another: the owner where one is known, else the outlet itself.
func (o Outlet) Family() string {
	if o.Owner != "" {
		return "owner:" + string(Outlet{Name: o.Owner}.ID())
	}
	return string(o.ID())
}

package feeds

import (
	"strings"

	"sheaf"
	"sheaf/feeds/canonical"
	"sheaf/feeds/clean"
	"sheaf/feeds/dates"
	"sheaf/feeds/repair"
)

// Limits on what one item may hold; more is cut and noted.
const (
	maxTitle      = 1 << 10 // bytes
	maxURL        = 2048    // bytes; a longer address is dropped
	maxCategories = 64
	maxLinks      = 64
)

// mapper makes a Document of what the parser gave, putting right what parsers lose.
type mapper struct {
	doc      *Document
	facts    repair.Facts
	base     string // of relative addresses; empty if none is known
	pinned   bool   // the base was said, not taken from where the document was found
	partial  bool
	language string // as the transfer said
	notes    map[string]int
	guessed  int  // dates whose day and month may be the other way round
	ordered  bool // another date shows which is which
}

func (m *mapper) note(code string, n int) {
	if m.notes == nil {
		m.notes = make(map[string]int)
	}
	m.notes[code] += n
}

// fact is what the scanner noted of item i, of n that the parser gave. The two are joined by position, only if their numbers agree.
func (m *mapper) fact(i, n int) repair.Item {
	if len(m.facts.Items) != n {
		return repair.Item{}
	}
	return m.facts.Items[i]
}

// settleBase falls back on what the feed says about itself, if nothing else tells what addresses are relative to.
func (m *mapper) settleBase(candidates ...string) {
	for _, c := range candidates {
		if m.base == "" && canonical.IsWeb(strings.TrimSpace(c)) {
			m.base = strings.TrimSpace(c)
		}
	}
}

// abs makes an address absolute. One that is too long is dropped.
func (m *mapper) abs(link string) string { return m.absTo(m.base, link) }

func (m *mapper) absTo(base, link string) string {
	link = strings.TrimSpace(link)
	if link == "" {
		return ""
	}
	link = canonical.Resolve(base, link)
	if len(link) > maxURL {
		m.note("url_dropped", 1)
		return ""
	}
	return link
}

// text gives a text construct with the base of its links.
func (m *mapper) text(value, itemBase string) Text {
	t := m.facts.Text(value)
	if t.Base == "" {
		t.Base = first(itemBase, m.base)
	}
	if len(t.Value) > clean.MaxMarkup {
		m.note("markup_cut", 1)
		t.Value = clean.Cut(t.Value, clean.MaxMarkup)
	}
	return Text{Markup: t.Value, Base: t.Base, Plain: t.Plain}
}

// firstText is the first of several constructs that holds anything.
func (m *mapper) firstText(itemBase string, values ...string) Text {
	for _, v := range values {
		if t := m.text(v, itemBase); t.Markup != "" {
			return t
		}
	}
	return Text{}
}

// line is the value of a text construct that is short by nature.
func (m *mapper) line(value string) string { return m.facts.Text(value).Value }

// bound holds the limits of one item.
func (m *mapper) bound(it *Item) {
	if len(it.Title) > maxTitle {
		m.note("title_cut", 1)
		it.Title = clean.Cut(it.Title, maxTitle)
	}
	if len(it.Categories) > maxCategories {
		m.note("categories_cut", 1)
		it.Categories = it.Categories[:maxCategories]
	}
	if len(it.GUID) > maxURL {
		m.note("guid_dropped", 1)
		it.GUID, it.Permalink = "", false
	}
	it.Links = it.Links[:min(len(it.Links), maxLinks)]
	it.Enclosures = it.Enclosures[:min(len(it.Enclosures), maxLinks)]
	it.Media = it.Media[:min(len(it.Media), maxLinks)]
	it.Authors = it.Authors[:min(len(it.Authors), maxLinks)]
	if it.Lang == "" {
		it.Lang = m.doc.Feed.Lang
	}
	it.Lang = languageTag(it.Lang)
}

// itemLanguage is the language that the scanner saw on an item itself, not on the root.
func (m *mapper) itemLanguage(f repair.Item) string {
	if f.Lang == m.facts.Lang {
		return ""
	}
	return f.Lang
}

func languageTag(s string) string { return strings.ReplaceAll(strings.TrimSpace(s), "_", "-") }

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// date is the first date that can be read, else the first that is there. What is doubtful about it is noted: a zone nobody knows here,
// the order of day and month when the document has ended without a date that shows it.
func (m *mapper) date(values ...string) string {
	for _, v := range values {
		d, ok := dates.Parse(v, dates.Options{})
		if !ok {
			continue
		}
		if d.ZoneUnknown {
			m.note("date_zone_unknown", 1)
		}
		if d.OrderGuessed {
			m.guessed++
		}
		m.ordered = m.ordered || d.Order != 0
		return v
	}
	return first(values...)
}

// categories collects labels without repeating any.
type categories []Category

func (c *categories) add(term, scheme, label string) {
	n := Category{Term: clean.Title(term), Scheme: strings.TrimSpace(scheme), Label: clean.Title(label)}
	if n.Term == "" && n.Label == "" || len(*c) > maxCategories {
		return
	}
	for _, known := range *c {
		if known == n {
			return
		}
	}
	*c = append(*c, n)
}

// people collects bylines without repeating any.
type people []sheaf.Author

func (p *people) add(a sheaf.Author) {
	if a.Name == "" && a.Email == "" && a.URL == "" || len(*p) == maxLinks {
		return
	}
	for _, known := range *p {
		if known == a {
			return
		}
	}
	*p = append(*p, a)
}

// person takes apart "a@b.example (Name)", "Name <a@b.example>", "Name (a@b.example)" and a name or an address alone.
func person(s string) sheaf.Author {
	s = clean.Title(s)
	at := strings.IndexByte(s, '@')
	if at <= 0 {
		return sheaf.Author{Name: s}
	}
	start := strings.LastIndexAny(s[:at], " <([,;:\"") + 1
	end := strings.IndexAny(s[at:], " >)],;\"")
	if end < 0 {
		end = len(s) - at
	}
	email := s[start : at+end]
	if start == at || len(email) == len(s[start:at+1]) || strings.Count(email, "@") != 1 {
		return sheaf.Author{Name: s}
	}
	rest := strings.TrimSuffix(s[:start], "mailto:") + " " + s[at+end:]
	name := strings.Trim(clean.Line(strings.NewReplacer("()", "", "<>", "", "[]", "").Replace(strings.NewReplacer("( )", "()", "< >", "<>", "[ ]", "[]").Replace(rest))), "()<>[]\"',;: ")
	return sheaf.Author{Name: name, Email: email}
}

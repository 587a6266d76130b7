package clean

// rule says what becomes of an element.
type rule struct {
	block   bool   // breaks lines of text
	void    bool   // has no content
	drop    bool   // the element goes, its content stays
	raw     bool   // element and content go unread
	mute    bool   // its text is not the article's
	implied bool   // its end tag may be left out
	table   bool   // means something only in a table
	own     string // attribute allowed beside dir, lang and title
	second  string
}

// allows tells whether an attribute stays.
func (r rule) allows(name string) bool {
	switch name {
	case "title", "dir", "lang":
		return true
	}
	return name == r.own && name != "" || name == r.second && name != ""
}

// rules are the elements known; the tags of all others are dropped and their content stays.
var rules = func() map[string]rule {
	table := make(map[string]rule, 128)
	put := func(r rule, names ...string) {
		for _, n := range names {
			table[n] = r
		}
	}
	put(rule{}, "b", "strong", "i", "em", "u", "s", "strike", "small", "sub", "sup", "tt", "code", "samp", "var", "dfn", "mark", "abbr", "acronym",
		"cite", "bdi", "bdo", "ruby", "rt", "rp")
	put(rule{own: "href"}, "a")
	put(rule{own: "cite"}, "q", "ins", "del")
	put(rule{own: "datetime"}, "time")
	put(rule{block: true, implied: true}, "p")
	put(rule{block: true}, "div", "ul", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "aside", "pre", "figure", "details", "summary", "dl", "table")
	put(rule{block: true, own: "start"}, "ol")
	put(rule{block: true, own: "cite"}, "blockquote")
	put(rule{block: true, implied: true}, "li", "dt", "dd")
	put(rule{block: true, implied: true, table: true}, "tr", "thead", "tbody", "tfoot", "caption")
	put(rule{implied: true, table: true, own: "colspan", second: "rowspan"}, "td", "th")
	put(rule{block: true, void: true}, "br", "hr")
	put(rule{void: true}, "wbr", "img")
	put(rule{void: true, drop: true}, "input", "area", "col", "embed", "param", "track", "source", "link", "meta", "base", "keygen", "frame")
	put(rule{block: true, mute: true}, "figcaption")
	put(rule{block: true, drop: true}, "header", "footer", "nav", "main", "center", "address", "fieldset", "form", "legend", "html", "body", "head", "hgroup")
	put(rule{drop: true}, "span", "font", "big", "label", "picture", "kbd", "nobr", "blink", "video", "audio", "canvas", "button")
	put(rule{raw: true}, "script", "style", "iframe", "noscript", "template", "svg", "math", "object", "textarea", "select", "title", "xmp", "noembed",
		"noframes", "frameset", "applet", "plaintext")
	return table
}()

package repair

import (
	"strings"

	"sheaf/feeds/canonical"
)

const (
	atom10 = "http://www.w3.org/2005/Atom"
	atom03 = "http://purl.org/atom/ns#"
	rss10  = "http://purl.org/rss/1.0/"
	xhtml  = "http://www.w3.org/1999/xhtml"
)

// canonicalNamespace maps the spellings in use to the one parsers know.
func canonicalNamespace(uri string) string {
	uri = strings.TrimSpace(uri)
	switch strings.TrimSuffix(strings.ToLower(uri), "/") {
	case "http://www.itunes.com/dtds/podcast-1.0.dtd", "https://www.itunes.com/dtds/podcast-1.0.dtd":
		return "http://www.itunes.com/DTDs/PodCast-1.0.dtd"
	case "http://search.yahoo.com/mrss", "https://search.yahoo.com/mrss", "http://www.rssboard.org/media-rss", "http://video.search.yahoo.com/mrss":
		return "http://search.yahoo.com/mrss/"
	case "https://www.w3.org/2005/atom", "http://www.w3.org/2005/atom":
		return atom10
	case "http://purl.org/dc/elements/1.1", "http://purl.org/dc/elements/1.0", "https://purl.org/dc/elements/1.1":
		return "http://purl.org/dc/elements/1.1/"
	case "http://purl.org/dc/terms", "https://purl.org/dc/terms":
		return "http://purl.org/dc/terms/"
	case "http://purl.org/rss/1.0/modules/content", "https://purl.org/rss/1.0/modules/content":
		return "http://purl.org/rss/1.0/modules/content/"
	}
	return uri
}

func isRSSNamespace(uri string) bool {
	return uri == rss10 || uri == "http://channel.netscape.com/rdf/simple/0.9/" || uri == "http://my.netscape.com/rdf/simple/0.9/"
}

// rootNamespaces makes the elements of the format visible to a parser: a stray default namespace on rss hides all of them, a misspelt
// one on feed or rdf does too.
func (s *scanner) rootNamespaces(t *tag) {
	own := "xmlns"
	if t.name.prefix != "" {
		own = "xmlns:" + t.name.prefix
	}
	switch t.name.local {
	case "rss", "channel":
		s.dropDefault(t)
	case "rdf":
		for i := range t.attributes {
			if a := &t.attributes[i]; a.name.text == "xmlns" && !isRSSNamespace(strings.TrimSpace(string(a.value))) {
				s.note("ns_rdf_fixed")
				a.value = []byte(rss10)
			}
		}
	case "feed":
		declared := false
		for i := range t.attributes {
			a := &t.attributes[i]
			if a.name.text != own {
				continue
			}
			declared = true
			if v := canonicalNamespace(string(a.value)); v != atom10 && v != atom03 {
				s.note("ns_atom_fixed")
				a.value = []byte(atomOf(s.value(t, "version")))
			}
		}
		if !declared && t.name.prefix != "" {
			s.note("ns_atom_fixed")
			t.attributes = append(t.attributes, attribute{s.names.of([]byte(own)), []byte(atom10)})
		}
	}
}

func atomOf(version string) string {
	if strings.HasPrefix(strings.TrimSpace(version), "0.") {
		return atom03
	}
	return atom10
}

func (s *scanner) dropDefault(t *tag) {
	t.remove(func(a *attribute) bool {
		if a.name.text != "xmlns" {
			return false
		}
		s.note("ns_rss_dropped")
		return true
	})
}

// scope takes what is inherited from the attributes of a tag: declarations, xml:base and xml:lang. No xml:base is passed on: addresses
// are resolved here, by the rules, and a parser that meets many of them resolves each against all others.
func (s *scanner) scope(t *tag, e *element) {
	if s.root.kind == root && s.root.local == "rss" && s.constructs == 0 && (t.name.text == "channel" || t.name.text == "item") {
		s.dropDefault(t)
	}
	t.remove(func(a *attribute) bool {
		switch {
		case a.name.text == "xmlns" || a.name.prefix == "xmlns":
			if e.namespaces >= maxNamespaces {
				s.note("ns_dropped")
				return true
			}
			e.namespaces++
			uri := canonicalNamespace(string(a.value))
			if uri != string(a.value) {
				a.value = []byte(uri)
			}
			if a.name.prefix != "" && len(s.namespaces) < 4*maxNamespaces {
				s.namespaces[a.name.local] = uri
			}
		case a.name.text == "xml:base":
			s.rebase(a, e)
			return true
		case a.name.text == "xml:lang":
			e.lang = strings.TrimSpace(string(unescape(s.appendText(nil, a.value))))
		}
		return false
	})
}

func (s *scanner) rebase(a *attribute, e *element) {
	if e.bases >= maxBases || len(a.value) > 2048 {
		s.note("base_dropped")
		return
	}
	e.bases++
	base := e.base
	if base == "" {
		base = s.base
	}
	if v := canonical.Resolve(base, string(unescape(s.appendText(nil, a.value)))); canonical.IsWeb(v) {
		e.base = v
	}
}

// isNative tells whether a prefix means the format of the root, so that the parser reads the element as its own.
func (s *scanner) isNative(prefix string) bool {
	if prefix == "" || prefix == s.root.prefix {
		return true
	}
	uri := s.namespaces[prefix]
	switch s.root.local {
	case "feed":
		return uri == atom10 || uri == atom03
	case "rdf":
		return isRSSNamespace(uri)
	}
	return prefix == "rss"
}

// isAtom tells whether a prefix means Atom inside another format.
func (s *scanner) isAtom(prefix string) bool {
	if s.root.local == "feed" {
		return s.isNative(prefix)
	}
	uri := s.namespaces[prefix]
	return prefix != "" && (uri == atom10 || uri == atom03 || uri == "" && strings.HasPrefix(prefix, "atom"))
}

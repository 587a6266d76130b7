package repair

import "strings"

// name is an element or attribute name with what the scanner must know of it. There is one value for each spelling.
type name struct {
	text   string // legal qualified name
	prefix string
	local  string // lower case
	kind   kind
	fold   *int // how many elements of this name, in any case of letters, are open
}

// kind says how an element is treated.
type kind uint8

const (
	plain   kind = iota
	root         // may be the root of a feed
	item         // item or entry
	text         // always a text construct
	content      // a text construct, if it is Atom's
	void         // an HTML element without content
	address      // holds an address as text
)

var kinds = map[string]kind{
	"rss": root, "feed": root, "rdf": root, "channel": root,
	"item": item, "entry": item,
	"description": text, "encoded": text, "summary": text, "title": text, "subtitle": text, "tagline": text, "body": text, "fullitem": text, "abstract": text,
	"content": content,
	"br":      void, "img": void, "hr": void, "input": void, "area": void, "col": void, "embed": void, "wbr": void, "param": void, "track": void,
	"link": address, "uri": address, "url": address, "docs": address, "comments": address, "icon": address, "logo": address, "id": address,
}

// names interns the names of one document.
type names struct {
	known map[string]*name
	folds map[string]*int
}

func newNames() names {
	return names{known: make(map[string]*name, 64), folds: make(map[string]*int, 64)}
}

// of returns the one value for a spelling.
func (ns names) of(raw []byte) *name {
	if n, ok := ns.known[string(raw)]; ok {
		return n
	}
	n := &name{text: legalName(string(raw))}
	n.local = n.text
	if p, l, ok := strings.Cut(n.text, ":"); ok {
		n.prefix, n.local = p, l
	}
	n.local = strings.ToLower(n.local)
	n.kind = kinds[n.local]
	key := strings.ToLower(n.text)
	if ns.folds[key] == nil {
		ns.folds[key] = new(int)
	}
	n.fold = ns.folds[key]
	ns.known[string(raw)] = n
	return n
}

// legalName reduces s, which starts like a name, to a qualified name: at most one colon, both parts starting like names.
func legalName(s string) string {
	prefix, local, ok := strings.Cut(s, ":")
	if !ok {
		return s
	}
	local, _, _ = strings.Cut(local, ":")
	switch {
	case local == "" || !isNameStart(local[0]):
		return prefix
	case prefix == "" || !isNameStart(prefix[0]):
		return local
	}
	return prefix + ":" + local
}

func isNameStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

func isNameByte(c byte) bool {
	return isNameStart(c) || c >= '0' && c <= '9' || c == '-' || c == '.' || c == ':'
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// Package canonical holds what is known about web addresses of articles.
//
// [URL] gives the address we publish: redirectors unwrapped, tracking taken off, and it still works in a browser. [Key] gives a form for
// comparison only, never shown, in which the mobile, AMP and plain variants of one page are the same. [Resolve] makes relative addresses
// absolute. All functions are pure and may be used concurrently; none parses with net/url, which rewrites what it reads.
package canonical

import (
	"slices"
	"strings"
	"unicode"
)

// maxUnwrap is how many redirectors inside one another are undone.
const maxUnwrap = 5

// maxAddress is the longest address that is looked at, in bytes; longer ones come back as they are.
const maxAddress = 8 << 10

// Rules clean the addresses of one outlet. The zero value is what [URL] and [Key] go by. Values may be shared.
type Rules struct {
	// Keep names query parameters that select content at this outlet, in any letter case, although elsewhere they only tell where a reader
	// came from.
	Keep []string
}

// URL cleans an absolute http or https address; anything else comes back trimmed and otherwise as it is. Order and spelling of the
// parameters that stay are kept. URL(URL(x)) = URL(x).
func URL(link string) string { return Rules{}.URL(link) }

// Key is the comparison form of an address, empty for one that is not http or https. Key(URL(x)) = Key(x).
func Key(link string) string { return Rules{}.Key(link) }

// URL is the function URL, but for the parameters that stay.
func (r Rules) URL(link string) string {
	link = unwrapped(strings.TrimSpace(link))
	if !IsWeb(link) || len(link) > maxAddress {
		return link
	}
	a := parse(link)
	if a.host == "" || strings.ContainsFunc(a.host, unicode.IsSpace) {
		return link
	}
	a.query = r.dropTracking(a.query)
	if !strings.HasPrefix(a.fragment, "!") {
		a.fragment = ""
	}
	return strings.TrimSpace(a.String())
}

// Key is the function Key, but for the parameters that stay.
func (r Rules) Key(link string) string {
	link = r.URL(link)
	if !IsWeb(link) {
		return ""
	}
	a := parse(link)
	key := bareHost(a.host) + barePath(a.path)
	if q := sortedQuery(a.query); q != "" {
		key += "?" + q
	}
	if a.fragment != "" {
		key += "#" + a.fragment
	}
	return key
}

// IsHome tells whether an address is that of a site itself and not of a page in it.
func IsHome(link string) bool {
	if !IsWeb(link) {
		return false
	}
	a := parse(link)
	return barePath(a.path) == "" && a.query == "" && !strings.HasPrefix(a.fragment, "!")
}

// Host is the host of an absolute address in lower case, with its port if that is not the usual one; empty if there is none.
func Host(link string) string {
	if !IsWeb(link) {
		return ""
	}
	return parse(link).host
}

// address is an absolute web address in parts. host is lower case; path, query and fragment are as written.
type address struct{ scheme, user, host, path, query, fragment string }

// parse takes apart what IsWeb accepts.
func parse(link string) address {
	var a address
	a.scheme, link, _ = strings.Cut(link, "://")
	a.scheme = strings.ToLower(a.scheme)
	link, a.fragment, _ = strings.Cut(link, "#")
	link, a.query, _ = strings.Cut(link, "?")
	a.host = link
	if i := strings.IndexByte(link, '/'); i >= 0 {
		a.host, a.path = link[:i], link[i:]
	}
	if i := strings.LastIndexByte(a.host, '@'); i >= 0 {
		a.user, a.host = a.host[:i+1], a.host[i+1:]
	}
	a.host = normalHost(strings.ToLower(a.host), a.scheme)
	return a
}

// normalHost drops the usual port and the dot of the root.
func normalHost(host, scheme string) string {
	port := ":443"
	if scheme == "http" {
		port = ":80"
	}
	for before := ""; before != host; {
		before = host
		host = strings.TrimRight(strings.TrimSuffix(host, port), ".")
	}
	if i := strings.LastIndexByte(host, ':'); i > 0 && host[i-1] == '.' {
		host = strings.TrimRight(host[:i], ".") + host[i:]
	}
	return host
}

// String puts an address together again.
func (a address) String() string {
	var b strings.Builder
	b.Grow(len(a.scheme) + len(a.user) + len(a.host) + len(a.path) + len(a.query) + len(a.fragment) + 5)
	b.WriteString(a.scheme)
	b.WriteString("://")
	b.WriteString(a.user)
	b.WriteString(a.host)
	b.WriteString(a.path)
	if a.query != "" {
		b.WriteByte('?')
		b.WriteString(a.query)
	}
	if a.fragment != "" {
		b.WriteByte('#')
		b.WriteString(a.fragment)
	}
	return b.String()
}

// bareHost drops the labels that name a variant of a site, where enough is left to name the site.
func bareHost(host string) string {
	for again := true; again; {
		again = false
		for _, label := range [...]string{"www.", "m.", "mobile.", "amp.", "edition."} {
			if strings.HasPrefix(host, label) && strings.Count(host, ".") >= 2 {
				host, again = host[len(label):], true
			}
		}
	}
	return host
}

// barePath drops what names a variant of a page.
func barePath(path string) string {
	if strings.HasPrefix(path, "/amp/") {
		path = path[len("/amp"):]
	}
	for before := ""; before != path; {
		before = path
		path = strings.TrimRight(path, "/")
		for _, end := range [...]string{"/amp", ".amp", "/index.html", "/index.htm", "/index.php"} {
			path = strings.TrimSuffix(path, end)
		}
	}
	return path
}

// sortedQuery orders parameters by their spelling, without those that name a variant.
func sortedQuery(query string) string {
	if query == "" {
		return ""
	}
	kept := slices.DeleteFunc(strings.FieldsFunc(query, isSeparator), func(p string) bool {
		name, value, _ := strings.Cut(p, "=")
		return name == "amp" || strings.EqualFold(name, "outputType") && value == "amp"
	})
	slices.Sort(kept)
	return strings.Join(kept, "&")
}

func isSeparator(r rune) bool { return r == '&' || r == ';' }

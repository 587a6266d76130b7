package output

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
	"golang.org/x/net/idna"
)

var languageTag = regexp.MustCompile(`^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$`)

// language returns tag if it has the form of one, else nothing.
func language(tag string) string {
	if languageTag.MatchString(tag) {
		return tag
	}
	return ""
}

// Plain makes foreign text fit for every document: one line, without what XML 1.0 cannot carry (a single U+0001 makes a document
// unreadable for every subscriber), without C1 controls, noncharacters and replacement characters, which validators object to, and
// without marks that reorder text beyond their own string and could so set words into another outlet's mouth.
func Plain(s string) string {
	if clean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			gap = true
		case forbidden(r):
		default:
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteRune(r)
		}
	}
	return b.String()
}

// tag and entity match what a reader may take for markup.
var (
	tag    = regexp.MustCompile(`<(/?)([a-zA-Z][a-zA-Z0-9]*)`)
	entity = regexp.MustCompile(`&#?\w+;`)
)

// unmarked is Plain for headlines and names. Many readers take them for HTML although they are text, and validators warn of it: a space
// keeps what would be a tag or an entity there from being one.
func unmarked(s string) string {
	s = Plain(s)
	if strings.Contains(s, "<") {
		s = tag.ReplaceAllStringFunc(s, func(m string) string {
			if atom.Lookup([]byte(strings.ToLower(strings.TrimLeft(m, "</")))) == 0 {
				return m
			}
			return "< " + m[1:]
		})
	}
	if strings.Contains(s, "&") {
		s = entity.ReplaceAllStringFunc(s, func(m string) string {
			if html.UnescapeString(m) == m {
				return m
			}
			return "& " + m[1:]
		})
	}
	return s
}

// clean says that Plain would not change s.
func clean(s string) bool {
	space := true
	for _, r := range s {
		if r == ' ' {
			if space {
				return false
			}
			space = true
			continue
		}
		space = false
		if r >= 0x7f && (forbidden(r) || unicode.IsSpace(r)) || r < 0x20 {
			return false
		}
	}
	return s == "" || !space
}

func forbidden(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f, r == utf8.RuneError:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069: // bidirectional embeddings, overrides, isolates
		return true
	case r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe: // noncharacters of every plane
		return true
	}
	return false
}

// cut shortens text to at most limit characters, at the end of a sentence if one lies in the second half, else between words.
func cut(s string, limit int) string {
	if limit <= 0 {
		return ""
	}
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	end := 0
	for range max(limit-1, 0) {
		_, n := utf8.DecodeRuneInString(s[end:])
		end += n
	}
	head := s[:end]
	if i := max(strings.LastIndex(head, ". "), strings.LastIndex(head, "! "), strings.LastIndex(head, "? ")); i > end/2 {
		return head[:i+1]
	}
	if i := strings.LastIndexByte(head, ' '); i > end/2 {
		head = head[:i]
	}
	return strings.TrimRight(head, " ,;:–-") + "…"
}

// webURL returns an address fit to be published: http or https, without user or password, every byte one that RFC 3986 allows. Anything
// else gives nothing.
func webURL(s string) string {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Opaque != "" {
		return ""
	}
	u.User = nil
	if !ascii(u.Host) {
		host, err := idna.Lookup.ToASCII(u.Hostname())
		if err != nil {
			return ""
		}
		if port := u.Port(); port != "" {
			host += ":" + port
		}
		u.Host = host
	}
	if strings.ContainsAny(u.Host, " @\"<>\\^`{|}") {
		return ""
	}
	if u.Path == "" {
		u.Path = "/"
	}
	origin := u.Scheme + "://" + u.Host
	rest, ok := strings.CutPrefix(u.String(), origin)
	if !ok || !strings.HasPrefix(rest, "/") {
		return ""
	}
	return origin + escapeURL(rest)
}

func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}

// escapeURL percent-encodes what may not stand in path, query or fragment, and keeps what is encoded already.
func escapeURL(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	fragment := false
	for i := 0; i < len(s); i++ {
		ch := s[i]
		keep := ch > 0x20 && ch < 0x7f && !strings.ContainsRune("\"<>[\\]^`{|}", rune(ch))
		switch {
		case ch == '%':
			keep = i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2])
		case ch == '#':
			keep = !fragment
			fragment = true
		}
		if keep {
			b.WriteByte(ch)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[ch>>4])
		b.WriteByte(hex[ch&15])
	}
	return b.String()
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// host is the name of the server an address points at; empty if it is not an address fit to be published.
func host(address string) string {
	u, err := url.Parse(webURL(address))
	if err != nil {
		return ""
	}
	return u.Hostname()
}

package canonical

import "strings"

// Resolve makes ref absolute against base by RFC 3986 section 5, without changing the spelling of either: hosts and escapes stay as
// they were written, which net/url does not promise. A ref with a scheme comes back as it is, and so does any ref if base is empty or
// not absolute.
func Resolve(base, ref string) string {
	ref = strings.TrimSpace(ref)
	if Scheme(ref) != "" {
		return ref
	}
	b := split(base)
	if b.scheme == "" {
		return ref
	}
	prefix := b.scheme + ":"
	switch {
	case ref == "":
		return prefix + b.authority + b.path + b.query
	case strings.HasPrefix(ref, "//"):
		return prefix + ref
	case ref[0] == '#':
		return prefix + b.authority + b.path + b.query + ref
	case ref[0] == '?':
		return prefix + b.authority + b.path + ref
	}
	path, rest := ref, ""
	if i := strings.IndexAny(ref, "?#"); i >= 0 {
		path, rest = ref[:i], ref[i:]
	}
	if path[0] != '/' {
		path = b.path[:strings.LastIndexByte(b.path, '/')+1] + path
		if b.authority != "" && path[0] != '/' {
			path = "/" + path
		}
	}
	return prefix + b.authority + cleanPath(path) + rest
}

// Scheme is the scheme of an address in lower case, or empty for a relative one. A single letter is none: it is a drive, or a slip.
func Scheme(s string) string {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 1 && c == ':':
			return strings.ToLower(s[:i])
		default:
			return ""
		}
	}
	return ""
}

// IsWeb tells whether s is an absolute http or https address with a host.
func IsWeb(s string) bool {
	switch Scheme(s) {
	case "http":
		return len(s) > len("http://") && s[4:7] == "://"
	case "https":
		return len(s) > len("https://") && s[5:8] == "://"
	}
	return false
}

// parts of an address; authority holds its leading slashes, query its question mark. The fragment is dropped.
type parts struct{ scheme, authority, path, query string }

func split(s string) parts {
	s = strings.TrimSpace(s)
	var p parts
	p.scheme = Scheme(s)
	if p.scheme == "" {
		return p
	}
	p.scheme, s = s[:len(p.scheme)], s[len(p.scheme)+1:]
	s, _, _ = strings.Cut(s, "#")
	if i := strings.IndexByte(s, '?'); i >= 0 {
		s, p.query = s[:i], s[i:]
	}
	if strings.HasPrefix(s, "//") {
		end := strings.IndexByte(s[2:], '/')
		if end < 0 {
			p.authority = s
			return p
		}
		p.authority, s = s[:end+2], s[end+2:]
	}
	p.path = s
	return p
}

// cleanPath takes out dot segments (RFC 3986 section 5.2.4). Empty segments stay.
func cleanPath(path string) string {
	if !strings.Contains(path, "/.") && path[0] != '.' {
		return path
	}
	segments := strings.Split(path, "/")
	kept := segments[:0]
	for i, s := range segments {
		last := i == len(segments)-1
		switch s {
		case ".":
		case "..":
			if len(kept) > 1 || len(kept) == 1 && kept[0] != "" {
				kept = kept[:len(kept)-1]
			}
		default:
			kept = append(kept, s)
			continue
		}
		if last {
			kept = append(kept, "")
		}
	}
	return strings.Join(kept, "/")
}

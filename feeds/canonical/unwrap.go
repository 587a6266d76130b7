package canonical

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"strings"
)

// unwrapped follows known redirectors inside one another. What is wrapped more often than maxUnwrap stays as it is.
func unwrapped(link string) string {
	inner := link
	for range maxUnwrap + 1 {
		if !IsWeb(inner) || len(inner) > maxAddress {
			return inner
		}
		target := unwrap(parse(inner))
		if target == "" {
			return inner
		}
		inner = target
	}
	return link
}

// unwrap returns the address that a known redirector leads to, or empty.
func unwrap(a address) string {
	switch a.host {
	case "news.google.com":
		return googleNews(a.path)
	case "www.google.com", "google.com":
		if a.path == "/url" {
			return target(a.query, "url", "q")
		}
		if strings.HasPrefix(a.path, "/amp/") {
			return ampTarget(a)
		}
	case "www.bing.com":
		if strings.Contains(a.path, "apiclick") {
			return target(a.query, "url")
		}
	case "l.facebook.com", "lm.facebook.com":
		return target(a.query, "u")
	case "out.reddit.com", "t.umblr.com":
		return target(a.query, "z", "url")
	}
	if strings.HasSuffix(a.host, ".cdn.ampproject.org") {
		return ampTarget(a)
	}
	return ""
}

// target is the first web address among the named parameters.
func target(query string, names ...string) string {
	for _, name := range names {
		for p := range strings.FieldsFuncSeq(query, isSeparator) {
			value, ok := strings.CutPrefix(p, name+"=")
			if !ok {
				continue
			}
			if plain, err := url.QueryUnescape(value); err == nil && IsWeb(strings.TrimSpace(plain)) {
				return strings.TrimSpace(plain)
			}
		}
	}
	return ""
}

// ampTarget reads the address out of the path of an AMP cache.
func ampTarget(a address) string {
	rest := a.path
	if a.query != "" {
		rest += "?" + a.query
	}
	for _, prefix := range [...]string{"/c/s/", "/v/s/", "/a/s/", "/amp/s/"} {
		if page, ok := strings.CutPrefix(rest, prefix); ok && page != "" {
			return "https://" + page
		}
	}
	for _, prefix := range [...]string{"/c/", "/v/", "/amp/"} {
		if page, ok := strings.CutPrefix(rest, prefix); ok && page != "" {
			return "http://" + page
		}
	}
	return ""
}

// googleNews decodes the tokens of Google News that hold an address in clear, up to byte 0xD2. Newer tokens cannot be decoded without
// asking Google, which nobody does here.
func googleNews(path string) string {
	token := path[strings.LastIndexByte(path, '/')+1:]
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(token, "="))
	if err != nil {
		return ""
	}
	start := bytes.Index(raw, []byte("http"))
	if start < 0 {
		return ""
	}
	raw = raw[start:]
	end := bytes.IndexFunc(raw, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '"' || r == '\'' || r == '<' || r == '>' })
	if end >= 0 {
		raw = raw[:end]
	}
	if link := string(raw); IsWeb(link) {
		return link
	}
	return ""
}

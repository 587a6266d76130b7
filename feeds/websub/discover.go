package websub

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// maxAddress is the longest address of a hub or topic that is taken, in bytes.
const maxAddress = 2048

// Offer is what an answer says about where its news are announced. The zero value says nothing.
type Offer struct {
	Hub   string `json:"hub,omitempty"`   // https, always
	Topic string `json:"topic,omitempty"` // the feed's own address, exactly as given
}

// Discover finds the hub and the topic of a feed: in the Link header, else in its document, whose hubs and address of itself are given
// (WebSub, section 4). Addresses in the header are relative to base, where the answer came from. Without both there is no offer.
//
// A hub named with http is taken with https: many feeds still name one that has long had it, and the secret of a lease is not sent in
// the open.
func Discover(h http.Header, base string, hubs []string, self string) Offer {
	inHeader, topic := links(h.Values("Link"), base)
	if len(inHeader) > 0 {
		hubs = inHeader
	}
	if topic == "" {
		topic = self
	}
	if u := webAddress(topic); u == nil {
		return Offer{}
	}
	for _, hub := range hubs {
		if u := webAddress(hub); u != nil && u.User == nil {
			u.Scheme, u.Fragment, u.RawFragment = "https", "", ""
			if u.Port() == "80" {
				u.Host = u.Hostname()
			}
			return Offer{Hub: u.String(), Topic: topic}
		}
	}
	return Offer{}
}

// webAddress parses an address that can be requested; nil if it is none.
func webAddress(address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || len(address) > maxAddress {
		return nil
	}
	return u
}

// links reads the targets of rel="hub", and the first of rel="self", of Link header lines (RFC 8288, section 3), made absolute.
func links(lines []string, base string) (hubs []string, self string) {
	from, err := url.Parse(base)
	if err != nil {
		return nil, ""
	}
	for _, line := range lines {
		for target, params := range eachLink(line) {
			u, err := from.Parse(target)
			if err != nil {
				continue
			}
			rels := strings.Fields(strings.ToLower(relation(params)))
			if slices.Contains(rels, "hub") {
				hubs = append(hubs, u.String())
			}
			if self == "" && slices.Contains(rels, "self") {
				self = u.String()
			}
		}
	}
	return hubs, self
}

// eachLink yields the target of each link in a Link header line, and its parameters as they stand.
func eachLink(line string) func(yield func(target, params string) bool) {
	return func(yield func(string, string) bool) {
		for {
			_, rest, found := strings.Cut(line, "<")
			target, after, closed := strings.Cut(rest, ">")
			if !found || !closed {
				return
			}
			end := unquotedIndex(after, ',')
			if !yield(strings.TrimSpace(target), after[:end]) {
				return
			}
			line = after[end:]
		}
	}
}

// relation is the value of the first parameter rel.
func relation(params string) string {
	for params != "" {
		end := unquotedIndex(params, ';')
		name, value, _ := strings.Cut(params[:end], "=")
		if strings.EqualFold(strings.TrimSpace(name), "rel") {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
		params = params[min(end+1, len(params)):]
	}
	return ""
}

// unquotedIndex is where c first stands outside quotation marks, or the length of s.
func unquotedIndex(s string, c byte) int {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == c && !quoted:
			return i
		}
	}
	return len(s)
}

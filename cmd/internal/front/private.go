package front

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// tokenPath begins the addresses that hold their token: /t/TOKEN/NAME.rss, for readers that send no credentials.
const tokenPath = "/t/"

// Door leads to the documents of one private channel.
type Door struct {
	Token   string       // whoever has it may enter
	Handler http.Handler // serves the channel's documents, and is asked for nothing else
}

// Private hands requests for the documents of private channels, by name, to their doors if they bring the token, and all other requests to
// next. The token comes as Authorization: Bearer TOKEN, as the password of Basic, or in the path. base is the path that the site lives
// under, which a proxy may have taken off. Tokens are compared in constant time, and handlers never see them.
func Private(next http.Handler, base string, doors map[string]Door) http.Handler {
	if len(doors) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if rest, ok := strings.CutPrefix(path, base); ok && strings.HasPrefix(rest, "/") {
			path = rest
		}
		if rest, ok := strings.CutPrefix(path, tokenPath); ok {
			byPath(w, r, rest, doors)
			return
		}
		door, ok := doorOf(path, doors)
		switch {
		case !ok:
			next.ServeHTTP(w, r)
		case same(credentials(r), door.Token):
			enter(w, r, path, door)
		default:
			w.Header().Set("WWW-Authenticate", `Basic realm="sheaf", charset="UTF-8"`)
			Refuse(w, http.StatusUnauthorized)
		}
	})
}

// byPath serves TOKEN/NAME.rss. A wrong token and a name that is not there look alike.
func byPath(w http.ResponseWriter, r *http.Request, rest string, doors map[string]Door) {
	token, name, _ := strings.Cut(rest, "/")
	door, ok := doorOf("/"+name, doors)
	if !same(token, door.Token) || !ok {
		Refuse(w, http.StatusNotFound)
		return
	}
	enter(w, r, "/"+name, door)
}

// document matches the path of a channel's document, and captures the channel or, of a page of its archive, the page.
var document = regexp.MustCompile(`^/([a-z0-9-]+)\.(?:rss|atom|json)(?:\.gz)?$`)

// page matches the name of an archive's page, and captures the channel.
var page = regexp.MustCompile(`^([a-z0-9-]+)-\d{4}-w\d{2}$`)

// doorOf finds the private channel that a path is a document of.
func doorOf(path string, doors map[string]Door) (Door, bool) {
	m := document.FindStringSubmatch(path)
	if m == nil {
		return Door{}, false
	}
	if door, ok := doors[m[1]]; ok {
		return door, true
	}
	if m = page.FindStringSubmatch(m[1]); m == nil {
		return Door{}, false
	}
	door, ok := doors[m[1]]
	return door, ok
}

// credentials is the token that a request brings in its header; empty if none.
func credentials(r *http.Request) string {
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return strings.TrimSpace(token)
	}
	_, password, _ := r.BasicAuth()
	return password
}

// same compares in a time that tells nothing of either. Nothing is the same as no token.
func same(given, token string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1 && token != ""
}

// enter serves what is behind a door, for this client and no shared cache.
func enter(w http.ResponseWriter, r *http.Request, path string, door Door) {
	inner := r.Clone(r.Context())
	inner.URL = &url.URL{Path: path, RawQuery: r.URL.RawQuery}
	inner.RequestURI = path
	inner.Header.Del("Authorization")
	door.Handler.ServeHTTP(&privateWriter{ResponseWriter: w}, inner)
}

// privateWriter keeps shared caches from storing an answer (RFC 9111, section 5.2.2.7).
type privateWriter struct {
	http.ResponseWriter
	begun bool
}

// WriteHeader implements [http.ResponseWriter].
func (w *privateWriter) WriteHeader(status int) {
	if !w.begun {
		w.begun = true
		h := w.Header()
		h.Set("Cache-Control", strings.Replace(h.Get("Cache-Control"), "public", "private", 1))
		if !strings.Contains(h.Get("Cache-Control"), "private") {
			h.Set("Cache-Control", "private, no-cache")
		}
		h.Add("Vary", "Authorization")
		h.Set("X-Robots-Tag", "noindex")
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *privateWriter) Write(p []byte) (int, error) {
	if !w.begun {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}

// Locked lets a request through to next only with the token, as a Bearer or as the password of Basic. An empty token lets all through.
func Locked(next http.Handler, token string) http.Handler {
	if token == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !same(credentials(r), token) {
			w.Header().Set("WWW-Authenticate", `Basic realm="sheaf", charset="UTF-8"`)
			Refuse(w, http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

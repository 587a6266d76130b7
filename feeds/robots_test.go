package feeds

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestRobots(t *testing.T) {
	for _, tt := range []struct {
		name      string
		status    int
		body      string
		allowed   string // paths
		forbidden string
		delay     time.Duration
	}{
		{"no file", 404, "<html>", "/ /news/1", "", 0},
		{"no access to the file", 403, "User-agent: *\nDisallow: /", "/news/1", "", 0},
		{"server error", 500, "", "", "/news/1", 0},
		{"too many requests", 429, "", "", "/news/1", 0},
		{"no answer", 0, "", "", "/news/1", 0},
		{"empty", 200, "", "/news/1", "", 0},
		{"a page in its place", 200, "<!doctype html><html><body>Not found: see /</body></html>", "/news/1", "", 0},
		{"all forbidden", 200, "User-agent: *\nDisallow: /", "", "/ /news/1", 0},
		{"others forbidden", 200, "User-agent: otherbot\nDisallow: /", "/news/1", "", 0},
		{"we forbidden", 200, "User-agent: *\nDisallow:\n\nUser-agent: Sheaf/1.0\nDisallow: /news", "/sport/1 /new", "/news /news/1", 0},
		{"we alone allowed", 200, "User-agent: sheaf\nDisallow:\n\nUser-agent: *\nDisallow: /", "/news/1", "", 0},
		{"two names, one group", 200, "User-agent: a\nUser-agent: sheaf\nDisallow: /x\n", "/y", "/x", 0},
		{"longest rule counts", 200, "User-agent: *\nDisallow: /news\nAllow: /news/open\n", "/news/open/1", "/news/1", 0},
		{"wildcards", 200, "User-agent: *\nDisallow: /*.pdf$\nDisallow: /*?print=\n", "/a.pdf/b /a?page=1", "/a.pdf /x/b.pdf /a?print=1", 0},
		{"front page alone", 200, "User-agent: *\nDisallow: /\nAllow: /$\n", "/", "/news/", 0},
		{"end of an address elsewhere", 200, "User-agent: *\nDisallow: /y$\n", "/x/y /yy", "/y", 0},
		{"no leading slash", 200, "User-agent: *\nDisallow: news\n", "/sport", "/news/1", 0},
		{"bad lines between", 200, "Disallow: /early\nUser-agent: *\nCrawl-delay: soon\nnonsense\n: :\nDisallow: /x # why\nSitemap: https://a.example/s.xml\n", "/early /y", "/x/1", 0},
		{"byte order mark and old line ends", 200, "\ufeffUser-agent: *\rDisallow: /x\r\n", "/y", "/x", 0},
		{"spaces and letters beyond ASCII", 200, "User-agent: *\nDisallow: /a b\nDisallow: /ä\n", "/a", "/a%20b /%C3%A4/1", 0},
		{"delay", 200, "User-agent: *\nCrawl-delay: 2.5\n", "/", "", 2500 * time.Millisecond},
		{"delay too long", 200, "User-agent: *\nCrawl-delay: 3600\n", "/", "", robotsLong},
		{"wildcards without end", 200, "User-agent: *\n" + strings.Repeat("Disallow: /x*y\n", robotsWild+1) + "Disallow: /z*\nDisallow: /w/*/v", "/y", "/w/u", 0},
		{"a rule without end", 200, "User-agent: *\nDisallow: /x" + strings.Repeat("*a", robotsRule) + "\nAllow: /x/" + strings.Repeat("*a", robotsRule), "/y", "/x/1", 0},
		{"a file without end", 200, "User-agent: *\nDisallow: /x\n" + strings.Repeat("Disallow: /y\n", robotsBody/12) + "Disallow: /z\n", "/z", "/x /y", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := robots{}
			r.closed, r.group = readRobots(tt.status, []byte(tt.body))
			for _, want := range []bool{true, false} {
				paths := tt.forbidden
				if want {
					paths = tt.allowed
				}
				for path := range strings.FieldsSeq(paths) {
					u, err := url.Parse("https://a.example" + path)
					if err != nil {
						t.Fatal(err)
					}
					if got := r.allows(u); got != want {
						t.Errorf("allows(%s) = %v, want %v", path, got, want)
					}
				}
			}
			if got := r.delay(); got != tt.delay {
				t.Errorf("delay = %v, want %v", got, tt.delay)
			}
		})
	}
}

func FuzzRobots(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /x*y$\nAllow: /\nCrawl-delay: 1e3\n"), "/x")
	f.Add([]byte("user-agent:\n\ndisallow:\nuser-agent: sheaf\r\nallow: *$$\x00"), "/?a=b")
	f.Fuzz(func(t *testing.T, body []byte, path string) {
		closed, group := readRobots(200, body)
		if closed {
			t.Errorf("a file that was read forbids all: %q", robotsLines(body))
		}
		r := robots{closed: closed, group: group}
		r.allows(&url.URL{Scheme: "https", Host: "a.example", Path: path})
		if d := r.delay(); d < 0 || d > robotsLong {
			t.Errorf("delay = %v", d)
		}
	})
}

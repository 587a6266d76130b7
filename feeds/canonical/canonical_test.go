package canonical

import (
	"strings"
	"testing"
)

func TestURL(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"as it is", "https://harbour.example/a/b?id=1&x=2", "https://harbour.example/a/b?id=1&x=2"},
		{"trimmed", " https://harbour.example/a \n", "https://harbour.example/a"},
		{"scheme and host in lower case", "HTTPS://WWW.Harbour.Example/A", "https://www.harbour.example/A"},
		{"usual ports", "http://harbour.example:80/a", "http://harbour.example/a"},
		{"usual port of https", "https://harbour.example:443", "https://harbour.example"},
		{"other ports stay", "http://harbour.example:8080/a", "http://harbour.example:8080/a"},
		{"trailing dot of a host", "https://harbour.example./a", "https://harbour.example/a"},
		{"user stays", "https://me@harbour.example/a", "https://me@harbour.example/a"},
		{"fragment", "https://harbour.example/a#top", "https://harbour.example/a"},
		{"fragment that selects content", "https://harbour.example/#!/a", "https://harbour.example/#!/a"},
		{"tracking", "https://harbour.example/a?utm_source=rss&id=7&fbclid=x", "https://harbour.example/a?id=7"},
		{"all tracking", "https://harbour.example/a?utm_source=rss&UTM_Medium=feed", "https://harbour.example/a"},
		{"tracking, escaped name", "https://harbour.example/a?utm%5Fsource=rss&b=1", "https://harbour.example/a?b=1"},
		{"semicolons stay", "https://harbour.example/a?b=1;utm_source=x;c=2", "https://harbour.example/a?b=1;c=2"},
		{"what may select content stays", "https://harbour.example/a?rss=1&outputType=amp", "https://harbour.example/a?rss=1&outputType=amp"},
		{"order and escapes stay", "https://harbour.example/%7Ea?z=%20&a=%2F", "https://harbour.example/%7Ea?z=%20&a=%2F"},
		{"IDN stays readable", "https://hafen-zürich.example/a", "https://hafen-zürich.example/a"},
		{"not on the web", "urn:uuid:1", "urn:uuid:1"},
		{"mail", "mailto:desk@harbour.example?utm_source=x", "mailto:desk@harbour.example?utm_source=x"},
		{"empty", "", ""},
		{"Google redirect", "https://www.google.com/url?sa=t&url=https%3A%2F%2Fharbour.example%2Fa%3Futm_source%3Dx&usg=1", "https://harbour.example/a"},
		{"Google redirect, q", "https://google.com/url?q=https://harbour.example/a", "https://harbour.example/a"},
		{"Google search stays", "https://www.google.com/search?q=https://harbour.example/a", "https://www.google.com/search?q=https://harbour.example/a"},
		{"Bing", "http://www.bing.com/news/apiclick.aspx?ref=x&url=https%3a%2f%2fharbour.example%2fa", "https://harbour.example/a"},
		{"Facebook", "https://l.facebook.com/l.php?u=https%3A%2F%2Fharbour.example%2Fa&h=x", "https://harbour.example/a"},
		{"Tumblr", "https://t.umblr.com/redirect?z=https%3A%2F%2Fharbour.example%2Fa", "https://harbour.example/a"},
		{"AMP cache", "https://harbour-example.cdn.ampproject.org/c/s/harbour.example/a?x=1", "https://harbour.example/a?x=1"},
		{"AMP cache without TLS", "https://harbour-example.cdn.ampproject.org/v/harbour.example/a", "http://harbour.example/a"},
		{"AMP viewer", "https://www.google.com/amp/s/harbour.example/a", "https://harbour.example/a"},
		{"one in another", "https://www.google.com/url?url=https%3A%2F%2Fl.facebook.com%2Fl.php%3Fu%3Dhttps%253A%252F%252Fharbour.example%252Fa", "https://harbour.example/a"},
		{"old Google News", "https://news.google.com/rss/articles/CBMiGmh0dHBzOi8vaGFyYm91ci5leGFtcGxlL2Ex0gEA?oc=5", "https://harbour.example/a1"},
		{"new Google News", "https://news.google.com/rss/articles/CBMiQUFVX3lxTA", "https://news.google.com/rss/articles/CBMiQUFVX3lxTA"},
		{"target that is no address", "https://www.google.com/url?url=javascript:alert(1)", "https://www.google.com/url?url=javascript:alert(1)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := URL(tt.in); got != tt.want {
				t.Errorf("URL(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestURLStopsUnwrapping(t *testing.T) {
	link := "https://harbour.example/a"
	for range 8 {
		link = "https://www.google.com/url?url=" + strings.NewReplacer("%", "%25", ":", "%3A", "/", "%2F", "?", "%3F", "=", "%3D").Replace(link)
	}
	if got := URL(link); got != link {
		t.Errorf("URL = %q, want it as it was", got)
	}
}

func TestRulesKeep(t *testing.T) {
	r := Rules{Keep: []string{"partner", "CMP", "utm_page"}}
	for _, tt := range []struct{ name, in, url, key string }{
		{"kept", "https://harbour.example/a?partner=7", "https://harbour.example/a?partner=7", "harbour.example/a?partner=7"},
		{"in any case", "https://harbour.example/a?cmp=1&Partner=2", "https://harbour.example/a?cmp=1&Partner=2", "harbour.example/a?Partner=2&cmp=1"},
		{"under a prefix, escaped", "https://harbour.example/a?utm%5Fpage=2&utm_source=rss", "https://harbour.example/a?utm%5Fpage=2", "harbour.example/a?utm%5Fpage=2"},
		{"the rest goes", "https://harbour.example/a?ocid=1&id=2", "https://harbour.example/a?id=2", "harbour.example/a?id=2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if url, key := r.URL(tt.in), r.Key(tt.in); url != tt.url || key != tt.key {
				t.Errorf("URL, Key(%q) = %q, %q; want %q, %q", tt.in, url, key, tt.url, tt.key)
			}
			if r.URL(r.URL(tt.in)) != r.URL(tt.in) || r.Key(r.URL(tt.in)) != r.Key(tt.in) {
				t.Errorf("cleaning %q twice is not cleaning it once", tt.in)
			}
		})
	}
}

func TestKeyJoinsVariants(t *testing.T) {
	for _, tt := range []struct {
		name, key string
		links     []string
	}{
		{"scheme, host and page", "harbour.example/news/a", []string{
			"https://harbour.example/news/a", "http://www.harbour.example/news/a/", "https://m.harbour.example/news/a/amp", "https://amp.harbour.example/news/a.amp",
			"https://edition.harbour.example/news/a/index.html", "https://harbour.example/amp/news/a", "https://harbour.example/news/a?amp=1&utm_source=x",
			"https://harbour.example/news/a?outputType=amp#top", "https://www.m.harbour.example/news/a//",
		}},
		{"order of parameters", "harbour.example/a?b=1&c=2", []string{"https://harbour.example/a?c=2&b=1", "https://harbour.example/a?b=1;c=2&"}},
		{"home", "harbour.example", []string{"https://harbour.example", "https://www.harbour.example/", "https://harbour.example/index.php"}},
		{"label that is the name", "m.example/a", []string{"https://m.example/a", "http://www.m.example/a"}},
		{"content in the fragment", "harbour.example#!/a", []string{"https://harbour.example/#!/a"}},
		{"none", "", []string{"", "urn:1", "mailto:a@b.example", "/a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, l := range tt.links {
				if got := Key(l); got != tt.key {
					t.Errorf("Key(%q) = %q, want %q", l, got, tt.key)
				}
			}
		})
	}
}

func TestResolve(t *testing.T) {
	const base = "http://a/b/c/d;p?q" // the examples of RFC 3986 section 5.4
	for in, want := range map[string]string{
		"gg:h": "gg:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/", "/g": "http://a/g", "//g": "http://g",
		"?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d;p?q#s", "g#s": "http://a/b/c/g#s", "g?y#s": "http://a/b/c/g?y#s",
		";x": "http://a/b/c/;x", "g;x": "http://a/b/c/g;x", "": "http://a/b/c/d;p?q", ".": "http://a/b/c/", "./": "http://a/b/c/", "..": "http://a/b/",
		"../": "http://a/b/", "../g": "http://a/b/g", "../..": "http://a/", "../../g": "http://a/g", "../../../g": "http://a/g", "/./g": "http://a/g",
		"/../g": "http://a/g", "g.": "http://a/b/c/g.", ".g": "http://a/b/c/.g", "g..": "http://a/b/c/g..", "..g": "http://a/b/c/..g",
		"./../g": "http://a/b/g", "./g/.": "http://a/b/c/g/", "g/./h": "http://a/b/c/g/h", "g/../h": "http://a/b/c/h", "g;x=1/./y": "http://a/b/c/g;x=1/y",
		"g?y/./x": "http://a/b/c/g?y/./x", "g#s/../x": "http://a/b/c/g#s/../x",
	} {
		if got := Resolve(base, in); got != want {
			t.Errorf("Resolve(%q, %q) = %q, want %q", base, in, got, want)
		}
	}
	for _, tt := range []struct{ name, base, in, want string }{
		{"no base", "", "a.html", "a.html"},
		{"relative base", "/x/", "a.html", "a.html"},
		{"base without a path", "https://harbour.example", "a.html", "https://harbour.example/a.html"},
		{"base without a path, with a query", "https://harbour.example?x=1", "a.html", "https://harbour.example/a.html"},
		{"IDN and escapes as written", "https://hafen-zürich.example/ä/", "ü b%20c", "https://hafen-zürich.example/ä/ü b%20c"},
		{"white space", "https://harbour.example/", "\n a ", "https://harbour.example/a"},
		{"colon in a path", "https://harbour.example/", "./a:b", "https://harbour.example/a:b"},
		{"a letter is no scheme", "https://harbour.example/x/", "c:d", "https://harbour.example/x/c:d"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Resolve(tt.base, tt.in); got != tt.want {
				t.Errorf("Resolve(%q, %q) = %q, want %q", tt.base, tt.in, got, tt.want)
			}
		})
	}
}

func TestPredicates(t *testing.T) {
	for _, tt := range []struct {
		link       string
		web, home  bool
		host, what string
	}{
		{"https://harbour.example/", true, true, "harbour.example", "https"},
		{"HTTP://WWW.harbour.example", true, true, "www.harbour.example", "http"},
		{"https://harbour.example/a", true, false, "harbour.example", "https"},
		{"https://harbour.example/?p=1", true, false, "harbour.example", "https"},
		{"https://harbour.example:8443/index.html", true, true, "harbour.example:8443", "https"},
		{"https://", false, false, "", "https"},
		{"http:/a", false, false, "", "http"},
		{"javascript:x", false, false, "", "javascript"},
		{"a.html", false, false, "", ""},
		{"1a:b", false, false, "", ""},
		{"", false, false, "", ""},
	} {
		if IsWeb(tt.link) != tt.web || IsHome(tt.link) != tt.home || Host(tt.link) != tt.host || Scheme(tt.link) != tt.what {
			t.Errorf("%q: web %v, home %v, host %q, scheme %q", tt.link, IsWeb(tt.link), IsHome(tt.link), Host(tt.link), Scheme(tt.link))
		}
	}
}

// FuzzURL: cleaning twice is cleaning once, and does not change the key.
func FuzzURL(f *testing.F) {
	for _, s := range []string{
		"https://www.harbour.example:443/a/?utm_source=x&b=1;c#!x", "https://www.google.com/url?url=https%3A%2F%2Fa.example%2F", "http://a..:80/amp//index.html.amp",
		"https://news.google.com/rss/articles/CBMiGmh0dHBzOi8vaGFyYm91ci5leGFtcGxlL2Ex0gEA", "http://a?&&;b=&utm%5fx", "HTTP://é@[::1]:80/#",
		"https://www.google.com/amp/s/l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2Famp%2F%3Futm_source=x", "https://a.cdn.ampproject.org/c/www.google.com/url?q=http://b..:80/%23",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := URL(s)
		if IsWeb(s) && len(s) < maxAddress {
			if twice := URL(once); twice != once {
				t.Fatalf("URL(%q) = %q, and again %q", s, once, twice)
			}
			if a, b := Key(s), Key(once); a != b {
				t.Fatalf("Key(%q) = %q, Key(%q) = %q", s, a, once, b)
			}
		}
		if r := Resolve(s, "../x?y#z"); Scheme(strings.TrimSpace(s)) == "" && r != "../x?y#z" {
			t.Fatalf("Resolve(%q) = %q without a base", s, r)
		}
	})
}

func BenchmarkKey(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Key("https://www.harbour.example/news/2026/07/14/bridge-reopens?utm_source=rss&utm_medium=feed&id=7")
	}
}

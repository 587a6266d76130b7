package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	alpha = Entry{URL: "https://alpha.example/feed", Outlet: "Alpha: News", Language: "en"}
	beta  = Entry{URL: "https://beta.example/rss?a=1&b=2", Outlet: "Beta & Sons", Owner: "Big Co"}
)

func TestAddFeeds(t *testing.T) {
	for _, tt := range []struct {
		name, before, after string
		entries             []Entry
	}{
		{"empty file", "", "feeds:\n  - url: https://x.example/f\n", nil},
		{"comments alone, no end of line", "# mine", "# mine\nfeeds:\n  - url: https://x.example/f\n", nil},
		{"no key", "listen: \"\"\n# end\n", "listen: \"\"\n# end\nfeeds:\n  - url: https://x.example/f\n", nil},
		{"no key, before the end of the document", "---\nlisten: \"\"\n...\n", "---\nlisten: \"\"\nfeeds:\n  - url: https://x.example/f\n...\n", nil},
		{"no key, indented", "  listen: \"\"\n", "  listen: \"\"\n  feeds:\n    - url: https://x.example/f\n", nil},
		{"key without a value", "feeds:\nzone: UTC\n", "feeds:\n  - url: https://x.example/f\nzone: UTC\n", nil},
		{"key without a value, with comments", "feeds: # all\n    # url: where\n    # and so on\n# zone\nzone: UTC\n",
			"feeds: # all\n    # url: where\n    # and so on\n    - url: https://x.example/f\n# zone\nzone: UTC\n", nil},
		{"null written out", "feeds: ~ # none\nzone: UTC\n", "feeds:   # none\n  - url: https://x.example/f\nzone: UTC\n", nil},
		{"key at the end, no end of line", "zone: UTC\nfeeds:", "zone: UTC\nfeeds:\n  - url: https://x.example/f\n", nil},
		{"empty brackets", "feeds: [ ] # none yet\nzone: UTC\n", "feeds: # none yet\n  - url: https://x.example/f\nzone: UTC\n", nil},
		{"lines", "feeds:\n  - url: https://a.example/f\n    outlet: A # it is\n\n# zone\nzone: UTC\n",
			"feeds:\n  - url: https://a.example/f\n    outlet: A # it is\n  - url: https://x.example/f\n\n# zone\nzone: UTC\n", nil},
		{"lines, commented feeds at the end", "feeds:\n  - url: https://a.example/f\n  # - url: https://old.example/f\n\n# zone\nzone: UTC\n",
			"feeds:\n  - url: https://a.example/f\n  # - url: https://old.example/f\n  - url: https://x.example/f\n\n# zone\nzone: UTC\n", nil},
		{"lines not indented", "feeds:\n- url: https://a.example/f\n# zone\nzone: UTC\n", "feeds:\n- url: https://a.example/f\n- url: https://x.example/f\n# zone\nzone: UTC\n", nil},
		{"wide lines", "feeds:\n    -   url: https://a.example/f\n        outlet: A",
			"feeds:\n    -   url: https://a.example/f\n        outlet: A\n    -   url: https://alpha.example/feed\n        outlet: \"Alpha: News\"\n        language: en\n" +
				"    -   url: https://beta.example/rss?a=1&b=2\n        outlet: Beta & Sons\n        owner: Big Co\n", []Entry{alpha, beta}},
		{"dashes alone", "feeds:\n  -\n    url: https://a.example/f\n", "feeds:\n  -\n    url: https://a.example/f\n  - url: https://x.example/f\n", nil},
		{"braces in lines", "feeds:\n  - {url: https://a.example/f}\nzone: UTC\n",
			"feeds:\n  - {url: https://a.example/f}\n  - {url: \"https://beta.example/rss?a=1&b=2\", outlet: Beta & Sons, owner: Big Co}\nzone: UTC\n", []Entry{beta}},
		{"comment above", "feeds:\n  - url: https://a.example/f\n", "feeds:\n  - url: https://a.example/f\n  # Local news\n  - url: https://x.example/f\n",
			[]Entry{{URL: "https://x.example/f", Comment: "Local\n news"}}},
		{"text over several lines before it", "publish:\n  title: >\n    # no comment\n\n    é日本\nfeeds:\n  - url: https://a.example/f\n    outlet: 'A\n\n      # B'\n",
			"publish:\n  title: >\n    # no comment\n\n    é日本\nfeeds:\n  - url: https://a.example/f\n    outlet: 'A\n\n      # B'\n  - url: https://x.example/f\n", nil},
		{"Windows", "zone: UTC\r\nfeeds:\r\n  # c\r\n  - url: https://a.example/f\r\nlisten: \"\"\r\n",
			"zone: UTC\r\nfeeds:\r\n  # c\r\n  - url: https://a.example/f\r\n  - url: https://x.example/f\r\nlisten: \"\"\r\n", nil},
		{"brackets", "feeds: [{url: https://a.example/f}] # c\n", "feeds: [{url: https://a.example/f}, {url: https://x.example/f}] # c\n", nil},
		{"brackets and a comma", "feeds: [ {url: https://a.example/f}, ]\n", "feeds: [ {url: https://a.example/f}, {url: https://x.example/f} ]\n", nil},
		{"brackets over lines", "feeds: [\n  {url: https://a.example/f}  # first\n]\nzone: UTC\n",
			"feeds: [\n  {url: https://a.example/f},  # first\n  {url: https://x.example/f}\n]\nzone: UTC\n", nil},
		{"brackets over lines, commas at the end", "feeds: [\n    {url: https://a.example/f}, # first\n]\n",
			"feeds: [\n    {url: https://a.example/f}, # first\n    {url: https://x.example/f},\n]\n", nil},
		{"JSON", `{"zone": "UTC", "feeds": [{"url": "https://a.example/f"}]}`,
			`{"zone": "UTC", "feeds": [{"url": "https://a.example/f"}, {"url": "https://alpha.example/feed", "outlet": "Alpha: News", "language": "en"}]}`, []Entry{alpha}},
		{"JSON without feeds", `{"zone": "UTC"}`, `{"zone": "UTC", "feeds": [{"url": "https://x.example/f"}]}`, nil},
		{"JSON with an empty list", `{"feeds": []}`, `{"feeds": [{"url": "https://x.example/f"}]}`, nil},
		{"braces without feeds", "{}\n", "{feeds: [{url: https://x.example/f}]}\n", nil},
		{"braces, null", "{feeds: null, zone: UTC}\n", "{feeds: [{url: https://x.example/f}]     , zone: UTC}\n", nil},
		{"anchors elsewhere", "channels:\n  - &a {name: a}\nfeeds: []\n", "channels:\n  - &a {name: a}\nfeeds:\n  - url: https://x.example/f\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.entries == nil {
				tt.entries = []Entry{{URL: "https://x.example/f"}}
			}
			got, err := AddFeeds("config.yaml", []byte(tt.before), tt.entries)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.after, string(got)); diff != "" {
				t.Errorf("AddFeeds (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRemoveFeeds(t *testing.T) {
	const a, b = "https://a.example/f", "https://b.example/f"
	for _, tt := range []struct {
		name, before, after string
		addresses           []string
	}{
		{"first of the lines", "feeds:\n  # what a feed is\n  - url: https://a.example/f # a\n    outlet: A\n    # inside\n  # about b\n  - url: https://b.example/f\n",
			"feeds:\n  # what a feed is\n  # about b\n  - url: https://b.example/f\n", []string{a}},
		{"last of the lines", "feeds:\n  - url: https://a.example/f\n  - url: https://b.example/f\n    outlet: 'B\n      # C'\n  # - url: https://old.example/f\n\n# zone\nzone: UTC\n",
			"feeds:\n  - url: https://a.example/f\n  # - url: https://old.example/f\n\n# zone\nzone: UTC\n", []string{b}},
		{"all lines", "feeds: # all\n  - url: https://a.example/f\n  - url: https://b.example/f\nzone: UTC\n", "feeds: # all\nzone: UTC\n", []string{b, a}},
		{"lines not indented, no end of line", "feeds:\n- url: https://a.example/f\n- url: https://b.example/f", "feeds:\n- url: https://a.example/f\n", []string{b}},
		{"empty lines between", "feeds:\n\n  - url: https://a.example/f\n\n  - url: https://b.example/f\n\nzone: UTC\n", "feeds:\n\n  - url: https://b.example/f\n\nzone: UTC\n", []string{a}},
		{"Windows", "feeds:\r\n  - url: https://a.example/f\r\n  # b\r\n  - url: https://b.example/f\r\n", "feeds:\r\n  # b\r\n  - url: https://b.example/f\r\n", []string{a}},
		{"brackets, first", "feeds: [{url: https://a.example/f}, {url: https://b.example/f}] # c\n", "feeds: [{url: https://b.example/f}] # c\n", []string{a}},
		{"brackets, last", "feeds: [ {url: https://a.example/f}, {url: https://b.example/f} ]\n", "feeds: [ {url: https://a.example/f} ]\n", []string{b}},
		{"brackets, all", "feeds: [{url: https://a.example/f}, {url: https://b.example/f},]\n", "feeds: []\n", []string{a, b}},
		{"brackets over lines, first", "feeds: [\n  {url: https://a.example/f}, # a\n  # on b\n  {url: https://b.example/f}\n]\n", "feeds: [\n  # on b\n  {url: https://b.example/f}\n]\n", []string{a}},
		{"brackets over lines, last", "feeds: [\n  {url: https://a.example/f}, # a\n  {url: https://b.example/f}  # b\n]\n", "feeds: [\n  {url: https://a.example/f} # a\n]\n", []string{b}},
		{"JSON", `{"feeds": [{"url": "https://a.example/f"}, {"url": "https://b.example/f"}]}`, `{"feeds": [{"url": "https://b.example/f"}]}`, []string{a}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := RemoveFeeds("config.yaml", []byte(tt.before), tt.addresses)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.after, string(got)); diff != "" {
				t.Errorf("RemoveFeeds (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEditRefusals(t *testing.T) {
	const x = "https://x.example/f"
	for _, tt := range []struct{ name, in, want string }{
		{"an anchor on the list", "feeds: &f\n  - url: https://x.example/f\n", "config.yaml:1:8: feeds: an anchor (&f)"},
		{"an anchor on a feed", "feeds:\n  - &a {url: https://x.example/f}\n", "config.yaml:2:5: feeds: an anchor (&a)"},
		{"an alias", "zone: &z UTC\nfeeds:\n  - url: https://x.example/f\n    outlet: *z\n", "config.yaml:4:13: feeds: an alias (*z)"},
		{"a tag", "feeds:\n  - url: !!str https://x.example/f\n", "a tag (!!str)"},
		{"pairs without braces", "feeds: [url: https://x.example/f]\n", "not written in braces"},
		{"mixed line ends", "zone: UTC\r\nfeeds:\n  - url: https://x.example/f\n", "mixed"},
		{"a faulty file", "feds: []\n", "config.yaml:1:1: feds: unknown key; did you mean feeds?"},
		{"a feed of that address twice", "feeds:\n  - url: https://x.example/f\n  - url: https://x.example/f\n", "the same address"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, addErr := AddFeeds("config.yaml", []byte(tt.in), []Entry{alpha})
			_, removeErr := RemoveFeeds("config.yaml", []byte(tt.in), []string{x})
			for what, err := range map[string]error{"AddFeeds": addErr, "RemoveFeeds": removeErr} {
				var e *Error
				if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%s: error = %v, want one with %q", what, err, tt.want)
				}
			}
		})
	}
	if _, err := RemoveFeeds("config.yaml", nil, []string{x}); err == nil || !strings.Contains(err.Error(), "not configured") {
		t.Errorf("error = %v, want that it is not configured", err)
	}
	if _, err := AddFeeds("config.yaml", nil, []Entry{alpha, alpha}); err == nil || !strings.Contains(err.Error(), "the same address") {
		t.Errorf("error = %v, want that the address comes twice", err)
	}
}

// What any outlet may be called comes back as it was.
func TestScalar(t *testing.T) {
	names := []string{
		"A", "true", "Yes", "null", "24", "7.10", "- dash", "a: b", "a:b", "a #b", "a#b", "a, b", "[x]", "{x}", "&x", "*x", "!x", "'x'", `"x"`, `a\b`, "%x", "@x",
		"`x`", "x:", "L’Écho", "朝日新聞", "الجزيرة", "Беларусь", "a\u2028b", "a\u00a0b", "~", "=", "<<", "?x", "a ? b", "1st Ave", ".inf", "2026-01-01", "0x1f", "tab\tx", "🦀 news", "x ", " x",
	}
	for _, name := range names {
		for _, before := range []string{"", "feeds: [{url: https://a.example/f}]", "{\"feeds\": []}", "feeds:\n- {url: https://a.example/f}"} {
			if _, err := AddFeeds("config.yaml", []byte(before), []Entry{{URL: "https://x.example/a#b?c=d:e", Outlet: name}}); err != nil {
				t.Errorf("outlet %q into %q: %v", name, before, err)
			}
		}
	}
}

func TestAddress(t *testing.T) {
	for _, tt := range []struct{ in, want, fault string }{
		{"https://a.example/f", "https://a.example/f", ""},
		{"file:./x/../y.rss", "file:/etc/sheaf/y.rss", ""},
		{"a.example/f", "", "no scheme"},
		{"ftp://a.example/f", "", "cannot be polled"},
		{"https://u:p@a.example/f", "", "password"},
	} {
		got, err := Address(tt.in, "/etc/sheaf")
		if got != tt.want || (err == nil) != (tt.fault == "") || err != nil && !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("Address(%q) = %q, %v, want %q, %q", tt.in, got, err, tt.want, tt.fault)
		}
	}
}

func TestIsLocal(t *testing.T) {
	for address, want := range map[string]bool{
		"https://a.example/f": false, "http://a.example:8080/f": false, "http://10.example/": false,
		"file:/etc/passwd": true, "http://localhost/": true, "http://LOCALHOST./": true, "http://x.localhost": true, "http://127.0.0.1./f": true,
		"http://[::1]:80/": true, "http://[fe80::1%25eth0]/": true, "https://192.168.1.1/rss": true, "://": true,
	} {
		if got := IsLocal(address); got != want {
			t.Errorf("IsLocal(%q) = %v, want %v", address, got, want)
		}
	}
}

func TestEdit(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "real.yaml"), filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real.yaml", link); err != nil {
		t.Fatal(err)
	}
	change := func(result string, err error) func([]byte) ([]byte, error) {
		return func([]byte) ([]byte, error) { return []byte(result), err }
	}
	if err := Edit(link, change("new", nil)); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(file)
	if err != nil || info.Mode() != 0o640 {
		t.Errorf("mode = %v, %v, want -rw-r-----", info.Mode(), err)
	}
	if info, err = os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info.Mode(), err)
	}
	fault := errors.New("fault")
	if err := Edit(link, change("newer", fault)); !errors.Is(err, fault) {
		t.Errorf("error = %v, want that of the change", err)
	}
	err = Edit(link, func(data []byte) ([]byte, error) {
		return []byte("ours"), os.WriteFile(file, []byte("theirs"), 0o640)
	})
	if !errors.Is(err, ErrChanged) {
		t.Errorf("error = %v, want ErrChanged", err)
	}
	if got, err := os.ReadFile(link); string(got) != "theirs" {
		t.Errorf("the file holds %q, %v, want theirs", got, err)
	}
	if entries, err := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("%d files, %v, want 2: none is left behind", len(entries), err)
	}
	if err := Edit(filepath.Join(dir, "none"), change("x", nil)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error = %v, want that there is no file", err)
	}
}

package extract

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/text/encoding/htmlindex"
)

// fixture is one file of testdata: a page, what to ask about it, and the text it holds.
type fixture struct {
	ask  map[string]string // url, content-type, encode; and what must come out: by, title, canonical, wire, error
	page []byte
	text string
}

func readFixture(t testing.TB, file string) fixture {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files) != 3 || archive.Files[0].Name != "ask" || archive.Files[1].Name != "page.html" || archive.Files[2].Name != "text" {
		t.Fatal("want the files ask, page.html and text, in this order")
	}
	f := fixture{ask: map[string]string{}, page: archive.Files[1].Data, text: strings.TrimSpace(string(archive.Files[2].Data))}
	for line := range strings.Lines(string(archive.Files[0].Data)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		f.ask[key] = strings.TrimSpace(value)
	}
	if name := f.ask["encode"]; name != "" {
		charset, err := htmlindex.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		if f.page, err = charset.NewEncoder().Bytes(f.page); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func fixtures(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 12 {
		t.Fatalf("testdata holds %d pages, %v; want 12 at least", len(files), err)
	}
	return files
}

// Each file of testdata holds one page and what it must give.
func TestText(t *testing.T) {
	for _, file := range fixtures(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			f := readFixture(t, file)
			got, err := Text(f.page, f.ask["url"], f.ask["content-type"])
			message := ""
			if err != nil {
				message = err.Error()
				if !errors.Is(err, ErrNoArticle) && !errors.Is(err, ErrNotPage) {
					t.Errorf("err = %v is neither of the two that are promised", err)
				}
			}
			if message != f.ask["error"] {
				t.Fatalf("err = %q, want %q", message, f.ask["error"])
			}
			want := Page{Title: f.ask["title"], Text: f.text, Wire: f.ask["wire"], Canonical: f.ask["canonical"], By: Source(f.ask["by"])}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Text (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzText(f *testing.F) {
	for _, file := range fixtures(f) {
		page := readFixture(f, file)
		f.Add(page.page, page.ask["content-type"])
	}
	for _, page := range hostile {
		f.Add([]byte(page(4<<10)), "")
	}
	const url = "https://www.halden-courier.example/news/ferry-cracks"
	f.Fuzz(func(t *testing.T, page []byte, contentType string) {
		p, err := Text(page, url, contentType)
		if err != nil {
			if diff := cmp.Diff(Page{}, p); diff != "" || !errors.Is(err, ErrNoArticle) && !errors.Is(err, ErrNotPage) {
				t.Errorf("Text failed with %v and a page:\n%s", err, diff)
			}
			return
		}
		switch {
		case p.Text == "" || !utf8.ValidString(p.Text) || len(p.Text) > 4*MaxPage:
			t.Errorf("text of %d bytes, valid %v", len(p.Text), utf8.ValidString(p.Text))
		case strings.ContainsAny(p.Title, "\n\r\x00") || strings.ContainsAny(p.Text, "\r\x00"):
			t.Errorf("title %q and text hold what is no line of text", p.Title)
		case p.Canonical != "" && !SameSite(p.Canonical, url):
			t.Errorf("canonical address %q is on another site", p.Canonical)
		case p.By != SourceData && p.By != SourceProse:
			t.Errorf("by %q", p.By)
		}
	})
}

func TestSameSite(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		want       bool
	}{
		{"same host", "https://a.example/1", "http://a.example/2", true},
		{"variants", "https://m.a.example/1", "https://www.a.example/1", true},
		{"another site", "https://a.example/1", "https://b.example/1", false},
		{"two tenants of a public suffix", "https://a.github.io/1", "https://b.github.io/1", false},
		{"one address", "http://127.0.0.1:9000/1", "http://127.0.0.1:9000/2", true},
		{"two addresses", "http://10.0.0.1/1", "http://11.0.0.1/1", false},
		{"no host", "about:blank", "about:blank", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := SameSite(tt.a, tt.b); got != tt.want {
				t.Errorf("SameSite(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
			}
		})
	}
}

func TestDropFurniture(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a report stays", "The council met.\nIt adjourned.", "The council met.\nIt adjourned."},
		{"a call to log in", "The council met.\nAlready a subscriber? Log in.", "The council met."},
		{"in the middle", "The council met.\nSign up for our newsletter\nIt adjourned.", "The council met.\nIt adjourned."},
		{"German", "Der Rat tagte.\nBereits Abonnent? Hier anmelden.", "Der Rat tagte."},
		{"words of a report inside a sentence", "The site, which uses cookies, said so.", "The site, which uses cookies, said so."},
		{"a long paragraph is never one", "Subscribe to read " + strings.Repeat("a", longest), "Subscribe to read " + strings.Repeat("a", longest)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := dropFurniture(tt.text); got != tt.want {
				t.Errorf("dropFurniture(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestContentTypes(t *testing.T) {
	page := []byte("<p>" + strings.Repeat("A paragraph of an article that is long enough to be one, with words in it. ", 4) + "</p>")
	for _, tt := range []struct {
		contentType string
		want        error
	}{
		{"", nil},
		{"text/html", nil},
		{"Text/HTML; charset=utf-8", nil},
		{"text/html;;charset", nil},
		{"application/xhtml+xml", nil},
		{"application/pdf", ErrNotPage},
		{"video/mp4", ErrNotPage},
		{"application/json", ErrNotPage},
	} {
		t.Run(tt.contentType, func(t *testing.T) {
			if _, err := Text(page, "https://a.example/1", tt.contentType); !errors.Is(err, tt.want) {
				t.Errorf("err = %v, want %v", err, tt.want)
			}
		})
	}
}

func BenchmarkText(b *testing.B) {
	for _, name := range []string{"02-json-ld", "07-comments-and-related"} {
		f := readFixture(b, "testdata/"+name+".txtar")
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(f.page)))
			for b.Loop() {
				if _, err := Text(f.page, f.ask["url"], ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package output

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPlain(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"clean stays", "Ferry & bridge <again>", "Ferry & bridge <again>"},
		{"spaces of every kind collapse", "  a\t\n b\u00a0\u2028c  ", "a b c"},
		{"controls leave", "a\x00b\x01c\x7fd\u0085e\u009f", "abcd e"},
		{"invalid bytes leave", "a\xff\xfeb\xed\xa0\x80", "ab"},
		{"noncharacters leave", "a\ufffe\uffff\ufdd0\U0001fffeb\ufffd", "ab"},
		{"reordering marks leave", "a\u202eb\u2067c\u202c", "abc"},
		{"scripts, emoji and joiners stay", "שלום 朝日 👩‍👧 e\u0301", "שלום 朝日 👩‍👧 e\u0301"},
		{"only dirt", "\x01 \u202e", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Plain(tt.in); got != tt.want {
				t.Errorf("Plain(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestUnmarked(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing to do", "R&D at AT&T: 5 < 6 > 4", "R&D at AT&T: 5 < 6 > 4"},
		{"tags", "<b>Bold</B> <script src=x>", "< b>Bold< /B> < script src=x>"},
		{"no tags of HTML", "Now <ferry> and </harbour>", "Now <ferry> and </harbour>"},
		{"entities", "AT&amp;T &#8220;said&#x201d; &eacute;", "AT& amp;T & #8220;said& #x201d; & eacute;"},
		{"no entities", "a &unknown; b & c; d", "a &unknown; b & c; d"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := unmarked(tt.in)
			if got != tt.want || unmarked(got) != got {
				t.Errorf("unmarked(%q) = %q, then %q, want %q", tt.in, got, unmarked(got), tt.want)
			}
		})
	}
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		limit    int
		want     string
	}{
		{"short stays", "One. Two.", 9, "One. Two."},
		{"at a sentence in the second half", "One two three. Four five", 20, "One two three."},
		{"between words", "One two three four", 12, "One two…"},
		{"not at a sentence in the first half", "No. Two three four five", 16, "No. Two three…"},
		{"one long word", "abcdefghij", 5, "abcd…"},
		{"characters, not bytes", "朝日新聞朝日新聞", 5, "朝日新聞…"},
		{"no mark before the dots", "One two, three", 10, "One two…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := cut(tt.in, tt.limit)
			if got != tt.want || utf8.RuneCountInString(got) > tt.limit {
				t.Errorf("cut(%q, %d) = %q, want %q", tt.in, tt.limit, got, tt.want)
			}
		})
	}
}

func TestWebURL(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "https://a.example/b?c=1&d=2#e", "https://a.example/b?c=1&d=2#e"},
		{"no path", "https://a.example", "https://a.example/"},
		{"query without path", "https://a.example?x", "https://a.example/?x"},
		{"scheme in capitals", "HTTP://a.example/", "http://a.example/"},
		{"password", "https://me:secret@a.example/x", "https://a.example/x"},
		{"script", "javascript:alert(1)", ""},
		{"data", "data:text/html,x", ""},
		{"file", "file:///home/me/feed.xml", ""},
		{"relative", "/x", ""},
		{"protocol-relative", "//a.example/x", ""},
		{"empty", "", ""},
		{"no host", "https:///x", ""},
		{"not an address", "https://[::1", ""},
		{"space and quotes", "https://a.example/a b?q=\"<x>\" y", "https://a.example/a%20b?q=%22%3Cx%3E%22%20y"},
		{"braces and bars", "https://a.example/?a={1}|2^", "https://a.example/?a=%7B1%7D%7C2%5E"},
		{"encoded stays", "https://a.example/%C3%A9?x=%20", "https://a.example/%C3%A9?x=%20"},
		{"half an encoding", "https://a.example/x?q=100%", "https://a.example/x?q=100%25"},
		{"other scripts", "https://a.example/é?q=é", "https://a.example/%C3%A9?q=%C3%A9"},
		{"host in another script", "https://bücher.example/x", "https://xn--bcher-kva.example/x"},
		{"host in another script with port", "https://bücher.example:8443/x", "https://xn--bcher-kva.example:8443/x"},
		{"hash twice", "https://a.example/x#a#b", "https://a.example/x#a%23b"},
		{"address of six", "http://[::1]:8080/x", "http://[::1]:8080/x"},
		{"spaces around", "  https://a.example/x\n", "https://a.example/x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := webURL(tt.in)
			if got != tt.want {
				t.Errorf("webURL(%q) = %q, want %q", tt.in, got, tt.want)
			}
			if again := webURL(got); again != got {
				t.Errorf("webURL(%q) = %q: not stable", got, again)
			}
		})
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("a\x00 \u202e b")
	f.Fuzz(func(t *testing.T, s string) {
		got := Plain(s)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, forbidden) || strings.ContainsAny(got, "\n\t\r") {
			t.Errorf("Plain(%q) = %q", s, got)
		}
		if Plain(got) != got {
			t.Errorf("Plain(%q) is not stable: %q", s, Plain(got))
		}
	})
}

func FuzzWebURL(f *testing.F) {
	f.Add("https://a.example/é?x=%zz#a#b")
	f.Fuzz(func(t *testing.T, s string) {
		got := webURL(s)
		if got == "" {
			return
		}
		if again := webURL(got); again != got {
			t.Errorf("webURL(%q) = %q, then %q", s, got, again)
		}
		if !strings.HasPrefix(got, "http") || strings.ContainsFunc(got, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
			t.Errorf("webURL(%q) = %q", s, got)
		}
	})
}

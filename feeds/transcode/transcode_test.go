package transcode

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// encode writes s in another charset.
func encode(t *testing.T, e encoding.Encoding, s string) string {
	t.Helper()
	out, err := e.NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func declared(name, text string) string {
	return `<?xml version="1.0" encoding="` + name + `"?><rss>` + text + `</rss>`
}

func TestDecode(t *testing.T) {
	utf16 := func(e unicode.Endianness, b unicode.BOMPolicy) encoding.Encoding { return unicode.UTF16(e, b) }
	for _, tt := range []struct {
		name, in, contentType string
		want, encoding        string
		note                  string
	}{
		{"plain", "<rss>a</rss>", "", "<rss>a</rss>", "utf-8", ""},
		{"ASCII with a declaration", declared("ISO-8859-1", "a"), "", "<rss>a</rss>", "iso-8859-1", ""},
		{"ASCII, the header first", declared("iso-8859-1", "a"), "text/xml; charset=Windows-1252", "<rss>a</rss>", "windows-1252", ""},
		{"ASCII that claims to be UTF-16", declared("utf-16", "a"), "", "<rss>a</rss>", "utf-8", ""},
		{"UTF-8", "<rss>é</rss>", "", "<rss>é</rss>", "utf-8", ""},
		{"UTF-8 with a mark", "\xef\xbb\xbf<rss>é</rss>", "", "<rss>é</rss>", "utf-8", ""},
		{"mark after blank lines", "\n \xef\xbb\xbf<rss>é</rss>", "", "<rss>é</rss>", "utf-8", ""},
		{"UTF-8 declared as something else", declared("windows-1251", "é"), "", "<rss>é</rss>", "utf-8", "charset_contradiction"},
		{"UTF-8, the header says otherwise", "<rss>é</rss>", "text/xml; charset=us-ascii", "<rss>é</rss>", "utf-8", "charset_contradiction"},
		{"declaration after blank lines", "\n\n" + encode(t, charmap.ISO8859_15, declared("iso-8859-15", "10 €")), "", "<rss>10 €</rss>", "iso-8859-15", ""},
		{"declaration in single quotes", encode(t, charmap.KOI8R, `<?xml version='1.0' encoding='koi8-r' ?><rss>мост</rss>`), "", "<rss>мост</rss>", "koi8-r", ""},
		{"header beats declaration", encode(t, charmap.Windows1251, declared("iso-8859-1", "мост")), `text/xml; charset="windows-1251"`, "<rss>мост</rss>", "windows-1251", ""},
		{"broken header", encode(t, charmap.Windows1251, "<rss>мост</rss>"), "text/xml;; charset=windows-1251, x", "<rss>мост</rss>", "windows-1251", ""},
		{"alias of a code page", encode(t, charmap.Windows1251, declared("cp-1251", "мост")), "", "<rss>мост</rss>", "cp-1251", ""},
		{"alias win-", encode(t, charmap.Windows1250, declared("win-1250", "řeka")), "", "<rss>řeka</rss>", "win-1250", ""},
		{"alias latin-1", encode(t, charmap.Windows1252, declared("latin-1", "é")), "", "<rss>é</rss>", "latin-1", ""},
		{"old code page", encode(t, charmap.CodePage866, declared("cp866", "мост")), "", "<rss>мост</rss>", "cp866", ""},
		{"code page of the IANA list", encode(t, charmap.CodePage850, declared("IBM850", "é")), "", "<rss>é</rss>", "ibm850", ""},
		{"GB2312 is read as its superset", encode(t, simplifiedchinese.GB18030, declared("gb2312", "大桥喆")), "", "<rss>大桥喆</rss>", "gb18030", ""},
		{"Big5", encode(t, traditionalchinese.Big5, declared("big5", "大橋")), "", "<rss>大橋</rss>", "big5", ""},
		{"EUC-KR", encode(t, korean.EUCKR, declared("euc-kr", "다리")), "", "<rss>다리</rss>", "euc-kr", ""},
		{"Shift JIS under an alias", encode(t, japanese.ShiftJIS, declared("sjis-win", "橋です")), "", "<rss>橋です</rss>", "sjis-win", ""},
		{"ISO-2022-JP is ASCII to the eye", encode(t, japanese.ISO2022JP, declared("iso-2022-jp", "橋です")), "", "<rss>橋です</rss>", "iso-2022-jp", ""},
		{"HZ", encode(t, simplifiedchinese.HZGB2312, declared("hz-gb-2312", "大桥")), "", "<rss>大桥</rss>", "hz-gb-2312", ""},
		{"UTF-7", declared("utf-7", "Hi Mom +Jjo- 1 +- 1"), "", "<rss>Hi Mom ☺ 1 + 1</rss>", "utf-7", ""},
		{"UTF-16 with a mark", encode(t, utf16(unicode.LittleEndian, unicode.UseBOM), "<rss>é</rss>"), "", "<rss>é</rss>", "utf-16le", ""},
		{"UTF-16 without one", encode(t, utf16(unicode.BigEndian, unicode.IgnoreBOM), "<rss>é</rss>"), "", "<rss>é</rss>", "utf-16be", ""},
		{"UTF-32", encode(t, utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), "<rss>é</rss>"), "", "<rss>é</rss>", "utf-32le", ""},
		{"UTF-32 without a mark", encode(t, utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), "<rss>é</rss>"), "", "<rss>é</rss>", "utf-32be", ""},
		{"EBCDIC", encode(t, charmap.CodePage037, declared("ebcdic-cp-us", "a")), "", "<rss>a</rss>", "ebcdic-cp-us", ""},
		{"EBCDIC of an unknown page", encode(t, charmap.CodePage037, declared("cp500", "a")), "", "<rss>a</rss>", "cp037", ""},
		{"stray byte in UTF-8", "<rss>ééé caf\xe9 – €</rss>", "", "<rss>ééé café – €</rss>", "utf-8+windows-1252", "stray_bytes"},
		{"stray byte declared UTF-8", declared("utf-8", "éééé caf\xe9"), "", "<rss>éééé café</rss>", "utf-8+windows-1252", "stray_bytes"},
		{"page that says so", "<html><meta charset=windows-1251>" + encode(t, charmap.Windows1251, "мост открыт"), "", "<html><meta charset=windows-1251>мост открыт", "windows-1251", ""},
		{"a single byte", "<rss>caf\xe9</rss>", "", "<rss>café</rss>", "", ""},
		{"unknown label", encode(t, charmap.Windows1252, declared("x-nothing", "café au lait")), "", "<rss>café au lait</rss>", "", ""},
		{"empty", "", "", "", "utf-8", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Decode([]byte(tt.in), tt.contentType)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(string(r.Text)); got != tt.want {
				t.Errorf("text = %q, want %q", got, tt.want)
			}
			if tt.encoding != "" && r.Encoding != tt.encoding {
				t.Errorf("encoding = %q, want %q", r.Encoding, tt.encoding)
			}
			if tt.note != "" && r.Notes[tt.note] == 0 || tt.note == "" && tt.encoding != "" && len(r.Notes) > 0 {
				t.Errorf("notes = %v, want %q", r.Notes, tt.note)
			}
		})
	}
}

func TestDecodeGuesses(t *testing.T) {
	russian := "Мост через гавань открылся во вторник после одиннадцати месяцев ремонта, сообщили в порту. Водители больше не объезжают залив."
	r, err := Decode([]byte(encode(t, charmap.Windows1251, "<rss>"+russian+"</rss>")), "")
	if err != nil {
		t.Fatal(err)
	}
	if want := "<rss>" + russian + "</rss>"; string(r.Text) != want || r.Notes["charset_guessed"] != 1 {
		t.Errorf("text = %q (%s, %v), want %q", r.Text, r.Encoding, r.Notes, want)
	}
}

func TestDecodeTooLarge(t *testing.T) {
	body := append([]byte("\xff\xfe"), bytes.Repeat([]byte("\x31\x30"), maxText/2)...) // three bytes each in UTF-8
	if _, err := Decode(body, ""); !errors.Is(err, ErrTooLarge) {
		t.Errorf("Decode = %v, want ErrTooLarge", err)
	}
}

func TestStrip(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		dropped        int
	}{
		{"nothing to do", "a é – \U0001F600 \t\r\n", "a é – \U0001F600 \t\r\n", 0},
		{"controls", "\x00a\x01\x1fb\x0b", "ab", 4},
		{"no characters at all", "a\uFFFEb\uFFFFc", "abc", 2},
		{"C1 becomes windows-1252", "it\u0092s \u0080 \u0085", "it’s € …", 0},
		{"unassigned ones stay", "a\u0081b", "a\u0081b", 0},
		{"neighbors stay", "\u00a0\u00bf\uFFFD\uFEFF", "\u00a0\u00bf\uFFFD\uFEFF", 0},
		{"end marks appear only before later steps", "]]\x01>", "]]>", 1},
		{"delete stays", "a\x7f", "a\x7f", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, dropped := Strip([]byte(tt.in))
			if string(got) != tt.want || dropped != tt.dropped {
				t.Errorf("Strip(%q) = %q, %d, want %q, %d", tt.in, got, dropped, tt.want, tt.dropped)
			}
		})
	}
	clean := []byte("nothing")
	if got, _ := Strip(clean); &got[0] != &clean[0] {
		t.Error("text without anything to strip was copied")
	}
}

func TestDropDeclaration(t *testing.T) {
	for in, want := range map[string]string{
		`<?xml version="1.1"?><rss/>`:       "<rss/>",
		"\n<?xml version='1.0' ?>\n<rss/>":  "\n<rss/>",
		`<?xml version="1.0"><rss/>`:        `<?xml version="1.0"><rss/>`,
		`<?xml-stylesheet href="a"?><rss/>`: "<rss/>",
		"<rss/>":                            "<rss/>",
	} {
		if got := string(dropDeclaration([]byte(in))); got != want {
			t.Errorf("dropDeclaration(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzDecode: whatever comes in, what goes out is valid UTF-8 without forbidden characters, and decoding it again changes nothing.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"<rss>é</rss>", "\xff\xfe<\x00r\x00", "\x00\x00\xfe\xff", declared("utf-7", "+Jjo-"), declared("gb2312", "\xb4\xf3"), "caf\xe9 é \x01", "Lo\xa7\x94"} {
		f.Add([]byte(s), "text/xml; charset=windows-1251")
	}
	f.Fuzz(func(t *testing.T, b []byte, contentType string) {
		r, err := Decode(b, contentType)
		if err != nil {
			if !errors.Is(err, ErrTooLarge) {
				t.Fatal(err)
			}
			return
		}
		if !utf8.Valid(r.Text) {
			t.Fatalf("Decode(%q, %q) = %q, no UTF-8", b, contentType, r.Text)
		}
		if again, dropped := Strip(r.Text); dropped > 0 || !bytes.Equal(again, r.Text) {
			t.Fatalf("Decode(%q) = %q, which strips to %q", b, r.Text, again)
		}
		if r.Encoding == "" || r.Encoding != strings.ToLower(r.Encoding) {
			t.Fatalf("encoding = %q", r.Encoding)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	doc := []byte(declared("utf-8", strings.Repeat("The harbour bridge reopened – after “eleven” months. ", 20_000)))
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(doc, ""); err != nil {
			b.Fatal(err)
		}
	}
}

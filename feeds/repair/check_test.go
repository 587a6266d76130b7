package repair

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	wrap := func(s string) string { return "<rss xmlns:x='u'><channel><item>" + s + "</item></channel></rss>" }
	for _, tt := range []struct {
		name, in string
		refused  string
	}{
		{"a feed", wrap("<title>a</title>"), ""},
		{"depth at the limit", strings.Repeat("<a>", checkDepth), ""},
		{"depth", strings.Repeat("<a>", checkDepth+1), "nested elements"},
		{"closed again and again", strings.Repeat("<a></a><b/>", 1000), ""},
		{"attributes of one", wrap("<a" + attributes(" a%=''", checkAttributes+1) + "/>"), "attributes of one element"},
		{"equals signs in values", wrap(`<a b="` + strings.Repeat("=", 1000) + `"/>`), ""},
		{"brackets in values", wrap(`<a b=">` + strings.Repeat("<a>", 1000) + `"/>`), ""},
		{"attributes in all", wrap(strings.Repeat("<a"+attributes(" a%=''", 100)+"/>", 5001)), "attributes"},
		{"elements", wrap(strings.Repeat("<a/>", checkElements)), "elements"},
		{"items", "<rss><channel>" + strings.Repeat("<item/>", checkItems+1) + "</channel></rss>", "items"},
		{"declarations in scope", wrap(strings.Repeat("<a xmlns:a='u' xmlns:b='u'>", 65)), "namespaces in scope"},
		{"declarations out of scope", wrap(strings.Repeat("<a xmlns:a='u' xmlns = 'v'></a>", 1000)), ""},
		{"declarations in scope of all", "<rss" + attributes(" xmlns:a%='u'", 100) + ">" + strings.Repeat("<a/>", 20_001), "namespaces in scope of all elements"},
		{"bases", wrap(strings.Repeat("<a xml:base='u'>", checkBases+1)), "base addresses in scope"},
		{"text between children", wrap("<a>" + strings.Repeat("tttttttt<b/>", 8000) + "</a>"), "bytes of joined text"},
		{"text between comments", wrap("<a>" + strings.Repeat("tttttttt<!-- -->", 8000) + "</a>"), "bytes of joined text"},
		{"text between sections", wrap("<a>" + strings.Repeat("<![CDATA[tttttttt]]><!-- -->", 6000) + "</a>"), "bytes of joined text"},
		{"markup in a comment", wrap("<!--" + strings.Repeat("<a>", 1000) + "-->"), ""},
		{"markup in a section", wrap("<![CDATA[" + strings.Repeat("<a>", 1000) + "]]>"), ""},
		{"markup in an instruction", wrap("<?x " + strings.Repeat("<a>", 1000) + "?>"), ""},
		{"comment never closed", "<a><!--" + strings.Repeat("<a>", 1000), ""},
		{"tag never closed", "<a><b c='" + strings.Repeat("<a>", 1000), ""},
		{"a declaration", "<!DOCTYPE a [<!ENTITY b '<c>'>]><a/>", "declarations"},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := Check([]byte(tt.in))
			if tt.refused == "" {
				if err != nil {
					t.Errorf("Check = %v", err)
				}
				return
			}
			if !errors.Is(err, ErrLimits) || !strings.HasSuffix(err.Error(), tt.refused) {
				t.Errorf("Check = %v, want a refusal for %s", err, tt.refused)
			}
		})
	}
}

// FuzzCheck: what Check accepts, encoding/xml never nests deeper than the limit.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{
		"<a><b/></a>", "<a b='>'><![CDATA[<c>]]><!-- <d> --></a>", "<?x <a> ?><!DOCTYPE a [<!ENTITY b '<c>'>]><a/>", "<a / ><b></a>", strings.Repeat("<a>", 140), "<a\n=''>",
		strings.Repeat("<a b='/'>", 140), "<!--" + strings.Repeat("<a>", 140) + "-->", "<a b=\"" + strings.Repeat("<a>", 140),
	} {
		f.Add([]byte(s), uint8(1))
	}
	f.Fuzz(func(t *testing.T, b []byte, times uint8) {
		b = bytes.Repeat(b, int(times))
		if len(b) > 16<<10 || Check(b) != nil {
			return
		}
		d := xml.NewDecoder(bytes.NewReader(b))
		d.Strict = false
		depth := 0
		for {
			token, err := d.RawToken()
			if err != nil {
				if err != io.EOF && depth > checkDepth {
					t.Fatalf("Check accepts %q, %d deep", b, depth)
				}
				return
			}
			switch token.(type) {
			case xml.StartElement:
				depth++
			case xml.EndElement:
				depth = max(0, depth-1)
			}
			if depth > 2*checkDepth {
				t.Fatalf("Check accepts %q, %d deep", b, depth)
			}
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	doc := []byte("<rss><channel>" + strings.Repeat("<item><title>text#1</title><link>https://harbour.example/news/1</link><media:content url='x' medium='image'/></item>", 2000) + "</channel></rss>")
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if err := Check(doc); err != nil {
			b.Fatal(err)
		}
	}
}

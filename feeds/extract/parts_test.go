package extract

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	paragraph = "A paragraph of an article that is long enough to be one, with words in it that nobody else has written before it."
	second    = "Another paragraph of the same article, again long enough to be one, in which the matter is taken up once more."
)

func TestIsArticle(t *testing.T) {
	headlines := strings.TrimSpace(strings.Repeat("A headline of the usual length about some matter\n", 30))
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"two paragraphs", paragraph + "\n" + second, true},
		{"one short paragraph", paragraph, false},
		{"nothing", "", false},
		{"a short article in Chinese", strings.Repeat("議會週一表示事前並未獲知此事將要求提出報告", 5), true},
		{"headlines", headlines, false},
		{"headlines under a paragraph", paragraph + "\n" + headlines, false},
		{"an interview", strings.Repeat("Why?\nBecause.\n"+paragraph+"\n", 8), true},
		{"an article with much code", strings.Repeat(paragraph+"\n", 8) + strings.Repeat("x := f(y)\n", 200), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := isArticle(tt.text); got != tt.want {
				t.Errorf("isArticle of %d bytes = %v, want %v", len(tt.text), got, tt.want)
			}
		})
	}
}

func TestWithoutRepeated(t *testing.T) {
	for _, tt := range []struct {
		name     string
		in, want []string
	}{
		{"none", nil, []string{}},
		{"a line of the site", []string{paragraph + "1\nFollow the harbour", paragraph + "2\nFollow the harbour", "Follow the harbour\n" + paragraph + "3"},
			[]string{paragraph + "1", paragraph + "2", paragraph + "3"}},
		{"a line of two", []string{"a\nb", "a\nc", "d"}, []string{"a\nb", "a\nc", "d"}},
		{"twice in one is once", []string{"a\na\na\nb", "c"}, []string{"a\na\na\nb", "c"}},
		{"one article three times", []string{paragraph, paragraph, paragraph, second}, []string{paragraph, paragraph, paragraph, second}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, WithoutRepeated(tt.in)); diff != "" {
				t.Errorf("WithoutRepeated (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeclared(t *testing.T) {
	const url = "https://a.example/1"
	for _, tt := range []struct{ name, data, want string }{
		{"an article", `{"@type":"NewsArticle","articleBody":"Words."}`, "Words."},
		{"of several types", `{"@type":["Thing","ReportageNewsArticle"],"articleBody":"Words."}`, "Words."},
		{"a product", `{"@type":"Product","articleBody":"Words."}`, ""},
		{"no type", `{"articleBody":"Words."}`, ""},
		{"a body that is no text", `{"@type":"Article","articleBody":["Words."]}`, ""},
		{"the longest", `[{"@type":"Article","articleBody":"One."},{"@type":"Article","articleBody":"One, two."}]`, "One, two."},
		{"the page's own", `[{"@type":"Article","url":"https://www.a.example/1/","articleBody":"One."},{"@type":"Article","articleBody":"One, two."}]`, "One."},
		{"own before longer", `[{"@type":"Article","articleBody":"One, two."},{"@type":"Article","@id":"https://a.example/1#a","articleBody":"One."}]`, "One."},
		{"in a graph", `{"@graph":[{"@type":"WebPage","mainEntity":{"@type":"Article","articleBody":"Words."}}]}`, "Words."},
		{"in a list", `{"@type":"ItemList","itemListElement":[{"@type":"ListItem","item":{"@type":"Article","articleBody":"Words."}}]}`, "Words."},
		{"too deep", strings.Repeat(`{"mainEntity":`, 9) + `{"@type":"Article","articleBody":"Words."}` + strings.Repeat("}", 9), ""},
		{"lines", `{"@type":"Article","articleBody":"One.\r\n\r\nTwo.\tThree."}`, "One.\nTwo. Three."},
		{"references", `{"@type":"Article","articleBody":"One &amp; two &lt; three"}`, "One & two < three"},
		{"bare line ends", "{\"@type\":\"Article\",\"articleBody\":\"One.\nTwo \\\"quoted\\\".\"}", "One.\nTwo \"quoted\"."},
		{"in a section", `//<![CDATA[` + "\n" + `{"@type":"Article","articleBody":"Words."}` + "\n//]]>", "Words."},
		{"not JSON", `{"@type":"Article","articleBody":"Words."`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := outlineOf(`<script type=" Application/LD+JSON ">` + tt.data + `</script>`)
			if got := o.declared(url).body; got != tt.want {
				t.Errorf("declared body = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestOutline(t *testing.T) {
	wide := `<p class="a" data-x="` + strings.Repeat("x", 500) + `" style="` + strings.Repeat("y", 500) + `">`
	deep := strings.Repeat("<div>", 70) + "text" + strings.Repeat("</div>", 70)
	kept := strings.Repeat("<div>", maxDepth) + "text" + strings.Repeat("</div>", maxDepth)
	for _, tt := range []struct{ name, page, want string }{
		{"text and tags stay as they are", `<P Class=a>One &amp; two<br/></P>`, `<P Class=a>One &amp; two<br/></P>`},
		{"scripts and styles go", `a<script>b("<p>")</script><style>c</style>d`, `ad`},
		{"comments go", `a<!-- <p>b -->c`, `ac`},
		{"hidden copies go", `a<noscript><p>b</p></noscript>c<iframe>d</iframe>e`, `ace`},
		{"long tags are cut down", wide, `<p class="a">`},
		{"deep elements lose their tags", deep, kept},
		{"end tags without starts stay", `</div></div><div>a</div>`, `</div></div><div>a</div>`},
		{"an element never closed", `<div>a<script>b`, `<div>a`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := outlineOf(tt.page).html; got != tt.want {
				t.Errorf("outline = %q, want %q", got, tt.want)
			}
		})
	}
	if o := outlineOf(strings.Repeat("<p>", maxElements+5)); o.elements != maxElements {
		t.Errorf("elements = %d, want %d", o.elements, maxElements)
	}
	if o := outlineOf("<p>" + strings.Repeat("ä", maxHTML)); len(o.html) > maxHTML {
		t.Errorf("html of %d bytes, want at most %d", len(o.html), maxHTML)
	}
}

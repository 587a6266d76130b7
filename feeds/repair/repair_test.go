package repair

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const testBase = "https://harbour.example/feed.xml"

var reference = regexp.MustCompile(`text#\d+`)

// expanded is the rewritten document with every text construct put back, in braces.
func expanded(r *Result) string {
	return reference.ReplaceAllStringFunc(string(r.Text), func(ref string) string { return "{" + r.Facts.Text(ref).Value + "}" })
}

func mustXML(t *testing.T, in string) Result {
	t.Helper()
	r, err := XML([]byte(in), testBase)
	if err != nil {
		t.Fatalf("XML(%.200q) = %v", in, err)
	}
	if r.Root != "" {
		if _, err := wellFormed(r.Text); err != nil {
			t.Fatalf("XML(%.200q) = %.300q: %v", in, r.Text, err)
		}
	}
	return r
}

// TestFaults has a case for every fault that is repaired. In and want stand inside the item of a feed, unless they hold a root.
func TestFaults(t *testing.T) {
	for _, tt := range []struct{ name, in, want, note string }{
		{"nothing wrong", "<title>a</title><link>http://e/</link>", "<title>{a}</title><link>http://e/</link>", ""},
		{"junk before the root", "Warning: x in y.php\n<br/><rss><channel/></rss>", "<rss><channel/></rss>", "junk_before_root"},
		{"junk after the root", "<rss><channel/></rss><script>x</script>", "<rss><channel/></rss>", "junk_after_root"},
		{"declaration in the middle", "<a/><?xml version='1.1'?><b/>", "<a/><b/>", "pi_dropped"},
		{"instruction never closed", "<a/><?php echo <b/>", "<a/><b/>", "pi_dropped"},
		{"comment", "<title>a<!-- -- & <b> -->c</title>", "<title>{ac}</title>", ""},
		{"comment never closed", "<a/><!-- <b/>", "<a/> <b/>", "comment_open"},
		{"internal entity", "<!DOCTYPE rss [<!ENTITY org \"Port &amp; <b>\">]><rss><channel><title>&org;</title></channel></rss>", "<rss><channel><title>{Port & <b>}</title></channel></rss>", "entity_internal"},
		{"entity in an entity", "<!DOCTYPE rss [<!ENTITY a 'x'><!ENTITY b '&a;'>]><rss><channel><c>&b;</c></channel></rss>", "<rss><channel><c>&amp;a;</c></channel></rss>", "entity_internal"},
		{"external entity", "<!DOCTYPE rss [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><rss><channel><c>&a;</c></channel></rss>", "<rss><channel><c>&amp;a;</c></channel></rss>", "amp_escaped"},
		{"doctype never closed", "<!DOCTYPE rss <rss><channel/></rss>", "<rss><channel/></rss>", ""},
		{"illegal reference", "<a>x&#29;&#x1F;y</a>", "<a>xy</a>", "reference_illegal"},
		{"reference to no character", "<a>x&#xFFFFFFFF;&#55296;y</a>", "<a>x\uFFFD\uFFFDy</a>", "reference_illegal"},
		{"surrogates", "<a>&#55357;&#56832;</a>", "<a>😀</a>", "surrogates_joined"},
		{"reference of windows-1252", "<a>it&#146;s</a>", "<a>it’s</a>", ""},
		{"names of HTML", "<a>caf&eacute;&nbsp;&hellip;</a>", "<a>café\u00a0…</a>", ""},
		{"names need their semicolon", "<link>http://e/?a=1&copy=2&lt=3</link>", "<link>http://e/?a=1&amp;copy=2&amp;lt=3</link>", "amp_escaped"},
		{"bare ampersand", "<title>R&D & more</title>", "<title>{R&D & more}</title>", "amp_escaped"},
		{"bracket that starts no tag", "<a>1 < 2 <3</a>", "<a>1 &lt; 2 &lt;3</a>", "lt_escaped"},
		{"name that starts with a digit", "<a><1536>x</1536></a>", "<a>&lt;1536>x&lt;/1536></a>", "lt_escaped"},
		{"bracket in an attribute", `<a b="x<y"z"/>`, `<a b="x&lt;y" z="z"/>`, ""},
		{"end of a section in text", "<a>x]]>y</a>", "<a>xy</a>", "cdata_end_dropped"},
		{"section in a section", "<title><![CDATA[a<![CDATA[b]]>c]]></title>", "<title>{abc}</title>", "cdata_nested"},
		{"section never closed", "<a><![CDATA[x</a><b/>", "<a><![CDATA[x]]></a><b/>", "cdata_open"},
		{"section that swallows the next", "<a><![CDATA[x</a><b><![CDATA[y]]></b>", "<a><![CDATA[x]]></a><b><![CDATA[y]]></b>", "cdata_open"},
		{"section in small letters", "<a><![cdata[x<y]]></a>", "<a><![CDATA[x<y]]></a>", ""},
		{"tag cut by the next", "<a b='c'<d/></a>", `<a b="c"><d/></a>`, "tag_open"},
		{"attributes of HTML", "<a b=c d e='f' b=g/>", `<a b="c" d="d" e="f"></a>`, "end_added"},
		{"names with colons", "<a:b:c/><d:1/><:e/>", "<a:b/><d/>&lt;:e/>", "lt_escaped"},
		{"end tag without a start", "<a/></b><c/>", "<a/><c/>", "end_unmatched"},
		{"end tag of something outside", "<description>x</item>y</description><a/>", "<description>{xy}</description><a/>", "end_crossing"},
		{"end tags missing", "<a><b>x</a>", "<a><b>x</b></a>", "end_added"},
		{"end tag in other letters", "<pubDate>x</pubdate>", "<pubDate>x</pubDate>", ""},
		{"markup in a text", "<description>one<br>two <b>three &lt;i&gt;</description>", "<description>{one<br/>two <b>three <i></b>}</description>", "end_added"},
		{"quotes in markup in a text", `<description><a title="&quot;x&quot; &gt;">y</a></description>`, `<description>{<a title="&quot;x&quot; &gt;">y</a>}</description>`, ""},
		{"item in an item", "<title>a</title><item><title>b</title>", "<title>{a}</title></item><item><title>{b}</title>", "item_closed"},
		{"item in a text", "<description>a<item><title>b</title>", "<description>{a}</description></item><item><title>{b}</title>", "item_closed"},
		{"bare channel", "<channel><title>a</title></channel>", `<rss version="2.0"><channel><title>{a}</title></channel></rss>`, "channel_wrapped"},
		{"second channel", "<rss><channel><a/></channel><channel><b/></channel></rss>", "<rss><channel><a/><b/></channel></rss>", "channel_merged"},
		{"stray namespace on rss", `<rss xmlns="http://www.w3.org/2005/Atom"><channel/></rss>`, "<rss><channel/></rss>", "ns_rss_dropped"},
		{"misspelt namespace on feed", `<feed xmlns="http://www.w3.org/2005/Atom/x"></feed>`, `<feed xmlns="http://www.w3.org/2005/Atom"></feed>`, "ns_atom_fixed"},
		{"Atom 0.3 stays", `<feed version="0.3" xmlns="http://purl.org/atom/ns#"></feed>`, `<feed version="0.3" xmlns="http://purl.org/atom/ns#"></feed>`, ""},
		{"undeclared prefix on feed", `<atom:feed></atom:feed>`, `<atom:feed xmlns:atom="http://www.w3.org/2005/Atom"></atom:feed>`, "ns_atom_fixed"},
		{"misspelt namespace on rdf", `<rdf:RDF xmlns="http://purl.org/rss/1.0"></rdf:RDF>`, `<rdf:RDF xmlns="http://purl.org/rss/1.0/"></rdf:RDF>`, "ns_rdf_fixed"},
		{"spelling of a namespace", `<rss xmlns:i="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel/></rss>`, `<rss xmlns:i="http://www.itunes.com/DTDs/PodCast-1.0.dtd"><channel/></rss>`, ""},
		{"base", `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/x/y.xml"><link href="a"/><entry xml:base="z/"><link href="b"/></entry></feed>`,
			`<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://harbour.example/x/a"/><entry><link href="https://harbour.example/x/z/b"/></entry></feed>`, ""},
		{"base of an address as text", `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/x/"><icon>i.png</icon></feed>`, `<feed xmlns="http://www.w3.org/2005/Atom"><icon>https://harbour.example/x/i.png</icon></feed>`, ""},
		{"link as text", `<feed xmlns="http://www.w3.org/2005/Atom"><link rel="alternate">http://e/?a&amp;b</link></feed>`, `<feed xmlns="http://www.w3.org/2005/Atom"><link rel="alternate" href="http://e/?a&amp;b">http://e/?a&amp;b</link></feed>`, "link_text"},
		{"about of an item", `<rdf:RDF><item rdf:about="http://e/1"/><item rdf:about="http://e/2"></item></rdf:RDF>`, `<rdf:RDF><item rdf:about="http://e/1"/><item rdf:about="http://e/2"><guid isPermaLink="false">http://e/2</guid></item></rdf:RDF>`, ""},
		{"channel definition", `<CHANNEL HREF="http://e/"><ITEM HREF="http://e/1" LASTMOD="2004"><ABSTRACT>a</ABSTRACT></ITEM></CHANNEL>`,
			`<rss version="2.0"><CHANNEL HREF="http://e/"><link>http://e/</link><ITEM HREF="http://e/1" LASTMOD="2004"><link>http://e/1</link><dcterms:modified>2004</dcterms:modified><description>{a}</description></ITEM></CHANNEL></rss>`, "channel_wrapped"},
		{"body of an item", `<body><p>a &lt; <b>b</b></p></body>`, "<content:encoded>{<p>a &lt; <b>b</b></p>}</content:encoded>", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in, want := tt.in, tt.want
			if !strings.Contains(strings.ToLower(in), "<rss") && !strings.Contains(in, "feed") && !strings.Contains(strings.ToLower(in), "<channel") && !strings.Contains(in, "rdf:") {
				in, want = "<rss><channel><item>"+in+"</item></channel></rss>", "<rss><channel><item>"+want+"</item></channel></rss>"
			}
			r := mustXML(t, in)
			if diff := cmp.Diff(want, expanded(&r)); diff != "" {
				t.Errorf("XML(%q) (-want +got):\n%s", in, diff)
			}
			if tt.note != "" && r.Notes[tt.note] == 0 {
				t.Errorf("notes = %v, want %s", r.Notes, tt.note)
			}
			if tt.note == "" && len(r.Notes) > 0 {
				t.Errorf("notes = %v, want none", r.Notes)
			}
			if r.Truncated {
				t.Error("flagged as cut off")
			}
		})
	}
}

func TestTextConstructs(t *testing.T) {
	const feed = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" xmlns:h="http://www.w3.org/1999/xhtml"><entry>`
	for _, tt := range []struct {
		name, in string
		want     Text
	}{
		{"text", `<title> a &lt;b&gt; </title>`, Text{Value: "a <b>", Plain: true}},
		{"text, said so", `<title type="text">a</title>`, Text{Value: "a", Type: "text", Plain: true}},
		{"escaped", `<title type="HTML">a &amp;lt; &lt;b&gt;</title>`, Text{Value: "a &lt; <b>", Type: "html"}},
		{"section", `<summary type="html"><![CDATA[<p>a &amp; b</p>]]></summary>`, Text{Value: "<p>a &amp; b</p>", Type: "html"}},
		{"text around a section", `<summary type="html">x &amp; <![CDATA[<p>a</p>]]> y</summary>`, Text{Value: "x & <p>a</p> y", Type: "html"}},
		{"elements", `<content type="xhtml"><div><p>1 &lt; 2 <![CDATA[<x>]]></p></div></content>`, Text{Value: "<p>1 &lt; 2 &lt;x></p>", Type: "xhtml"}},
		{"elements beside the div", `<content type="xhtml"><div>a</div><p>b</p></content>`, Text{Value: "<div>a</div><p>b</p>", Type: "xhtml"}},
		{"elements with a prefix", `<content type="xhtml"><h:div><h:b>a</h:b></h:div></content>`, Text{Value: "<b>a</b>", Type: "xhtml"}},
		{"elements where text is said", `<title>a <b>c</b></title>`, Text{Value: "a <b>c</b>", Type: "html"}},
		{"Atom 0.3, escaped", `<content type="text/html" mode="escaped">&lt;p&gt;</content>`, Text{Value: "<p>", Type: "text/html"}},
		{"Atom 0.3, as elements", `<content type="application/xhtml+xml" mode="xml"><div>a</div></content>`, Text{Value: "a", Type: "application/xhtml+xml"}},
		{"base64", `<content type="text/html" mode="base64"> PHA+&#10;YTwvcD4= </content>`, Text{Value: "<p>a</p>", Type: "text/html"}},
		{"base64 that is none", `<content type="image/png">a b</content>`, Text{Value: "a b", Type: "image/png"}},
		{"base", `<content type="html" xml:base="x/">a</content>`, Text{Value: "a", Type: "html", Base: "https://harbour.example/x/"}},
		{"base inside", `<content type="xhtml" xml:base="x/"><div><p xml:base="y/"><a href="z"/></p><a href="z"/></div></content>`,
			Text{Value: `<p><a href="https://harbour.example/x/y/z"/></p><a href="z"/>`, Type: "xhtml", Base: "https://harbour.example/x/"}},
		{"of another format", `<media:title type="html">a</media:title>`, Text{Value: "a", Type: "html"}},
		{"empty", `<title></title>`, Text{Plain: true}},
		{"looks like a reference to one", `<title>text#7</title>`, Text{Value: "text#7", Plain: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := mustXML(t, feed+tt.in+"</entry></feed>")
			if len(r.Facts.texts) != 1 {
				t.Fatalf("%d texts in %s", len(r.Facts.texts), expanded(&r))
			}
			if diff := cmp.Diff(tt.want, r.Facts.Text(mark+"0")); diff != "" {
				t.Errorf("text of %s (-want +got):\n%s", tt.in, diff)
			}
			if strings.Contains(string(r.Text), " type=") && !strings.Contains(tt.in, "media:") {
				t.Errorf("%s passes a type on", r.Text)
			}
		})
	}
	r := mustXML(t, feed+`<media:content url="a"><media:title>b</media:title></media:content></entry></feed>`)
	if got := expanded(&r); !strings.Contains(got, `<media:content url="a"><media:title>{b}</media:title></media:content>`) {
		t.Errorf("content of Media RSS is taken for text: %s", got)
	}
	for _, ref := range []string{"text#99", "text#-1", "text#x", "plain"} {
		if got := r.Facts.Text(ref); got.Value != ref {
			t.Errorf("Text(%q) = %q", ref, got.Value)
		}
	}
}

func TestFacts(t *testing.T) {
	r := mustXML(t, `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/x/" xml:lang="en"><id> HTTP://E/ </id><entry xml:lang="de" xml:base="y/"><id>urn:a b&amp;</id></entry><entry><title xml:lang="fr">a</title></entry></feed>`)
	want := Facts{Base: "https://harbour.example/x/", Lang: "en", ID: "HTTP://E/", Items: []Item{
		{ID: "urn:a b&", Base: "https://harbour.example/x/y/", Lang: "de"}, {Base: "https://harbour.example/x/", Lang: "en"},
	}}
	if diff := cmp.Diff(want, r.Facts, cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "texts" }, cmp.Ignore())); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	r = mustXML(t, `<rss><channel><author>desk@e.example (Desk)</author><item><author>b</author></item><x><item/></x></channel></rss>`)
	if r.Facts.Author != "desk@e.example (Desk)" || len(r.Facts.Items) != 1 {
		t.Errorf("author %q and %d items, want the channel's and one", r.Facts.Author, len(r.Facts.Items))
	}
}

func TestTruncated(t *testing.T) {
	const whole = `<rss><channel><title>a</title><item><title>b</title><link>http://e/b</link></item><item><title>c</title><link>http://e/c</link></item></channel></rss>`
	for _, tt := range []struct {
		name, cut, want string
		partial         bool
	}{
		{"between items", "<item><title>c", "<rss><channel><title>{a}</title><item><title>{b}</title><link>http://e/b</link></item></channel></rss>", false},
		{"in a text", "</title><link>http://e/c", "<rss><channel><title>{a}</title><item><title>{b}</title><link>http://e/b</link></item><item></item></channel></rss>", true},
		{"in an address", "/c</link>", "<rss><channel><title>{a}</title><item><title>{b}</title><link>http://e/b</link></item><item><title>{c}</title></item></channel></rss>", true},
		{"in a tag", "tle>c", "<rss><channel><title>{a}</title><item><title>{b}</title><link>http://e/b</link></item><item></item></channel></rss>", true},
		{"after the items", "</channel>", "<rss><channel><title>{a}</title><item><title>{b}</title><link>http://e/b</link></item><item><title>{c}</title><link>http://e/c</link></item></channel></rss>", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before, _, ok := strings.Cut(whole, tt.cut)
			if !ok {
				t.Fatal("no such place")
			}
			r := mustXML(t, before)
			if diff := cmp.Diff(tt.want, expanded(&r)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !r.Truncated || r.Partial != tt.partial {
				t.Errorf("truncated %v, partial %v, want true, %v", r.Truncated, r.Partial, tt.partial)
			}
		})
	}
}

func TestNoRoot(t *testing.T) {
	r := mustXML(t, "<html><body>rss</body></html>")
	if r.Root != "" || r.Text != nil || r.First != "html" {
		t.Errorf("Root %q, First %q, want none and html", r.Root, r.First)
	}
}

func TestRewritingKeepsLimits(t *testing.T) {
	in := func(s string) string { return "<rss xmlns:x='u'><channel><item>" + s + "</item></channel></rss>" }
	for name, doc := range map[string]string{
		"depth":        in(strings.Repeat("<x:a>", 500) + "t" + strings.Repeat("</x:a>", 500)),
		"attributes":   in("<a " + attributes(" a%=''", 500) + "/>"),
		"declarations": in("<a " + attributes(" xmlns:a%='u'", 60) + "><b" + attributes(" xmlns:b%='u'", 60) + "/></a>"),
		"bases":        in(strings.Repeat("<x:a xml:base='a/'>", 50)),
	} {
		r := mustXML(t, doc)
		if err := Check(r.Text); err != nil {
			t.Errorf("%s: Check = %v", name, err)
		}
	}
	if r := mustXML(t, in(strings.Repeat("<x:a>", 500)+"words"+strings.Repeat("</x:a>", 500)+"<title>b</title>")); !strings.Contains(expanded(&r), "words") || !strings.Contains(expanded(&r), "<title>{b}</title>") || r.Notes["depth_flattened"] == 0 {
		t.Errorf("what is nested too deep lost its text, or what follows: %v", r.Notes)
	}
}

func attributes(format string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "%", strconv.Itoa(i)))
	}
	return b.String()
}

func TestXMLRefuses(t *testing.T) {
	for name, in := range map[string]string{
		"ampersands": "<rss><channel><title>" + strings.Repeat("&", 100_000) + "</title></channel></rss>",
		"entities":   "<!DOCTYPE a [<!ENTITY a '" + strings.Repeat("x", 4000) + "'>]><rss><channel><title>" + strings.Repeat("&a;", 1000) + "</title></channel></rss>",
		"names":      "<rss><channel>" + attributes("<a%/>", maxNames+1) + "</channel></rss>",
	} {
		if _, err := XML([]byte(in), ""); !errors.Is(err, ErrLimits) {
			t.Errorf("%s: XML = %v, want ErrLimits", name, err)
		}
	}
}

package clean

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func TestTitle(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"as it is", "Bridge reopens after repair", "Bridge reopens after repair"},
		{"white space", "  Bridge\n\treopens \u00a0 today\u3000", "Bridge reopens today"},
		{"invisible characters", "Bri\u00addge\u200b re\ufeffopens\u202e\x01", "Bridge reopens"},
		{"references", "R&amp;D &#8211; caf&eacute;", "R&D – café"},
		{"references, twice", "Don&amp;#39;t panic", "Don't panic"},
		{"references, three times", "a &amp;amp;amp; b", "a &amp; b"},
		{"no semicolon", "AT&T &copy 2026 & more", "AT&T &copy 2026 & more"},
		{"inline tags", "<b>Blue</b> <i class='x'>Harbour</i> wins", "Blue Harbour wins"},
		{"tags that separate", "One<br/>two<p>three", "One two three"},
		{"escaped tags", "&lt;em&gt;Blue&lt;/em&gt; Harbour", "Blue Harbour"},
		{"no tag of text", "Why the <meta> element matters", "Why the <meta> element matters"},
		{"no tag at all", "I <3 ferries, 1 < 2 > 0", "I <3 ferries, 1 < 2 > 0"},
		{"tag never closed", "Blue <b Harbour", "Blue <b Harbour"},
		{"tag cut by another", "Blue <a href=x <b>Harbour</b>", "Blue <a href=x Harbour"},
		{"escaped CDATA", "<![CDATA[Bridge reopens]]>", "Bridge reopens"},
		{"encoded twice", "Mayorâ€™s plan â€“ â€œyesâ€\u009d", "Mayor’s plan – “yes”"},
		{"not encoded twice", "Ãrger is a word – no", "Ãrger is a word – no"},
		{"one strange letter", "Señor Ã", "Señor Ã"},
		{"other scripts", "大桥重新开放　今天", "大桥重新开放 今天"},
		{"empty", "<b> </b>", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Title(tt.in); got != tt.want {
				t.Errorf("Title(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
	if got := PlainTitle(" Why <b> &amp; matters\n"); got != "Why <b> &amp; matters" {
		t.Errorf("PlainTitle = %q: text is no markup", got)
	}
}

func TestWithoutOutlet(t *testing.T) {
	for _, tt := range []struct{ title, outlet, want string }{
		{"Bridge reopens - Harbour Daily", "Harbour Daily", "Bridge reopens"},
		{"Bridge reopens | Harbour Daily", "Harbour Daily", "Bridge reopens"},
		{"Bridge reopens — Harbour Daily", "Harbour Daily", "Bridge reopens"},
		{"Bridge - Harbour Daily", "Harbour Daily", "Bridge - Harbour Daily"},
		{"Bridge reopens at Harbour Daily", "Harbour Daily", "Bridge reopens at Harbour Daily"},
		{"Bridge reopens - Harbour Daily", "", "Bridge reopens - Harbour Daily"},
	} {
		if got := WithoutOutlet(tt.title, "Other", tt.outlet); got != tt.want {
			t.Errorf("WithoutOutlet(%q, %q) = %q, want %q", tt.title, tt.outlet, got, tt.want)
		}
	}
}

func TestHeadlineAndOpening(t *testing.T) {
	text := "Ferries stop at noon because of wind. The port said so. “Stay home!” it added.\nMore."
	if got, want := Headline(text, 120), "Ferries stop at noon because of wind."; got != want {
		t.Errorf("Headline = %q, want %q", got, want)
	}
	if got, want := Headline("Mr. Smith of the port authority said no", 120), "Mr. Smith of the port authority said no"; got != want {
		t.Errorf("Headline = %q, want %q: a point so early ends no headline", got, want)
	}
	if got, want := Headline("港口说渡轮因为大风在中午停驶。其余照常。", 120), "港口说渡轮因为大风在中午停驶。"; got != want {
		t.Errorf("Headline = %q, want %q", got, want)
	}
	long := strings.Repeat("word ", 60)
	if got := Headline(long, 120); utf8.RuneCountInString(got) > 120 || !strings.HasSuffix(got, "word…") {
		t.Errorf("Headline = %q, want it cut at a word", got)
	}
	if got, want := Opening(text, 60), "Ferries stop at noon because of wind. The port said so."; got != want {
		t.Errorf("Opening = %q, want %q", got, want)
	}
	if got := Opening(long, 50); utf8.RuneCountInString(got) > 50 || !strings.HasSuffix(got, "…") {
		t.Errorf("Opening = %q, want one long sentence cut", got)
	}
	if got := Opening("", 50) + Headline("", 50); got != "" {
		t.Errorf("of nothing comes %q", got)
	}
	if got := Cut("aé", 2); got != "a" {
		t.Errorf("Cut = %q, want whole characters", got)
	}
}

func TestMarkup(t *testing.T) {
	for _, tt := range []struct{ name, in, html, text string }{
		{"text", "It is open & free.", "It is open &amp; free.", "It is open & free."},
		{"lines of text", "One\ntwo", "One\ntwo", "One\ntwo"},
		{"paragraphs", "<p>One\ntwo</p>\n<p>three</p>", "<p>One\ntwo</p>\n<p>three</p>", "One two\nthree"},
		{"inline", "<p>A <b>bold</b> <i>one</i></p>", "<p>A <b>bold</b> <i>one</i></p>", "A bold one"},
		{"attributes go", `<p class="x" style="color:red" onclick="x()" lang="de">a</p>`, `<p lang="de">a</p>`, "a"},
		{"link", `<a href="/map" target=_blank onclick=x()>map</a>`, `<a href="https://harbour.example/map" rel="nofollow">map</a>`, "map"},
		{"link of a dangerous kind", `<a href="javascript:alert(1)">x</a> <a href=" java&#10;script:x">y</a> <a href="data:text/html,x">z</a>`, "x y z", "x y z"},
		{"mail", `<a href="mailto:desk@harbour.example">us</a>`, `<a href="mailto:desk@harbour.example" rel="nofollow">us</a>`, "us"},
		{"quotes in an address", `<a href='https://e.example/"x">y'>z</a>`, `<a href="https://e.example/&#34;x&#34;&gt;y" rel="nofollow">z</a>`, "z"},
		{"spaces in an address", `<a href="/a b">z</a>`, `<a href="https://harbour.example/a%20b" rel="nofollow">z</a>`, "z"},
		{"anchor without address", `<a name="top">x</a>`, "x", "x"},
		{"pictures go", `<p>a<img src="/i.jpg" onerror=x()>b</p>`, "<p>ab</p>", "ab"},
		{"script", "<p>a</p><script>if (a<b) { '</p>' }</script><style>p{}</style>b", "<p>a</p>b", "a\nb"},
		{"embeds", `<iframe src="x"><p>no</p></iframe>a<noscript><img src=x></noscript><svg><text>no</text></svg>`, "a", "a"},
		{"caption", "<figure><img src=x><figcaption>A bridge</figcaption></figure><p>a</p>", "<figure><figcaption>A bridge</figcaption></figure><p>a</p>", "a"},
		{"list", "<ul><li>one<li>two</ul>", "<ul><li>one</li><li>two</li></ul>", "one\ntwo"},
		{"paragraphs never closed", "<p>one<p>two<div>three</div>", "<p>one</p><p>two</p><div>three</div>", "one\ntwo\nthree"},
		{"line breaks", "one<br>two<br/>three", "one<br>two<br>three", "one\ntwo\nthree"},
		{"table", `<table><tr><td colspan="2">a</td><td>b</td></tr></table>`, `<table><tr><td colspan="2">a</td><td>b</td></tr></table>`, "ab"},
		{"cells without a table", "<tr><td>a</td></tr>b", "ab", "a\nb"},
		{"unknown elements", "<x-card>a</x-card><center>b</center><o:p>c</o:p>", "abc", "a\nb\nc"},
		{"unknown name that starts like a known one", "<b-x>a</b-x>", "a", "a"},
		{"comment", "a<!-- <b> -->c", "ac", "ac"},
		{"bare brackets", "1 < 2 <3 a<", "1 &lt; 2 &lt;3 a&lt;", "1 < 2 <3 a<"},
		{"end tags too many", "a</b></p>c", "ac", "a\nc"},
		{"never closed", "<div><b>a", "<div><b>a</b></div>", "a"},
		{"cut inside a tag", "a <a href=\"https://e.exa", "a", "a"},
		{"upper case", "<P>a<BR>b</P>", "<p>a<br>b</p>", "a\nb"},
		{"references", "a &lt;b&gt; &nbsp;&copy; &#x1F600;", "a &lt;b&gt; \u00a0© 😀", "a <b> © 😀"},
		{"preformatted", "<pre>a\n b</pre>", "<pre>a\n b</pre>", "a\nb"},
		{"crossing tags go the long way", "<b>a<i>b</b>c</i>", "<b>a<i>b</i></b><i>c</i>", "abc"},
		{"a paragraph ended by a block inside bold", "<p><b>a<div>c</div></b>", "<p><b>a</b></p><div><b>c</b></div>", "a\nc"},
		{"script that never ends", "<p>a</p><script>b", "<p>a</p>", "a"},
		{"frame that never ends", "<p>a</p><iframe src=x>b<p>c</p>", "<p>a</p>", "a"},
		{"odd comment", "a<!--> <b>c</b>", "a <b>c</b>", "a c"},
		{"instruction", "a<?php x ?>c", "ac", "ac"},
		{"attribute with brackets", `a<p title="<b>">c</p>`, `a<p title="&lt;b&gt;">c</p>`, "a\nc"},
		{"broken attribute", `<p "x>a</p>`, `<p>a</p>`, "a"},
		{"links in links", `<a href="https://e.example/1">a<a href="https://e.example/2">b</a></a>`, `<a href="https://e.example/1" rel="nofollow">a</a><a href="https://e.example/2" rel="nofollow">b</a>`, "ab"},
		{"empty", " <p> </p> ", "<p> </p>", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Markup(tt.in, "https://harbour.example/")
			if diff := cmp.Diff([]string{tt.html, tt.text}, []string{got.HTML, got.Text}); diff != "" {
				t.Errorf("Markup(%q): HTML and text (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestMarkupPicture(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"first", `<p><img src="/a.jpg"><img src="/b.jpg"></p>`, "https://harbour.example/a.jpg"},
		{"dots are none", `<img src="https://t.example/x.gif" width="1" height=1><img src='b.jpg'>`, "https://harbour.example/b.jpg"},
		{"data is none", `<img src="data:image/png;base64,x"><img src="//i.example/c.jpg?a=1&amp;b=2">`, "https://i.example/c.jpg?a=1&b=2"},
		{"the long way", `<b><i></b></i><img src=/d.jpg>`, "https://harbour.example/d.jpg"},
		{"the long way, a dot", `<b><i></b></i><img src=/d.jpg width=1>`, ""},
		{"none", "<p>a</p>", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Markup(tt.in, "https://harbour.example/").Image; got != tt.want {
				t.Errorf("picture of %q = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestAbsolute(t *testing.T) {
	for _, tt := range []struct{ in, base, want string }{
		{`<a href="/map">m</a> <img src='i/p.jpg'>`, "https://harbour.example/x/", `<a href="https://harbour.example/map">m</a> <img src="https://harbour.example/x/i/p.jpg">`},
		{`<A HREF="https://e.example/" Class='x'>m</A>`, "https://harbour.example/", `<A HREF="https://e.example/" Class='x'>m</A>`},
		{`<a href="/map">`, "", `<a href="/map">`},
		{"1 < 2", "https://harbour.example/", "1 < 2"},
	} {
		if got := Absolute(tt.in, tt.base); got != tt.want {
			t.Errorf("Absolute(%q, %q) = %q, want %q", tt.in, tt.base, got, tt.want)
		}
	}
}

func TestArticle(t *testing.T) {
	para := "The harbour bridge reopened on Tuesday after eleven months of repair, the port said."
	for _, tt := range []struct {
		name    string
		in      []string
		want    []string
		wire    string
		dropped int
	}{
		{"nothing to drop", []string{para, "More on Monday the council meets to decide on the tolls."}, []string{para, "More on Monday the council meets to decide on the tolls."}, "", 0},
		{"credits and captions", []string{para, "The bridge on Tuesday", "Getty Images", "Photo: AP Photo/Pool", "The ferry, too.", "Reuters"}, []string{para, "The ferry, too."}, "", 4},
		{"furniture", []string{para, "Read more: all about the bridge", "Advertisement", "ADVERT", "Related stories", "5 min read", "Sign up to our newsletter", "Follow us on X", "Share this article", "Comments (12)", "© 2026 Harbour Daily", "Last updated 14 July 2026"}, []string{para}, "", 11},
		{"a label of a section", []string{para, "LATEST FROM THE HARBOUR:", "More on ferries:"}, []string{para}, "", 2},
		{"words that only start alike", []string{para, "Reading the report took a week.", "Sharing the ferry is no fun.", "Watch the tide."}, []string{para, "Reading the report took a week.", "Sharing the ferry is no fun.", "Watch the tide."}, "", 0},
		{"long lines are no furniture", []string{"Advertisement" + strings.Repeat(" and more", 30)}, []string{"Advertisement" + strings.Repeat(" and more", 30)}, "", 0},
		{"end of a blog", []string{para, "The post Bridge reopens appeared first on Harbour Daily."}, []string{para}, "", 1},
		{"more elsewhere", []string{para + " […]"}, []string{para}, "", 1},
		{"more elsewhere, in words", []string{para + " Continue reading Bridge reopens →"}, []string{para}, "", 1},
		{"more elsewhere, in German", []string{para + "… Weiterlesen"}, []string{para + "…"}, "", 1},
		{"reading more is a thing people do", []string{para, "Children should read more books."}, []string{para, "Children should read more books."}, "", 0},
		{"dateline", []string{"LONDON, July 14 (Reuters) - " + para}, []string{para}, "Reuters", 0},
		{"dateline with a long dash", []string{"NEW YORK (AP) — " + para}, []string{para}, "AP", 0},
		{"dateline without a place", []string{"(AFP) – " + para}, []string{para}, "AFP", 0},
		{"brackets in a sentence", []string{"The port (AP) said so."}, []string{"The port (AP) said so."}, "", 0},
		{"somebody else in brackets", []string{"LONDON (Harbour) - " + para}, []string{"LONDON (Harbour) - " + para}, "", 0},
		{"lost link marks", []string{"A poll , externalsuggesting this and internal, external factors , external"}, []string{"A poll suggesting this and internal, external factors"}, "", 0},
		{"editors' marks", []string{"It are [sic] open."}, []string{"It are open."}, "", 0},
		{"furniture alone stays", []string{"Advertisement"}, []string{"Advertisement"}, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Article(strings.Join(tt.in, "\n"))
			if diff := cmp.Diff(strings.Join(tt.want, "\n"), got.Text); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if got.Wire != tt.wire || len(got.Dropped) != tt.dropped {
				t.Errorf("wire %q, dropped %q; want %q and %d lines", got.Wire, got.Dropped, tt.wire, tt.dropped)
			}
		})
	}
}

// attacks are texts on which scanners trip and browsers did worse, one a line, quoted. The browser test shows them on pages, too.
func attacks(t testing.TB) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/attacks.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for quoted := range strings.Lines(string(data)) {
		s, err := strconv.Unquote(strings.TrimSpace(quoted))
		if err != nil {
			t.Fatalf("%s: %v", quoted, err)
		}
		list = append(list, s)
	}
	return list
}

// FuzzMarkup: markup that comes out is safe and balanced, and the text has no empty line and nothing invisible.
func FuzzMarkup(f *testing.F) {
	for _, s := range attacks(f) {
		f.Add(s, "https://harbour.example/")
	}
	f.Fuzz(func(t *testing.T, in, base string) {
		if !utf8.ValidString(in) || !utf8.ValidString(base) || len(in) > 4<<10 {
			return
		}
		got := Markup(in, base)
		checkSafe(t, in, got.HTML)
		for l := range strings.SplitSeq(got.Text, "\n") {
			if l != Line(l) || l == "" && got.Text != "" {
				t.Fatalf("text of %q = %q", in, got.Text)
			}
		}
	})
}

// checkSafe reads markup as a browser would and looks at every element and attribute in it.
func checkSafe(t *testing.T, in, out string) {
	t.Helper()
	nodes, err := html.ParseFragment(strings.NewReader(out), &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil {
		t.Fatal(err)
	}
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		if n.Type == html.ElementNode {
			r, known := rules[n.Data]
			if !known || r.raw || r.drop || n.Data == "img" {
				t.Fatalf("Markup(%q) = %q, with the element %s", in, out, n.Data)
			}
			for _, a := range n.Attr {
				if !r.allows(a.Key) && a.Key != "rel" {
					t.Fatalf("Markup(%q) = %q, with the attribute %s", in, out, a.Key)
				}
				if v := strings.ToLower(strings.TrimSpace(a.Val)); (a.Key == "href" || a.Key == "cite") && !strings.HasPrefix(v, "http") && !strings.HasPrefix(v, "mailto:") {
					t.Fatalf("Markup(%q) = %q, with the address %q", in, out, a.Val)
				}
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			visit(c)
		}
	}
	for _, n := range nodes {
		visit(n)
	}
}

// FuzzTitle: a title is one line without anything invisible, and cleaning it as text changes nothing.
func FuzzTitle(f *testing.F) {
	for _, s := range attacks(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if !utf8.ValidString(in) {
			return
		}
		got := Title(in)
		if got != strings.TrimSpace(got) || strings.ContainsFunc(got, func(r rune) bool { return unicode.IsControl(r) || isInvisible(r) }) || strings.Contains(got, "  ") {
			t.Fatalf("Title(%q) = %q", in, got)
		}
		if again := Line(got); again != got {
			t.Fatalf("Line(%q) = %q", got, again)
		}
	})
}

func BenchmarkMarkup(b *testing.B) {
	in := strings.Repeat(`<p>The harbour bridge <b>reopened</b> – after <a href="/repair" class="x">eleven months</a> of “repair”, the port said &amp; so did all.</p>`+"\n", 40)
	for name, s := range map[string]string{"usual": in, "long way": in + "<b><i></b></i>"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				Markup(s, "https://harbour.example/")
			}
		})
	}
}

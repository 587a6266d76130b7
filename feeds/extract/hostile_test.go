package extract

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// hostile are pages that hurt parsers, by name. Each grows to about size bytes.
var hostile = map[string]func(size int) string{
	"nested, never closed":   func(n int) string { return strings.Repeat("<div>", n/5) },
	"nested to the limit":    func(n int) string { return repeated(strings.Repeat("<div>a", 500)+strings.Repeat("</div>", 500), n) },
	"deep and wide":          func(n int) string { return strings.Repeat("<div>", 400) + repeated("<p>"+words(30)+"</p>", n) },
	"formatting, never over": func(n int) string { return repeated("<b><p>a", n) },
	"links and fonts":        func(n int) string { return repeated("<a href=x><font><p>a", n) },
	"crossing tags":          func(n int) string { return repeated("<b><i>a</b></i>", n) },
	"tables in tables":       func(n int) string { return repeated("<table><tr><td>a", n) },
	"text in tables":         func(n int) string { return "<table>" + repeated("a<b>c", n) },
	"line breaks":            func(n int) string { return repeated("<br>", n) },
	"line breaks and text":   func(n int) string { return repeated("a<br><br>", n) },
	"brackets":               func(n int) string { return repeated("<", n) },
	"open tag":               func(n int) string { return "<div " + repeated("a ", n) },
	"attributes":             func(n int) string { return repeated(`<p class="article content" id="main" a b c d e f g>`+words(5), n) },
	"paragraphs":             func(n int) string { return repeated("<p>"+words(20)+"</p>", n) },
	"commas":                 func(n int) string { return "<p>" + repeated("a,", n) + "</p>" },
	"one word":               func(n int) string { return "<p>" + strings.Repeat("a", n) + "</p>" },
	"one word of references": func(n int) string { return "<p>" + repeated("&amp;", n) + "</p>" },
	"spans":                  func(n int) string { return "<p>" + repeated("<span>word </span>", n) },
	"links":                  func(n int) string { return repeated(`<a href="http://a.example/">word</a> `, n) },
	"lists":                  func(n int) string { return repeated("<ul><li>a</li></ul>", n) },
	"nested lists":           func(n int) string { return repeated("<ul><li>"+words(8), n) },
	"divs with nothing":      func(n int) string { return repeated("<div></div>", n) },
	"siblings":               func(n int) string { return repeated(`<div class="a"><p>`+words(30)+"</p></div>", n) },
	"images": func(n int) string {
		return repeated(`<img src="http://a.example/a.png" srcset="a.png 1x, b.png 2x">`, n)
	},
	"figures":                  func(n int) string { return repeated(`<figure><img><figcaption>a</figcaption></figure>`, n) },
	"scripts":                  func(n int) string { return repeated("<script>a</script>", n) },
	"script, never closed":     func(n int) string { return "<script>" + strings.Repeat("a", n) },
	"comments":                 func(n int) string { return repeated("<!-- a -->", n) },
	"data":                     func(n int) string { return ld(repeated("[", n)) },
	"data, wide":               func(n int) string { return ld("[" + repeated("{},", n) + "{}]") },
	"data, one string":         func(n int) string { return ld(`{"@type":"Article","articleBody":"` + strings.Repeat("a", n) + `"}`) },
	"data, brackets in bodies": func(n int) string { return ld(`{"@type":"Article","articleBody":"</` + repeated("<b>", n) + `"}`) },
	"titles":                   func(n int) string { return repeated("<title>a", n) },
	"title":                    func(n int) string { return "<title>" + repeated("a | b - c » ", n) + "</title>" },
	"headings":                 func(n int) string { return "<title>" + words(8) + "</title>" + repeated("<h2>"+words(8)+"</h2>", n) },
	"select":                   func(n int) string { return repeated("<select><option>a", n) },
	"svg":                      func(n int) string { return repeated("<svg><desc><p>", n) },
	"templates":                func(n int) string { return repeated("<template><div>", n) },
	"forms":                    func(n int) string { return repeated("<form><input>", n) },
	"bodies":                   func(n int) string { return repeated(`<body class="a">`, n) },
	"meta":                     func(n int) string { return repeated(`<meta property="og:title" content="a">`, n) },
	"plaintext":                func(n int) string { return "<plaintext>" + repeated("<p>a", n) },
	"zero bytes":               func(n int) string { return strings.Repeat("\x00", n) },
	"bytes of no charset":      func(n int) string { return "<p>" + strings.Repeat("\xff\xfe\x81", n/3) },
	"unlikely parts":           func(n int) string { return repeated(`<div class="comment sidebar"><p>`+words(30)+`</p></div>`, n) },
}

func repeated(s string, size int) string { return strings.Repeat(s, size/len(s)+1) }

func words(n int) string { return strings.Repeat("word, ", n) }

func ld(data string) string { return `<script type="application/ld+json">` + data + `</script>` }

// No page takes long: the largest of every hostile kind is read within the limit. Time is that of the processor, for which other tests on
// the machine do not matter; the race detector multiplies it, so smaller pages do there.
func TestHostilePages(t *testing.T) {
	const limit = 3 * time.Second
	size := MaxPage
	if raceEnabled {
		size /= 16
	}
	for name, page := range hostile {
		t.Run(name, func(t *testing.T) {
			page := []byte(page(size))
			began := spent(t)
			_, err := Text(page, "https://a.example/1", "text/html")
			took := spent(t) - began
			if took > limit {
				t.Errorf("took %v, want at most %v", took, limit)
			}
			t.Logf("took %v, err %v", took, err)
		})
	}
}

// spent is the processor time of this process.
func spent(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

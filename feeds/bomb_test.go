package feeds

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sheaf"
)

// bombs are documents that hurt parsers, by name. Each grows to about size bytes.
var bombs = map[string]func(size int) string{
	"F26 nested, never closed":  func(n int) string { return inItem(strings.Repeat("<x:a>", n/5)) },
	"F27 nested and closed":     func(n int) string { return inItem(nested("<x:a>", "</x:a>", n)) },
	"F28 nested bases":          func(n int) string { return inItem(nested(`<x:a xml:base="aaaaaaaaaaaaaaaa/">`, "</x:a>", n)) },
	"F29 nested declarations":   func(n int) string { return inItem(numbered(`<x:a xmlns:p%d="u">`, n) + strings.Repeat("</x:a>", n/24)) },
	"F30 declarations on one":   manyDeclarations,
	"F31 text between children": func(n int) string { return inItem("<x:a>" + strings.Repeat("tttttttt<x:b/>", n/14) + "</x:a>") },
	"F32 text between comments": func(n int) string { return inItem("<x:a>" + strings.Repeat("tttttttt<!-- -->", n/16) + "</x:a>") },
	"F33 empty items":           func(n int) string { return inChannel(strings.Repeat("<item/>", n/7)) },
	"comment bypass": func(n int) string {
		return inItem("<!-- --\x01>" + nested(`<x:a xml:base="aaaaaaaaaaaaaaaa/">`, "</x:a>", n))
	},
	"section bypass": func(n int) string {
		return inItem("<![CDATA[ ]]\x01>" + nested(`<x:a xml:base="aaaaaaaaaaaaaaaa/">`, "</x:a>", n))
	},
	"declarations on the root": rootDeclarations,
	"prefixes and small items": func(n int) string {
		return strings.Replace(inChannel(strings.Repeat("<item><x:a/></item>", n/19)), "<rss", "<rss "+numbered(`xmlns:q%d="u" `, 1700), 1)
	},
	"ampersands": func(n int) string { return inItem("<description>" + strings.Repeat("&", n) + "</description>") },
	"one entity, again and again": func(n int) string {
		return `<!DOCTYPE r [<!ENTITY a "` + strings.Repeat("A", 4000) + `">]>` + inItem("<description>"+strings.Repeat("&a;", n/3)+"</description>")
	},
	"entities in entities": func(n int) string {
		return `<!DOCTYPE r [` + numbered(`<!ENTITY e%d "&e1;&e1;&e1;&e1;">`, n/2) + `]>` + inItem(strings.Repeat("&e2;", n/8))
	},
	"attributes without values": func(n int) string { return inItem("<x:a " + numbered("a%d ", n) + "/>") },
	"attributes, many":          func(n int) string { return inItem(strings.Repeat(`<x:a b="" c="" d="" e="" f="" g="" h=""/>`, n/42)) },
	"sections never closed":     func(n int) string { return inChannel(strings.Repeat("<item><title><![CDATA[a", n/23)) + "]]>" },
	"instructions never closed": func(n int) string { return inChannel(strings.Repeat("<?a ", n/4)) },
	"comments never closed":     func(n int) string { return inChannel(strings.Repeat("<!--", n/4)) },
	"declarations never closed": func(n int) string { return inChannel(strings.Repeat("<!DOCTYPE [\"", n/12)) },
	"quotes never closed":       func(n int) string { return inChannel(strings.Repeat(`<a b="`, n/6)) },
	"brackets":                  func(n int) string { return inChannel(strings.Repeat("<", n)) },
	"end tags":                  func(n int) string { return inChannel(strings.Repeat("</a>", n/4)) },
	"channels": func(n int) string {
		return `<rss version="2.0">` + strings.Repeat("<channel></channel>", n/19) + "</rss>"
	},
	"titles in titles":            func(n int) string { return inItem(strings.Repeat("<title>", n/7)) },
	"paragraphs in a description": func(n int) string { return inItem("<description>" + strings.Repeat("<p>a", n/4) + "</description>") },
	"crossing tags": func(n int) string {
		return inItem("<description><![CDATA[" + strings.Repeat("<b><i>a</b></i>", n/15) + "]]></description>")
	},
	"nested markup": func(n int) string {
		return inItem("<description><![CDATA[" + nested("<div>", "</div>", n) + "]]></description>")
	},
	"many texts": func(n int) string { return inItem(strings.Repeat("<description>aaaaaaaaaaaaaaaa</description>", n/43)) },
	"items of the usual kind": func(n int) string {
		return inChannel(strings.Repeat("<item><title>a</title><link>http://e/</link><guid>g</guid></item>", n/66))
	},
	"categories":              func(n int) string { return inItem(strings.Repeat("<category>a</category>", n/22)) },
	"media groups":            func(n int) string { return inItem(nested("<media:group>", "</media:group>", n)) },
	"one title":               func(n int) string { return inItem("<title>" + strings.Repeat("A", n) + "</title>") },
	"one title of references": func(n int) string { return inItem("<title>" + strings.Repeat("&amp;", n/5) + "</title>") },
	"one comment":             func(n int) string { return "<!--" + strings.Repeat("A", n) + "-->" + inChannel("") },
	"entries with xhtml": func(n int) string {
		return inFeed(`<entry><content type="xhtml"><div>` + nested("<div>", "</div>", n) + "</div></content></entry>")
	},
	"links in an entry": func(n int) string {
		return inFeed("<entry>" + strings.Repeat(`<link href="http://e/"/>`, n/24) + "</entry>")
	},
	"names, all different": func(n int) string { return inItem(numbered("<a%d/>", n)) },
	"items of JSON": func(n int) string {
		return `{"version":"https://jsonfeed.org/version/1.1","items":[` + strings.Repeat("{},", n/3) + "{}]}"
	},
	"nested JSON": func(n int) string {
		return `{"version":"https://jsonfeed.org/version/1.1","a":` + nested("[", "]", n) + "}"
	},
	"one JSON string": func(n int) string {
		return `{"version":"https://jsonfeed.org/version/1.1","items":[{"content_html":"` + strings.Repeat("\x01", n)
	},
	"tags in JSON": func(n int) string {
		return `{"version":"https://jsonfeed.org/version/1.1","items":[{"tags":[` + strings.Repeat(`"a",`, n/4) + `"a"]}]}`
	},
	"categories, all different": func(n int) string { return inItem(numbered("<category>%d</category>", min(n, 6_000_000))) },
	"authors, all different":    func(n int) string { return inItem(numbered("<dc:creator>%d</dc:creator>", min(n, 6_000_000))) },
	"marks of links": func(n int) string {
		return inChannel(strings.Repeat("<item><title>a</title><description>"+strings.Repeat(" , external", 40_000)+"</description></item>", n/440_000))
	},
	"endings of texts": func(n int) string {
		return inChannel(strings.Repeat("<item><title>a</title><description>"+strings.Repeat("[...]", 90_000)+"</description></item>", n/450_000))
	},
	"brackets in titles":  func(n int) string { return inItem("<title>" + strings.Repeat("&lt;b ", n/6) + "</title>") },
	"one guid":            func(n int) string { return inItem("<guid>http://" + strings.Repeat("a.", n/2) + "</guid>") },
	"bytes of no charset": func(n int) string { return inItem("<title>" + strings.Repeat("\xff\x80\xe9 ", n/4) + "</title>") },
	"spaces":              func(n int) string { return inItem("<title>" + strings.Repeat(" ", n) + "</title>") },
	"newlines in a text": func(n int) string {
		return inItem("<description>" + strings.Repeat("\n&amp;nbsp;", n/10) + "</description>")
	},
}

func inChannel(s string) string {
	return `<rss version="2.0" xmlns:x="http://e/x"><channel><title>t</title>` + s + "</channel></rss>"
}

func inItem(s string) string { return inChannel("<item><title>a</title>" + s + "</item>") }

func inFeed(s string) string {
	return `<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title>` + s + "</feed>"
}

func nested(start, end string, size int) string {
	n := size / (len(start) + len(end))
	return strings.Repeat(start, n) + strings.Repeat(end, n)
}

// numbered repeats a format with a running number.
func numbered(format string, size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func manyDeclarations(n int) string {
	return inItem("<x:a " + numbered(`xmlns:p%d="u" `, n/2) + ">" + strings.Repeat("<x:b xmlns:q='z'/>", n/36) + "</x:a>")
}

// rootDeclarations stays under every single limit of one element: a hundred declarations in scope of very many elements.
func rootDeclarations(n int) string {
	return strings.Replace(inItem(strings.Repeat("<x:b/>", n/6)), "<rss", "<rss "+numbered(`xmlns:q%d="u" `, 1700), 1)
}

// Bounds for any document: processor seconds and megabytes of a process that does nothing else.
const (
	bombSeconds   = 5
	bombMegabytes = 300
)

// TestBombs parses each in a process of its own, since the worst of them would end this one. The race detector multiplies time and memory, so
// they are smaller there.
func TestBombs(t *testing.T) {
	if name := os.Getenv("SHEAF_TEST_BOMB"); name != "" {
		setOff(t, name)
		return
	}
	size := MaxDocument - 4<<10
	if raceEnabled {
		size /= 16
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name := range bombs {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), exe, "-test.run=^TestBombs$", "-test.v")
			cmd.Env = append(os.Environ(), "SHEAF_TEST_BOMB="+name, "SHEAF_TEST_SIZE="+strconv.Itoa(size))
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("the process failed: %v\n%.2000s", err, out)
			}
			state := cmd.ProcessState
			used := (state.UserTime() + state.SystemTime()).Round(time.Millisecond)
			t.Logf("%v, %s", used, strings.TrimSpace(lineWith(string(out), "parsed:")))
			if used > bombSeconds*time.Second {
				t.Errorf("took %v of processor time, want %d s at most", used, bombSeconds)
			}
			if usage, ok := state.SysUsage().(*syscall.Rusage); ok && usage.Maxrss>>10 > bombMegabytes {
				t.Errorf("took %d MB, want %d at most", usage.Maxrss>>10, bombMegabytes)
			}
		})
	}
}

func lineWith(out, mark string) string {
	for l := range strings.Lines(out) {
		if _, after, ok := strings.Cut(l, mark); ok {
			return after
		}
	}
	return ""
}

// setOff parses one document and says what became of it.
func setOff(t *testing.T, name string) {
	size, err := strconv.Atoi(os.Getenv("SHEAF_TEST_SIZE"))
	if err != nil {
		t.Fatal(err)
	}
	s := bombs[name](size)
	body := []byte(s[:min(len(s), MaxDocument)])
	doc, err := Parse(Input{Body: body, URL: "https://e.example/feed.xml"})
	if err != nil {
		if CodeOf(err) == CodePanic || CodeOf(err) == CodeSyntax {
			t.Fatal(err)
		}
		t.Logf("parsed: refused: %v", err)
		return
	}
	articles := Normalize(doc, Normalization{Feed: sheaf.Feed{ID: "f", URL: "https://e.example/feed.xml"}, Now: time.Date(2026, 7, 14, 12, 0, 0, 0, time.UTC)})
	t.Logf("parsed: %d items, %d articles", len(doc.Items), len(articles))
}

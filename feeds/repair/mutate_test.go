package repair

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// pieces are what mutations insert: whatever a scanner may trip over.
var pieces = []string{
	"<", ">", "</", "/>", "<![CDATA[", "]]>", "<!--", "-->", "&", "&#", ";", "<item>", "</item>", "\"", "'", "=", "<?", "?>", "<!DOCTYPE ",
	"[", "]", "<!ENTITY a \"b\">", "&a;", "xmlns:a=\"b\"", "<a:b", ":", "\x00", "\xff\xfe", "\xed\xa0\x80", "&#x1;", "<rss>", "</rss>",
	"<feed>", "\n", "<channel>", "</channel>", "<description>", "</title>", "<br>", "xml:base=\"/x/\"", "<content type=\"xhtml\">", "&#55357;&#56832;",
	"<entry>", "<div>", "</div>", "<body>", "&amp;", "&nbsp;", "<1>", "a=b", "<title>",
}

// mutate makes one to eight random edits: a piece inserted, a span deleted or doubled, a byte changed.
func mutate(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range r.IntN(8) + 1 {
		i := r.IntN(len(b) + 1)
		switch r.IntN(4) {
		case 0:
			b = append(b[:i:i], append([]byte(pieces[r.IntN(len(pieces))]), b[i:]...)...)
		case 1:
			b = append(b[:i:i], b[min(len(b), i+r.IntN(40)):]...)
		case 2:
			if i < len(b) {
				b[i] = byte(r.IntN(256))
			}
		case 3:
			end := min(len(b), i+r.IntN(200))
			b = append(b[:end:end], b[i:]...)
		}
	}
	return b
}

func TestMutations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 42))
	all := seeds(t)
	for range 20_000 {
		checkRepaired(t, mutate(r, all[r.IntN(len(all))]))
	}
}

package repair

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"sheaf/feeds/transcode"
)

// seeds are the case files of the parser, as they arrive.
func seeds(tb testing.TB) [][]byte {
	tb.Helper()
	names, err := filepath.Glob("../testdata/cases/*.*ml")
	if err != nil || len(names) == 0 {
		tb.Fatalf("no case files: %v", err)
	}
	var all [][]byte
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, b)
	}
	return all
}

// wellFormed reads text to its end as strictly as encoding/xml can, and returns the greatest depth.
func wellFormed(text []byte) (depth int, err error) {
	d := xml.NewDecoder(bytes.NewReader(text))
	open := 0
	for {
		t, err := d.Token()
		if err == io.EOF {
			return depth, nil
		}
		if err != nil {
			return depth, err
		}
		switch t.(type) {
		case xml.StartElement:
			open++
			depth = max(depth, open)
		case xml.EndElement:
			open--
		}
	}
}

// checkRepaired holds what XML promises of its result.
func checkRepaired(t *testing.T, in []byte) {
	t.Helper()
	decoded, err := transcode.Decode(in, "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := XML(decoded.Text, "https://harbour.example/feed.xml")
	if err != nil {
		if !errors.Is(err, ErrLimits) {
			t.Fatalf("XML(%q) = %v, which is no limit", in, err)
		}
		return
	}
	if r.Root == "" {
		return
	}
	depth, err := wellFormed(r.Text)
	if err != nil {
		t.Fatalf("XML(%q) = %q, not well-formed: %v", in, r.Text, err)
	}
	if depth > maxDepth+2 {
		t.Fatalf("XML(%q) is %d deep", in, depth)
	}
	if err := Check(r.Text); err != nil {
		t.Fatalf("Check refuses what XML made of %q: %v", in, err)
	}
}

func FuzzXML(f *testing.F) {
	for _, b := range seeds(f) {
		f.Add(b)
	}
	f.Fuzz(checkRepaired)
}

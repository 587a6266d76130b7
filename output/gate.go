package output

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mmcdole/gofeed"
)

// Check is the gate before a document replaces the last good one: it is read back as a subscriber's program would, and must hold the very
// items it was made from, in order. Files that are no feed documents pass.
func (f File) Check() error {
	if f.ids == nil {
		return nil
	}
	if err := f.wellFormed(); err != nil {
		return fmt.Errorf("read back: %w", err)
	}
	p := gofeed.NewParser() // without looking for pictures in the HTML: only ids are asked for
	p.RSSTranslator = &gofeed.DefaultRSSTranslator{DisableContentImageScan: true}
	feed, err := p.Parse(bytes.NewReader(f.Data))
	if err != nil {
		return fmt.Errorf("read back: %w", err)
	}
	ids := make([]string, 0, len(feed.Items))
	for _, item := range feed.Items {
		ids = append(ids, item.GUID)
	}
	if len(ids) != len(f.ids) {
		return fmt.Errorf("read back: %d items, want %d", len(ids), len(f.ids))
	}
	for i, id := range ids {
		if id != f.ids[i] {
			return fmt.Errorf("read back: item %d has id %q, want %q", i+1, id, f.ids[i])
		}
	}
	sorted := slices.Sorted(slices.Values(ids))
	if n := len(slices.Compact(sorted)); n != len(ids) {
		return fmt.Errorf("read back: %d ids for %d items", n, len(ids))
	}
	return nil
}

// wellFormed reads an XML document strictly: gofeed mends what other programs reject.
func (f File) wellFormed() error {
	if !strings.HasSuffix(f.Type, "+xml") {
		return nil
	}
	d := xml.NewDecoder(bytes.NewReader(f.Data))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

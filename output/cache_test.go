package output

import (
	"bytes"
	"testing"
)

func TestCache(t *testing.T) {
	steps := growth()
	c := testChannel()
	first := c.Advance(nil, steps[1].stories, nil, steps[1].now)
	second := c.Advance(first, steps[2].stories, nil, steps[2].now)
	cache := new(Cache)
	if _, err := c.Render(testSite(), first, cache); err != nil {
		t.Fatal(err)
	}
	before := map[string]*rendered{}
	for id, r := range cache.kept {
		before[id] = r
	}
	files, err := c.Render(testSite(), second, cache)
	if err != nil {
		t.Fatal(err)
	}
	again := 0
	for id, r := range cache.kept {
		if before[id] != r {
			again++
		}
	}
	if again != 1 || len(cache.kept) != 3 {
		t.Errorf("%d of %d items were rendered again, want the one that changed of 3", again, len(cache.kept))
	}
	if _, err := c.Render(testSite(), second[:1], cache); err != nil || len(cache.kept) != 1 {
		t.Errorf("%d items kept, want those shown: %v", len(cache.kept), err)
	}

	elsewhere := testSite()
	elsewhere.BaseURL, elsewhere.Icon = "https://other.example", ""
	moved, err := c.Render(elsewhere, second, cache)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range moved {
		if bytes.Equal(f.Data, files[i].Data) || bytes.Contains(f.Data, []byte("news.example.org")) {
			t.Errorf("%s still speaks of the old site", f.Name)
		}
	}
}

// Two items change places without either changing: no item may take the other's bytes.
func TestCacheTellsItemsApart(t *testing.T) {
	steps := growth()
	c := testChannel()
	memory := c.Advance(nil, steps[0].stories, nil, steps[0].now)
	cache := new(Cache)
	for range 2 {
		memory[0], memory[1] = memory[1], memory[0]
		cached, err := c.Render(testSite(), memory, cache)
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := c.Render(testSite(), memory, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range fresh {
			if !bytes.Equal(cached[i].Data, fresh[i].Data) {
				t.Errorf("%s: cached and fresh bytes differ", fresh[i].Name)
			}
		}
	}
}

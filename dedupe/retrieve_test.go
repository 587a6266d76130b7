package dedupe

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"sheaf"
)

func TestPostKeepsTheEnd(t *testing.T) {
	for _, n := range []int{1, longestList, longestList + 1, 2 * longestList, 5*longestList + 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var lists [][]posting
			for i := range n {
				lists = post(lists, 3, posting{article: uint32(i)})
			}
			list := read(lists, 3)
			if want := min(n, longestList); len(list) != want {
				t.Fatalf("read gives %d postings, want %d", len(list), want)
			}
			if last := list[len(list)-1].article; last != uint32(n-1) {
				t.Errorf("the last posting is of article %d, want %d", last, n-1)
			}
			if len(lists[3]) > 2*longestList {
				t.Errorf("the list holds %d postings, want at most %d", len(lists[3]), 2*longestList)
			}
			if got := read(lists, 9); got != nil {
				t.Errorf("read of an unknown term gives %d postings", len(got))
			}
		})
	}
}

func TestSourcesComeShortestFirst(t *testing.T) {
	var r retrieval
	for _, n := range []int{200, 1, 30, 256, 2, 100, 3} {
		r.sources = append(r.sources, source{list: make([]posting, n)})
	}
	r.sort()
	var got []int
	for _, i := range r.order {
		got = append(got, len(r.sources[i].list))
	}
	if want := []int{1, 2, 3, 30, 100, 200, 256}; !slices.Equal(got, want) {
		t.Errorf("lengths come as %v, want %v", got, want)
	}
}

// TestCrowdHidesNobody puts one event of many articles before an article that shares more with
// that crowd than with the one report it belongs to: the report must still be found.
func TestCrowdHidesNobody(t *testing.T) {
	start := time.Date(2026, 3, 1, 6, 0, 0, 0, time.UTC)
	write := func(n int, text string) sheaf.Article {
		at := start.Add(time.Duration(n) * time.Minute)
		return sheaf.Article{
			ID: sheaf.ArticleID(fmt.Sprintf("a%05d", n)), Outlet: sheaf.Outlet{Name: fmt.Sprintf("Outlet %d", n)}, Lang: "en",
			Title: text, Text: fmt.Sprintf("%s Paragraph numbered %d of wording%d.", text, n, n), Published: at, FirstSeen: at, Fetched: at,
		}
	}
	const crowd, lone = "Dam overflow floods Brimport harbor warehouses and railway", "Ferry strike halts Brimport crossings"
	var articles []sheaf.Article
	for n := range 250 {
		articles = append(articles, write(n, crowd))
	}
	articles = append(articles, write(len(articles), lone))
	g := newGrouper(t, Options{})
	g.Add(articles)
	s := g.streams["en"]
	a := s.articles[0]
	s.retrieve(a, g.settings.window)
	found := func(id sheaf.ArticleID) bool {
		return slices.ContainsFunc(s.retrieval.open, func(st *story) bool { return st == g.articles[id].story })
	}
	if last := articles[len(articles)-1].ID; !found(last) {
		t.Errorf("the story of %s is not retrieved among %d", last, len(s.retrieval.open))
	}
}

func TestNearbyOrder(t *testing.T) {
	var got []nearby
	for i, key := range []float32{0.2, 1.7, 0, 0.2, 3} {
		got = append(got, near(uint32(i), key))
	}
	slices.Sort(got)
	for i, want := range []struct {
		index uint32
		key   float32
	}{{4, 3}, {1, 1.7}, {0, 0.2}, {3, 0.2}, {2, 0}} {
		if got[i].index() != want.index || got[i].key() != want.key {
			t.Errorf("place %d holds article %d with key %v, want %d with %v", i, got[i].index(), got[i].key(), want.index, want.key)
		}
		if i > 0 && got[i].bucket() < got[i-1].bucket() {
			t.Errorf("place %d is in bucket %d, after %d", i, got[i].bucket(), got[i-1].bucket())
		}
	}
}

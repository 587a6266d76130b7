package dedupe

import (
	"fmt"
	"runtime"
	"testing"

	"sheaf"
)

// BenchmarkAssign measures one article against windows of three sizes (B6 of the performance plan), and the memory of each article in the
// window (B7). The articles are invented: 14 days hold all of them.
func BenchmarkAssign(b *testing.B) {
	for _, window := range []int{1_000, 10_000, 30_000} {
		b.Run(fmt.Sprint(window), func(b *testing.B) {
			const fresh = 1_000
			articles := dense(window+fresh, 1)
			g := newGrouper(b, Options{})
			before := heap()
			g.Add(articles[:window])
			size := float64(heap()-before) / float64(window)
			next := 0
			for b.Loop() {
				if next == fresh {
					b.Fatal("all fresh articles are used up: give -benchtime 500x")
				}
				g.Add(articles[window+next : window+next+1])
				next++
			}
			b.ReportMetric(size, "heapB/article")
			runtime.KeepAlive(g)
		})
	}
}

// BenchmarkRestore measures a warm start (B8).
func BenchmarkRestore(b *testing.B) {
	g := newGrouper(b, Options{})
	g.Add(dense(3_000, 1))
	records := recordsOf(g)
	size := 0
	for _, r := range records {
		size += len(r.Data)
	}
	for b.Loop() {
		if err := newGrouper(b, Options{}).Restore(records); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(size)/float64(len(records)), "B/article")
}

// dense is invent with all events inside ten days.
func dense(n int, seed uint64) []sheaf.Article {
	articles := invent(n, seed)
	first := articles[0].Published
	last := articles[len(articles)-1].Published.Sub(first)
	for i := range articles {
		at := first.Add(articles[i].Published.Sub(first) * 240 / max(1, last/3_600_000_000_000))
		articles[i].Published, articles[i].FirstSeen, articles[i].Fetched = at, at, at
	}
	return articles
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

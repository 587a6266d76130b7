package dedupe

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"sheaf"
)

// newsWire runs the generator of articles that lies beside the checkout; its articles come in order of time, with the event of each.
type newsWire struct {
	lines *json.Decoder
	first int64
	scale float64 // by which times are compressed
	event map[sheaf.ArticleID]string
}

// openWire starts a stream of n articles whose times span thirteen days, so that all are in one window at the end.
func openWire(b *testing.B, n int) *newsWire {
	b.Helper()
	source, err := filepath.Abs("../../shared/tools/feedfarm")
	if err != nil {
		b.Fatal(err)
	}
	if _, err := os.Stat(source); err != nil {
		if os.Getenv("CI") == "true" {
			b.Fatal(err)
		}
		b.Skipf("the generator of articles is not here: %v", err)
	}
	binary := filepath.Join(b.TempDir(), "feedfarm")
	build := exec.CommandContext(b.Context(), "go", "build", "-o", binary, "./cmd/feedfarm")
	build.Dir = source
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build the generator: %v\n%s", err, out)
	}
	c := exec.CommandContext(b.Context(), binary, "articles", "-seed", "1", "-n", fmt.Sprint(n))
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	const nativeRate = 100_000 // articles it writes for thirteen days
	return &newsWire{
		lines: json.NewDecoder(bufio.NewReaderSize(out, 1<<20)),
		scale: min(1, float64(nativeRate)/float64(n)),
		event: make(map[sheaf.ArticleID]string, n),
	}
}

// next reads n articles.
func (w *newsWire) next(b *testing.B, n int) []sheaf.Article {
	b.Helper()
	articles := make([]sheaf.Article, n)
	for i := range articles {
		var l struct {
			ID, Event, Outlet int
			Time              int64
			Title, Text       string
		}
		if err := w.lines.Decode(&l); err != nil {
			b.Fatal(err)
		}
		if w.first == 0 {
			w.first = l.Time
		}
		at := time.Unix(w.first+int64(float64(l.Time-w.first)*w.scale), 0)
		id := sheaf.ArticleID(fmt.Sprintf("a%08d", l.ID))
		w.event[id] = fmt.Sprint(l.Event)
		articles[i] = sheaf.Article{
			ID: id, Title: l.Title, Text: l.Text, Outlet: sheaf.Outlet{Name: fmt.Sprintf("Outlet %d", l.Outlet)},
			Lang: "en", Published: at, FirstSeen: at, Fetched: at,
		}
	}
	return articles
}

// processor is the time this process has kept processors busy.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkWindow is B6 and B7: the processor time of grouping an article when n others are in the window, polishing apart, and the memory
// an article takes. The window of a million takes minutes and some gigabytes; SHEAF_BENCH_LARGE=1 asks for it.
func BenchmarkWindow(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			if n > 100_000 && os.Getenv("SHEAF_BENCH_LARGE") == "" {
				b.Skip("SHEAF_BENCH_LARGE is not set")
			}
			for b.Loop() {
				benchmarkWindow(b, n, 1000)
			}
		})
	}
}

// BenchmarkFirstSweep is grouping's part of B1: all articles come in one batch.
func BenchmarkFirstSweep(b *testing.B) {
	for b.Loop() {
		benchmarkWindow(b, 35_000, 35_000)
	}
}

func benchmarkWindow(b *testing.B, n, batch int) {
	wire := openWire(b, n)
	g := newGrouper(b, Options{})
	stories := make(map[sheaf.ArticleID]sheaf.StoryID, n)
	before := heapInUse()
	measured := min(n, 10_000)
	var add, polish, whole time.Duration
	for done := 0; done < n; done += batch {
		articles := wire.next(b, batch)
		start := processor(b)
		added := g.Add(articles)
		middle := processor(b)
		moved := g.Polish()
		end := processor(b)
		for _, d := range append(added, moved...) {
			stories[d.Article] = d.Story
		}
		whole += end - start
		if done+batch > n-measured {
			add += middle - start
			polish += end - middle
		}
	}
	perArticle := func(d time.Duration, n int) float64 { return float64(d.Microseconds()) / float64(n) }
	b.ReportMetric(perArticle(add, max(measured, batch)), "add-µs/article")
	b.ReportMetric(perArticle(polish, max(measured, batch)), "polish-µs/article")
	b.ReportMetric(perArticle(whole, n), "mean-µs/article")
	articles := len(g.articles)
	b.ReportMetric(fmeasure(wire.event, stories), "B3-F")
	wire.event = nil
	stories = nil
	b.ReportMetric(float64(heapInUse()-before)/float64(articles), "B/article")
	runtime.KeepAlive(g)
}

// fmeasure is the B-cubed F measure of stories against events.
func fmeasure(events map[sheaf.ArticleID]string, stories map[sheaf.ArticleID]sheaf.StoryID) float64 {
	type cell struct {
		story sheaf.StoryID
		event string
	}
	cells, inStory, inEvent := make(map[cell]float64), make(map[sheaf.StoryID]float64), make(map[string]float64)
	for id, st := range stories {
		e := events[id]
		cells[cell{st, e}]++
		inStory[st]++
		inEvent[e]++
	}
	var precision, recall float64
	for c, n := range cells {
		precision += n * n / inStory[c.story]
		recall += n * n / inEvent[c.event]
	}
	precision, recall = precision/float64(len(stories)), recall/float64(len(stories))
	return 2 * precision * recall / (precision + recall)
}

// BenchmarkText is the part of grouping an article that reads its text.
func BenchmarkText(b *testing.B) {
	const n = 1000
	articles := openWire(b, n).next(b, n)
	g := newGrouper(b, Options{})
	s := g.stream("en")
	b.ReportAllocs()
	start := processor(b)
	i := 0
	for b.Loop() {
		in := &articles[i%n]
		cleaned := *in
		a := &article{id: in.ID}
		cleaned.Text, a.sentences = s.unrepeated(in.Text, in.Title)
		g.describe(s.language, a, &cleaned, s.vocabulary.takeApart(&cleaned))
		i++
	}
	b.ReportMetric(float64((processor(b)-start).Microseconds())/float64(b.N), "µs/article")
}

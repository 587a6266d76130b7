package feeds

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"

	"sheaf/feeds/mallory"
)

// A thousand feeds of 500 hosts, polled for a day: no request is earlier than the server allows, every unchanged document is answered 304
// from the second poll on, and no host sees more than two connections.
func TestWarmSet(t *testing.T) {
	if testing.Short() {
		t.Skip("tens of thousands of requests")
	}
	var addresses []string
	for i := range 1000 {
		addresses = append(addresses, fmt.Sprintf("http://feed%d.host%d.example/%d", i%2, i/2, i))
	}
	inWorld(t, Options{}, addresses, func(w *world) {
		last := make(map[string]time.Time)
		var mu sync.Mutex
		early, full := 0, 0
		for i, a := range addresses {
			maxAge := time.Duration(i%4) * 10 * time.Minute
			etag := fmt.Sprintf(`"%d"`, i)
			w.m.Handle(a, func(r mallory.Request) mallory.Answer {
				mu.Lock()
				defer mu.Unlock()
				if before, again := last[a]; again && r.At.Sub(before) < max(maxAge, minConditional) {
					early++
				}
				last[a] = r.At
				header := []string{"ETag: " + etag, fmt.Sprintf("Cache-Control: max-age=%d", int(maxAge.Seconds()))}
				if r.Header.Get("If-None-Match") == etag {
					return status(304, header...)
				}
				full++
				return ok([]string{"one"}, header...)
			})
		}
		for began := time.Now(); time.Since(began) < 6*time.Hour; w.wait(time.Minute) {
			w.poll()
		}
		hits := w.m.Hits("")
		t.Logf("%d requests, %d early, %d full", hits, early, full)
		if early != 0 || full != 1000 || hits < 5000 {
			t.Errorf("%d requests: %d early, want 0; %d answered in full, want 1 a feed", hits, early, full)
		}
		for i := range 500 {
			for _, n := range []int{0, 1} {
				host := fmt.Sprintf("feed%d.host%d.example:80", n, i)
				if got := w.m.MostConns(host); got > 2 {
					t.Errorf("%s saw %d connections at once", host, got)
				}
			}
		}
	})
}

// With slow servers, known by the round before, a round takes little longer than the slowest of them, or than all of them shared among the slots. One that hangs
// delays nobody else.
func TestRoundTime(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var addresses []string
	var waits []time.Duration
	total, slowest := time.Duration(0), time.Duration(0)
	for i := range 200 {
		addresses = append(addresses, fmt.Sprintf("http://127.0.0.1:9000/%d", i))
		wait := min(time.Duration(200*math.Exp(r.NormFloat64()-0.5)*float64(time.Millisecond)), 3*time.Second)
		waits = append(waits, wait)
		total, slowest = total+wait, max(slowest, wait)
	}
	inWorld(t, Options{}, addresses, func(w *world) {
		for i, a := range addresses {
			w.m.On(a, mallory.Answer{Wait: waits[i], Body: document("", "one")})
		}
		w.poll()
		began := time.Now()
		w.poll()
		took, least := time.Since(began), max(slowest, total/16)
		t.Logf("round of %v, at least %v: %.2f", took, least, float64(took)/float64(least))
		if float64(took) > 1.1*float64(least) {
			t.Errorf("round took %v, %.2f times the least possible %v", took, float64(took)/float64(least), least)
		}
	})
}

// Repeated polls over TLS resume their sessions, and keep connections where polls are close together.
func TestHandshakes(t *testing.T) {
	var addresses []string
	for i := range 50 {
		addresses = append(addresses, fmt.Sprintf("https://host%d.example/feed", i))
	}
	inWorld(t, Options{}, addresses, func(w *world) {
		for _, a := range addresses {
			w.m.Handle(a, origin(`"a"`, "x", "one"))
		}
		w.poll()
		first, _ := w.m.Handshakes()
		for range 3 {
			w.wait(13 * time.Hour)
			w.poll()
		}
		full, resumed := w.m.Handshakes()
		if full != first || resumed != 150 {
			t.Errorf("repeated polls: %d full handshakes and %d resumed, want 0 and 150", full-first, resumed)
		}
	})
}

// F51: nothing is left behind by many fetches.
func TestNothingIsLeftBehind(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of requests")
	}
	m := mallory.New(t)
	base := m.Listen()
	var addresses []string
	for i := range 2000 {
		addresses = append(addresses, fmt.Sprintf("%s/%d", base, i))
		m.Handle(addresses[i], origin(`"a"`, "x", "one"))
	}
	m.On(base+"/bad", mallory.Answer{Raw: "nonsense"})
	store, feeds := newMemory(), feedsAt(append(addresses, base+"/bad")...)
	p, err := NewPoller(store, Options{})
	if err != nil {
		t.Fatal(err)
	}
	goroutines, files := runtime.NumGoroutine(), openFiles()
	for range 5 {
		if _, err := p.Poll(t.Context(), store.due(feeds)); err != nil {
			t.Fatal(err)
		}
	}
	p.Close()
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > goroutines+5 && time.Now().Before(deadline); {
		runtime.Gosched()
	}
	if got := runtime.NumGoroutine(); got > goroutines+5 {
		t.Errorf("goroutines = %d, %d before", got, goroutines)
	}
	if got := openFiles(); got > files+5 {
		t.Errorf("open files = %d, %d before", got, files)
	}
	if got := m.Hits(""); got != 5*2001 {
		t.Errorf("hits = %d, want %d", got, 5*2001)
	}
}

// openFiles counts file descriptors where the system lists them.
func openFiles() int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(entries)
}

// serveForBenchmark names the variable that makes the test binary a server.
const serveForBenchmark = "SHEAF_BENCHMARK_SERVER"

// TestBenchmarkServer is no test: it is the other process of BenchmarkCost, so that only the client's work is measured.
func TestBenchmarkServer(t *testing.T) {
	if os.Getenv(serveForBenchmark) == "" {
		t.Skip("runs as a process of its own for BenchmarkCost")
	}
	body := benchmarkDocument(0)
	m := mallory.New(t)
	base := m.Listen()
	for i := range 1000 {
		m.Handle(fmt.Sprintf("%s/same/%d", base, i), func(r mallory.Request) mallory.Answer {
			if r.Header.Get("If-None-Match") != "" {
				return status(304, `ETag: "a"`)
			}
			return mallory.Answer{Header: []string{`ETag: "a"`}, Body: body, Gzip: true}
		})
	}
	m.On(base+"/careless", mallory.Answer{Body: body, Gzip: true})
	n := 0
	m.Handle(base+"/new", func(mallory.Request) mallory.Answer {
		n++
		return mallory.Answer{Body: benchmarkDocument(n), Gzip: true}
	})
	fmt.Println("serving", base)
	os.Stdin.Read(make([]byte, 1)) // until the benchmark closes it
}

// benchmarkDocument is a feed of 50 items of about 2 kB; its first item is the n-th ever.
func benchmarkDocument(n int) string {
	var b strings.Builder
	b.WriteString(`<rss version="2.0"><channel><title>Alpha</title><link>http://alpha.example/</link>`)
	for i := range 50 {
		fmt.Fprintf(&b, "<item><title>Story number %d</title><guid isPermaLink=\"false\">%[1]d</guid><link>http://alpha.example/%[1]d</link><pubDate>Mon, 30 Nov 2026 12:00:00 GMT</pubDate><description>%s</description></item>",
			n+50-i, strings.Repeat("Words of a report on something. ", 60))
	}
	b.WriteString("</channel></rss>")
	return b.String()
}

// BenchmarkCost measures the client's CPU time in one run, alternately: a poll that ends in 304 against a bare conditional GET on a kept
// connection; and polls of a document of 50 items against gunzip and gofeed on the same bytes, with one item new each time, or none at a
// server that sends everything each time.
func BenchmarkCost(b *testing.B) {
	base := startBenchmarkServer(b)
	var addresses []string
	for i := range 1000 {
		addresses = append(addresses, fmt.Sprintf("%s/same/%d", base, i))
	}
	b.Run("304", func(b *testing.B) {
		store, feeds := newMemory(), feedsAt(addresses...)
		p := benchmarkPoller(b, store)
		poll := func() {
			if _, err := p.Poll(b.Context(), store.due(feeds)); err != nil {
				b.Fatal(err)
			}
			store.saves = nil
		}
		poll()
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
		bare := func() { bareGets(b, client, addresses) }
		bare()
		ours, theirs := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
		for b.Loop() {
			theirs, ours = min(theirs, cpu(bare)), min(ours, cpu(poll))
		}
		b.ReportMetric(float64(ours.Microseconds())/1000, "µs/poll")
		b.ReportMetric(float64(theirs.Microseconds())/1000, "µs/bare-GET")
		b.ReportMetric(float64(ours)/float64(theirs), "ratio")
	})
	b.Run("new", func(b *testing.B) { benchmarkAgainstGofeed(b, base+"/new", false) })
	b.Run("careless", func(b *testing.B) { benchmarkAgainstGofeed(b, base+"/careless", true) })
}

// benchmarkAgainstGofeed polls one address again and again, always with something new or never.
func benchmarkAgainstGofeed(b *testing.B, address string, unchanged bool) {
	store, feeds := newMemory(), feedsAt(address)
	p := benchmarkPoller(b, store)
	packed := mallory.Pack(benchmarkDocument(1))
	parse := func() {
		for range 20 {
			z, err := gzip.NewReader(bytes.NewReader(packed))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := gofeed.NewParser().Parse(z); err != nil {
				b.Fatal(err)
			}
		}
	}
	poll := func() {
		for range 20 {
			if o, err := p.Poll(b.Context(), store.due(feeds)); err != nil || o[0].Err != nil || o[0].Unchanged != unchanged {
				b.Fatal(err, o)
			}
		}
	}
	if _, err := p.Poll(b.Context(), store.due(feeds)); err != nil {
		b.Fatal(err)
	}
	ours, theirs := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for b.Loop() {
		theirs, ours = min(theirs, cpu(parse)), min(ours, cpu(poll))
	}
	b.ReportMetric(float64(ours.Microseconds())/20, "µs/poll")
	b.ReportMetric(float64(theirs.Microseconds())/20, "µs/gunzip+gofeed")
	b.ReportMetric(float64(ours)/float64(theirs), "ratio")
	b.ReportMetric(50*20/ours.Seconds(), "items/s/core")
}

func benchmarkPoller(b *testing.B, store Store) *Poller {
	p, err := NewPoller(store, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(p.Close)
	return p
}

// bareGets makes a conditional GET of each address, 16 at once.
func bareGets(b *testing.B, client *http.Client, addresses []string) {
	work := make(chan string)
	var workers sync.WaitGroup
	for range 16 {
		workers.Go(func() {
			for a := range work {
				req, _ := http.NewRequest("GET", a, nil)
				req.Header.Set("If-None-Match", `"a"`)
				resp, err := client.Do(req)
				if err != nil || resp.StatusCode != 304 {
					b.Error(err)
					continue
				}
				resp.Body.Close()
			}
		})
	}
	for _, a := range addresses {
		work <- a
	}
	close(work)
	workers.Wait()
}

// startBenchmarkServer runs this binary as a server until the benchmark ends.
func startBenchmarkServer(b *testing.B) string {
	command := exec.Command(os.Args[0], "-test.run=^TestBenchmarkServer$")
	command.Env = append(os.Environ(), serveForBenchmark+"=1")
	stdin, err := command.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := command.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		stdin.Close()
		command.Wait()
	})
	var base string
	if _, err := fmt.Fscanf(stdout, "serving %s\n", &base); err != nil {
		b.Fatal(err)
	}
	return base
}

// cpu is the processor time this process spends in f.
func cpu(f func()) time.Duration {
	var before, after syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	f()
	syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	return time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
}

package feeds

import (
	"bytes"
	"compress/gzip"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"

	"sheaf/feeds/mallory"
)

// serveForBenchmark names the variable that makes the test binary a server.
const serveForBenchmark = "SHEAF_BENCHMARK_SERVER"

// serve is the other process of BenchmarkCost, so that only the client's work is measured.
func serve(b *testing.B) {
	body := benchmarkDocument(0)
	m := mallory.New(b)
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
	tlsFarm(m)
	fmt.Fprintln(os.Stderr, "serving", base, m.ListenTLS(), base64.StdEncoding.EncodeToString(m.Root().Raw))
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
	if os.Getenv(serveForBenchmark) != "" {
		serve(b)
		return
	}
	base := startBenchmarkServer(b).base
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
			store.saves = store.saves[:0] // the memory of a test is no work of ours
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

// benchmarkServer is where the other process serves.
type benchmarkServer struct {
	base   string // "http://127.0.0.1:port"
	secure string // host and port, for every host of the TLS farm
	roots  *x509.CertPool
}

// startBenchmarkServer runs this binary as a server until the benchmark ends.
func startBenchmarkServer(b *testing.B) benchmarkServer {
	command := exec.Command(os.Args[0], "-test.run=^$", "-test.bench=^BenchmarkCost$", "-test.benchtime=1x")
	command.Env = append(os.Environ(), serveForBenchmark+"=1")
	stdin, err := command.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stderr, err := command.StderrPipe()
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
	server := benchmarkServer{roots: x509.NewCertPool()}
	var encoded string
	if _, err := fmt.Fscanf(stderr, "serving %s %s %s\n", &server.base, &server.secure, &encoded); err != nil {
		b.Fatal(err)
	}
	der, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		b.Fatal(err)
	}
	root, err := x509.ParseCertificate(der)
	if err != nil {
		b.Fatal(err)
	}
	server.roots.AddCert(root)
	return server
}

// cpu is the processor time this process spends in f.
func cpu(f func()) time.Duration {
	var before, after syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	f()
	syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	return time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
}

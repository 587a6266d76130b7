package feeds

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"sheaf/feeds/mallory"
)

// A thousand feeds of 500 hosts, polled for a day: no request is earlier than the server allows, every unchanged document is answered 304
// from the second poll on, and no host sees more than two connections.
func TestWarmSet(t *testing.T) {
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

// F51: nothing is left behind by many fetches.
func TestNothingIsLeftBehind(t *testing.T) {
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

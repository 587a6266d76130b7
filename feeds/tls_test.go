package feeds

import (
	"context"
	"fmt"
	"math"
	"net"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"sheaf/feeds/mallory"
)

const farmHosts = 100

func farmAddress(i int) string { return fmt.Sprintf("https://host%d.example/feed", i) }

// tlsFarm scripts hosts with a certificate each, whose feeds never change.
func tlsFarm(m *mallory.Server) {
	for i := range farmHosts {
		m.Handle(farmAddress(i), origin(`"a"`, "x", "one"))
	}
}

// Repeated polls over TLS resume their sessions, and keep connections where polls are close together.
func TestHandshakes(t *testing.T) {
	var addresses []string
	for i := range farmHosts {
		addresses = append(addresses, farmAddress(i))
	}
	inWorld(t, Options{MinInterval: time.Minute}, addresses, func(w *world) {
		tlsFarm(w.m)
		w.poll()
		first, _ := w.m.Handshakes()
		for range 3 {
			w.wait(13 * time.Hour)
			w.poll()
		}
		full, resumed := w.m.Handshakes()
		if full != first || resumed != 3*farmHosts {
			w.t.Errorf("repeated polls: %d full handshakes and %d resumed, want 0 and %d", full-first, resumed, 3*farmHosts)
		}
		w.start(Options{MinInterval: time.Minute, Force: true})
		for range 3 { // within the life of an idle connection, as when a hub announces one thing after the other
			for _, f := range w.feeds {
				s := w.store.states[f.ID]
				s.Polled = time.Now().Add(-forceEvery)
				w.store.states[f.ID] = s
			}
			w.poll()
			w.wait(time.Minute)
		}
		again, more := w.m.Handshakes()
		if again-full != farmHosts || more != resumed {
			w.t.Errorf("polls a minute apart: %d full handshakes and %d resumed, want one for each host by a new process", again-full, more-resumed)
		}
	})
}

// BenchmarkTLS (B11) measures the client's CPU time for polls that end in 304 over TLS, of a hundred hosts, in one run and alternately: on
// kept connections, on new ones with a resumed session, as polls an hour apart are, and by a new process, which has no session to resume.
func BenchmarkTLS(b *testing.B) {
	server := startBenchmarkServer(b)
	var addresses []string
	for i := range farmHosts {
		addresses = append(addresses, farmAddress(i))
	}
	store, feeds := newMemory(), feedsAt(addresses...)
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, server.secure)
	}
	begin := func() *Poller {
		p, err := NewPoller(store, Options{dial: dial, roots: server.roots, Force: true, HostGap: time.Nanosecond})
		if err != nil {
			b.Fatal(err)
		}
		p.starts.SetLimit(rate.Inf) // manners are no work
		return p
	}
	p := begin()
	poll := func() {
		for _, f := range feeds {
			s := store.states[f.ID]
			s.Polled = time.Time{}
			store.states[f.ID] = s
		}
		outcomes, err := p.Poll(b.Context(), store.due(feeds))
		if err != nil || len(outcomes) != farmHosts || outcomes[0].Err != nil {
			b.Fatal(len(outcomes), err)
		}
	}
	poll()
	kept, resumed, full := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for b.Loop() {
		kept = min(kept, cpu(poll))
		p.Close()
		resumed = min(resumed, cpu(poll))
		p.Close()
		p = begin()
		full = min(full, cpu(poll))
	}
	p.Close()
	b.ReportMetric(float64(kept.Microseconds())/farmHosts, "µs/kept")
	b.ReportMetric(float64(resumed.Microseconds())/farmHosts, "µs/resumed")
	b.ReportMetric(float64(full.Microseconds())/farmHosts, "µs/full")
	b.ReportMetric(float64(resumed)/float64(kept), "resumed/kept")
	b.ReportMetric(float64(full)/float64(resumed), "full/resumed")
}

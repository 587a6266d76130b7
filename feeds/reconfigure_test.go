package feeds

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sheaf/feeds/mallory"
)

// B60: new options change neither states nor due times; wrong ones change nothing.
func TestReconfigure(t *testing.T) {
	inWorld(t, Options{Contact: "https://old.example/"}, []string{alpha}, func(w *world) {
		w.m.On(alpha, ok([]string{"one"}, `ETag: "a"`))
		w.one()
		next := w.state().Next
		if err := w.p.Reconfigure(Options{Contact: "https://new.example/"}); err != nil {
			t.Fatal(err)
		}
		if got := w.poll(); len(got) != 0 || !w.state().Next.Equal(next) {
			t.Errorf("polled %d feeds at once, next %v, want none before %v", len(got), w.state().Next, next)
		}
		if err := w.p.Reconfigure(Options{Parallel: -1}); err == nil || !strings.Contains(err.Error(), "negative") {
			t.Errorf("Reconfigure with wrong options = %v, want an error that says so", err)
		}
		w.again()
		requests := w.m.Requests(alpha)
		if got := requests[len(requests)-1].Header.Get("User-Agent"); !strings.Contains(got, "new.example") {
			t.Errorf("User-Agent = %q, want the new contact", got)
		}
	})
}

// What is under way is known while it is, and for how long.
func TestInFlight(t *testing.T) {
	inWorld(t, Options{}, []string{alpha}, func(w *world) {
		w.m.On(alpha, mallory.Answer{Wait: 20 * time.Second, Body: document("", "late")})
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.poll()
		}()
		w.wait(12 * time.Second)
		synctest.Wait()
		if n, oldest := w.p.InFlight(); n != 1 || oldest < 10*time.Second || oldest > 12*time.Second {
			t.Errorf("InFlight = %d, %v; want one for about 12 s", n, oldest)
		}
		<-done
		if n, oldest := w.p.InFlight(); n != 0 || oldest != 0 {
			t.Errorf("InFlight after the poll = %d, %v; want none", n, oldest)
		}
	})
}

// B43: a fault of ours anywhere in the poll of one feed costs that feed a day, and nothing else.
func TestPanicInWorker(t *testing.T) {
	beta := "http://beta.example/feed"
	inWorld(t, Options{}, []string{alpha, beta}, func(w *world) {
		w.m.On(beta, ok([]string{"good"}))
		w.p.fetcher.client = nil
		outcomes := w.poll()
		fails(t, outcomes[alpha], FetchPanic)
		fails(t, outcomes[beta], FetchPanic)
		if until := time.Until(w.store.states[w.feeds[0].ID].Next); until < 23*time.Hour {
			t.Errorf("tried again in %v, want a day", until)
		}
	})
}

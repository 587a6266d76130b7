package feeds

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"sheaf"
)

// B34.
func TestForce(t *testing.T) {
	inWorld(t, Options{Force: true}, []string{alpha}, func(w *world) {
		w.m.On(alpha, ok([]string{"one"}, "Cache-Control: max-age=86400"))
		w.one()
		w.wait(5*time.Minute - time.Second)
		if len(w.poll()) != 0 {
			t.Error("polled again within 5 minutes")
		}
		w.wait(time.Second)
		if len(w.poll()) != 1 {
			t.Error("not polled after 5 minutes")
		}
	})
}

// B32: a daemon spreads what has become overdue while it was down or asleep.
func TestCatchUp(t *testing.T) {
	var addresses []string
	for i := range 100 {
		addresses = append(addresses, fmt.Sprintf("http://host%d.example/feed", i))
	}
	inWorld(t, Options{Spread: 10 * time.Minute}, addresses, func(w *world) {
		for _, a := range addresses {
			w.m.On(a, ok([]string{"one"}, `ETag: "a"`))
		}
		if got := len(w.poll()); got != 100 {
			t.Fatalf("first sweep polled %d, want all 100: new feeds do not wait", got)
		}
		w.wait(13 * time.Hour) // asleep
		w.p.Wake()
		most, total := 0, 0
		for range 12 {
			n := len(w.poll())
			most, total = max(most, n), total+n
			w.wait(time.Minute)
		}
		if most > 25 || total != 100 {
			t.Errorf("most in a minute = %d, total = %d, want at most 25 and 100", most, total)
		}
	})
}

// A daemon that sweeps by quarters of an hour, and when it is asked again, polls every feed at its time: what has become due since the
// last sweep does not count as overdue since the start.
func TestSweepsApart(t *testing.T) {
	var addresses []string
	for i := range 40 {
		addresses = append(addresses, fmt.Sprintf("http://host%d.example/feed", i))
	}
	inWorld(t, Options{Spread: 10 * time.Minute, MinInterval: time.Hour}, addresses, func(w *world) {
		for _, a := range addresses {
			w.m.On(a, ok([]string{"one"}, `ETag: "a"`))
		}
		w.poll()
		w.wait(20 * time.Hour)
		w.start(Options{Spread: 10 * time.Minute, MinInterval: time.Hour}) // the feeds are overdue
		polls := map[string]int{}
		for end := time.Now().Add(48 * time.Hour); time.Now().Before(end); {
			for address := range w.poll() {
				polls[address]++
			}
			next := 15 * time.Minute
			if again := w.p.Again(); !again.IsZero() {
				next = min(next, max(time.Until(again), time.Second))
			}
			w.wait(next)
		}
		for _, a := range addresses {
			if n := polls[a]; n < 4 || n > 49 {
				t.Errorf("%s was polled %d times in two days, want 4 to 49", a, n)
			}
		}
	})
}

// F41: whatever the clock does, no feed is polled in a storm and none is forgotten.
func TestClockJumps(t *testing.T) {
	var addresses []string
	for i := range 60 {
		addresses = append(addresses, fmt.Sprintf("http://host%d.example/feed", i))
	}
	for _, tt := range []struct {
		name string
		jump time.Duration
		back bool // and the clock returns after an hour
	}{
		{name: "a day back", jump: -24 * time.Hour},
		{name: "a day on", jump: 24 * time.Hour},
		{name: "ten years on", jump: 87600 * time.Hour},
		{name: "ten years on and back", jump: 87600 * time.Hour, back: true},
		{name: "eight hours asleep", jump: 8 * time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var skew time.Duration
			o := Options{Spread: 10 * time.Minute, Now: func() time.Time { return time.Now().Add(skew) }}
			inWorld(t, o, addresses, func(w *world) {
				for _, a := range addresses {
					w.m.On(a, ok([]string{"one"}, `ETag: "a"`, "Cache-Control: max-age=1800"))
				}
				w.poll()
				w.wait(15 * time.Minute)
				w.poll()
				skew = tt.jump
				w.p.Wake()
				perMinute, polled := w.minutes(60)
				if tt.back {
					skew = 0
					w.p.Wake()
					perMinute, polled = w.minutes(60)
				}
				if most := slices.Max(perMinute); most > 20 {
					t.Errorf("%d polls in one minute, want at most 20 of 60", most)
				}
				if len(polled) != len(addresses) {
					t.Errorf("%d of %d feeds polled within an hour", len(polled), len(addresses))
				}
				for address, n := range polled {
					if n > 2 {
						t.Errorf("%s polled %d times within an hour, though its server says half an hour", address, n)
					}
				}
			})
		})
	}
}

// F50, B31: restarted again and again, a daemon asks no feed before its time.
func TestRestarts(t *testing.T) {
	addresses := []string{alpha, "http://beta.example/feed", "http://gamma.example/feed"}
	inWorld(t, Options{Spread: 10 * time.Minute}, addresses, func(w *world) {
		for _, a := range addresses {
			w.m.On(a, ok([]string{"one"}, `ETag: "a"`))
		}
		w.poll()
		for restart := range 20 {
			w.wait(15 * time.Second)
			w.start(Options{Spread: 10 * time.Minute})
			if got := w.poll(); len(got) != 0 {
				t.Fatalf("restart %d polled %d feeds within five minutes", restart, len(got))
			}
		}
	})
}

// minutes polls once a minute and says how many feeds were polled in each, and how often each.
func (w *world) minutes(n int) (perMinute []int, polled map[string]int) {
	w.t.Helper()
	polled = map[string]int{}
	for range n {
		outcomes := w.poll()
		perMinute = append(perMinute, len(outcomes))
		for address := range outcomes {
			polled[address]++
		}
		w.wait(time.Minute)
	}
	return perMinute, polled
}

// B57, F41: a clock set back must not stop polling, one set forward must not start a storm.
func TestClockSteps(t *testing.T) {
	state := State{Polled: noon, Next: noon.Add(time.Hour)}
	for _, tt := range []struct {
		name string
		now  time.Time
		want bool
	}{
		{"before its time", noon.Add(59 * time.Minute), false},
		{"in time", noon.Add(time.Hour), true},
		{"a day back", noon.Add(-24 * time.Hour), true},
		{"a few seconds back", noon.Add(-30 * time.Second), false},
		{"ten years on", noon.AddDate(10, 0, 0), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := IsDue(Due{State: state}, tt.now, false); got != tt.want {
				t.Errorf("IsDue = %v, want %v", got, tt.want)
			}
		})
	}
	if !IsDue(Due{Feed: sheaf.Feed{}}, noon, false) {
		t.Error("a feed never polled is not due")
	}
}

// A feed is polled in its hours alone, even when its hub announces news; by force always.
func TestHours(t *testing.T) {
	morning := func(at time.Time) time.Time { // 6 to 12
		at = at.UTC()
		switch open := time.Date(at.Year(), at.Month(), at.Day(), 6, 0, 0, 0, time.UTC); {
		case at.Before(open):
			return open
		case at.Hour() >= 12:
			return open.Add(24 * time.Hour)
		}
		return at
	}
	id := sheaf.NewFeedID(alpha)
	inWorld(t, Options{Hours: map[sheaf.FeedID]func(time.Time) time.Time{id: morning}}, []string{alpha}, func(w *world) {
		w.m.On(alpha, ok([]string{"one"}), status(500), ok([]string{"one"}))
		if len(w.poll()) != 0 { // the bubble begins at midnight
			w.t.Error("polled at midnight")
		}
		told := w.store.due(w.feeds)
		told[0].Push.Told = time.Now()
		if o, err := w.p.Poll(w.t.Context(), told); err != nil || len(o) != 0 {
			w.t.Errorf("Poll = %v, %v, want nothing polled at midnight", o, err)
		}
		w.wait(6 * time.Hour)
		w.one()
		for range 3 * 24 * 4 {
			w.wait(15 * time.Minute)
			w.poll()
			if next := w.state().Next; next.Hour() < 6 || next.Hour() >= 12 {
				w.t.Fatalf("next poll at %v", next)
			}
		}
		last := time.Time{}
		for _, r := range w.m.Requests(alpha) {
			if h := r.At.Hour(); h < 6 || h >= 12 || r.At.Sub(last) < minFull {
				w.t.Errorf("asked at %v, and before at %v", r.At, last)
			}
			last = r.At
		}
		if got := w.m.Hits(alpha); got < 10 {
			w.t.Errorf("%d polls in three mornings", got)
		}
		w.start(Options{Force: true, Hours: map[sheaf.FeedID]func(time.Time) time.Time{id: morning}})
		w.wait(12 * time.Hour)
		w.one()
	})
}

// What is held is not polled, and its host's cool-down holds for the others (B20).
func TestHeld(t *testing.T) {
	held, other, far := "http://a.alpha.example/feed", "http://b.alpha.example/feed", "http://beta.example/feed"
	inWorld(t, Options{}, []string{held, other, far}, func(w *world) {
		w.m.On(far, ok([]string{"one"}))
		w.store.states[w.feeds[0].ID] = State{Polled: time.Now(), Cooldown: time.Now().Add(time.Hour)}
		due := w.store.due(w.feeds)
		due[0].Held = true
		o, err := w.p.Poll(w.t.Context(), due)
		if err != nil || len(o) != 1 || o[0].Feed.URL != far {
			w.t.Errorf("Poll = %v, %v, want the far feed alone", o, err)
		}
	})
}

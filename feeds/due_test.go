package feeds

import (
	"fmt"
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

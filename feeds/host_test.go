package feeds

import (
	"fmt"
	"testing"
	"testing/quick"
	"time"

	"sheaf"
)

func TestPlace(t *testing.T) {
	for _, tt := range []struct {
		address, key string
		local        bool
	}{
		{"https://www.news.example.co.uk/feed", "example.co.uk", false},
		{"http://A.Example:8080/feed", "a.example", false},
		{"http://rss.a.example./feed", "a.example", false},
		{"https://alice.github.io/feed", "alice.github.io", false},
		{"http://192.0.2.7/feed", "192.0.2.7", false},
		{"http://[2001:db8::1]:81/feed", "2001:db8::1", false},
		{"http://127.0.0.1:8000/feed", "127.0.0.1", true},
		{"http://[::1]/feed", "::1", true},
		{"http://localhost:8000/feed", "localhost", true},
		{"http://intranet/feed", "intranet", false},
		{"file:///srv/drop", "", true},
		{"http://%zz/", "", false},
	} {
		if key, local := place(tt.address); key != tt.key || local != tt.local {
			t.Errorf("place(%q) = %q, %v, want %q, %v", tt.address, key, local, tt.key, tt.local)
		}
	}
}

// Whatever the mix of hosts, every job is handed out once, and no host has two under way or two starts within its gap.
func TestQueue(t *testing.T) {
	const gap = time.Second
	check := func(hosts []uint8, finish []bool) bool {
		var jobs []*job
		for i, h := range hosts {
			j := &job{host: fmt.Sprint("host", h%5), local: h%5 == 0}
			j.Feed = sheaf.Feed{ID: sheaf.FeedID(fmt.Sprint(i))}
			jobs = append(jobs, j)
		}
		q := newQueue(jobs, gap, func(string) time.Time { return time.Time{} })
		now := noon
		started := make(map[string]time.Time)
		given := make(map[sheaf.FeedID]bool)
		var underWay []*lane
		for steps := 0; q.waiting > 0 || len(underWay) > 0; steps++ {
			if steps > 20*len(hosts)+20 {
				return false
			}
			j, wait, ok := q.take(now)
			if ok {
				if given[j.Feed.ID] || !j.local && (j.lane.busy > 1 || now.Sub(started[j.host]) < gap && !started[j.host].IsZero()) {
					return false
				}
				given[j.Feed.ID], started[j.host] = true, now
				underWay = append(underWay, j.lane)
			}
			if len(underWay) > 0 && (!ok || len(finish) > 0 && finish[steps%len(finish)]) {
				q.done(underWay[0])
				underWay = underWay[1:]
			} else if !ok {
				now = now.Add(wait)
			}
		}
		return len(given) == len(hosts)
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 500}); err != nil {
		t.Error(err)
	}
}

func TestQueueIsFair(t *testing.T) {
	var jobs []*job
	for i := range 10 {
		jobs = append(jobs, &job{Due: Due{Feed: sheaf.Feed{ID: sheaf.FeedID(fmt.Sprint(i))}}, host: "big.example"})
	}
	jobs = append(jobs, &job{host: "small.example"})
	q := newQueue(jobs, time.Second, func(string) time.Time { return time.Time{} })
	q.take(noon)
	if j, _, ok := q.take(noon); !ok || j.host != "small.example" {
		t.Errorf("second job is of %q, want small.example", j.host)
	}
}

func TestQueueDrops(t *testing.T) {
	jobs := []*job{{host: "a.example"}, {host: "a.example"}, {host: "b.example"}, {host: "127.0.0.1", local: true}}
	q := newQueue(jobs, time.Second, func(string) time.Time { return time.Time{} })
	j, _, _ := q.take(noon)
	q.dropForeign()
	q.done(j.lane)
	if q.waiting != 1 {
		t.Fatalf("waiting = %d, want the local job", q.waiting)
	}
	if j, _, ok := q.take(noon.Add(time.Hour)); !ok || !j.local {
		t.Errorf("next = %+v, %v, want the local job", j, ok)
	}
	if _, _, ok := q.take(noon.Add(time.Hour)); ok || q.waiting != 0 {
		t.Error("a dropped job came back")
	}
}

func TestReach(t *testing.T) {
	for _, tt := range []struct {
		name        string
		ok, failed  int
		few         int
		age         time.Duration
		wantOffline bool
	}{
		{"nothing tried", 0, 0, 3, 0, false},
		{"two of two is too few", 0, 2, 3, 0, false},
		{"three of three", 0, 3, 3, 0, true},
		{"four of five", 1, 4, 3, 0, true},
		{"three of five", 2, 3, 3, 0, false},
		{"16 of 20", 4, 16, 20, 0, true},
		{"19 is too few in mid round", 0, 19, 20, 0, false},
		{"long ago", 0, 20, 3, 3 * time.Minute, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r reach
			for i := range tt.ok {
				r.note(fmt.Sprint("ok", i), true, noon)
			}
			for i := range tt.failed {
				r.note(fmt.Sprint("failed", i), false, noon)
				r.note(fmt.Sprint("failed", i), false, noon) // one host counts once
			}
			if got := r.cutOff(tt.few, noon.Add(tt.age)); got != tt.wantOffline {
				t.Errorf("cutOff = %v, want %v", got, tt.wantOffline)
			}
			r.note("back", true, noon)
			if r.offline {
				t.Error("an answer does not end being offline")
			}
		})
	}
}

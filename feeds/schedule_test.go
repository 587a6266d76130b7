package feeds

import (
	"fmt"
	"math"
	"testing"
	"testing/quick"
	"time"

	"sheaf"
)

// The check values of the square-root law.
func TestInterval(t *testing.T) {
	for _, tt := range []struct {
		perDay float64
		want   time.Duration
	}{
		{0.05, 12 * time.Hour},
		{1, 241 * time.Minute},
		{24, 49 * time.Minute},
		{100, 24 * time.Minute},
		{300, 14 * time.Minute},
	} {
		c := Claim{Rate: tt.perDay / 1440, Shortest: 5 * time.Minute, Longest: 12 * time.Hour}
		if got := c.Interval(6.36).Round(time.Minute); got != tt.want {
			t.Errorf("Interval at %g a day = %v, want %v", tt.perDay, got, tt.want)
		}
	}
}

// The budget is spent, bounds included, whenever the bounds leave a choice.
func TestSolveK(t *testing.T) {
	var claims []Claim
	for i := range 500 {
		claims = append(claims, Claim{
			Rate:     0.05 * math.Pow(6000, float64(i)/500) / 1440,
			Shortest: time.Duration(5+i%56) * time.Minute,
			Longest:  12 * time.Hour,
		})
	}
	for _, mean := range []time.Duration{40 * time.Minute, time.Hour, 4 * time.Hour} {
		k, spent := SolveK(claims, mean), 0.0
		for _, c := range claims {
			spent += 1 / c.Interval(k).Minutes()
		}
		if want := 500 / mean.Minutes(); math.Abs(spent/want-1) > 0.001 {
			t.Errorf("polls a minute at a mean of %v = %.3f, want %.3f", mean, spent, want)
		}
	}
	if k := SolveK(nil, time.Hour); math.IsNaN(k) || k <= 0 {
		t.Errorf("SolveK without claims = %v", k)
	}
}

// B18.
func TestShortest(t *testing.T) {
	for _, tt := range []struct {
		name    string
		min     time.Duration
		capable bool
		want    time.Duration
	}{
		{"never a 304", 0, false, 30 * time.Minute},
		{"has answered 304", 0, true, 5 * time.Minute},
		{"configured", time.Hour, true, time.Hour},
		{"configured lower", 2 * time.Minute, false, 2 * time.Minute},
		{"configured too low", time.Second, true, time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := State{Caching: Caching{Capable: tt.capable}}
			if got := (plan{min: tt.min}).shortest(&s); got != tt.want {
				t.Errorf("shortest = %v, want %v", got, tt.want)
			}
		})
	}
}

// B33: feeds with one interval are spread evenly over ±10 %, each always at its place.
func TestJitter(t *testing.T) {
	const n = 2000
	var buckets [10]int
	for i := range n {
		id := sheaf.NewFeedID(fmt.Sprint(i))
		d := jittered(time.Hour, 0.1, phase(id, "poll"))
		if d != jittered(time.Hour, 0.1, phase(id, "poll")) {
			t.Fatal("jitter changes from one poll to the next")
		}
		if d < 54*time.Minute || d > 66*time.Minute {
			t.Fatalf("jittered hour = %v, want 54 to 66 min", d)
		}
		buckets[min(9, int((d-54*time.Minute)/(72*time.Second)))]++
	}
	for i, got := range buckets {
		if got < n/10*7/10 || got > n/10*13/10 {
			t.Errorf("bucket %d holds %d of %d, want about a tenth", i, got, n)
		}
	}
}

// No next poll is ever earlier than what the server or the least interval allows, nor in a skipped hour, whatever the state.
func TestNextIsNeverEarly(t *testing.T) {
	check := func(id string, count, window uint16, floor, cool, every uint32, hours uint32, days uint8, capable bool) bool {
		s := State{
			First: noon.Add(-time.Duration(count) * time.Hour), Polled: noon, Floor: noon.Add(time.Duration(floor%86400) * time.Second),
			Cooldown: noon.Add(time.Duration(cool%604800) * time.Second), Caching: Caching{Capable: capable},
			Hints:  Hints{Every: min(time.Duration(every)*time.Second, maxHint), Hours: hours & 0xffffff, Days: days & 0x7f},
			Rhythm: Rhythm{Count: float64(count), At: noon, Window: int(window % 500)},
		}
		p := plan{k: 6}
		next := p.next(sheaf.FeedID(id), &s, noon)
		late := next.Before(noon.Add(maxCooldown + 8*day))
		hinted := s.Hints.allowed(next).Equal(next)
		return late && hinted && !next.Before(later(s.Floor, s.Cooldown, noon.Add(p.shortest(&s)), noon.Add(s.Hints.Every)))
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
}

// The same for failures: a wait the server asked for is never shortened, and no wait is endless.
func TestBackoffBounds(t *testing.T) {
	codes := []FetchCode{
		"", FetchAddress, FetchPrivate, FetchNoHost, FetchDNS, FetchConnect, FetchTLS, FetchTimeout, FetchSlow, FetchBroken, FetchTooLarge,
		FetchEncoding, FetchRedirect, FetchBlocked, FetchBusy, FetchMissing, FetchGone, FetchServer, FetchStatus, FetchUnasked, FetchEmpty,
		FetchHTML, FetchFile, FetchPanic,
	}
	check := func(id string, failures uint8, code uint8, asked uint32, disabled bool, failing uint16) bool {
		e := &FetchError{Code: codes[int(code)%len(codes)], RetryAfter: min(time.Duration(asked)*time.Second, maxCooldown)}
		s := State{First: noon, Failures: int(failures) + 1, Disabled: disabled, Failing: noon.Add(-time.Duration(failing) * time.Hour)}
		p := plan{k: 6}
		wait := p.backoff(sheaf.FeedID(id), &s, e, noon)
		if e.Code == FetchBusy && wait < e.RetryAfter {
			return false
		}
		return wait >= p.shortest(&s) && wait <= goneProbe || e.Code == FetchBusy && wait > 0
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
}

// The estimate finds the rate of a steady feed, however its items are spread over polls.
func TestRate(t *testing.T) {
	for _, perDay := range []int{1, 24, 100} {
		var r Rhythm
		now := noon
		r, _ = r.observe([]sheaf.Article{{ID: "first"}}, noon, now)
		for i := range 30 * perDay {
			now = noon.Add(time.Duration(i+1) * day / time.Duration(perDay))
			r, _ = r.observe([]sheaf.Article{{ID: sheaf.ArticleID(fmt.Sprint(i)), Published: now.Add(-time.Minute)}}, noon, now)
		}
		if got := r.rate(noon, now) * 1440; math.Abs(got/float64(perDay)-1) > 0.25 {
			t.Errorf("rate = %.2f a day, want about %d", got, perDay)
		}
		if old, got := r.rate(noon, now), r.rate(noon, now.Add(60*day)); got > old/4 {
			t.Errorf("rate after 60 silent days = %.3f a day of %.3f", got*1440, old*1440)
		}
	}
}

func TestUnseen(t *testing.T) {
	articles := func(ids ...sheaf.ArticleID) (as []sheaf.Article) {
		for _, id := range ids {
			as = append(as, sheaf.Article{ID: id})
		}
		return as
	}
	r, fresh := Rhythm{}.observe(articles("a", "b"), noon, noon)
	if len(fresh) != 2 || r.Window != 2 || r.Count != 0 {
		t.Errorf("first document: %d fresh, %+v, want 2 and no count", len(fresh), r)
	}
	r, fresh = r.observe(articles("c", "a", "b"), noon, noon.Add(time.Hour))
	if len(fresh) != 1 || fresh[0].ID != "c" || r.Count != 1 {
		t.Errorf("second document: fresh %v, count %v, want c and 1", fresh, r.Count)
	}
	if r.Seen = "not base64!"; len(func() []sheaf.Article { f, _ := r.unseen(articles("a")); return f }()) != 1 {
		t.Error("a damaged memory must know nothing")
	}
}

// A feed that publishes by day is asked more by day and less by night, with the same number of polls on the whole.
func TestStretch(t *testing.T) {
	var r Rhythm
	for h := 8; h < 20; h++ {
		r.Hours[h] = 20
	}
	byDay := r.stretch(time.Hour, noon, longestInterval)
	byNight := r.stretch(time.Hour, noon.Add(12*time.Hour), longestInterval)
	if byDay >= time.Hour || byNight <= 90*time.Minute {
		t.Errorf("an hour becomes %v by day and %v by night", byDay, byNight)
	}
	if got := (Rhythm{}).stretch(time.Hour, noon.Add(17*time.Minute), longestInterval); got.Round(time.Second) != time.Hour {
		t.Errorf("without knowledge an hour becomes %v", got)
	}
	if got := r.stretch(100*time.Hour, noon, longestInterval); got != longestInterval {
		t.Errorf("100 hours become %v, want the longest interval", got)
	}
}

func TestDoubled(t *testing.T) {
	for _, tt := range []struct {
		n    int
		want time.Duration
	}{{0, time.Hour}, {1, 2 * time.Hour}, {3, 8 * time.Hour}, {4, 12 * time.Hour}, {1000, 12 * time.Hour}} {
		if got := doubled(time.Hour, tt.n, 12*time.Hour); got != tt.want {
			t.Errorf("doubled(1h, %d) = %v, want %v", tt.n, got, tt.want)
		}
	}
}

package feeds

import (
	"container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sheaf"
)

// outlet is one feed of a simulated world: when it publishes, how many items its document holds and how long its server calls it fresh.
type outlet struct {
	id     sheaf.FeedID
	items  []time.Time
	window int
	fresh  time.Duration

	seen  int // items found so far
	state State
}

// newOutlets makes n feeds that publish 0.05 to 300 items a day for some days, with a daily rhythm and bursts. The same every time.
func newOutlets(n, days int) []*outlet {
	r := rand.New(rand.NewPCG(1, 2))
	outlets := make([]*outlet, n)
	for i := range outlets {
		o := &outlet{id: sheaf.NewFeedID(fmt.Sprint(i)), window: 20 + r.IntN(31), fresh: serverFreshness(r.Float64())}
		perMinute := 0.05 * math.Pow(6000, r.Float64()) / 1440
		peak, depth := float64(r.IntN(24)), r.Float64()
		var pace [24]float64
		sum := 0.0
		for h := range pace {
			pace[h] = max(0.02, 1+1.3*depth*math.Cos((float64(h)-peak)/12*math.Pi))
			sum += pace[h]
		}
		most := slices.Max(pace[:])
		for minute := r.ExpFloat64() / perMinute / most; minute < float64(days*1440); minute += r.ExpFloat64() * sum / 24 / perMinute / most {
			if r.Float64()*most > pace[int(minute/60)%24] {
				continue
			}
			burst := 1
			if r.Float64() < 0.1 {
				burst += r.IntN(4)
			}
			for range burst {
				o.items = append(o.items, noon.Add(time.Duration(minute*float64(time.Minute))))
			}
		}
		outlets[i] = o
	}
	return outlets
}

// serverFreshness is the max-age of a server at the part u of all.
func serverFreshness(u float64) time.Duration {
	switch {
	case u < 0.5:
		return 0
	case u < 0.65:
		return time.Minute
	case u < 0.85:
		return 5 * time.Minute
	case u < 0.95:
		return 15 * time.Minute
	}
	return time.Hour
}

// score is what a policy made of a simulated world, the first week left out.
type score struct {
	hits float64 // polls a feed and day
	mean time.Duration
	p95  time.Duration
	lost float64 // share of items that fell out of their document unseen
}

// simulate polls the outlets for some days by a policy, which says when to poll an outlet next.
func simulate(outlets []*outlet, days int, policy func(o *outlet, now time.Time) time.Time) score {
	var q pollQueue
	for _, o := range outlets {
		o.seen = 0
		first := noon.Add(time.Duration(phase(o.id, "first") * float64(time.Hour)))
		o.state = State{First: first, Caching: Caching{Capable: true}, Rhythm: Rhythm{Window: o.window}}
		q = append(q, scheduled{first, o})
	}
	heap.Init(&q)
	warm, end := noon.AddDate(0, 0, 7), noon.AddDate(0, 0, days)
	var delays []time.Duration
	hits, lost := 0, 0
	for q[0].at.Before(end) {
		now, o := q[0].at, q[0].outlet
		found := o.seen
		for found < len(o.items) && !o.items[found].After(now) {
			found++
		}
		if now.After(warm) {
			hits++
			for i := o.seen; i < found; i++ {
				if found-i > o.window {
					lost++
					continue
				}
				delays = append(delays, now.Sub(o.items[i]))
			}
		}
		if found > o.seen {
			o.state.Rhythm = o.state.Rhythm.counted(o.items[max(o.seen, found-o.window):found], o.state.First, now)
		}
		o.seen, o.state.Polled, o.state.Floor = found, now, now.Add(o.fresh)
		q[0].at = policy(o, now)
		heap.Fix(&q, 0)
	}
	slices.Sort(delays)
	total := time.Duration(0)
	for _, d := range delays {
		total += d
	}
	return score{
		hits: float64(hits) / float64(len(outlets)) / float64(days-7), mean: total / time.Duration(len(delays)),
		p95: delays[len(delays)*95/100], lost: float64(lost) / float64(len(delays)+lost),
	}
}

type scheduled struct {
	at     time.Time
	outlet *outlet
}

type pollQueue []scheduled

func (q pollQueue) Len() int           { return len(q) }
func (q pollQueue) Less(i, j int) bool { return q[i].at.Before(q[j].at) }
func (q pollQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *pollQueue) Push(x any)        { *q = append(*q, x.(scheduled)) }
func (q *pollQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// fixed polls at one interval, as most readers do.
func fixed(interval time.Duration) func(*outlet, time.Time) time.Time {
	return func(o *outlet, now time.Time) time.Time { return later(now.Add(interval), o.state.Floor) }
}

// entryFrequency is the rule of one well-known reader: a week shared by the items of the last week, between 5 minutes and a day.
func entryFrequency(o *outlet, now time.Time) time.Time {
	week, _ := slices.BinarySearchFunc(o.items[:o.seen], now.AddDate(0, 0, -7), time.Time.Compare)
	interval := day
	if n := o.seen - week; n > 0 {
		interval = min(max(7*day/time.Duration(n), 5*time.Minute), day)
	}
	return later(now.Add(interval), o.state.Floor)
}

// ours is the schedule of the poller at a mean interval, planned anew every hour.
func ours(outlets []*outlet, mean time.Duration) func(*outlet, time.Time) time.Time {
	var p plan
	var planned time.Time
	return func(o *outlet, now time.Time) time.Time {
		if now.Sub(planned) >= time.Hour {
			planned = now
			claims := make([]Claim, len(outlets))
			for i, other := range outlets {
				claims[i] = p.claim(&other.state, now)
			}
			p.k = SolveK(claims, mean)
		}
		return p.next(o.id, &o.state, now)
	}
}

// perDay is the mean interval of so many polls a day.
func perDay(hits float64) time.Duration { return time.Duration(float64(day) / hits) }

// At no more polls than each other rule, ours hears of news sooner. The numbers of the whole simulation are in the benchmark.
func TestSquareRootBeatsOtherRules(t *testing.T) {
	const days = 14
	outlets := newOutlets(200, days)
	for _, tt := range []struct {
		name   string
		policy func(*outlet, time.Time) time.Time
		gain   float64 // least ratio of mean delays
	}{
		{"fixed 60 min", fixed(time.Hour), 1.8},
		{"fixed 15 min", fixed(15 * time.Minute), 1.4},
		{"entry frequency", entryFrequency, 1.2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			theirs := simulate(outlets, days, tt.policy)
			got := simulate(outlets, days, ours(outlets, perDay(theirs.hits)))
			if got.hits > theirs.hits*1.03 {
				t.Errorf("polls a day = %.1f, want at most %.1f", got.hits, theirs.hits)
			}
			if gain := float64(theirs.mean) / float64(got.mean); gain < tt.gain {
				t.Errorf("mean delay = %v against %v, %.2f times, want %.2f", got.mean, theirs.mean, gain, tt.gain)
			}
		})
	}
}

// BenchmarkSchedule is the whole simulation: 1,200 feeds, 28 scored days. Each rule is followed by ours at as many polls.
func BenchmarkSchedule(b *testing.B) {
	const days = 35
	outlets := newOutlets(1200, days)
	for _, rule := range []struct {
		name   string
		policy func(*outlet, time.Time) time.Time
	}{
		{"fixed60", fixed(time.Hour)},
		{"fixed15", fixed(15 * time.Minute)},
		{"entryfrequency", entryFrequency},
	} {
		var theirs score
		b.Run(rule.name, func(b *testing.B) {
			for b.Loop() {
				theirs = simulate(outlets, days, rule.policy)
			}
			theirs.report(b)
		})
		b.Run(rule.name+"/ours", func(b *testing.B) {
			var s score
			for b.Loop() {
				s = simulate(outlets, days, ours(outlets, perDay(theirs.hits)))
			}
			s.report(b)
		})
	}
}

func (s score) report(b *testing.B) {
	b.ReportMetric(s.hits, "polls/feed/day")
	b.ReportMetric(s.mean.Minutes(), "mean-min")
	b.ReportMetric(s.p95.Minutes(), "p95-min")
	b.ReportMetric(100*s.lost, "%lost")
}

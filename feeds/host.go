package feeds

import (
	"container/heap"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"
)

// place is what politeness counts as one host (B30), the registrable domain of an address, its IP address, or the name where there is no
// more to know; and whether the address is a file or on this machine, where no manners are needed. A file: address has the key "".
func place(address string) (key string, local bool) {
	u, err := url.Parse(address)
	if err != nil {
		return "", false
	}
	name := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if u.Scheme == "file" {
		return "", true
	}
	if addr, err := netip.ParseAddr(name); err == nil {
		return name, addr.Unmap().IsLoopback()
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(name); err == nil {
		return domain, false
	}
	return name, name == "localhost"
}

// hostKey is the key of [place].
func hostKey(address string) string {
	key, _ := place(address)
	return key
}

// host is the key of the host that answers for a feed at the given address: where redirects led last time, if they did, so that feeds
// which share a hosting service wait for one another.
func (s *State) host(address string) (key string, local bool) {
	key, local = place(address)
	if s.From != "" && !local {
		return hostKey(s.From), false
	}
	return key, local
}

// job is one feed to poll.
type job struct {
	Due
	address string // to ask
	host    string // that answers
	local   bool   // no manners are needed
	lane    *lane
}

// lane holds the jobs of one host in order.
type lane struct {
	key   string
	local bool
	jobs  []*job
	ready time.Time // no start before
	seq   int       // position among lanes ready at one time
	busy  int       // jobs under way
	heap  int       // position in the queue's heap; -1 outside
}

// queue hands out jobs so that every host gets its turn: the lane that has been ready longest is served first, a lane of a foreign host
// only when its last job is done and its gap has passed. A queue is not safe for concurrent use.
type queue struct {
	all     []*lane
	lanes   laneHeap // those that may be served
	seq     int
	gap     time.Duration
	waiting int // jobs not handed out
}

// newQueue sorts jobs into lanes, keeping their order. started is when each host was last asked.
func newQueue(jobs []*job, gap time.Duration, started func(key string) time.Time) *queue {
	q := &queue{gap: gap, waiting: len(jobs)}
	lanes := make(map[string]*lane)
	for _, j := range jobs {
		l := lanes[j.host]
		if l == nil {
			l = &lane{key: j.host, local: j.local}
			if last := started(j.host); !j.local && !last.IsZero() {
				l.ready = last.Add(gap)
			}
			lanes[j.host] = l
			q.all = append(q.all, l)
			q.seq++
			l.seq = q.seq
			heap.Push(&q.lanes, l)
		}
		j.lane = l
		l.jobs = append(l.jobs, j)
	}
	return q
}

// take hands out the next job. If none is ready, wait is how long until one may be; 0 means that only a job under way can bring one.
func (q *queue) take(now time.Time) (j *job, wait time.Duration, ok bool) {
	if len(q.lanes) == 0 {
		return nil, 0, false
	}
	l := q.lanes[0]
	if wait := l.ready.Sub(now); wait > 0 {
		return nil, wait, false
	}
	j = l.jobs[0]
	l.jobs = l.jobs[1:]
	l.busy++
	q.waiting--
	q.seq++
	l.seq = q.seq
	if !l.local {
		l.ready = now.Add(q.gap + time.Duration(phase(j.Feed.ID, "gap")*float64(q.gap)))
	}
	if len(l.jobs) == 0 || !l.local {
		heap.Remove(&q.lanes, l.heap)
	} else {
		heap.Fix(&q.lanes, l.heap)
	}
	return j, 0, true
}

// done says that a job of the lane is over.
func (q *queue) done(l *lane) {
	l.busy--
	if len(l.jobs) > 0 && l.heap < 0 {
		heap.Push(&q.lanes, l)
	}
}

// drop takes the jobs that wait in a lane out of the queue.
func (q *queue) drop(l *lane) {
	q.waiting -= len(l.jobs)
	l.jobs = nil
	if l.heap >= 0 {
		heap.Remove(&q.lanes, l.heap)
	}
}

// dropAll empties every lane.
func (q *queue) dropAll() {
	for _, l := range q.all {
		q.drop(l)
	}
}

// dropForeign empties every lane that is not local.
func (q *queue) dropForeign() {
	for _, l := range q.all {
		if !l.local {
			q.drop(l)
		}
	}
}

// laneHeap orders lanes by readiness, then by turn.
type laneHeap []*lane

// Len implements [heap.Interface].
func (h laneHeap) Len() int { return len(h) }

// Less implements [heap.Interface].
func (h laneHeap) Less(i, j int) bool {
	if h[i].ready.Equal(h[j].ready) {
		return h[i].seq < h[j].seq
	}
	return h[i].ready.Before(h[j].ready)
}

// Swap implements [heap.Interface].
func (h laneHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].heap, h[j].heap = i, j
}

// Push implements [heap.Interface].
func (h *laneHeap) Push(x any) {
	l := x.(*lane)
	l.heap = len(*h)
	*h = append(*h, l)
}

// Pop implements [heap.Interface].
func (h *laneHeap) Pop() any {
	old := *h
	l := old[len(old)-1]
	old[len(old)-1] = nil
	l.heap = -1
	*h = old[:len(old)-1]
	return l
}

package metrics

import (
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Feed is what is told of one configured feed.
type Feed struct {
	Name       string    // its address, fit to be seen
	Failures   int       // in a row
	Conditions []string  // what is not well with it, from a fixed list
	Succeeded  time.Time // zero: never
	Next       time.Time // zero: at once
	Took       time.Duration
}

// Feeds replaces what is told of the feeds. Two that look alike are told apart by a number.
func (m *Metrics) Feeds(feeds []Feed) {
	if m == nil {
		return
	}
	seen := map[string]int{}
	for i := range feeds {
		name := strings.ToValidUTF8(feeds[i].Name, "?")
		feeds[i].Name = name
		if seen[name]++; seen[name] > 1 {
			feeds[i].Name = name + " #" + strconv.Itoa(seen[name])
		}
	}
	m.feeds.mu.Lock()
	defer m.feeds.mu.Unlock()
	m.feeds.feeds = feeds
}

// feedCollector tells of each feed as it was after the last sweep. A feed that is no longer configured is no longer told of.
type feedCollector struct {
	configured, failing, failures, condition, succeeded, next, took *prometheus.Desc

	mu    sync.Mutex // guards feeds
	feeds []Feed     // replaced, never changed
}

func newFeedCollector() *feedCollector {
	each := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, append([]string{"feed"}, labels...), nil)
	}
	return &feedCollector{
		configured: prometheus.NewDesc("sheaf_feeds", "Configured feeds.", nil, nil),
		failing:    prometheus.NewDesc("sheaf_feeds_failing", "Feeds whose last poll failed.", nil, nil),
		failures:   each("sheaf_feed_failures", "Failed polls in a row."),
		condition:  each("sheaf_feed_condition", "1 for each way in which the feed is not well.", "condition"),
		succeeded:  each("sheaf_feed_last_success_timestamp_seconds", "When the feed was last read; absent if never."),
		next:       each("sheaf_feed_next_poll_timestamp_seconds", "When the feed is due again."),
		took:       each("sheaf_feed_fetch_seconds", "Time the last fetch took."),
	}
}

// Describe implements [prometheus.Collector].
func (c *feedCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.configured, c.failing, c.failures, c.condition, c.succeeded, c.next, c.took} {
		ch <- d
	}
}

// Collect implements [prometheus.Collector].
func (c *feedCollector) Collect(ch chan<- prometheus.Metric) {
	c.mu.Lock()
	feeds := c.feeds
	c.mu.Unlock()
	tell := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	failing := 0
	for i := range feeds {
		f := &feeds[i]
		if f.Failures > 0 {
			failing++
		}
		tell(c.failures, float64(f.Failures), f.Name)
		for _, condition := range f.Conditions {
			tell(c.condition, 1, f.Name, condition)
		}
		if !f.Succeeded.IsZero() {
			tell(c.succeeded, seconds(f.Succeeded), f.Name)
		}
		if !f.Next.IsZero() {
			tell(c.next, seconds(f.Next), f.Name)
		}
		tell(c.took, f.Took.Seconds(), f.Name)
	}
	tell(c.configured, float64(len(feeds)))
	tell(c.failing, float64(failing))
}

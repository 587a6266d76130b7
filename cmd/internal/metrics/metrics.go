// Package metrics counts what the program does, for Prometheus. The labels have a bounded number of values: feeds and channels that are
// configured, and words from fixed lists.
package metrics

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// The results of a sweep.
const (
	SweepDone     = "done"
	SweepFailed   = "failed"
	SweepStopped  = "stopped"
	SweepPanicked = "panicked"
)

// The stages of a sweep.
const (
	StagePoll    = "poll"
	StageGroup   = "group"
	StagePublish = "publish"
)

// The results of a fetch, and of the delivery of a message.
const (
	FetchNew       = "new"
	FetchUnchanged = "unchanged"
	FetchFailed    = "failed"

	MessageSent    = "sent"
	MessageFailed  = "failed"
	MessageGivenUp = "given_up"
)

// Metrics holds the counts of one process. Its methods may be called from any goroutine; those of a nil Metrics do nothing.
type Metrics struct {
	registry *prometheus.Registry
	feeds    *feedCollector

	sweeps      *prometheus.CounterVec
	sweepTime   prometheus.Histogram
	swept       prometheus.Gauge
	stages      *prometheus.HistogramVec
	fetches     *prometheus.CounterVec
	failures    *prometheus.CounterVec
	fetchTime   prometheus.Histogram
	newArticles prometheus.Counter
	articles    prometheus.Gauge
	stories     prometheus.Gauge
	messages    *prometheus.CounterVec
	channels    *prometheus.GaugeVec
	published   *prometheus.CounterVec
	requests    *prometheus.CounterVec
	answerTime  prometheus.Histogram
	limited     prometheus.Counter
	steps       prometheus.Counter
	reloads     *prometheus.CounterVec
	reloaded    prometheus.Gauge
	reloadOK    prometheus.Gauge
}

// New returns metrics of their own, with those of the Go runtime and of the process.
func New(version string) *Metrics {
	r := prometheus.NewRegistry()
	m := &Metrics{registry: r, feeds: newFeedCollector()}
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), m.feeds)
	m.work(factory{r})
	m.serving(factory{r})
	build := factory{r}.gauges("sheaf_build_info", "Version of the program, as a label; always 1.", "version")
	build.WithLabelValues(version).Set(1)
	return m
}

// work makes what is told of sweeps.
func (m *Metrics) work(f factory) {
	m.sweeps = f.counters("sheaf_sweeps_total", "Sweeps by how they ended.", "result")
	m.sweepTime = f.histogram("sheaf_sweep_duration_seconds", "Time a sweep took.", prometheus.ExponentialBuckets(0.1, 3, 8))
	m.swept = f.gauge("sheaf_sweep_last_done_timestamp_seconds", "When a sweep was last done.")
	m.stages = f.histograms("sheaf_stage_duration_seconds", "Time a stage of a sweep took.", prometheus.ExponentialBuckets(0.01, 4, 8), "stage")
	m.fetches = f.counters("sheaf_fetches_total", "Polls of feeds by what came of them.", "result")
	m.failures = f.counters("sheaf_fetch_failures_total", "Failed polls by class of failure; parse: the document is no feed.", "code")
	m.fetchTime = f.histogram("sheaf_fetch_duration_seconds", "Time a fetch took, waiting for the host's turn left out.", prometheus.ExponentialBuckets(0.02, 2.5, 9))
	m.newArticles = f.counter("sheaf_new_articles_total", "Articles that came in.")
	m.articles = f.gauge("sheaf_articles", "Articles stored.")
	m.stories = f.gauge("sheaf_stories", "Stories stored.")
	m.messages = f.counters("sheaf_messages_total", "Attempts to tell receivers of new items, by what came of them.", "result")
	m.channels = f.gauges("sheaf_channel_stories", "Stories in a channel's memory.", "channel")
	m.published = f.counters("sheaf_published_files_total", "Files written because they changed.", "channel")
	m.steps = f.counter("sheaf_clock_steps_total", "Leaps of the wall clock: sleep, or somebody set it.")
	m.reloads = f.counters("sheaf_config_reloads_total", "Attempts to take over a changed configuration, by result.", "result")
	m.reloaded = f.gauge("sheaf_config_last_reload_timestamp_seconds", "When the present configuration was taken over.")
	m.reloadOK = f.gauge("sheaf_config_last_reload_successful", "Whether the last attempt to read the configuration succeeded.")
	for _, result := range []string{SweepDone, SweepFailed, SweepStopped, SweepPanicked} {
		m.sweeps.WithLabelValues(result)
	}
	for _, result := range []string{FetchNew, FetchUnchanged, FetchFailed} {
		m.fetches.WithLabelValues(result)
	}
	for _, result := range []string{MessageSent, MessageFailed, MessageGivenUp} {
		m.messages.WithLabelValues(result)
	}
}

// serving makes what is told of the public server.
func (m *Metrics) serving(f factory) {
	m.requests = f.counters("sheaf_http_requests_total", "Answers of the public server by status code.", "code")
	m.answerTime = f.histogram("sheaf_http_request_duration_seconds", "Time an answer took.", prometheus.ExponentialBuckets(0.0005, 4, 8))
	m.limited = f.counter("sheaf_http_limited_total", "Requests refused because their client asked too often.")
}

// Handler serves the metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry, MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
}

// Swept counts a sweep.
func (m *Metrics) Swept(result string, took time.Duration, now time.Time) {
	if m == nil {
		return
	}
	m.sweeps.WithLabelValues(result).Inc()
	if result == SweepDone {
		m.sweepTime.Observe(took.Seconds())
		m.swept.Set(seconds(now))
	}
}

// Stage counts a stage of a sweep.
func (m *Metrics) Stage(stage string, took time.Duration) {
	if m != nil {
		m.stages.WithLabelValues(stage).Observe(took.Seconds())
	}
}

// Fetched counts the poll of a feed. code is the class of a failure, of a fixed list; took is 0 for what needed no request.
func (m *Metrics) Fetched(result, code string, took time.Duration) {
	if m == nil {
		return
	}
	m.fetches.WithLabelValues(result).Inc()
	if result == FetchFailed {
		m.failures.WithLabelValues(code).Inc()
	}
	if took > 0 {
		m.fetchTime.Observe(took.Seconds())
	}
}

// Stored notes what a sweep brought and what is there.
func (m *Metrics) Stored(fresh, articles, stories int) {
	if m == nil {
		return
	}
	m.newArticles.Add(float64(max(fresh, 0)))
	m.articles.Set(float64(articles))
	m.stories.Set(float64(stories))
}

// Published notes what a channel holds and how many of its files were written.
func (m *Metrics) Published(channel string, stories, written int) {
	if m == nil {
		return
	}
	m.channels.WithLabelValues(channel).Set(float64(stories))
	m.published.WithLabelValues(channel).Add(float64(written))
}

// Message counts an attempt to deliver a message.
func (m *Metrics) Message(result string) {
	if m != nil {
		m.messages.WithLabelValues(result).Inc()
	}
}

// Limited counts a request that was refused for coming too often.
func (m *Metrics) Limited() {
	if m != nil {
		m.limited.Inc()
	}
}

// Stepped counts a leap of the clock.
func (m *Metrics) Stepped() {
	if m != nil {
		m.steps.Inc()
	}
}

// Reloaded notes whether a configuration was taken over. The channels it names are the ones still told of.
func (m *Metrics) Reloaded(ok bool, channels []string, now time.Time) {
	if m == nil {
		return
	}
	if !ok {
		m.reloads.WithLabelValues("refused").Inc()
		m.reloadOK.Set(0)
		return
	}
	m.reloads.WithLabelValues("done").Inc()
	m.reloadOK.Set(1)
	m.reloaded.Set(seconds(now))
	m.channels.Reset()
	for _, c := range channels {
		m.channels.WithLabelValues(c)
	}
}

// Answers counts what a handler answers.
func (m *Metrics) Answers(next http.Handler) http.Handler {
	if m == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		c := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			m.requests.WithLabelValues(strconv.Itoa(c.status)).Inc()
			m.answerTime.Observe(time.Since(start).Seconds())
		}()
		next.ServeHTTP(c, r)
	})
}

// statusWriter remembers the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements [http.ResponseWriter].
func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets [http.ResponseController] through.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

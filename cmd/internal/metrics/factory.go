package metrics

import "github.com/prometheus/client_golang/prometheus"

// factory makes metrics in a registry. A name that is there already is a fault in the program.
type factory struct{ registry *prometheus.Registry }

func made[C prometheus.Collector](f factory, c C) C {
	f.registry.MustRegister(c)
	return c
}

func (f factory) counter(name, help string) prometheus.Counter {
	return made(f, prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help}))
}

func (f factory) counters(name, help, label string) *prometheus.CounterVec {
	return made(f, prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{label}))
}

func (f factory) gauge(name, help string) prometheus.Gauge {
	return made(f, prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help}))
}

func (f factory) gauges(name, help, label string) *prometheus.GaugeVec {
	return made(f, prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, []string{label}))
}

func (f factory) histogram(name, help string, buckets []float64) prometheus.Histogram {
	return made(f, prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}))
}

func (f factory) histograms(name, help string, buckets []float64, label string) *prometheus.HistogramVec {
	return made(f, prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, []string{label}))
}

// Watch registers values that are asked for whenever the metrics are read. It is called once.
func (m *Metrics) Watch(w Watched) {
	f := func(name, help string, value func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
	}
	f("sheaf_offline", "Whether polling is paused because hardly any host can be reached.", func() float64 {
		if w.Offline() {
			return 1
		}
		return 0
	})
	f("sheaf_fetches_in_flight", "Feeds being asked right now.", func() float64 { return float64(w.InFlight()) })
	f("sheaf_http_connections", "Connections to the public server.", func() float64 { return float64(w.Connections()) })
	f("sheaf_database_bytes", "Size of the database.", func() float64 { return float64(w.DatabaseBytes()) })
}

// Watched are values that somebody else keeps. All are required, and are called from many goroutines.
type Watched struct {
	Offline       func() bool
	InFlight      func() int
	Connections   func() int
	DatabaseBytes func() int64
}

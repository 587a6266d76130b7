package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/pprof"
	"os"
	"path/filepath"
	"time"

	"sheaf/cmd/internal/metrics"
)

const (
	loopIdle   = 30 * time.Second // longest that the schedule may stand still: it turns every 20
	answerTime = 5 * time.Second  // longest that the database may take for a small question
)

// alive says what keeps the process from being called alive: its schedule has stopped turning, its database does not answer, or a fetch
// outlives every limit. nil means that it lives.
func (d *daemon) alive(ctx context.Context) error {
	var faults []error
	if idle := d.loop.Idle(); idle > loopIdle {
		faults = append(faults, fmt.Errorf("the schedule has stood still for %v", idle.Round(time.Second)))
	}
	if _, oldest := d.poller.InFlight(); oldest > 2*d.poller.Timeout() {
		faults = append(faults, fmt.Errorf("a fetch has been under way for %v", oldest.Round(time.Second)))
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	if _, err := d.store.Applied(ctx); err != nil {
		faults = append(faults, fmt.Errorf("the database does not answer: %w", err))
	}
	return errors.Join(faults...)
}

// tellAlive keeps the service manager's watchdog from biting while the process is alive, until ctx ends.
func (d *daemon) tellAlive(ctx context.Context) {
	if d.Watchdog == 0 {
		return
	}
	ticker := time.NewTicker(d.Watchdog / 2)
	defer ticker.Stop()
	well := true
	for {
		err := d.alive(ctx)
		switch {
		case err == nil:
			d.Manager.Alive()
		case well && ctx.Err() == nil:
			d.log.Error("not alive: the watchdog is not told", "err", err)
		}
		well = err == nil
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// watch lets the metrics ask for what changes between sweeps.
func (d *daemon) watch() {
	if d.metrics == nil {
		return
	}
	database := filepath.Join(d.config.State, databaseName)
	d.metrics.Watch(metrics.Watched{
		Offline:  d.poller.Offline,
		InFlight: func() int { n, _ := d.poller.InFlight(); return n },
		Connections: func() (n int) {
			for _, l := range d.public {
				n += l.Open()
			}
			return n
		},
		DatabaseBytes: func() int64 { return sizeOf(database) },
	})
}

// sizeOf is the size of a database file with its log; 0 for what is not there.
func sizeOf(path string) (size int64) {
	for _, name := range []string{path, path + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			size += info.Size()
		}
	}
	return size
}

// adminHandler answers those who watch: /healthz while the process is alive, /readyz while it takes work, /metrics, /debug/pprof/.
func (d *daemon) adminHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) { tell(w, d.alive(r.Context())) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) { tell(w, d.ready(r.Context())) })
	if d.metrics != nil {
		mux.Handle("GET /metrics", d.metrics.Handler())
	}
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}

// ready says why the process should be sent no requests; nil: it may.
func (d *daemon) ready(ctx context.Context) error {
	switch d.stage.Load() {
	case stageStarting:
		return errors.New("starting")
	case stageStopping:
		return errors.New("stopping")
	}
	return d.alive(ctx)
}

// tell answers 200, or 503 with what is wrong.
func tell(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintln(w, err)
		return
	}
	fmt.Fprintln(w, "ok")
}

package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sheaf/cmd/internal/config"
	"sheaf/cmd/internal/metrics"
	"sheaf/cmd/internal/schedule"
	"sheaf/cmd/internal/systemd"
	"sheaf/output"
)

// manager is a service manager that remembers what it was told.
type manager struct {
	*systemd.Notifier
	mu   sync.Mutex
	told []string
	news chan struct{}
}

func newManager(t *testing.T) *manager {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	m := &manager{news: make(chan struct{}, 1)}
	if m.Notifier, err = systemd.NewNotifier(func(string) string { return path }); err != nil {
		t.Fatal(err)
	}
	var reading sync.WaitGroup
	reading.Go(func() {
		b := make([]byte, 4096)
		for {
			n, err := conn.Read(b)
			if err != nil {
				return
			}
			m.hear(string(b[:n]))
		}
	})
	t.Cleanup(func() {
		if err := errors.Join(m.Close(), conn.Close()); err != nil {
			t.Error(err)
		}
		reading.Wait()
	})
	return m
}

func (m *manager) hear(message string) {
	m.mu.Lock()
	m.told = append(m.told, message)
	m.mu.Unlock()
	select {
	case m.news <- struct{}{}:
	default:
	}
}

// await waits until a message that begins with each of the given was told n times.
func (m *manager) await(t *testing.T, begin string, n int) {
	t.Helper()
	limit := time.After(30 * time.Second)
	for m.count(begin) < n {
		select {
		case <-m.news:
		case <-limit:
			t.Fatalf("not told %q %d times, only %q", begin, n, slices.DeleteFunc(m.all(), func(s string) bool { return s == "WATCHDOG=1" }))
		}
	}
}

func (m *manager) count(begin string) (n int) {
	for _, s := range m.all() {
		if strings.HasPrefix(s, begin) {
			n++
		}
	}
	return n
}

func (m *manager) all() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.told)
}

// service is a daemon under a service manager.
type service struct {
	*App
	manager *manager
	log     *record
	hangup  chan os.Signal
	next    atomic.Pointer[string] // the configuration as it is now
	path    string
	stop    func() error
}

// startService runs the daemon of a configuration. The text may be exchanged.
func startService(t *testing.T, text string, o Options) *service {
	t.Helper()
	s := &service{manager: newManager(t), log: &record{}, hangup: make(chan os.Signal, 1), path: filepath.Join(t.TempDir(), "config.yaml")}
	s.next.Store(&text)
	c, err := s.load()
	if err != nil {
		t.Fatal(err)
	}
	o.Log, o.Metrics = slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})), metrics.New("test")
	if s.App, err = Open(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- s.Run(ctx, Daemon{Hangup: s.hangup, Load: s.load, Manager: s.manager.Notifier, Watchdog: 100 * time.Millisecond})
	}()
	s.stop = sync.OnceValue(func() error {
		cancel()
		return errors.Join(<-ended, s.Close())
	})
	t.Cleanup(func() { _ = s.stop() })
	return s
}

func (s *service) load() (*config.Config, error) {
	return config.Parse(s.path, []byte(*s.next.Load()), config.Overrides{})
}

// reload exchanges the configuration and waits until the daemon has looked at it.
func (s *service) reload(t *testing.T, text string) {
	t.Helper()
	ready := s.manager.count("READY=1")
	s.next.Store(&text)
	s.hangup <- os.Interrupt
	s.manager.await(t, "READY=1", ready+1)
}

// F45: the service manager hears in this order what happens, and nothing after the end.
func TestToldInOrder(t *testing.T) {
	s := startService(t, "listen: ''\nfeeds: [{url: 'file:none.rss'}]", Options{})
	s.manager.await(t, "READY=1", 1)
	s.manager.await(t, "WATCHDOG=1", 2)
	s.manager.await(t, "STATUS=1 feeds, 1 failing", 1)
	s.reload(t, "listen: ''\nfeeds: [{url: 'file:none.rss'}, {url: 'file:other.rss'}]")
	s.manager.await(t, "STATUS=2 feeds", 1)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	s.manager.await(t, "STOPPING=1", 1)
	var order []string
	for _, m := range s.manager.all() {
		if first, _, _ := strings.Cut(m, "="); first != "STATUS" && (first != "WATCHDOG") {
			order = append(order, first)
		}
	}
	if want := []string{"READY", "RELOADING", "READY", "STOPPING"}; !slices.Equal(order, want) {
		t.Errorf("told %v, want %v", order, want)
	}
}

// F45: the watchdog is told nothing while the schedule stands still, and the health check says so.
func TestBlockedIsNotAlive(t *testing.T) {
	s := startService(t, "listen: ''\nfeeds: [{url: 'file:none.rss'}]", Options{})
	s.manager.await(t, "WATCHDOG=1", 1)
	if err := s.store.Close(); err != nil { // no answer from the database
		t.Fatal(err)
	}
	limit := time.Now().Add(30 * time.Second)
	for s.log.count("not alive") == 0 {
		if time.Now().After(limit) {
			t.Fatal("nothing was said of a database that does not answer")
		}
		time.Sleep(time.Millisecond)
	}
	told := s.manager.count("WATCHDOG=1")
	time.Sleep(200 * time.Millisecond)
	if got := s.manager.count("WATCHDOG=1"); got > told+1 {
		t.Errorf("the watchdog was told %d times more", got-told)
	}
	if got := s.log.count("not alive"); got != 1 {
		t.Errorf("logged %d times, want once", got)
	}
}

// F44: a hundred broken configurations change nothing, and each is told of with its fault.
func TestBrokenReloads(t *testing.T) {
	var asked atomic.Int32
	outlet := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.Header().Set("Cache-Control", "max-age=3600")
		fmt.Fprint(w, rss(item(1, "Ferry hits bridge")))
	}))
	defer outlet.Close()
	address := unused(t)
	good := "listen: " + address + "\nchannels: [{name: stories, settle: '0'}]\nfeeds: [{url: '" + outlet.URL + "'}]\n"
	s := startService(t, good, Options{})
	s.manager.await(t, "STATUS=1 feeds, 0 failing", 1)
	broken := []string{
		"feeds: [", "feedz: []", "listen: 8080", "schedule: often", "grouping: {model: none.json}",
		"channels: [{name: Stories}]", "fetch: {timeout: 1ms}", "" /* no fault */, "admin: {listen: '0.0.0.0:1'}", "trusted_proxies: [x]",
	}
	for i := range 100 {
		s.reload(t, good+broken[i%len(broken)])
		if i%10 != 0 { // more would be too many of one client
			continue
		}
		if body := getString(t, "http://"+address+"/stories.atom"); !strings.Contains(body, "Ferry hits bridge") {
			t.Fatalf("after reload %d the channel is not served", i)
		}
	}
	if refused, done := s.log.count("configuration not taken over"), s.log.count("configuration taken over"); refused != 90 || done != 10 {
		t.Errorf("%d refused, %d taken over; want 90 and 10", refused, done)
	}
	if got := s.log.count("feedz"); got != 10 {
		t.Errorf("the unknown key is named %d times, want 10", got)
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("the outlet was asked %d times, want once: it said an hour", n)
	}
}

// What may change in place does; what may not is said, and stays.
func TestReload(t *testing.T) {
	dir := t.TempDir()
	for i, title := range []string{"Ferry hits bridge", "Rates rise in Calvoria"} {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.rss", i)), []byte(rss(item(i+1, title))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	address := unused(t)
	text := "listen: " + address + "\nchannels: [{name: stories, settle: '0'}]\nfeeds:\n- url: 'file:" + filepath.Join(dir, "0.rss") + "'\n"
	s := startService(t, text, Options{})
	s.manager.await(t, "STATUS=1 feeds", 1)
	s.reload(t, strings.Replace(text, address, "127.0.0.1:1", 1)+"- url: 'file:"+filepath.Join(dir, "1.rss")+"'\n")
	s.manager.await(t, "STATUS=2 feeds, 0 failing, 2 stories", 1)
	if body := getString(t, "http://"+address+"/stories.atom"); !strings.Contains(body, "Rates rise") {
		t.Errorf("the new feed is not in the channel:\n%s", body)
	}
	if s.log.count("changed key needs a restart\" key=listen") != 1 {
		t.Error("nothing was said of the address that cannot change")
	}
	s.reload(t, strings.Replace(text, "name: stories", "name: other", 1))
	s.manager.await(t, "STATUS=1 feeds", 2)
	if body := getString(t, "http://"+address+"/other.atom"); !strings.Contains(body, "Ferry hits bridge") {
		t.Errorf("the new channel is not served:\n%s", body)
	}
	if body := getString(t, "http://"+address+"/stories.atom"); strings.Contains(body, "Ferry") {
		t.Error("the channel that was removed is still served")
	}
}

// F44: told to end in the middle of a fetch, the daemon gives it its time, publishes what came in, and is gone within 20 seconds.
func TestStopInMidFetch(t *testing.T) {
	asked := make(chan struct{}, 1)
	outlet := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/quick" {
			fmt.Fprint(w, rss(item(1, "Ferry hits bridge")))
			return
		}
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer outlet.Close()
	s := startService(t, "listen: ''\nchannels: [{name: stories, settle: '0'}]\nfeeds: [{url: '"+outlet.URL+"/quick'}, {url: '"+outlet.URL+"/hangs'}]", Options{})
	<-asked
	began := time.Now()
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 20*time.Second || took < 5*time.Second {
		t.Errorf("gone after %v, want the grace of 10 s and less than 20", took)
	}
	if data, err := os.ReadFile(filepath.Join(s.config.Publish.Dir, "stories.atom")); err != nil || !strings.Contains(string(data), "Ferry hits bridge") {
		t.Errorf("what came in was not published: %v", err)
	}
}

// F43: a fault of ours in a sweep, the first one included, ends neither the daemon nor its schedule.
func TestPanickingSweeps(t *testing.T) {
	var sweeps atomic.Int32
	dir := t.TempDir()
	feed := filepath.Join(dir, "feed.rss")
	if err := os.WriteFile(feed, []byte(rss(item(1, "Ferry hits bridge"))), 0o644); err != nil {
		t.Fatal(err)
	}
	o := Options{Progress: func(p Progress) {
		if p.Phase == "publish" && sweeps.Add(1) <= 3 {
			panic("a fault of ours")
		}
	}}
	s := startService(t, "listen: ''\nchannels: [{name: stories, settle: '0'}]\nfeeds: [{url: 'file:"+feed+"'}]", o)
	s.manager.await(t, "READY=1", 1)
	for death := range 3 {
		s.manager.await(t, "STATUS=the last sweep died", death+1)
		s.reload(t, *s.next.Load()) // and with it another sweep
	}
	s.manager.await(t, "STATUS=1 feeds, 0 failing, 1 stories", 1)
	if got := s.log.count("a fault of ours"); got != 3 {
		t.Errorf("%d panics logged, want 3", got)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
}

// getString fetches a page, whatever its status.
func getString(t *testing.T, address string) string {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	return bodyOf(t, r)
}

// F45: a schedule that stands still is not alive, whatever else works.
func TestStandstillIsNotAlive(t *testing.T) {
	a := open(t, settings(t, "", "file:none.rss"), Options{})
	s, err := schedule.Parse("@hourly", "")
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		d := &daemon{App: a, loop: schedule.NewLoop(s, schedule.Options{})}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			d.loop.Run(ctx, func() time.Time { return time.Time{} })
		}()
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if idle := d.loop.Idle(); idle > loopIdle {
			t.Errorf("a schedule that turns has been idle for %v", idle)
		}
		cancel()
		<-ended
		time.Sleep(loopIdle + time.Second)
		if idle := d.loop.Idle(); idle <= loopIdle {
			t.Errorf("one that stands still has been idle for %v only", idle)
		}
	})
	d := &daemon{App: a, loop: schedule.NewLoop(s, schedule.Options{})}
	if err := d.alive(t.Context()); err != nil {
		t.Errorf("alive at first: %v", err)
	}
	d.loop = &schedule.Loop{} // stands still since the beginning of time
	if err := d.alive(t.Context()); err == nil || !strings.Contains(err.Error(), "stood still") {
		t.Errorf("alive = %v, want that the schedule stands still", err)
	}
}

// What the daemon does besides sweeping survives its own faults, too.
func TestKeepOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &record{}
		d := &daemon{App: &App{log: slog.New(slog.NewTextHandler(log, nil))}}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute+time.Second)
		defer cancel()
		began := 0
		d.keepOn(ctx, "try", func(ctx context.Context) {
			if began++; began < 3 {
				panic("a fault of ours")
			}
			<-ctx.Done()
		})
		if began != 3 || log.count("daemon_test.go") == 0 || log.count("a fault of ours") != 2 {
			t.Errorf("begun %d times, log %s; want 3 times, two faults with their place", began, log.b.String())
		}
	})
}

// A digest that a wrong clock dated years ahead does not keep others back.
func TestLastDigest(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	memory := []output.Emission{{Published: now.Add(-24 * time.Hour)}, {Published: now.AddDate(10, 0, 0)}}
	if got := lastDigest(memory, now); !got.Equal(now.Add(-24 * time.Hour)) {
		t.Errorf("lastDigest = %v, want yesterday", got)
	}
}

// A clock that runs years ahead empties no store.
func TestExpireByWrongClock(t *testing.T) {
	var skew atomic.Int64
	feed := filepath.Join(t.TempDir(), "feed.rss")
	if err := os.WriteFile(feed, []byte(rss(item(1, "Ferry hits bridge"))), 0o644); err != nil {
		t.Fatal(err)
	}
	a := open(t, settings(t, "", "file:"+feed), Options{Now: func() time.Time {
		return time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC).Add(time.Duration(skew.Load()))
	}})
	sweep(t, a)
	skew.Store(int64(10 * 365 * 24 * time.Hour))
	if r := sweep(t, a); r.Articles.Stored != 1 {
		t.Errorf("%d articles are left, want the one", r.Articles.Stored)
	}
	totals, err := a.store.Totals(t.Context())
	if err != nil || totals.Articles != 1 {
		t.Errorf("%d articles are left after expiry, %v; want the one", totals.Articles, err)
	}
}

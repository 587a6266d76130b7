package main

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sheaf/cmd/internal/app"
)

// faults asks for as many faults as the specification names; without it some must do.
var faults = flag.Bool("faults", false, "try every fault, which takes some minutes")

// outlets serves the bundled feeds and counts requests.
type outlets struct {
	files http.Handler
	mu    sync.Mutex
	hits  map[string]int // by path
}

// ServeHTTP implements [http.Handler].
func (o *outlets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	o.hits[r.URL.Path]++
	o.mu.Unlock()
	o.files.ServeHTTP(w, r)
}

// forget starts counting anew and gives the largest count until now.
func (o *outlets) forget() (most int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, n := range o.hits {
		most = max(most, n)
	}
	o.hits = map[string]int{}
	return most
}

// serveOutlets serves on an address of this machine that is not its loopback, if there is one: feeds there are polled with all manners.
func serveOutlets(t *testing.T) (o *outlets, url string, manners bool) {
	t.Helper()
	host := "127.0.0.1"
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && !ip.IP.IsLoopback() && !ip.IP.IsLinkLocalUnicast() {
			host, manners = ip.IP.String(), true
		}
	}
	if !manners && os.Getenv("CI") == "true" {
		t.Fatal("this machine has only its loopback address, where manners do not count")
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	o = &outlets{files: http.FileServer(http.Dir("../../examples")), hits: map[string]int{}}
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: o, ReadHeaderTimeout: time.Minute}}
	server.Start()
	t.Cleanup(server.Close)
	return o, server.URL, manners
}

// installation is a configuration that polls the bundled feeds of a server, with its own state and documents.
type installation struct{ dir, config string }

func install(t *testing.T, server string) installation {
	t.Helper()
	dir := t.TempDir()
	in := installation{dir, filepath.Join(dir, "config.yaml")}
	text := "fetch: {host_gap: 1ms}\nfeeds:\n"
	for _, name := range []string{
		"halden-courier.rss", "selwick-examiner.rss", "radio-carrow.rss", "brackwater-free-press.rss",
		"coastline-today.atom", "tarn-valley-gazette.atom", "dunmere-daily.json", "ledger-and-quay.json",
	} {
		text += fmt.Sprintf("- url: %s/%s\n", server, name)
	}
	if err := os.WriteFile(in.config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return in
}

// once is a process that does a sweep.
func (in installation) once(t *testing.T) *exec.Cmd {
	return program(t, "once", "--quiet", "--config", in.config)
}

// pass lets the time go by until every feed is due again.
func (in installation) pass(t *testing.T) {
	t.Helper()
	path := filepath.Join(in.dir, "var", "sheaf.db")
	if _, err := os.Stat(path); err != nil {
		return
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `UPDATE feed SET next_due = 0`); err != nil && !strings.Contains(err.Error(), "no such table") {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// Killed at random moments of a sweep (F37): what stands in the folder is never torn, the next run asks no outlet again before it is due,
// and once the feeds are due it publishes byte for byte what an undisturbed run would have.
func TestKill(t *testing.T) {
	points := 12
	if *faults {
		points = 100
	}
	for seed := range uint64(2) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			killAt(t, points, rand.New(rand.NewPCG(seed, 37)))
		})
	}
}

func killAt(t *testing.T, points int, random *rand.Rand) {
	o, server, manners := serveOutlets(t)
	undisturbed := install(t, server)
	start := time.Now()
	if code, out := exitCode(t, undisturbed.once(t)); code != 0 {
		t.Fatalf("undisturbed run: exit %d\n%s", code, out)
	}
	whole := time.Since(start)
	if hits := o.forget(); hits != 1 {
		t.Fatalf("undisturbed, a feed was asked for %d times", hits)
	}
	want := published(t, filepath.Join(undisturbed.dir, "public"))
	for i := range points {
		in := install(t, server)
		killOnce(t, in, whole/8+time.Duration(random.Int64N(int64(whole))))
		mustNotBeTorn(t, in, want)
		if i%4 == 0 {
			if code, out := exitCode(t, in.once(t)); code != 0 {
				t.Errorf("run right after kill %d: exit %d\n%s", i, code, out)
			}
			if hits := o.forget(); hits > 1 && manners {
				t.Errorf("around kill %d a feed was asked for %d times before it was due", i, hits)
			}
			continue // part of the feeds came in later, which may make other stories
		}
		in.pass(t)
		if code, out := exitCode(t, in.once(t)); code != 0 {
			t.Errorf("run after kill %d: exit %d\n%s", i, code, out)
		}
		for suffix, got := range published(t, filepath.Join(in.dir, "public")) {
			if got != want[suffix] {
				t.Errorf("after kill %d, stories%s differs from the undisturbed run's", i, suffix)
			}
		}
		leftovers, err := filepath.Glob(filepath.Join(in.dir, "public", ".*"))
		if err != nil || len(leftovers) > 0 {
			t.Errorf("after kill %d, left over: %v %v", i, leftovers, err)
		}
		o.forget()
	}
}

// killOnce starts a sweep and kills it after a while, or sooner if it would end before.
func killOnce(t *testing.T, in installation, after time.Duration) {
	t.Helper()
	c := in.once(t)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { _ = c.Process.Kill() }) // fails if it has ended
	defer timer.Stop()
	var exit *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
}

// mustNotBeTorn compares what a killed run has published, if anything, with the only documents it could.
func mustNotBeTorn(t *testing.T, in installation, want map[string]string) {
	t.Helper()
	for suffix, whole := range want {
		data, err := os.ReadFile(filepath.Join(in.dir, "public", "stories"+suffix))
		if err == nil && string(data) != whole {
			t.Errorf("stories%s is torn: %d bytes of %d", suffix, len(data), len(whole))
		}
	}
}

// While one instance holds the state directory, another ends at once, says who holds it, and touches nothing: a daemon as a one-shot.
func TestTwoAtOnce(t *testing.T) {
	times := 6
	if *faults {
		times = 50
	}
	dir := t.TempDir()
	state := filepath.Join(dir, "var")
	lock, err := app.TakeLock(state, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--config", "../../config.yaml", "--state", state, "--publish", filepath.Join(dir, "public")}
	for i := range times {
		command := []string{"once", "run"}[i%2]
		code, out := exitCode(t, program(t, append([]string{command}, args...)...))
		if code != exitLocked || !strings.Contains(out, "is locked by process ") {
			t.Errorf("second instance, sheaf %s: exit %d, want %d and the holder named\n%s", command, code, exitLocked, out)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "public")); err == nil {
		t.Error("the second instance published")
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if code, out := exitCode(t, program(t, append([]string{"once"}, args...)...)); code != 0 {
		t.Errorf("after the first ended: exit %d\n%s", code, out)
	}
}

// Of several started together exactly one works at a time: each ends with 0 or 75, and at least one with 0.
func TestManyAtOnce(t *testing.T) {
	rounds := 1
	if *faults {
		rounds = 10
	}
	for range rounds {
		dir := t.TempDir()
		args := []string{"once", "--config", "../../config.yaml", "--state", filepath.Join(dir, "var"), "--publish", filepath.Join(dir, "public")}
		var all []*exec.Cmd
		for range 5 {
			c := program(t, args...)
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			all = append(all, c)
		}
		worked := 0
		for _, c := range all {
			if err := c.Wait(); err == nil {
				worked++
			} else if got := c.ProcessState.ExitCode(); got != exitLocked {
				t.Errorf("exit %d, want 0 or %d", got, exitLocked)
			}
		}
		if worked == 0 {
			t.Error("none of five worked")
		}
	}
}

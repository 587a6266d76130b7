package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sheaf/cmd/internal/app"
)

// program prepares a real process of this program.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], args...)
	c.Env = append(os.Environ(), asProgram+"=1")
	return c
}

// exitCode runs a process to its end.
func exitCode(t *testing.T, c *exec.Cmd) (code int, output string) {
	t.Helper()
	var b bytes.Buffer
	c.Stdout, c.Stderr = &b, &b
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), b.String()
}

// published reads the channel documents of a directory.
func published(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, suffix := range []string{".rss", ".atom", ".json"} {
		data, err := os.ReadFile(filepath.Join(dir, "stories"+suffix))
		if err != nil {
			t.Fatal(err)
		}
		files[suffix] = string(data)
	}
	return files
}

// Killed at twenty points of a sweep, the next run publishes what an undisturbed one would have: nothing lost, nothing doubled.
func TestKill(t *testing.T) {
	const points = 20
	undisturbed := t.TempDir()
	start := time.Now()
	if code, out := exitCode(t, program(t, "once", "--config", "../../config.yaml", "--state", filepath.Join(undisturbed, "var"), "--publish", undisturbed)); code != 0 {
		t.Fatalf("undisturbed run: exit %d\n%s", code, out)
	}
	whole := time.Since(start)
	want := published(t, undisturbed)
	for i := range points {
		dir, args := killedRun(t, whole*time.Duration(i+1)/points)
		if code, out := exitCode(t, program(t, args...)); code != 0 {
			t.Fatalf("run after kill %d: exit %d\n%s", i, code, out)
		}
		for suffix, got := range published(t, filepath.Join(dir, "public")) {
			if got != want[suffix] {
				t.Errorf("after kill %d, stories%s differs from the undisturbed run's", i, suffix)
			}
		}
		leftovers, err := filepath.Glob(filepath.Join(dir, "public", ".*"))
		if err != nil || len(leftovers) > 0 {
			t.Errorf("after kill %d, left over: %v %v", i, leftovers, err)
		}
	}
}

// killedRun starts a sweep in a new directory and kills it after a while; one that ended before is tried again with half the time.
func killedRun(t *testing.T, after time.Duration) (dir string, args []string) {
	t.Helper()
	for ; after > 0; after /= 2 {
		dir = t.TempDir()
		args = []string{"once", "--config", "../../config.yaml", "--state", filepath.Join(dir, "var"), "--publish", filepath.Join(dir, "public")}
		c := program(t, args...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(after, func() { _ = c.Process.Kill() })
		err := c.Wait()
		timer.Stop()
		if err != nil {
			return dir, args
		}
	}
	t.Fatal("no run could be killed before it ended")
	return "", nil
}

// While one instance holds the state directory, another ends at once, says who holds it, and touches nothing.
func TestTwoAtOnce(t *testing.T) {
	dir := t.TempDir()
	state := filepath.Join(dir, "var")
	lock, err := app.TakeLock(state, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"once", "--config", "../../config.yaml", "--state", state, "--publish", filepath.Join(dir, "public")}
	code, out := exitCode(t, program(t, args...))
	if code != exitLocked || !strings.Contains(out, "is locked by process ") {
		t.Errorf("second instance: exit %d, want %d and the holder named\n%s", code, exitLocked, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "public")); err == nil {
		t.Error("the second instance published")
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if code, out := exitCode(t, program(t, args...)); code != 0 {
		t.Errorf("after the first ended: exit %d\n%s", code, out)
	}
}

// Of several started together exactly one works at a time: each ends with 0 or 75, and at least one with 0.
func TestManyAtOnce(t *testing.T) {
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

// A signal ends the daemon cleanly.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(config, []byte("listen: 127.0.0.1:0\nfeeds: [{url: 'file:a.rss'}]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := program(t, "run", "--config", config)
	log, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var seen bytes.Buffer
	for !strings.Contains(seen.String(), "sweep done") { // the pipe closes if it never comes
		b := make([]byte, 512)
		n, err := log.Read(b)
		if err != nil {
			t.Fatalf("the daemon ended: %v\n%s", err, seen.String())
		}
		seen.Write(b[:n])
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("the daemon ended with %v, want success\n%s", err, seen.String())
	}
}

// One processor or two, one process or another: the same articles give the same stories and the same reasons, byte for byte.
func TestDeterminism(t *testing.T) {
	var first string
	for _, processors := range []string{"1", "2", "2"} {
		dir := t.TempDir()
		args := []string{"--config", "../../config.yaml", "--state", filepath.Join(dir, "var"), "--publish", filepath.Join(dir, "public")}
		run := func(command ...string) string {
			t.Helper()
			c := program(t, append(command, args...)...)
			c.Env = append(c.Env, "GOMAXPROCS="+processors)
			code, out := exitCode(t, c)
			if code != 0 {
				t.Fatalf("%v on %s processors: exit %d\n%s", command, processors, code, out)
			}
			return out
		}
		run("once", "--quiet")
		got := run("replay", "--json") + run("explain", "--json", "https://www.radiocarrow.example/ferry-rescue-carrow-bay") + published(t, filepath.Join(dir, "public"))[".json"]
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("on %s processors the outcome differs", processors)
		}
	}
}

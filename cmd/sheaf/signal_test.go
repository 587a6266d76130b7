package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sheaf/cmd/internal/app"
)

// until reads lines of a log until one holds a text.
func until(t *testing.T, log *bufio.Scanner, text string) {
	t.Helper()
	var seen []string
	for log.Scan() {
		if seen = append(seen, log.Text()); strings.Contains(log.Text(), text) {
			return
		}
	}
	t.Fatalf("the process ended without %q:\n%s", text, strings.Join(seen, "\n"))
}

// A real process waits for the lock, takes over a changed configuration at SIGHUP, and ends at SIGTERM.
func TestSignals(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "config.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("listen: 127.0.0.1:0\nfeeds: [{url: 'file:a.rss'}]\n")
	lock, err := app.TakeLock(filepath.Join(dir, "var"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if code, out := exitCode(t, program(t, "once", "--wait", "--deadline", "1s", "--config", config)); code != exitLocked {
		t.Errorf("once --wait --deadline 1s beside another: exit %d, want %d\n%s", code, exitLocked, out)
	}
	c := program(t, "run", "--wait", "--config", config)
	pipe, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	log := bufio.NewScanner(pipe)
	until(t, log, "sweep done")
	write("feedz: []\n")
	if err := c.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	until(t, log, "feedz")
	write("listen: 127.0.0.1:0\nfeeds: [{url: 'file:a.rss'}, {url: 'file:b.rss'}]\n")
	if err := c.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	until(t, log, "configuration taken over")
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	until(t, log, "stopping")
	for log.Scan() { // to the end, so that it is not held up
	}
	if err := c.Wait(); err != nil {
		t.Errorf("the daemon ended with %v, want success", err)
	}
}

// F49: a process that crashes says where, and none of its secrets.
func TestCrashOutput(t *testing.T) {
	const canary = "canary0123456789"
	dir := t.TempDir()
	config := filepath.Join(dir, "config.yaml")
	text := "listen: 127.0.0.1:0\nadmin: {listen: '127.0.0.1:0', token: '${SHEAF_TEST_CANARY}'}\nchannels: [{name: desk, token: '${SHEAF_TEST_CANARY}'}]\n" +
		"feeds: [{url: 'file:a.rss'}, {url: 'https://127.0.0.1:1/feed?key=" + canary + "', authorization: '${SHEAF_TEST_CANARY}'}]\n"
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c := program(t, "run", "--verbose", "--config", config)
	c.Env = append(c.Env, "SHEAF_TEST_CANARY="+canary, "GOTRACEBACK=all")
	pipe, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var seen []string
	log := bufio.NewScanner(pipe)
	for log.Scan() {
		seen = append(seen, log.Text())
		if strings.Contains(log.Text(), "sweep done") {
			if err := c.Process.Signal(syscall.SIGQUIT); err != nil { // as a crash does, it prints every stack
				t.Fatal(err)
			}
		}
	}
	if err := c.Wait(); err == nil {
		t.Fatal("the process did not crash")
	}
	all := strings.Join(seen, "\n")
	if !strings.Contains(all, "SIGQUIT") || strings.Count(all, "goroutine ") < 5 {
		t.Fatalf("no stacks were printed:\n%s", all)
	}
	if i := strings.Index(all, canary); i >= 0 {
		t.Errorf("a secret is printed: …%s…", all[max(0, i-200):min(len(all), i+40)])
	}
}

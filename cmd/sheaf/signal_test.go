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

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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

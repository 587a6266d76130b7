//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// limited is a process of this program under a limit of the shell's ulimit.
func limited(t *testing.T, limit string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), "sh", append([]string{"-c", "ulimit " + limit + ` && exec "$0" "$@"`, os.Args[0]}, args...)...)
	c.Env = append(os.Environ(), asProgram+"=1")
	return c
}

// grown writes a feed of n articles that have nothing in common.
func grown(t *testing.T, path string, n int) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<rss version="2.0"><channel><title>Alpha</title><link>https://alpha.example/</link>`)
	for i := range n {
		fmt.Fprintf(&b, `<item><title>Report %[1]d: %[2]s</title><link>https://alpha.example/%[1]d</link><guid>a-%[1]d</guid><pubDate>Mon, 02 Nov 2026 10:%02[3]d:00 +0000</pubDate><description>%[4]s.</description></item>`,
			i, invented(i, 6), i%60, invented(i, 300))
	}
	b.WriteString(`</channel></rss>`)
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// invented gives n words that no other article has.
func invented(article, n int) string {
	syllables := []string{"ba", "ko", "lu", "mi", "ne", "ro", "su", "ti", "va", "ze"}
	random := rand.New(rand.NewPCG(uint64(article), 1))
	words := make([]string, n)
	for i := range words {
		for range 4 {
			words[i] += syllables[random.IntN(len(syllables))]
		}
	}
	return strings.Join(words, " ")
}

// A disk that fills up at whatever point of a sweep (F38) leaves what was published as it was and the database sound; once there is room, the
// next sweep goes on, and publishes what an undisturbed one would have.
func TestDiskFull(t *testing.T) {
	begin := func() (dir string, args []string) {
		dir = t.TempDir()
		grown(t, filepath.Join(dir, "feed.rss"), 5)
		config := filepath.Join(dir, "config.yaml")
		if err := os.WriteFile(config, []byte("channels: [{name: stories, settle: '0'}]\nfeeds: [{url: 'file:feed.rss'}]\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		args = []string{"once", "--quiet", "--config", config}
		if code, out := exitCode(t, program(t, args...)); code != 0 {
			t.Fatalf("before: exit %d\n%s", code, out)
		}
		grown(t, filepath.Join(dir, "feed.rss"), 60)
		return dir, args
	}
	undisturbed, args := begin()
	if code, out := exitCode(t, program(t, args...)); code != 0 {
		t.Fatalf("undisturbed: exit %d\n%s", code, out)
	}
	want := published(t, filepath.Join(undisturbed, "public"))
	for _, kilobytes := range []int{0, 8, 64, 150, 300} {
		t.Run(strconv.Itoa(kilobytes)+"KB", func(t *testing.T) {
			dir, args := begin()
			before := published(t, filepath.Join(dir, "public"))
			if before[".rss"] == want[".rss"] {
				t.Fatal("nothing is to be published")
			}
			code, out := exitCode(t, limited(t, "-f "+strconv.Itoa(2*kilobytes), args...)) // blocks of 512 bytes
			if code != exitFailed || !strings.Contains(out, "sheaf: ") {
				t.Errorf("on a full disk: exit %d, want %d\n%s", code, exitFailed, out)
			}
			for suffix, got := range published(t, filepath.Join(dir, "public")) {
				if got != before[suffix] && got != want[suffix] {
					t.Errorf("stories%s is neither what it was nor what it is to be", suffix)
				}
			}
			if code, out := exitCode(t, program(t, append(args, "--strict")...)); code != 0 {
				t.Errorf("with room again: exit %d\n%s", code, out)
			}
			for suffix, got := range published(t, filepath.Join(dir, "public")) {
				if got != want[suffix] {
					t.Errorf("stories%s differs from the undisturbed run's", suffix)
				}
			}
		})
	}
}

// What cannot be written to standard output is a failure, though the sweep itself is done.
func TestOutputFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	dir := t.TempDir()
	for _, command := range []string{"once", "stories", "channel"} {
		args := []string{command, "--config", "../../config.yaml", "--state", filepath.Join(dir, "var"), "--publish", filepath.Join(dir, "public")}
		if command == "channel" {
			args = append(args, "stories")
		}
		c := program(t, args...)
		var errs bytes.Buffer
		c.Stdout, c.Stderr = full, &errs
		if err := c.Run(); c.ProcessState.ExitCode() != exitFailed || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("sheaf %s > /dev/full: %v, %q; want exit %d and the cause", command, err, errs.String(), exitFailed)
		}
	}
	published(t, filepath.Join(dir, "public"))
}

// Folders that may only be read (F38), for a user who is not root: that no test may be, or CI is.
func TestReadOnly(t *testing.T) {
	dir, err := os.MkdirTemp("", "sheaf") // one that others may enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	binary := filepath.Join(dir, "sheaf")
	copyProgram(t, binary)
	config := filepath.Join(dir, "config.yaml")
	grown(t, filepath.Join(dir, "feed.rss"), 5)
	if err := os.WriteFile(config, []byte("channels: [{name: stories, settle: '0'}]\nfeeds: [{url: 'file:feed.rss'}]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	state, public := filepath.Join(dir, "var"), filepath.Join(dir, "public")
	allow := func(state1, public1 os.FileMode) {
		t.Helper()
		for path, mode := range map[string]os.FileMode{dir: 0o755, state: state1, public: public1} {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
		}
	}
	once := func() (int, string) {
		t.Helper()
		c := exec.CommandContext(t.Context(), binary, "once", "--quiet", "--config", config)
		c.Env = append(os.Environ(), asProgram+"=1")
		if os.Geteuid() == 0 {
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		return exitCode(t, c)
	}
	allow(0o777, 0o777)
	if code, out := once(); code != 0 {
		t.Fatalf("with both to write to: exit %d\n%s", code, out)
	}
	before := published(t, public)
	grown(t, filepath.Join(dir, "feed.rss"), 8)
	for _, tt := range []struct {
		name          string
		state, public os.FileMode
	}{{"documents", 0o777, 0o555}, {"state", 0o555, 0o777}, {"both", 0o555, 0o555}} {
		allow(tt.state, tt.public)
		if code, out := once(); code != exitFailed || !strings.Contains(out, "permission denied") && !strings.Contains(out, "readonly") {
			t.Errorf("%s read-only: exit %d, want %d and the cause\n%s", tt.name, code, exitFailed, out)
		}
		for suffix, got := range published(t, public) {
			if got != before[suffix] {
				t.Errorf("%s read-only: stories%s was touched", tt.name, suffix)
			}
		}
	}
	allow(0o777, 0o777)
	if code, out := once(); code != 0 || !strings.Contains(published(t, public)[".rss"], "Report 7") {
		t.Errorf("with both to write to again: exit %d, or the news is missing\n%s", code, out)
	}
}

// copyProgram puts a copy of the program where another user may run it.
func copyProgram(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
}

// With few file descriptors (F38) no document is harmed, and once there are more, everything comes in.
func TestFewDescriptors(t *testing.T) {
	const polled = 40
	mux := http.NewServeMux()
	mux.HandleFunc("/{n}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<rss version="2.0"><channel><title>Outlet %[1]s</title><link>https://o%[1]s.example/</link><item><title>News of ward %[1]s</title><link>https://o%[1]s.example/1</link><guid>%[1]s</guid><pubDate>Mon, 02 Nov 2026 10:00:00 +0000</pubDate></item></channel></rss>`, r.PathValue("n"))
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	dir := t.TempDir()
	config := filepath.Join(dir, "config.yaml")
	text := "fetch: {parallel: 32, host_gap: 1ms}\nchannels: [{name: stories, settle: '0'}]\nfeeds:\n"
	for n := range polled {
		text += fmt.Sprintf("- url: %s/%d\n", server.URL, n)
	}
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"once", "--quiet", "--config", config}
	for _, descriptors := range []int{8, 12, 16, 24, 32} {
		code, out := exitCode(t, limited(t, "-n "+strconv.Itoa(descriptors), args...))
		if code != 0 && code != exitFailed && code != exitPartly || strings.Contains(out, "panic") {
			t.Errorf("with %d descriptors: exit %d\n%s", descriptors, code, out)
		}
	}
	if code, out := exitCode(t, program(t, append(args, "--strict")...)); code != 0 {
		t.Errorf("with as many as usual: exit %d\n%s", code, out)
	}
	document := published(t, filepath.Join(dir, "public"))[".json"]
	for n := range polled {
		if !strings.Contains(document, fmt.Sprintf("News of ward %d\"", n)) {
			t.Errorf("the news of outlet %d is missing", n)
		}
	}
}

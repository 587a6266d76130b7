package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"
	"golang.org/x/sync/errgroup"
)

// asFloor makes the test binary be the yardstick: it fetches and parses the addresses on its standard input, and does nothing else.
const asFloor = "SHEAF_TEST_AS_FLOOR"

// fetchers is how many feeds yardstick and program fetch at once.
const fetchers = 16

// floor fetches every address once and hands the body to gofeed.
func floor(ctx context.Context, addresses io.Reader) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: fetchers}}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(fetchers)
	parser := gofeed.NewParser()
	for lines := bufio.NewScanner(addresses); lines.Scan(); {
		address := lines.Text()
		group.Go(func() error {
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
			if err != nil {
				return err
			}
			response, err := client.Do(request)
			if err != nil {
				return err
			}
			_, err = parser.Parse(response.Body)
			return errors.Join(err, response.Body.Close())
		})
	}
	return group.Wait()
}

// farm builds and starts the generator of feeds that lies beside the checkout, and lists the addresses it serves.
func farm(b *testing.B, arguments ...string) []string {
	b.Helper()
	source, err := filepath.Abs("../../../shared/tools/feedfarm")
	if err != nil {
		b.Fatal(err)
	}
	if _, err := os.Stat(source); err != nil {
		b.Skipf("the feed farm is not here: %v", err)
	}
	binary := filepath.Join(b.TempDir(), "feedfarm")
	build := exec.CommandContext(b.Context(), "go", "build", "-o", binary, "./cmd/feedfarm")
	build.Dir = source
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build the feed farm: %v\n%s", err, out)
	}
	port := freePort(b)
	serve := exec.CommandContext(b.Context(), binary, append([]string{"serve", "-port", fmt.Sprint(port)}, arguments...)...)
	log, err := serve.StderrPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = serve.Process.Kill(); _ = serve.Wait() })
	if _, err := bufio.NewReader(log).ReadString('\n'); err != nil { // it says a line when its documents are rendered
		b.Fatalf("the feed farm ended: %v", err)
	}
	return addressesOf(b, fmt.Sprintf("http://127.0.0.1:%d/_ctl/urls", port))
}

// addressesOf waits until the farm answers: it listens shortly after it has said that it is ready.
func addressesOf(b *testing.B, control string) []string {
	b.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; {
		response, err := http.Get(control)
		if err == nil {
			body, err := io.ReadAll(response.Body)
			if err := errors.Join(err, response.Body.Close()); err != nil {
				b.Fatal(err)
			}
			return strings.Fields(string(body))
		}
		if time.Now().After(deadline) {
			b.Fatal(err)
		}
	}
}

func freePort(b *testing.B) int {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// cpu runs a process and gives the processor time it used.
func cpu(b *testing.B, c *exec.Cmd) time.Duration {
	b.Helper()
	out, err := c.CombinedOutput()
	if err != nil {
		b.Fatalf("%v: %v\n%s", c.Args, err, out)
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime()
}

// BenchmarkCold is B1: a first sweep over 1,000 feeds with grouping and three formats, as a ratio of processor time to fetching the same
// feeds and parsing them with gofeed alone, both as processes, in turn. The gate is 2.0.
func BenchmarkCold(b *testing.B) {
	addresses := farm(b, "-seed", "1", "-feeds", "1000")
	var config strings.Builder
	fmt.Fprintf(&config, "fetch: {parallel: %d}\nfeeds:\n", fetchers)
	for _, a := range addresses {
		fmt.Fprintf(&config, "- url: %s\n", a)
	}
	const rounds = 3
	for b.Loop() {
		ours, yardstick := time.Duration(1<<62), time.Duration(1<<62)
		for range rounds {
			c := exec.CommandContext(b.Context(), os.Args[0])
			c.Env = append(os.Environ(), asFloor+"=1")
			c.Stdin = strings.NewReader(strings.Join(addresses, "\n"))
			yardstick = min(yardstick, cpu(b, c))

			dir := b.TempDir()
			path := filepath.Join(dir, "config.yaml")
			if err := os.WriteFile(path, []byte(config.String()), 0o644); err != nil {
				b.Fatal(err)
			}
			c = exec.CommandContext(b.Context(), os.Args[0], "once", "--config", path)
			c.Env = append(os.Environ(), asProgram+"=1")
			ours = min(ours, cpu(b, c))
		}
		b.ReportMetric(ours.Seconds()/yardstick.Seconds(), "×floor")
		b.ReportMetric(yardstick.Seconds(), "floor-s")
		b.ReportMetric(ours.Seconds(), "ours-s")
	}
}

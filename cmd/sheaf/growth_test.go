package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mmcdole/gofeed"
)

var documents = flag.String("documents", "", "keep what was served, state by state, in this `directory`, for tests with real readers")

// daemon is a `sheaf run` of its own.
type daemon struct {
	t       *testing.T
	process *exec.Cmd
	log     *bufio.Scanner
	seen    strings.Builder
	address string // http://HOST:PORT it serves at
}

var listening = regexp.MustCompile(`listening.*?(127\.0\.0\.1:\d+)`)

// startDaemon starts one and waits until it serves.
func startDaemon(t *testing.T, args ...string) *daemon {
	t.Helper()
	d := &daemon{t: t, process: program(t, append([]string{"run"}, args...)...)}
	pipe, err := d.process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.process.Start(); err != nil {
		t.Fatal(err)
	}
	d.log = bufio.NewScanner(pipe)
	d.address = "http://" + listening.FindStringSubmatch(d.await("listening"))[1]
	return d
}

// await reads the log up to a line that holds the text, and gives it. If it never comes, the log ends with the process, at the latest when
// the test is out of time.
func (d *daemon) await(text string) string {
	d.t.Helper()
	for d.log.Scan() {
		d.seen.WriteString(d.log.Text() + "\n")
		if strings.Contains(d.log.Text(), text) {
			return d.log.Text()
		}
	}
	d.t.Fatalf("the daemon ended without a word of %q\n%s", text, d.seen.String())
	return ""
}

// stop ends the daemon as systemd does, and expects success.
func (d *daemon) stop() {
	d.t.Helper()
	if err := d.process.Process.Signal(os.Interrupt); err != nil {
		d.t.Fatal(err)
	}
	for d.log.Scan() {
		d.seen.WriteString(d.log.Text() + "\n")
	}
	if err := d.process.Wait(); err != nil {
		d.t.Errorf("the daemon ended with %v\n%s", err, d.seen.String())
	}
}

// growing is the sample outlets as they join, feed by feed: the ferry of the samples is told by one outlet, by two, by five, then by all.
var growing = [][]string{
	{"halden-courier.rss"},
	{"selwick-examiner.rss"},
	{"radio-carrow.rss", "coastline-today.atom", "tarn-valley-gazette.atom"},
	{"dunmere-daily.json", "ledger-and-quay.json", "brackwater-free-press.rss"},
}

// A channel grows while a daemon, started again now and then, serves it: outlets join, another article leads, an editor merges two stories.
// In every state what is served parses, holds no id twice, and is answered with 304 while nothing changes.
func TestGrowth(t *testing.T) {
	dir := t.TempDir()
	config := "listen: 127.0.0.1:0\nchannels: [{name: feed, title: Growing, settle: '0', lead: best}]\nfeeds:\n"
	for _, names := range growing {
		for _, name := range names {
			config += "- url: file:" + name + "\n"
		}
	}
	path := filepath.Join(dir, "config.yaml")
	put(t, path, []byte(config))
	var states []map[string]*gofeed.Item
	for i := range len(growing) + 1 {
		if i < len(growing) {
			join(t, dir, growing[i])
		} else if code, out := exitCode(t, program(t, "merge", "https://www.haldencourier.example/2026/09/22/central-bank-lifts-rate",
			"https://www.ledgerandquay.example/item/brightwell-solar-merger", "--config", path)); code != 0 {
			t.Fatalf("merge: exit %d\n%s", code, out)
		}
		d := startDaemon(t, "--config", path)
		d.await("sweep done")
		var state map[string]*gofeed.Item
		for _, suffix := range []string{".rss", ".json", ".atom"} {
			state = fetched(t, d.address+"/feed"+suffix, filepath.Join(fmt.Sprintf("step%d", i+1), "feed"+suffix))
		}
		states = append(states, state)
		d.stop()
	}
	checkGrowth(t, states)
}

// join lets sample outlets publish in the folder.
func join(t *testing.T, dir string, names []string) {
	t.Helper()
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join("../../examples", name))
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, name), data)
	}
}

func put(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkGrowth says what happened between the states, so that readers are shown what they are meant to see.
func checkGrowth(t *testing.T, states []map[string]*gofeed.Item) {
	t.Helper()
	ferry := ""
	for id, item := range states[0] {
		if strings.Contains(item.Content, "/marrow-star-rescue\"") {
			ferry = id
		}
	}
	for i, want := range []int{1, 2, 5, 7, 7} {
		item := states[i][ferry]
		if item == nil {
			t.Fatalf("state %d lacks the ferry, %q", i+1, ferry)
		}
		if got := len(item.Extensions["sheaf"]["coverage"]); got != 1 || item.Extensions["sheaf"]["coverage"][0].Attrs["outlets"] != fmt.Sprint(want) {
			t.Errorf("state %d: the ferry is told by %v outlets, want %d", i+1, item.Extensions["sheaf"]["coverage"], want)
		}
	}
	led := 0
	for id, item := range states[3] {
		if was := states[2][id]; was != nil && was.Link != item.Link {
			led++
		}
	}
	gone := 0
	for id := range states[3] {
		if states[4][id] == nil {
			gone++
		}
	}
	if led == 0 || gone != 1 {
		t.Errorf("%d stories have another lead, want some; %d went with the merge, want 1", led, gone)
	}
}

// fetched gets a document twice, as a reader does, keeps it if that is wanted, and gives its items by id.
func fetched(t *testing.T, address, name string) map[string]*gofeed.Item {
	t.Helper()
	body, tag := get(t, address, "", http.StatusOK)
	get(t, address, tag, http.StatusNotModified)
	feed, err := gofeed.NewParser().Parse(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	items := map[string]*gofeed.Item{}
	for _, item := range feed.Items {
		if items[item.GUID] != nil || item.GUID == "" || item.Link == "" {
			t.Errorf("%s: id %q is empty or there twice, or the item has no link", name, item.GUID)
		}
		items[item.GUID] = item
	}
	if *documents != "" {
		put(t, filepath.Join(*documents, name), body)
	}
	return items
}

func get(t *testing.T, address, tag string, want int) (body []byte, etag string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if tag != "" {
		request.Header.Set("If-None-Match", tag)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	body, err = io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != want {
		t.Fatalf("%s: %s, want %d", address, response.Status, want)
	}
	return body, response.Header.Get("Etag")
}

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const smallFeed = `<rss version="2.0"><channel><title>Harbour Daily</title><link>https://harbour.example/</link>` +
	`<item><title>Bridge & ferry</title><link>/a1</link><pubDate>Tue, 14 Jul 2026 09:05:00 GMT</pubDate><description>&lt;a href="map"&gt;Map&lt;/a&gt;</description></item></channel></rss>`

func writeFile(t *testing.T, name, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// decode reads one line of output.
func decode(t *testing.T, line string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return v
}

func TestParseExitCodes(t *testing.T) {
	feed := writeFile(t, "feed.xml", smallFeed)
	page := writeFile(t, "page.html", "<html><body>no</body></html>")
	for _, tt := range []struct {
		name  string
		args  []string
		stdin string
		code  int
		err   string // code of the error in the object, where there is one
	}{
		{"parsed", []string{"--json", feed}, "", 0, ""},
		{"parsed, for people", []string{feed}, "", 0, "-"},
		{"parsed from standard input", []string{"--json", "-"}, smallFeed, 0, ""},
		{"no feed", []string{"--json", page}, "", 1, "html"},
		{"no feed, for people", []string{page}, "", 1, "-"},
		{"no file", []string{"--json", page + ".gone"}, "", 1, "read"},
		{"a folder", []string{"--json", filepath.Dir(page)}, "", 1, "read"},
		{"no argument", []string{"--json"}, "", 2, "-"},
		{"two arguments", []string{"--json", feed, page}, "", 2, "-"},
		{"batch without JSON", []string{"--batch"}, "", 2, "-"},
		{"batch with a file", []string{"--json", "--batch", feed}, "", 2, "-"},
		{"clock that is none", []string{"--json", "--now", "yesterday", feed}, "", 2, "-"},
		{"batch", []string{"--json", "--batch"}, feed + "\n", 0, ""},
		{"batch of nothing", []string{"--json", "--batch"}, "\n\n", 0, "-"},
		{"batch in which one fails", []string{"--json", "--batch"}, page + "\n" + feed, 3, "html"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, code := execute(t, tt.stdin, tt.args...)
			if code != tt.code {
				t.Errorf("exit code = %d, want %d\n%s", code, tt.code, out)
			}
			if tt.err == "-" {
				return
			}
			first, _, _ := strings.Cut(out, "\n")
			got, _ := at(any(decode(t, first)), "error.code").(string)
			if got != tt.err {
				t.Errorf("error.code = %q, want %q", got, tt.err)
			}
		})
	}
}

func TestParseObject(t *testing.T) {
	feed := writeFile(t, "feed.xml", smallFeed)
	out, _ := execute(t, "", "--json", "--markup", "--url", "https://harbour.example/x/feed.xml", "--content-language", "de, en", "--now", "2026-07-14T12:00:00+02:00", feed)
	if strings.Count(out, "\n") != 1 || !strings.HasSuffix(out, "\n") {
		t.Fatalf("output is not one line: %q", out)
	}
	got := any(decode(t, out))
	for path, want := range map[string]any{
		"file": feed, "format": "rss", "version": "2.0", "encoding": "utf-8", "feed.title": "Harbour Daily", "feed.link": "https://harbour.example/", "feed.language": "de",
		"notes[0].code": "amp_escaped", "notes[0].count": 1.0, "articles[0].title": "Bridge & ferry", "articles[0].title_from": "title",
		"articles[0].link": "https://harbour.example/a1", "articles[0].link_from": "link", "articles[0].url_key": "harbour.example/a1", "articles[0].key": "l:harbour.example/a1",
		"articles[0].published": "2026-07-14T09:05:00Z", "articles[0].published_raw": "Tue, 14 Jul 2026 09:05:00 GMT", "articles[0].time": "2026-07-14T09:05:00Z",
		"articles[0].time_from": "published", "articles[0].summary": "Map", "articles[0].html": `<a href="https://harbour.example/x/map" rel="nofollow">Map</a>`,
		"articles[0].summary_markup": `<a href="https://harbour.example/x/map">Map</a>`, "articles[0].content_markup": nil, "truncated": nil, "error": nil,
	} {
		if v := at(got, path); v != want {
			t.Errorf("%s = %v, want %v", path, v, want)
		}
	}
	out, _ = execute(t, "", "--json", feed)
	if v := at(any(decode(t, out)), "articles[0].summary_markup"); v != nil {
		t.Errorf("summary_markup = %v without --markup", v)
	}
}

func TestParseBatchLines(t *testing.T) {
	feed := writeFile(t, "{odd name}.xml", smallFeed)
	request, err := json.Marshal(map[string]string{"file": feed, "url": "https://other.example/"})
	if err != nil {
		t.Fatal(err)
	}
	in := strings.Join([]string{string(request), "", filepath.Base(feed), `{"file":`, `{"url":"https://x.example/"}`, feed + "\r"}, "\n")
	out, code := execute(t, in, "--json", "--batch", "--url", "https://harbour.example/feed.xml")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if code != exitPartly || len(lines) != 5 {
		t.Fatalf("exit code %d, %d lines:\n%s", code, len(lines), out)
	}
	for i, want := range []struct{ file, err any }{{feed, nil}, {filepath.Base(feed), "usage"}, {`{"file":`, "usage"}, {"", "usage"}, {feed, nil}} {
		got := any(decode(t, lines[i]))
		if at(got, "file") != want.file || at(got, "error.code") != want.err {
			t.Errorf("line %d: file %v, error %v, want %v", i, at(got, "file"), at(got, "error.code"), want)
		}
		if _, ok := got.(map[string]any)["articles"].([]any); !ok {
			t.Errorf("line %d has no list of articles", i)
		}
	}
}

// TestParseBatchAnswersAtOnce asks, waits for the answer, and asks again: an answer must not wait for the next question.
func TestParseBatchAnswersAtOnce(t *testing.T) {
	feed := writeFile(t, "feed.xml", smallFeed)
	questions, ask := io.Pipe()
	answer, answers := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := parseBatch(questions, answers, &parseOptions{json: true, batch: true})
		answers.Close()
		done <- err
	}()
	lines := bufio.NewReader(answer)
	for range 3 {
		if _, err := io.WriteString(ask, feed+"\n"); err != nil {
			t.Fatal(err)
		}
		line, err := lines.ReadString('\n')
		if err != nil || at(any(decode(t, line)), "file") != feed {
			t.Fatalf("answer %q, %v", line, err)
		}
	}
	ask.Close()
	if err := <-done; err != nil {
		t.Errorf("batch ends with %v", err)
	}
}

func TestParseBatchPipesFail(t *testing.T) {
	feed := writeFile(t, "feed.xml", smallFeed)
	broken := errors.New("broken pipe")
	in, w := io.Pipe()
	w.CloseWithError(broken)
	var coded interface{ ExitCode() int }
	if err := parseBatch(in, io.Discard, &parseOptions{}); !errors.Is(err, broken) || !errors.As(err, &coded) || coded.ExitCode() != exitFailed {
		t.Errorf("reading: %v", err)
	}
	r, out := io.Pipe()
	r.CloseWithError(broken)
	if err := parseBatch(strings.NewReader(feed+"\n"), out, &parseOptions{}); !errors.Is(err, broken) || !errors.As(err, &coded) || coded.ExitCode() != exitFailed {
		t.Errorf("writing: %v", err)
	}
}

func TestParseForPeople(t *testing.T) {
	out, _ := execute(t, "", "--url", "https://harbour.example/feed.xml", writeFile(t, "feed.xml", smallFeed))
	for _, want := range []string{"rss 2.0, utf-8", "Harbour Daily", "mended: amp_escaped, 1", "2026-07-14T09:05:00Z  Bridge & ferry", "https://harbour.example/a1", "1 articles"} {
		if !strings.Contains(out, want) {
			t.Errorf("output lacks %q:\n%s", want, out)
		}
	}
	cmd := parseCommand()
	cmd.SetArgs([]string{writeFile(t, "page.html", `<html><head><link rel="alternate" type="application/rss+xml" href="https://harbour.example/rss"></head></html>`)})
	if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), "web page") || !strings.Contains(err.Error(), "https://harbour.example/rss") {
		t.Errorf("error = %v, want one that names the feed", err)
	}
}

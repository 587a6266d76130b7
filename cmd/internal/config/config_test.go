package config

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the reports that come out into testdata; read them before committing")

// Each file of testdata holds one mistaken configuration and the report it must give.
func TestFaults(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(archive.Files) != 2 || archive.Files[0].Name != "config.yaml" || archive.Files[1].Name != "faults" {
				t.Fatal("want the files config.yaml and faults, in this order")
			}
			_, err = Parse("config.yaml", archive.Files[0].Data, Overrides{})
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("Parse gave %v, want an *Error", err)
			}
			got := err.Error() + "\n"
			if *update {
				archive.Files[1].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), got); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

// The configuration at the top of the repository is the reference: it runs, and it explains every key there is.
func TestReference(t *testing.T) {
	const path = "../../../config.yaml"
	if _, err := Load(path, Overrides{}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keysOf(reflect.TypeFor[Config]()) {
		if !regexp.MustCompile(`(?m)(^|[\s{-])` + key + `:`).Match(text) {
			t.Errorf("config.yaml does not explain %s", key)
		}
	}
}

// keysOf lists the keys of a struct and of those in it.
func keysOf(t reflect.Type) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var keys []string
	for i := range t.NumField() {
		if key := t.Field(i).Tag.Get("yaml"); key != "" {
			keys = append(append(keys, key), keysOf(t.Field(i).Type)...)
		}
	}
	return keys
}

func TestDefaults(t *testing.T) {
	c, err := Parse("/etc/sheaf/config.yaml", []byte("feeds:\n- url: https://a.example/rss\n"), Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	if c.State != "/etc/sheaf/var" || c.Publish.Dir != "/etc/sheaf/public" {
		t.Errorf("paths = %s, %s; want them beside the file", c.State, c.Publish.Dir)
	}
	if len(c.Channels) != 1 || c.Channels[0].Name != "stories" {
		t.Errorf("channels = %+v, want one named stories", c.Channels)
	}
}

func TestPaths(t *testing.T) {
	text := "state: state\npublish: {dir: /srv/feeds, base_url: 'https://news.example/x/'}\nfeeds:\n- url: file:in/a.rss\n- url: file:///abs/b.rss\n- url: file:../c.txt\n"
	c, err := Parse("/etc/sheaf/config.yaml", []byte(text), Overrides{State: "elsewhere"})
	if err != nil {
		t.Fatal(err)
	}
	working, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	got := []string{c.State, c.Publish.Dir, c.Publish.BaseURL, c.Feeds[0].URL, c.Feeds[1].URL, c.Feeds[2].URL}
	want := []string{filepath.Join(working, "elsewhere"), "/srv/feeds", "https://news.example/x", "file:/etc/sheaf/in/a.rss", "file:/abs/b.rss", "file:/etc/c.txt"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
}

func TestListenEmpty(t *testing.T) {
	c, err := Parse("c.yaml", []byte("listen: \"\"\nfeeds: [{url: 'https://a.example/'}]\n"), Overrides{})
	if err != nil || c.Listen != "" {
		t.Errorf("listen = %q, %v; want none", c.Listen, err)
	}
}

func TestAnchors(t *testing.T) {
	c, err := Parse("c.yaml", []byte("feeds:\n- {url: 'https://a.example/', owner: &o Big Co}\n- {url: 'https://b.example/', owner: *o}\n"), Overrides{})
	if err != nil || c.Feeds[1].Owner != "Big Co" {
		t.Errorf("Parse = %+v, %v; want the alias resolved", c, err)
	}
}

func TestSecrets(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "token"), []byte("s3cret \nsecond line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SHEAF_TEST_TOKEN", "fr0m-env")
	text := "feeds:\n- {url: 'https://a.example/', authorization: 'file:token'}\n- {url: 'https://b.example/', authorization: '${SHEAF_TEST_TOKEN}'}\n"
	c, err := Parse(filepath.Join(dir, "config.yaml"), []byte(text), Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Feeds[0].Authorization.Reveal() + " " + c.Feeds[1].Authorization.Reveal(); got != "s3cret fr0m-env" {
		t.Errorf("secrets = %q", got)
	}
	if shown := fmt.Sprintf("%v %+v %#v", c, c, c); strings.Contains(shown, "s3cret") || strings.Contains(shown, "fr0m-env") {
		t.Errorf("a secret is printed: %s", shown)
	}
}

func TestParseDuration(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want time.Duration
		bad  bool
	}{
		{"15m", 15 * time.Minute, false},
		{"7d", 7 * 24 * time.Hour, false},
		{"2w", 14 * 24 * time.Hour, false},
		{"1d12h", 36 * time.Hour, false},
		{"1w1d", 8 * 24 * time.Hour, false},
		{"0", 0, false},
		{"15", 0, true},
		{"", 0, true},
		{"-5m", 0, true},
		{"soon", 0, true},
		{"99999999d", 0, true},
	} {
		got, err := parseDuration(tt.in)
		if (err != nil) != tt.bad || time.Duration(got) != tt.want {
			t.Errorf("parseDuration(%q) = %v, %v; want %v, bad %v", tt.in, time.Duration(got), err, tt.want, tt.bad)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("state: ./var\nfeeds:\n  - url: https://example.org/rss\n    outlet: X\nchannels:\n  - name: stories\n"))
	f.Add([]byte("a: &a [*a]\nfeeds: *a"))
	f.Add([]byte("? [x]\n: {y: 1}\n--- \n- b"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("config.yaml", data, Overrides{})
		if err == nil && (c.State == "" || c.Publish.Dir == "" || len(c.Channels) == 0) {
			t.Errorf("accepted without a state directory, publish directory or channel: %+v", c)
		}
	})
}

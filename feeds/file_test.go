package feeds

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// drop is a folder of files with a poller that reads it.
type drop struct {
	t     *testing.T
	path  string
	p     *Poller
	store *memory
	clock time.Time // modification times move on with it
}

func newDrop(t *testing.T) *drop {
	d := &drop{t: t, path: t.TempDir(), store: newMemory(), clock: noon}
	p, err := NewPoller(d.store, Options{Now: func() time.Time { return d.clock }})
	if err != nil {
		t.Fatal(err)
	}
	d.p = p
	return d
}

// write writes a file with a modification time of its own.
func (d *drop) write(name, content string) {
	d.t.Helper()
	at := filepath.Join(d.path, name)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
		d.t.Fatal(err)
	}
	d.clock = d.clock.Add(time.Second)
	if err := os.Chtimes(at, d.clock, d.clock); err != nil {
		d.t.Fatal(err)
	}
}

// poll polls the file or folder name in the drop.
func (d *drop) poll(name string) Outcome {
	d.t.Helper()
	address := (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(d.path, name))}).String()
	outcomes, err := d.p.Poll(d.t.Context(), d.store.due(feedsAt(address)))
	if err != nil || len(outcomes) != 1 {
		d.t.Fatalf("Poll(%s) = %v, %v", address, outcomes, err)
	}
	return outcomes[0]
}

func TestFileOfAFeed(t *testing.T) {
	d := newDrop(t)
	d.write("feed.xml", document("", "one", "two"))
	if o := d.poll("feed.xml"); o.Err != nil || o.Unchanged || o.State.Title != "Alpha News" || o.State.Status != 0 {
		t.Errorf("outcome = %+v", o)
	}
	if o := d.poll("feed.xml"); !o.Unchanged {
		t.Error("an untouched file is not unchanged")
	}
	d.write("feed.xml", document("", "one", "two"))
	if o := d.poll("feed.xml"); !o.Unchanged {
		t.Error("a file with the same bytes is not unchanged")
	}
	d.write("feed.xml", document("", "one", "two", "three"))
	if o := d.poll("feed.xml"); o.Unchanged || len(d.store.articles) != 3 {
		t.Errorf("outcome = %+v with %d articles, want 3", o, len(d.store.articles))
	}
	if len(d.store.leases) != 0 {
		t.Error("a file was leased")
	}
}

func TestFileFailures(t *testing.T) {
	d := newDrop(t)
	d.write("page.xml", "<!doctype html><html><body>no feed</body></html>")
	d.write("large.xml", strings.Repeat("x", 9<<20))
	for _, tt := range []struct {
		name, address string
		code          FetchCode
		says          string
	}{
		{"missing", "file://" + d.path + "/none.xml", FetchFile, "none.xml does not exist: "},
		{"what to do", "file://" + d.path + "/none.xml", FetchFile, "create it, or correct the address"},
		{"other host", "file://server/share/feed.xml", FetchAddress, `host "server"`},
		{"relative", "file:feed.xml", FetchAddress, "must be absolute"},
		{"a web page", "file://" + d.path + "/page.xml", FetchHTML, "a web page, not a feed"},
		{"too large", "file://" + d.path + "/large.xml", FetchFile, "larger than 8388608 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			outcomes, err := d.p.Poll(t.Context(), newMemory().due(feedsAt(tt.address)))
			if err != nil || len(outcomes) != 1 {
				t.Fatalf("Poll = %v, %v", outcomes, err)
			}
			if fe := fails(t, outcomes[0], tt.code); !strings.Contains(fe.Error(), tt.says) {
				t.Errorf("error %q does not say %q", fe, tt.says)
			}
		})
	}
}

func TestFilePath(t *testing.T) {
	for _, tt := range []struct{ address, want string }{
		{"file:///srv/drop", "/srv/drop"},
		{"file:/srv/drop/", "/srv/drop"},
		{"FILE://localhost/srv/My%20Drop", "/srv/My Drop"},
		{"file:///srv/../etc", "/etc"},
	} {
		if got, err := filePath(tt.address); got != tt.want || err != nil {
			t.Errorf("filePath(%q) = %q, %v, want %q", tt.address, got, err, tt.want)
		}
	}
}

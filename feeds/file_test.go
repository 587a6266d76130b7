package feeds

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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

func (d *drop) outlets() []string {
	var names []string
	for _, a := range d.store.articles {
		names = append(names, a.Outlet.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
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

func TestFileOfText(t *testing.T) {
	d := newDrop(t)
	d.write("Ferry hits bridge.txt", "Ferry hits bridge\n\nA ferry hit the old bridge on Monday.\n")
	if o := d.poll("Ferry hits bridge.txt"); o.Err != nil || len(d.store.articles) != 1 {
		t.Errorf("outcome = %+v with %d articles, want 1", o, len(d.store.articles))
	}
	if got := d.outlets(); !slices.Equal(got, []string{"Alpha"}) {
		t.Errorf("outlets = %v", got)
	}
}

func TestDropFolder(t *testing.T) {
	d := newDrop(t)
	d.write("loose.txt", "Loose report\n\nIts text is here.")
	d.write("Beta Times/ferry.txt", "Ferry hits bridge\n\nA ferry hit the bridge.")
	d.write("Beta Times/2026/11/storm.html", "<html><head><title>Storm</title></head><body><p>A storm came over the town.</p></body></html>")
	d.write("Gamma/rain.HTM", "<title>Rain</title><p>It rained all day long.</p>")
	d.write("Gamma/notes.pdf", "%PDF")
	d.write("feed.xml", document("", "ignored"))
	d.write(".hidden/half.txt", "not yet")
	d.write("Gamma/.half.txt", "not yet")
	o := d.poll("")
	if o.Err != nil {
		t.Fatal(o.Err)
	}
	if got, want := d.outlets(), []string{"Alpha", "Beta Times", "Gamma"}; !slices.Equal(got, want) || len(d.store.articles) != 4 {
		t.Errorf("outlets = %v of %d articles, want %v of 4", got, len(d.store.articles), want)
	}
	if diff := cmp.Diff([]Note{{Code: "file_ignored", Count: 2}}, o.Notes); diff != "" {
		t.Error(diff)
	}
	if o := d.poll(""); !o.Unchanged {
		t.Error("an untouched folder is not unchanged")
	}
	d.write("Gamma/rain.HTM", "<title>Rain</title><p>It rained all day long.</p>")
	if o := d.poll(""); !o.Unchanged {
		t.Error("a folder with the same bytes is not unchanged")
	}
	d.write("Delta/new.txt", "New report\n\nSomething new has happened.")
	if o := d.poll(""); o.Unchanged || len(d.store.articles) != 5 {
		t.Errorf("unchanged %v with %d articles, want 5", o.Unchanged, len(d.store.articles))
	}
}

// Too many files: the last modified are read.
func TestDropFolderLimit(t *testing.T) {
	var files []dropped
	d := newDrop(t)
	for i := range 3 {
		d.write(fmt.Sprintf("%d.txt", i), "text")
	}
	files, ignored, err := listFolder(d.path)
	if err != nil || ignored != 0 || len(files) != 3 {
		t.Fatalf("listFolder = %v, %d, %v", files, ignored, err)
	}
	many := slices.Repeat(files[:1], maxDropped-1)
	kept := latest(append(many, files[1], files[2]))
	if len(kept) != maxDropped || kept[len(kept)-1].name != "2.txt" || kept[len(kept)-2].name != "1.txt" {
		t.Errorf("kept %d, the last %s, want %d with the newest among them", len(kept), kept[len(kept)-1].name, maxDropped)
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

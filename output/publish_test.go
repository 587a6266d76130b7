package output

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPublish(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	steps := play(t, testChannel(), testSite(), growth())

	written, err := Publish(dir, steps[0])
	if err != nil || !slices.Equal(written, []string{"feed.rss", "feed.atom", "feed.json"}) {
		t.Fatalf("first Publish = %v, %v", written, err)
	}
	first := modified(t, dir, "feed.rss")
	if want := steps[0][0].Modified; !first.Equal(want) {
		t.Errorf("modified = %v, want the newest activity %v", first, want)
	}
	if info, _ := os.Stat(filepath.Join(dir, "feed.rss")); info.Mode().Perm() != 0o644 {
		t.Errorf("mode = %v, want 0644", info.Mode())
	}
	if written, err = Publish(dir, steps[0]); err != nil || written != nil {
		t.Errorf("Publish of the same = %v, %v, want nothing", written, err)
	}
	if !modified(t, dir, "feed.rss").Equal(first) {
		t.Error("a file whose bytes did not change was touched")
	}
	if written, err = Publish(dir, steps[1]); err != nil || len(written) != 3 {
		t.Errorf("Publish of the next step = %v, %v", written, err)
	}
	for _, f := range steps[1] {
		if got := gunzip(t, filepath.Join(dir, f.Name+".gz")); got != string(f.Data) {
			t.Errorf("%s.gz does not hold the document", f.Name)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, temporaryPrefix+"*")); left != nil {
		t.Errorf("temporary files left: %v", left)
	}
}

// An item may leave the window without any time rising; readers that compare times by the second must notice all the same.
func TestPublishTimeAlwaysRises(t *testing.T) {
	dir := t.TempDir()
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for i, data := range []string{"a", "b", "c"} {
		if _, err := Publish(dir, []File{{Name: "x.txt", Data: []byte(data), Modified: at}}); err != nil {
			t.Fatal(err)
		}
		if got, want := modified(t, dir, "x.txt"), at.Add(time.Duration(i)*time.Second); !got.Equal(want) {
			t.Errorf("version %d: modified %v, want %v", i+1, got, want)
		}
	}
}

func TestPublishMendsTwin(t *testing.T) {
	dir := t.TempDir()
	files := []File{{Name: "x.txt", Data: []byte("text")}}
	if _, err := Publish(dir, files); err != nil {
		t.Fatal(err)
	}
	twin := filepath.Join(dir, "x.txt.gz")
	if err := os.Remove(twin); err != nil {
		t.Fatal(err)
	}
	if written, err := Publish(dir, files); err != nil || written != nil {
		t.Fatalf("Publish = %v, %v", written, err)
	}
	if got := gunzip(t, twin); got != "text" {
		t.Errorf("twin = %q", got)
	}
}

func TestPublishFaults(t *testing.T) {
	good := play(t, testChannel(), testSite(), growth())[0]
	broken := func(change func(*File)) File {
		f := good[0]
		f.Data = []byte(strings.Replace(string(f.Data), "Ferry", "Boat", 1))
		change(&f)
		return f
	}
	for _, tt := range []struct {
		name string
		file File
		want string // part of the error
	}{
		{"not well-formed", broken(func(f *File) { f.Data = []byte(strings.Replace(string(f.Data), "Boat", "\x01", 1)) }), "read back"},
		{"an item is missing", broken(func(f *File) { f.ids = append(f.ids, "urn:uuid:x") }), "3 items, want 4"},
		{"another id", broken(func(f *File) { f.ids = []string{"a", "b", "c"} }), `want "a"`},
		{"one id twice", twice(good[2]), "ids for"},
		{"a name that leaves the folder", File{Name: "../x.txt"}, "not a name"},
		{"a name that hides", File{Name: ".profile"}, "not a name"},
		{"a folder in the way", File{Name: "taken.txt", Data: []byte("x")}, "taken.txt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if _, err := Publish(dir, good[:1]); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(dir, "taken.txt"), 0o755); err != nil {
				t.Fatal(err)
			}
			written, err := Publish(dir, []File{tt.file, good[1]})
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.file.Name) {
				t.Errorf("error = %v, want one about %q", err, tt.want)
			}
			if !slices.Equal(written, []string{good[1].Name}) {
				t.Errorf("written = %v, want the good one alone", written)
			}
			if data, _ := os.ReadFile(filepath.Join(dir, good[0].Name)); string(data) != string(good[0].Data) {
				t.Error("the last good document is gone")
			}
		})
	}
}

// twice is the file with its first item under the second's id.
func twice(f File) File {
	f.Data = []byte(strings.ReplaceAll(string(f.Data), f.ids[0], f.ids[1]))
	f.ids = slices.Clone(f.ids)
	f.ids[0] = f.ids[1]
	return f
}

func TestPublishRefusesSymlinkOut(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("keep"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "x.txt")); err != nil {
		t.Fatal(err)
	}
	if _, err := Publish(dir, []File{{Name: "x.txt", Data: []byte("y")}}); err == nil {
		t.Error("a link out of the folder was followed")
	}
	if data, _ := os.ReadFile(outside); string(data) != "keep" {
		t.Error("a file outside the folder changed")
	}
}

func TestClean(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".sheaf-feed.rss.ABC.tmp", "feed.rss", ".sheaf-keep", "x.tmp"} {
		write(t, filepath.Join(dir, name), []byte("x"))
	}
	if err := Clean(dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 || entries[0].Name() != ".sheaf-keep" {
		t.Errorf("left: %v, %v", entries, err)
	}
	if err := Clean(filepath.Join(dir, "missing")); err != nil {
		t.Errorf("Clean of a missing folder: %v", err)
	}
}

func modified(t *testing.T, dir, name string) time.Time {
	t.Helper()
	info, err := os.Stat(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}

func gunzip(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

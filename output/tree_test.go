package output

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// files gives files one by one.
func files(list ...File) func(func(File, error) bool) {
	return func(yield func(File, error) bool) {
		for _, f := range list {
			if !yield(f, nil) {
				return
			}
		}
	}
}

func TestPublishTree(t *testing.T) {
	dir := t.TempDir()
	list := []File{{Name: "index.html", Data: []byte("a")}, {Name: "outlet/صحيفة-الميناء/index.html", Data: []byte("b")}, {Name: "story/x/data.json", Data: []byte("c")}}
	if n, err := PublishTree(dir, files(list...)); n != 3 || err != nil {
		t.Fatalf("wrote %d, %v", n, err)
	}
	for _, f := range list {
		if data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Name))); err != nil || string(data) != string(f.Data) {
			t.Errorf("%s = %q, %v", f.Name, data, err)
		}
	}
	list[2].Data = []byte("d")
	if n, err := PublishTree(dir, files(list...)); n != 1 || err != nil {
		t.Errorf("wrote %d, %v; want the one that changed", n, err)
	}
	for _, name := range []string{"../x.html", "/x.html", "a/../../x.html", "a//x.html", ".git/x.html", "a/.x.html", "a b/x.html", "x", "", "a\x00.html", "a/b\\c.html"} {
		if _, err := PublishTree(dir, files(File{Name: name, Data: []byte("x")})); err == nil {
			t.Errorf("%q was published", name)
		}
	}
	broken := errors.New("broken")
	if _, err := PublishTree(dir, func(yield func(File, error) bool) { yield(File{}, broken) }); !errors.Is(err, broken) {
		t.Errorf("error = %v", err)
	}
}

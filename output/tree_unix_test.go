//go:build unix

package output

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPublishTreeFollowsNoLinkOutside(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "away")); err != nil {
		t.Fatal(err)
	}
	if _, err := PublishTree(dir, files(File{Name: "away/x.html", Data: []byte("x")})); err == nil {
		t.Error("a file was published through a link that leaves the folder")
	}
}

//go:build unix

package config

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a new file the owner and group of the old one, so that root may edit what the daemon's user reads.
func keepOwner(file string, old fs.FileInfo) error {
	s, ok := old.Sys().(*syscall.Stat_t)
	if !ok || int(s.Uid) == os.Geteuid() && int(s.Gid) == os.Getegid() {
		return nil
	}
	if err := os.Chown(file, int(s.Uid), int(s.Gid)); err != nil {
		return fmt.Errorf("keep the owner: %w", err)
	}
	return os.Chmod(file, old.Mode().Perm())
}

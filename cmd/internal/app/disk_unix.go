//go:build linux || darwin

package app

import "syscall"

// freeSpace is how many bytes an unprivileged process may still write to the disk of a folder.
func freeSpace(path string) (uint64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil {
		return 0, err
	}
	return s.Bavail * uint64(s.Bsize), nil
}

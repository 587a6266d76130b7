//go:build unix

package app

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes flock(2) on the file without waiting.
func tryLock(file *os.File) (bool, error) {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

package app

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ErrLocked means another process holds the lock of the state directory.
var ErrLocked = errors.New("another sheaf is at work here")

// Lock is held by the one process that may write to a state directory. The kernel frees it when the process ends, however it ends.
type Lock struct {
	file *os.File
}

// TakeLock locks the state directory, creating it if need be. If another process holds it, the error wraps ErrLocked and names the holder.
func TakeLock(state string, now time.Time) (*Lock, error) {
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, fmt.Errorf("create state directory: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(state, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	held, err := tryLock(file)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", file.Name(), err), file.Close())
	}
	if !held {
		holder := readHolder(file)
		return nil, errors.Join(fmt.Errorf("%w: %s is locked by %s", ErrLocked, state, holder), file.Close())
	}
	l := &Lock{file}
	if err := l.sign(now); err != nil {
		return nil, errors.Join(err, l.Release())
	}
	return l, nil
}

// sign writes who holds the lock, for the message that another process gives.
func (l *Lock) sign(now time.Time) error {
	text := fmt.Sprintf("process %d (%s), since %s\n", os.Getpid(), strings.Join(os.Args, " "), now.UTC().Format(time.RFC3339))
	if err := l.file.Truncate(0); err != nil {
		return fmt.Errorf("sign lock: %w", err)
	}
	if _, err := l.file.WriteAt([]byte(text), 0); err != nil {
		return fmt.Errorf("sign lock: %w", err)
	}
	return nil
}

func readHolder(file io.Reader) string {
	text, err := io.ReadAll(io.LimitReader(file, 1024))
	if holder := strings.TrimSpace(string(text)); err == nil && holder != "" {
		return holder
	}
	return "an unknown process"
}

// Release frees the lock.
func (l *Lock) Release() error {
	if err := l.file.Close(); err != nil {
		return fmt.Errorf("release lock: %w", err)
	}
	return nil
}

package app

import (
	"context"
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

// Lock is held by the one process that may write to a state directory. The kernel frees it when the process ends, however it ends. Its file
// tells who holds it, and afterwards how that went: it is emptied by a holder that ends well.
type Lock struct {
	file   *os.File
	before string // what the holder before has left
	spoilt bool   // Release leaves the file as it is
}

// damageNote begins what a holder leaves that has met damage in the database.
const damageNote = "damage: "

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
	l := &Lock{file: file}
	if err := l.sign(now); err != nil {
		return nil, errors.Join(err, l.Release())
	}
	return l, nil
}

// lockAgain is how often a lock that is held is tried again.
const lockAgain = 500 * time.Millisecond

// WaitLock is TakeLock that waits for the holder to end, until ctx does: then the error wraps ErrLocked, too. waiting is called once if
// there is a wait, with the error that names the holder; nil: it is not.
func WaitLock(ctx context.Context, state string, now func() time.Time, waiting func(error)) (*Lock, error) {
	again := time.NewTicker(lockAgain)
	defer again.Stop()
	for {
		l, err := TakeLock(state, now())
		if !errors.Is(err, ErrLocked) {
			return l, err
		}
		if waiting != nil {
			waiting(err)
			waiting = nil
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return nil, err
		}
	}
}

// sign reads what the holder before has left, and writes who holds the lock now, for the message that another process gives.
func (l *Lock) sign(now time.Time) error {
	before, err := io.ReadAll(io.LimitReader(l.file, 1024))
	if err != nil {
		return fmt.Errorf("read lock: %w", err)
	}
	l.before = strings.TrimSpace(string(before))
	return l.write(fmt.Sprintf("process %d (%s), since %s\n", os.Getpid(), strings.Join(os.Args, " "), now.UTC().Format(time.RFC3339)))
}

func (l *Lock) write(text string) error {
	if err := l.file.Truncate(0); err != nil {
		return fmt.Errorf("sign lock: %w", err)
	}
	if _, err := l.file.WriteAt([]byte(text), 0); err != nil {
		return fmt.Errorf("sign lock: %w", err)
	}
	return nil
}

// Clean reports whether the holder before, if there was one, closed everything before it ended.
func (l *Lock) Clean() bool { return l.before == "" }

// Damage gives what the holder before has met in the database; empty if nothing.
func (l *Lock) Damage() string {
	damage, found := strings.CutPrefix(l.before, damageNote)
	if !found {
		return ""
	}
	return damage
}

// NoteDamage leaves word of damage to the next holder.
func (l *Lock) NoteDamage(damage error) error {
	l.spoilt = true
	return l.write(damageNote + strings.ReplaceAll(damage.Error(), "\n", "; ") + "\n")
}

// Spoil makes the next holder look for damage.
func (l *Lock) Spoil() { l.spoilt = true }

// Keep leaves to the next holder what the one before has left to this one.
func (l *Lock) Keep() error {
	l.spoilt = true
	return l.write(l.before + "\n")
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
	var err error
	if !l.spoilt {
		err = l.file.Truncate(0)
	}
	if err := errors.Join(err, l.file.Close()); err != nil {
		return fmt.Errorf("release lock: %w", err)
	}
	return nil
}

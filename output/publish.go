package output

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"time"
)

// Temporary files carry both, so that Clean finds them and nothing else.
const (
	temporaryPrefix = ".sheaf-"
	temporarySuffix = ".tmp"
)

// fileName is what may be published: a slug and an extension. No name can leave the folder or hide in it.
var fileName = regexp.MustCompile(`^[a-z0-9-]{1,64}\.[a-z]{1,8}$`)

// Publish puts files into the folder dir, which is made if missing, and returns the names of those that changed. A file whose bytes are the
// same is not touched. Each is replaced at once (temporary file, fsync, rename), readable for everybody, with its time of modification at
// File.Modified but always a full second after that of the version before, and beside it a compressed twin, NAME.gz.
//
// A document that fails [File.Check], or cannot be written, leaves the last good one in place; the others are published all the same. The
// error joins every failure, each with the name of its file.
//
// Only one process at a time may publish into a folder.
func Publish(dir string, files []File) ([]string, error) {
	root, err := openFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	defer root.Close()
	var written []string
	var errs []error
	for _, f := range files {
		changed, err := f.publish(root)
		if err != nil {
			errs = append(errs, fmt.Errorf("publish %s: %w", f.Name, err))
		}
		if changed {
			written = append(written, f.Name)
		}
	}
	if len(written) > 0 {
		if err := syncFolder(root); err != nil {
			errs = append(errs, fmt.Errorf("publish: %w", err))
		}
	}
	return written, errors.Join(errs...)
}

// openFolder opens the folder, made if missing and then open to everybody, whatever the umask.
func openFolder(dir string) (*os.Root, error) {
	_, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(dir, 0o755); err == nil {
			err = os.Chmod(dir, 0o755)
		}
	}
	if err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}

// publish writes the file if it differs. The twin goes first: where the document is the new one, so is its twin.
func (f File) publish(root *os.Root) (changed bool, err error) {
	if !fileName.MatchString(f.Name) {
		return false, errors.New("not a name of lower-case letters, digits and hyphens with an extension")
	}
	return f.write(root)
}

// write writes the file into a folder if it differs from what is there.
func (f File) write(root *os.Root) (changed bool, err error) {
	modified := f.Modified
	old, err := root.ReadFile(f.Name)
	switch {
	case err == nil && bytes.Equal(old, f.Data):
		if _, err := root.Stat(f.Name + ".gz"); err == nil {
			return false, nil
		}
		info, err := root.Stat(f.Name)
		if err != nil {
			return false, err
		}
		return false, f.publishTwin(root, info.ModTime())
	case err == nil:
		info, err := root.Stat(f.Name)
		if err != nil {
			return false, err
		}
		modified = later(modified, info.ModTime().Truncate(time.Second).Add(time.Second))
	case !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	if err := f.Check(); err != nil {
		return false, err
	}
	if err := f.publishTwin(root, modified); err != nil {
		return false, err
	}
	return true, replace(root, f.Name, f.Data, modified)
}

func (f File) publishTwin(root *os.Root, modified time.Time) error {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(f.Data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return replace(root, f.Name+".gz", b.Bytes(), modified)
}

// replace swaps in new content for a file, whole or not at all. A zero time leaves the file's time to the system.
func replace(root *os.Root, name string, data []byte, modified time.Time) (err error) {
	temporary := temporaryPrefix + name + "." + rand.Text() + temporarySuffix
	file, err := root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, root.Remove(temporary))
		}
	}()
	_, err = file.Write(data)
	if err == nil {
		err = file.Chmod(0o644) // whatever the umask: a web server of another user reads it
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if !modified.IsZero() {
		if err := root.Chtimes(temporary, modified, modified); err != nil {
			return err
		}
	}
	return root.Rename(temporary, name)
}

// syncFolder makes renames last through a power cut.
func syncFolder(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// Clean removes what a Publish that was cut short left in the folder. A missing folder is clean. It may not run beside a Publish.
func Clean(dir string) error {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("clean: %w", err)
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return fmt.Errorf("clean: %w", err)
	}
	var errs []error
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), temporaryPrefix) && strings.HasSuffix(e.Name(), temporarySuffix) {
			errs = append(errs, root.Remove(e.Name()))
		}
	}
	return errors.Join(errs...)
}

package output

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"
)

// longestPart is how many bytes a part of a path may have: file systems allow 255, and temporary names are longer than the file's own.
const longestPart = 180

// PublishTree is [Publish] for files in folders below dir: their names are paths with slashes. Files come one by one and none is kept, so
// there may be many. It says how many were written; files that are no longer published stay, as their addresses may be known somewhere.
// An error of files ends it.
func PublishTree(dir string, files iter.Seq2[File, error]) (written int, err error) {
	root, err := openFolder(dir)
	if err != nil {
		return 0, fmt.Errorf("publish: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for f, err := range files {
		if err != nil {
			return written, err
		}
		changed, err := f.plant(root)
		if err != nil {
			return written, fmt.Errorf("publish %s: %w", f.Name, err)
		}
		if changed {
			written++
		}
	}
	return written, nil
}

// plant writes the file into its folder, which is made if missing.
func (f File) plant(root *os.Root) (changed bool, err error) {
	if !validPath(f.Name) {
		return false, errors.New("not a path of letters, digits, hyphens and underscores with an extension")
	}
	folder, name := path.Split(f.Name)
	if folder == "" {
		return f.write(root)
	}
	if err := root.MkdirAll(filepath.FromSlash(path.Clean(folder)), 0o755); err != nil {
		return false, err
	}
	inner, err := root.OpenRoot(filepath.FromSlash(path.Clean(folder)))
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, inner.Close()) }()
	f.Name = name
	return f.write(inner)
}

// validPath says that a path stays in its folder and that nothing in it is hidden.
func validPath(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) || path.Ext(name) == "" {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		ok := part != "" && len(part) <= longestPart && part[0] != '.' && !strings.ContainsFunc(part, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("-_.", r)
		})
		if !ok {
			return false
		}
	}
	return true
}

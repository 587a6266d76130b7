package feeds

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sheaf"
)

// The limits of a drop folder.
const (
	maxDropped      = 5000     // articles, the most recently modified first
	maxDroppedBytes = 64 << 20 // of these together
	maxDropDepth    = 8        // folders below it
)

// dropped is one file of a drop folder.
type dropped struct {
	name string // relative, with slashes
	info fs.FileInfo
}

// readFolder reads a drop folder: each .txt, .html and .htm file is one article, credited to the outlet its sub-folder is named after.
// Other files are left alone, with a note. If no file has come, gone or changed, nothing is read.
func (p *Poller) readFolder(ctx context.Context, feed sheaf.Feed, s State, path string) (result, State, error) {
	files, ignored, err := listFolder(path)
	if err != nil {
		return result{}, s, fileError(feed, FetchFile, plainCauseOf(err), "make the folder readable")
	}
	var notes []Note
	notes = noted(notes, "file_ignored", ignored)
	kept := latest(files)
	notes = noted(notes, "file_over_limit", len(files)-len(kept))
	stamp := stampsOf(kept)
	if stamp == s.Packed {
		return result{Outcome: Outcome{Unchanged: true, Notes: notes}}, s, nil
	}
	read, err := p.readFiles(ctx, path, kept, feed, s.Succeeded.IsZero())
	if err != nil {
		return result{}, s, err
	}
	notes = noted(notes, "file_unreadable", read.unreadable)
	hash := hashOf(read.content)
	if hash == s.BodyHash {
		s.Packed = stamp
		return result{Outcome: Outcome{Unchanged: true, Notes: notes}}, s, nil
	}
	s, fresh := s.texts(read.articles, feed, p.o.Now())
	s.BodyHash, s.Packed = hash, stamp
	return result{Outcome: Outcome{Articles: read.articles, Notes: notes}, fresh: fresh}, s, nil
}

// filesRead is what came of reading the files of a drop folder.
type filesRead struct {
	articles   []sheaf.Article
	content    []byte // names and hashes of what was read
	unreadable int
}

// readFiles reads files below path until ctx ends.
func (p *Poller) readFiles(ctx context.Context, path string, files []dropped, feed sheaf.Feed, first bool) (filesRead, error) {
	var read filesRead
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return read, err
		}
		body, err := readFile(filepath.Join(path, filepath.FromSlash(f.name)), p.o.MaxBody)
		if err != nil {
			read.unreadable++
			continue
		}
		read.content = append(read.content, f.name+"\x00"+hashOf(body)+"\n"...)
		article, err := localFile{f.name, f.info.ModTime(), body}.article(outletOf(feed, f.name), p.o.Now(), first)
		if err != nil {
			read.unreadable++
			continue
		}
		read.articles = append(read.articles, article)
	}
	return read, nil
}

// listFolder lists the articles below path and counts the files that are none. Names that begin with a dot are not seen at all, so that
// a half-written file can be kept out of sight.
func listFolder(path string) (files []dropped, ignored int, err error) {
	err = filepath.WalkDir(path, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && at == path:
			return err
		case errors.Is(err, fs.ErrNotExist):
			return nil // gone while we looked
		case err != nil:
			ignored++
			return nil
		case at != path && strings.HasPrefix(entry.Name(), "."):
			return skipped(entry)
		}
		name, err := filepath.Rel(path, at)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if entry.IsDir() {
			if strings.Count(name, "/") >= maxDropDepth {
				ignored++
				return fs.SkipDir
			}
			return nil
		}
		info, err := os.Stat(at)
		if err != nil || !info.Mode().IsRegular() || !isText(name) {
			ignored++
			return nil
		}
		files = append(files, dropped{name, info})
		return nil
	})
	return files, ignored, err
}

func skipped(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// latest keeps the files modified last, as many as the limits allow, ordered by name.
func latest(files []dropped) []dropped {
	kept := slices.Clone(files)
	slices.SortFunc(kept, func(a, b dropped) int {
		if c := b.info.ModTime().Compare(a.info.ModTime()); c != 0 {
			return c
		}
		return strings.Compare(a.name, b.name)
	})
	size := int64(0)
	for i, f := range kept {
		if size += f.info.Size(); i == maxDropped || size > maxDroppedBytes {
			kept = kept[:i]
			break
		}
	}
	slices.SortFunc(kept, func(a, b dropped) int { return strings.Compare(a.name, b.name) })
	return kept
}

func stampsOf(files []dropped) string {
	var all strings.Builder
	for _, f := range files {
		all.WriteString(stampOf(f.name, f.info))
	}
	return hashOf([]byte(all.String()))
}

// outletOf credits an article in a sub-folder to the outlet the folder is named after.
func outletOf(feed sheaf.Feed, name string) sheaf.Feed {
	if folder, _, below := strings.Cut(name, "/"); below {
		feed.Outlet, feed.Owner = folder, ""
	}
	return feed
}

func noted(notes []Note, code string, count int) []Note {
	if count == 0 {
		return notes
	}
	return append(notes, Note{Code: code, Count: count})
}

package feeds

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sheaf"
)

// isFile reports whether an address is a file: address.
func isFile(address string) bool { return strings.HasPrefix(strings.ToLower(address), "file:") }

// filePath is the path of a file: address, in any of the forms file:///a/b, file://localhost/a/b and file:/a/b.
func filePath(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("not an address: it cannot be parsed")
	}
	if u.Host != "" && u.Host != "localhost" {
		return "", fmt.Errorf("host %q in a file: address", u.Host)
	}
	path := filepath.FromSlash(u.Path)
	if !filepath.IsAbs(path) {
		return "", errors.New("the path of a file: address must be absolute")
	}
	return filepath.Clean(path), nil
}

// pollFile reads a feed document, a plain-text article or a drop folder. There is no lease: nobody is bothered. The error is the end of
// ctx.
func (p *Poller) pollFile(ctx context.Context, j *job) (result, error) {
	s := j.State.attempted(p.o.Now())
	path, err := filePath(j.Feed.URL)
	if err != nil {
		return p.failed(j, s, fileError(j.Feed, FetchAddress, err, "write it as file:///folder/name")), nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return p.failed(j, s, fileError(j.Feed, FetchFile, plainCauseOf(err), "create it, or correct the address")), nil
	}
	read := p.readSingle
	if info.IsDir() {
		read = p.readFolder
	}
	res, s, err := read(ctx, j.Feed, s, path)
	switch {
	case ctx.Err() != nil:
		return result{}, context.Cause(ctx)
	case err != nil:
		return p.failed(j, s, pageError(err, j.Feed.URL, 0)), nil
	}
	now := p.o.Now()
	s = s.well(0, now)
	s.Floor, s.Next = time.Time{}, now
	res.Feed, res.State = j.Feed, s
	return res, nil
}

// readSingle reads one file: a plain-text article by its name, else a feed document. An unchanged file is not read, or not parsed.
func (p *Poller) readSingle(ctx context.Context, feed sheaf.Feed, s State, path string) (result, State, error) {
	info, err := os.Stat(path)
	if err != nil {
		return result{}, s, fileError(feed, FetchFile, plainCauseOf(err), "")
	}
	stamp := stampOf(filepath.Base(path), info)
	if stamp == s.Packed {
		return result{Outcome: Outcome{Unchanged: true}}, s, nil
	}
	body, err := readFile(path, p.o.MaxBody)
	if err != nil {
		return result{}, s, fileError(feed, FetchFile, err, "")
	}
	hash := hashOf(body)
	if hash == s.BodyHash {
		s.Packed = stamp
		return result{Outcome: Outcome{Unchanged: true}}, s, nil
	}
	res, s, err := p.readFresh(ctx, feed, s, localFile{filepath.Base(path), info.ModTime(), body})
	if err != nil {
		return result{}, s, err
	}
	s.BodyHash, s.Packed = hash, stamp
	return res, s, nil
}

// localFile is a file as read; name is what its kind is told by.
type localFile struct {
	name     string
	modified time.Time
	body     []byte
}

// readFresh makes articles of one file with new bytes.
func (p *Poller) readFresh(ctx context.Context, feed sheaf.Feed, s State, f localFile) (result, State, error) {
	now := p.o.Now()
	if isText(f.name) {
		article, err := f.article(feed, now, s.Succeeded.IsZero())
		if err != nil {
			return result{}, s, err
		}
		articles := []sheaf.Article{article}
		s, fresh := s.texts(articles, feed, now)
		return result{Outcome: Outcome{Articles: articles}, fresh: fresh}, s, nil
	}
	doc, articles, err := p.read(ctx, Input{Body: f.body, URL: feed.URL}, s.normalization(feed, now))
	if err != nil {
		return result{}, s, err
	}
	s, fresh := s.changed(doc, articles, now)
	return result{Outcome: Outcome{Articles: articles, Notes: doc.Notes}, fresh: len(fresh), doc: doc}, s, nil
}

// article makes an article of a plain-text file. The error names the file.
func (f localFile) article(feed sheaf.Feed, now time.Time, first bool) (sheaf.Article, error) {
	article, err := TextArticle(TextFile{Name: f.name, Modified: f.modified, Body: f.body, Feed: feed, Now: now, First: first})
	if err != nil {
		return sheaf.Article{}, fmt.Errorf("read %s: %w", f.name, err)
	}
	return article, nil
}

// texts is the state after plain-text articles, and how many of them are new.
func (s State) texts(articles []sheaf.Article, feed sheaf.Feed, now time.Time) (State, int) {
	rhythm, fresh := s.Rhythm.observe(articles, s.First, now)
	s.Rhythm, s.Title = rhythm, feed.Outlet
	s.Caching.Full = now
	return s, len(fresh)
}

// isText reports whether a file is a plain-text article by its name.
func isText(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".txt", ".html", ".htm":
		return true
	}
	return false
}

// stampOf is what an unchanged file is known by without reading it.
func stampOf(name string, info fs.FileInfo) string {
	return hashOf(fmt.Appendf(nil, "%s\x00%d\x00%d", name, info.Size(), info.ModTime().UnixNano()))
}

// readFile reads a regular file of at most limit bytes.
func readFile(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, plainCauseOf(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, plainCauseOf(err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	body, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, plainCauseOf(err)
	}
	if int64(len(body)) > limit {
		return nil, fmt.Errorf("%s is larger than %d bytes", path, limit)
	}
	return body, nil
}

// plainCauseOf says which path gave which error, without the name of the system call.
func plainCauseOf(err error) error {
	var pe *fs.PathError
	if !errors.As(err, &pe) {
		return err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s does not exist: %w", pe.Path, pe.Err)
	}
	return fmt.Errorf("%s: %w", pe.Path, pe.Err)
}

func fileError(feed sheaf.Feed, code FetchCode, cause error, advice string) *FetchError {
	return &FetchError{URL: Redact(feed.URL), Code: code, Err: cause, Advice: advice}
}

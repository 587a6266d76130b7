package config

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// Entry is a feed to be written into a configuration file.
type Entry struct {
	URL      string // as Address gives it
	Outlet   string // empty: left out
	Owner    string // empty: left out
	Language string // empty: left out
	Comment  string // one line above the entry, without #; empty: none. A list in brackets takes none
}

// ErrChanged means that a file was changed by someone else while it was being edited. Nothing was written.
var ErrChanged = errors.New("the file was changed meanwhile; try again")

// Address checks the address of a feed as for the key url. File addresses become absolute, against dir.
func Address(address, dir string) (string, error) {
	return checker{decoder: &decoder{dir: dir}}.address(address)
}

// Dir is the folder of the file, which relative paths start from.
func (c *Config) Dir() string {
	dir := filepath.Dir(c.path)
	if absolute, err := filepath.Abs(dir); err == nil {
		return absolute
	}
	return dir
}

// Unfeed takes the dead scheme feed off an address: feed:https://example.org/x and feed://example.org/x are what readers once wrote.
func Unfeed(address string) string {
	for _, scheme := range []string{"feed:", "feeds:"} {
		if rest, ok := strings.CutPrefix(address, scheme); ok {
			if address = strings.TrimPrefix(rest, "//"); !strings.Contains(address, "://") {
				address = "https://" + address
			}
		}
	}
	return address
}

// Find gives the configured feed at an address; scheme, case of the host and a slash at the end make no difference.
func (c *Config) Find(address string) (Feed, bool) {
	key := AddressKey(address)
	for _, f := range c.Feeds {
		if AddressKey(f.URL) == key {
			return f, true
		}
	}
	return Feed{}, false
}

// AddressKey is the same for two addresses that are taken for one feed, and only for such.
func AddressKey(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	host := strings.ToLower(u.Hostname())
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	return host + strings.TrimRight(u.EscapedPath(), "/") + "?" + u.RawQuery
}

// IsLocal reports whether an address leads into this machine or names a host by its number, so that it should be polled only if an
// operator has written it, never because a document says so.
func IsLocal(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return true
	}
	name := strings.ToLower(strings.TrimRight(u.Hostname(), "."))
	_, err = netip.ParseAddr(name)
	return err == nil || name == "localhost" || strings.HasSuffix(name, ".localhost")
}

// AddFeeds gives data, the content of the file at path, with entries at the end of its list of feeds. All else stays as it is, byte for
// byte: comments, order, indentation, line ends. The result has been read strictly, and means what data means with these feeds. The
// error is an *Error if data has faults, if the result would have some, or if the list is written in a way that is not edited.
func AddFeeds(path string, data []byte, entries []Entry) ([]byte, error) {
	before, err := Parse(path, data, Overrides{})
	if err != nil || len(entries) == 0 {
		return data, err
	}
	want := slices.Clone(before.Feeds)
	for _, e := range entries {
		want = append(want, Feed{URL: e.URL, Outlet: e.Outlet, Owner: e.Owner, Language: e.Language})
	}
	return edited(before, want, data, func(l *list) string { return l.add(entries) })
}

// RemoveFeeds gives data, the content of the file at path, without the feeds at the addresses, which are as in Config.Feeds. Comments
// above an entry stay, those in it or beside it go with it. Everything said of AddFeeds holds here, too.
func RemoveFeeds(path string, data []byte, addresses []string) ([]byte, error) {
	for _, address := range addresses {
		before, err := Parse(path, data, Overrides{})
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(before.Feeds, func(f Feed) bool { return f.URL == address })
		if i < 0 {
			return nil, fmt.Errorf("%s is not configured", address)
		}
		want := slices.Delete(slices.Clone(before.Feeds), i, i+1)
		if data, err = edited(before, want, data, func(l *list) string { return l.remove(i) }); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// edited applies a change to the list of feeds and makes sure of its effect.
func edited(before *Config, want []Feed, data []byte, change func(*list) string) ([]byte, error) {
	text, crlf := string(data), false
	if strings.Contains(text, "\r\n") {
		crlf = true
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	l := newList(before.path, text)
	if crlf && strings.Count(string(data), "\n") != strings.Count(string(data), "\r\n") {
		l.refuse(position{1, 1}, "line ends of Windows and of Unix are mixed; make them one kind")
	}
	if l.err() == nil {
		text = change(l)
	}
	if err := l.err(); err != nil {
		return nil, err
	}
	if crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return []byte(text), verify(before, want, []byte(text))
}

// verify reads an edited file and compares what it means with what it should mean.
func verify(before *Config, want []Feed, data []byte) error {
	after, err := Parse(before.path, data, Overrides{})
	if err != nil {
		return fmt.Errorf("the edited file would be faulty, so nothing was written: %w", err)
	}
	same := slices.EqualFunc(after.Feeds, want, func(a, b Feed) bool { return reflect.DeepEqual(a, b) })
	rest := *after
	rest.Feeds = before.Feeds
	if !same || !reflect.DeepEqual(rest, *before) {
		f := faults{file: before.path}
		f.add(position{1, 1}, "feeds", "written in a way that is not edited safely; change it by hand")
		return f.err()
	}
	return nil
}

// Edit replaces the content of the file at path by what change makes of it, in one step: whoever reads sees the old file or the new one.
// Mode and owner stay, and so do links to the file. Nothing is written if change fails or changes nothing.
func Edit(path string, change func(data []byte) ([]byte, error)) error {
	file, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("edit %s: %w", path, err)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("edit: %w", err)
	}
	after, err := change(before)
	if err != nil || bytes.Equal(before, after) {
		return err
	}
	if err := replace(file, before, after); err != nil {
		return fmt.Errorf("edit %s: %w", path, err)
	}
	return nil
}

// replace writes a new file beside the old one and renames it into its place.
func replace(file string, before, after []byte) (err error) {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(after)
	err = errors.Join(err, f.Chmod(info.Mode().Perm()), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	if err := keepOwner(f.Name(), info); err != nil {
		return err
	}
	now, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, before) {
		return ErrChanged
	}
	return os.Rename(f.Name(), file)
}

package config

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"sheaf/cmd/internal/schedule"
)

var slug = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)

// profiles are the ones that dedupe knows, the default first.
var profiles = []string{"balanced", "strict", "broad"}

// checker turns values into what the program uses and collects what is wrong with them.
type checker struct {
	*decoder
	unread int // how many of the faults come from reading
}

// fault reports a value unless reading it or what holds it has failed already.
func (k checker) fault(path, format string, args ...any) {
	for _, f := range k.found[:k.unread] {
		rest, under := strings.CutPrefix(path, f.Path)
		if under && f.Path != "" && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return
		}
	}
	at, ok := k.at[path]
	for parent := path; !ok && parent != ""; at, ok = k.at[parent] {
		parent = parent[:max(0, strings.LastIndexAny(parent, ".["))]
	}
	if !ok {
		at = position{1, 1}
	}
	k.add(at, path, format, args...)
}

// check resolves paths and finds the faults that no single value shows.
func (c *Config) check(d *decoder, o Overrides) {
	k := checker{d, len(d.found)}
	c.State = k.path("state", c.State, o.State != "")
	c.Publish.Dir = k.path("publish.dir", c.Publish.Dir, o.Publish != "")
	if c.Grouping.Model != "" {
		c.Grouping.Model = k.path("grouping.model", c.Grouping.Model, false)
	}
	c.Publish.BaseURL = k.baseURL(c.Publish.BaseURL)
	k.listen("listen", c.Listen)
	k.admin(c.Admin)
	k.proxies(c.Proxies)
	if c.Log != LogText && c.Log != LogJSON {
		k.fault("log", "%q is neither %s nor %s", c.Log, LogText, LogJSON)
	}
	k.schedule(c)
	k.fetch(c.Fetch)
	if !slices.Contains(profiles, c.Grouping.Profile) {
		k.fault("grouping.profile", "%q is not a profile; use one of %s", c.Grouping.Profile, strings.Join(profiles, ", "))
	}
	if time.Duration(c.Keep) < 15*24*time.Hour {
		k.fault("retention", "%s is too short: a story stays open for 14 days, so keep at least 15d", time.Duration(c.Keep))
	}
	if c.Backups != 0 && time.Duration(c.Backups) < 24*time.Hour {
		k.fault("backups", "%s is less than the day between two backups; keep them for 1d or longer, or write 0 for none", time.Duration(c.Backups))
	}
	if c.Publish.Hub != "" && !isHTTP(c.Publish.Hub) {
		k.fault("publish.hub", "%q is not an http or https address", c.Publish.Hub)
	}
	k.editors(c.Editors)
	k.webSub(c)
	k.groups(c)
	k.feeds(c.Feeds)
	k.waivers(c.Feeds)
	if len(c.Channels) == 0 {
		c.Channels = []Channel{{Name: "stories"}}
	}
	k.channels(c)
}

// path makes p absolute: against the working directory if it came from the command line, else against the folder of the file.
func (k checker) path(key, p string, fromFlag bool) string {
	if p == "" {
		k.fault(key, "empty; name a directory")
		return p
	}
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	if fromFlag {
		if absolute, err := filepath.Abs(p); err == nil {
			return absolute
		}
	}
	return filepath.Join(k.dir, p)
}

func isHTTP(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

func (k checker) baseURL(s string) string {
	u, err := url.Parse(s)
	if err != nil || !isHTTP(s) || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		k.fault("publish.base_url", "%q must be the http or https address under which the channels are reached, such as https://news.example.org", s)
	}
	return strings.TrimRight(s, "/")
}

func (k checker) schedule(c *Config) {
	if _, err := time.LoadLocation(c.Zone); err != nil {
		k.fault("zone", "%q is not a time zone such as Europe/Berlin", c.Zone)
		return
	}
	if _, err := schedule.Parse(c.Schedule, c.Zone); err != nil {
		k.fault("schedule", "%v", err)
	}
}

func (k checker) fetch(f Fetch) {
	if f.Parallel < 0 || f.Parallel > 256 {
		k.fault("fetch.parallel", "%d feeds at once; choose 1 to 256", f.Parallel)
	}
	if f.Timeout != 0 && (time.Duration(f.Timeout) < time.Second || time.Duration(f.Timeout) > 5*time.Minute) {
		k.fault("fetch.timeout", "%s; choose 1s to 5m", time.Duration(f.Timeout))
	}
	if f.Interval != 0 && time.Duration(f.Interval) < time.Minute {
		k.fault("fetch.interval", "%s is impolite: no server is asked more than once a minute", time.Duration(f.Interval))
	}
	if f.MinInterval != 0 && time.Duration(f.MinInterval) < time.Minute {
		k.fault("fetch.min_interval", "%s is impolite: no server is asked more than once a minute", time.Duration(f.MinInterval))
	}
	if _, err := f.proxy(); err != nil {
		k.fault("fetch.proxy", "%v", err)
	}
	if f.Contact != "" && !isHTTP(f.Contact) && !strings.Contains(f.Contact, "@") {
		k.fault("fetch.contact", "%q should be an address a publisher can reach you at: a page or an e-mail address", f.Contact)
	}
	for i, a := range f.Allow {
		if strings.Contains(a, "/") {
			if _, _, err := net.ParseCIDR(a); err != nil {
				k.fault(fmt.Sprintf("fetch.allow[%d]", i), "%q is neither a network such as 10.1.0.0/16 nor a host name", a)
			}
		}
	}
}

func (k checker) feeds(feeds []Feed) {
	first := map[string]int{}
	for i := range feeds {
		f, path := &feeds[i], fmt.Sprintf("feeds[%d]", i)
		address, err := k.address(f.URL)
		if err != nil {
			k.fault(path+".url", "%v", err)
			continue
		}
		f.URL = address
		if j, ok := first[address]; ok {
			k.fault(path+".url", "the same address as feeds[%d] in line %d; remove one", j, k.at[fmt.Sprintf("feeds[%d]", j)].line)
			continue
		}
		first[address] = i
		if f.Snippet != nil && f.Outlet == "" {
			k.fault(path+".snippet", "name the outlet, too: its articles are quoted by this rule in every feed")
		}
		if f.Extract && !isHTTP(address) {
			k.fault(path+".extract", "the articles of a local file have no pages to take text from; remove it")
		}
		k.quirks(path, f)
		if f.Authorization.Reveal() != "" && !strings.HasPrefix(address, "https://") {
			k.fault(path+".authorization", "a secret is sent over https only; %s is not", address)
		}
	}
}

// quirks checks what is said about a feed's documents.
func (k checker) quirks(path string, f *Feed) {
	if _, err := time.LoadLocation(f.Zone); err != nil {
		k.fault(path+".zone", "%q is not a time zone such as Europe/Berlin", f.Zone)
	}
	for i, name := range f.KeepParams {
		if name == "" || strings.ContainsAny(name, "?&=;#*% \t\r\n") {
			k.fault(fmt.Sprintf("%s.keep_params[%d]", path, i), "%q is not the name of one query parameter, such as partner", name)
		}
	}
}

// address checks a feed's address and makes file: addresses absolute.
func (k checker) address(s string) (string, error) {
	if s == "" {
		return "", fmt.Errorf("missing; every feed needs its address")
	}
	if path, ok := strings.CutPrefix(s, "file:"); ok {
		path = strings.TrimPrefix(path, "//")
		if path == "" {
			return "", fmt.Errorf("file: names no file")
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(k.dir, path)
		}
		return "file:" + filepath.Clean(path), nil
	}
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return "", fmt.Errorf("%q is not an address: %v", s, err)
	case u.Scheme == "feed" || u.Scheme == "feeds":
		return "", fmt.Errorf("write https: in place of the scheme %s", u.Scheme)
	case u.Scheme == "":
		return "", fmt.Errorf("%q has no scheme; write https://%s, or file:%s for a local file", s, s, s)
	case !isHTTP(s):
		return "", fmt.Errorf("%q cannot be polled; use an http, https or file address", s)
	case u.User != nil:
		return "", fmt.Errorf("a password does not belong into an address; use authorization")
	}
	return s, nil
}

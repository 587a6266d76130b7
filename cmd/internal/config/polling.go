package config

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"sheaf"
	"sheaf/cmd/internal/schedule"
	"sheaf/feeds"
)

// exceptions adds what holds for single feeds and for their groups, and the proxy.
func (c *Config) exceptions(o *feeds.Options) {
	o.Delta, o.Waivers, o.Hours = map[sheaf.FeedID]bool{}, map[sheaf.FeedID]feeds.Waiver{}, map[sheaf.FeedID]func(time.Time) time.Time{}
	windows := map[string]schedule.Window{}
	for _, g := range c.Groups {
		if w, err := schedule.ParseWindow(g.Hours, c.Zone); err == nil { // checked when the file was read
			windows[g.Name] = w
		}
	}
	for _, f := range c.Feeds {
		id := sheaf.NewFeedID(f.URL)
		if f.Delta {
			o.Delta[id] = true
		}
		if f.InsecureTLS || f.InsecureRedirect {
			o.Waivers[id] = feeds.Waiver{Certificate: f.InsecureTLS, Downgrade: f.InsecureRedirect}
		}
		if w, ok := windows[f.Group]; ok {
			o.Hours[id] = w.From
		}
	}
	if proxy, err := c.Fetch.proxy(); err == nil { // checked when the file was read
		o.Proxy = proxy
	}
}

// ErrNoGroup says that the configuration has no group of a name.
var ErrNoGroup = errors.New("there is no group")

// Grouped lists the feeds of a group. The error wraps ErrNoGroup and names the groups there are.
func (c *Config) Grouped(group string) (map[sheaf.FeedID]bool, error) {
	var names []string
	for _, g := range c.Groups {
		names = append(names, g.Name)
	}
	if !slices.Contains(names, group) {
		if len(names) == 0 {
			return nil, fmt.Errorf("%w %q: the configuration has no groups", ErrNoGroup, group)
		}
		return nil, fmt.Errorf("%w %q; use one of %s", ErrNoGroup, group, strings.Join(names, ", "))
	}
	grouped := map[sheaf.FeedID]bool{}
	for _, f := range c.Feeds {
		if f.Group == group {
			grouped[sheaf.NewFeedID(f.URL)] = true
		}
	}
	return grouped, nil
}

// Warnings lists what is allowed and better not left so.
func (c *Config) Warnings() []string {
	var warnings []string
	remote := slices.ContainsFunc(c.Feeds, func(f Feed) bool { return isHTTP(f.URL) && !IsLocal(f.URL) })
	if remote && c.Fetch.Contact == "" {
		warnings = append(warnings, "fetch.contact is missing: say where publishers can reach you, before they refuse a reader they do not know")
	}
	for i, f := range c.Feeds {
		if f.InsecureTLS {
			told := ""
			if f.Authorization.Reveal() != "" {
				told = ", and told its authorization"
			}
			warnings = append(warnings, fmt.Sprintf("feeds[%d].insecure_tls: whoever answers for %s is believed%s; remove it once its certificate is good", i, feeds.Redact(f.URL), told))
		}
		if f.InsecureRedirect {
			warnings = append(warnings, fmt.Sprintf("feeds[%d].insecure_redirect: %s may be read without encryption; remove it once the outlet has mended its server", i, feeds.Redact(f.URL)))
		}
	}
	return warnings
}

// proxy is the address of the proxy; nil if none is configured. Errors do not hold it: it may hold a password.
func (f Fetch) proxy() (*url.URL, error) {
	value := f.Proxy.Reveal()
	if value == "" {
		return nil, nil
	}
	u, err := url.Parse(value)
	if err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https", "socks5"}, u.Scheme) {
		return nil, errors.New("not the address of a proxy, such as http://proxy.example.org:3128 or socks5://127.0.0.1:1080")
	}
	return u, nil
}

func (k checker) webSub(c *Config) {
	address := c.WebSub.Callback
	if address == "" {
		return
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		k.fault("websub.callback", "%q must be the public https address that leads to this server, such as https://news.example.org", address)
	}
	if c.Listen == "" {
		k.fault("websub.callback", "hubs call the HTTP server; set listen")
	}
}

func (k checker) groups(c *Config) {
	first := map[string]int{}
	for i, g := range c.Groups {
		path := fmt.Sprintf("groups[%d]", i)
		if !slug.MatchString(g.Name) {
			k.fault(path+".name", "%q is not a name; use small letters, digits and hyphens, at most 64", g.Name)
		} else if j, ok := first[g.Name]; ok {
			k.fault(path+".name", "the same name as groups[%d]; remove one", j)
		}
		first[g.Name] = i
		if g.Hours == "" {
			continue
		}
		if _, err := schedule.ParseWindow(g.Hours, c.Zone); err != nil && k.zoneIsGood(c) {
			k.fault(path+".hours", "%v", err)
		}
	}
	for i, f := range c.Feeds {
		if _, ok := first[f.Group]; f.Group != "" && !ok {
			k.fault(fmt.Sprintf("feeds[%d].group", i), "there is no group %q; name it under groups", f.Group)
		}
	}
}

// zoneIsGood reports whether the zone is one; if not, that has been said.
func (k checker) zoneIsGood(c *Config) bool {
	_, err := time.LoadLocation(c.Zone)
	return err == nil
}

// waivers finds protections given up where there are none.
func (k checker) waivers(feeds []Feed) {
	for i, f := range feeds {
		path, secure := fmt.Sprintf("feeds[%d]", i), strings.HasPrefix(f.URL, "https://")
		if f.InsecureTLS && !secure {
			k.fault(path+".insecure_tls", "the address is not https: there is no certificate to check; remove it")
		}
		if f.InsecureRedirect && !secure {
			k.fault(path+".insecure_redirect", "the address is not https: there is no encryption to give up; remove it")
		}
		if f.Delta && !isHTTP(f.URL) {
			k.fault(path+".delta", "a local file is always read whole; remove it")
		}
	}
}

package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"sheaf/feeds/icon"
	"sheaf/output/web"
)

const (
	iconsDir     = "icons"             // in the state directory; it is a cache and can be deleted
	iconsAge     = 28 * 24 * time.Hour // after which a host is asked again
	iconsPause   = 10 * time.Minute    // between two rounds
	iconsARound  = 5                   // hosts asked in a round, at most
	iconTime     = 5 * time.Second     // for one host
	iconHops     = 3                   // redirects that are followed
	iconPicture  = ".png"
	iconNothing  = ".none" // marks a host that has no usable picture
	iconsBrowser = "image/png, image/x-icon, image/vnd.microsoft.icon, image/gif;q=0.8, image/jpeg;q=0.8"
)

// icons keeps small pictures of outlets, asked for once in a few weeks at each host, so that outlets do not see who reads our pages.
type icons struct {
	root   *os.Root
	client *http.Client
	agent  string
	now    func() time.Time
}

var _ web.Icons = (*icons)(nil)

// openIcons opens the pictures in a state directory.
func openIcons(state string, transport http.RoundTripper, agent string, now func() time.Time) (*icons, error) {
	root, err := os.OpenRoot(state)
	if err != nil {
		return nil, fmt.Errorf("open icons: %w", err)
	}
	defer root.Close()
	if err := root.Mkdir(iconsDir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("make folder of icons: %w", err)
	}
	dir, err := root.OpenRoot(iconsDir)
	if err != nil {
		return nil, fmt.Errorf("open icons: %w", err)
	}
	client := &http.Client{Transport: transport, Timeout: iconTime, CheckRedirect: checkIconRedirect}
	return &icons{dir, client, agent, now}, nil
}

// Close closes the folder.
func (i *icons) Close() error { return i.root.Close() }

// checkIconRedirect follows a few redirects, and tells nobody where they come from.
func checkIconRedirect(r *http.Request, via []*http.Request) error {
	r.Header.Del("Referer")
	if len(via) > iconHops || r.URL.Scheme != "http" && r.URL.Scheme != "https" {
		return http.ErrUseLastResponse
	}
	return nil
}

var iconHost = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*\.)*[a-z0-9-]*$`)

// iconHostOf is the host of a home page, by which its picture is kept; empty if it has none that makes a file name.
func iconHostOf(home string) string {
	u, err := url.Parse(home)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if len(host) > 200 || !iconHost.MatchString(host) {
		return ""
	}
	return host
}

// Name is what the picture of the outlet with the home page is called; empty: there is none.
func (i *icons) Name(home string) string {
	host := iconHostOf(home)
	if host == "" {
		return ""
	}
	if _, err := i.root.Stat(host + iconPicture); err != nil {
		return ""
	}
	return host + iconPicture
}

// Picture gives a picture by its name, and when it came in.
func (i *icons) Picture(name string) ([]byte, time.Time, error) {
	host, ok := strings.CutSuffix(name, iconPicture)
	if !ok || !iconHost.MatchString(host) {
		return nil, time.Time{}, fmt.Errorf("icon: %w", fs.ErrNotExist)
	}
	info, err := i.root.Stat(name)
	if err != nil {
		return nil, time.Time{}, err
	}
	data, err := i.root.ReadFile(name)
	return data, info.ModTime(), err
}

// tendIcons keeps pictures of the outlets whose feeds are polled until ctx ends.
func (a *App) tendIcons(ctx context.Context) {
	for ctx.Err() == nil {
		states, err := a.store.States(ctx)
		var homes []string
		for _, id := range slices.Sorted(maps.Keys(states)) {
			homes = append(homes, states[id].Site)
		}
		if err == nil {
			err = a.icons.refresh(ctx, homes)
		}
		if err != nil && ctx.Err() == nil {
			a.log.Warn("pictures of outlets not kept", "err", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(iconsPause):
		}
	}
}

// refresh asks a few hosts that have not been asked for weeks. A host without a usable picture is remembered like one that has it; an error
// is one of our own disk.
func (i *icons) refresh(ctx context.Context, homes []string) error {
	asked := 0
	seen := map[string]bool{}
	for _, home := range homes {
		host := iconHostOf(home)
		if host == "" || seen[host] || i.fresh(host) {
			continue
		}
		if seen[host] = true; asked == iconsARound || ctx.Err() != nil {
			return nil
		}
		asked++
		picture, err := i.fetch(ctx, home)
		if ctx.Err() != nil {
			return nil
		}
		name, old := host+iconPicture, host+iconNothing
		if err != nil { // whatever was wrong, it is no more urgent than anything else about a picture
			name, old, picture = old, "", nil
		}
		if err := i.keep(name, old, picture); err != nil {
			return err
		}
	}
	return nil
}

// fresh says that a host was asked in the last weeks.
func (i *icons) fresh(host string) bool {
	return slices.ContainsFunc([]string{iconPicture, iconNothing}, func(suffix string) bool {
		info, err := i.root.Stat(host + suffix)
		return err == nil && i.now().Sub(info.ModTime()) < iconsAge
	})
}

// keep replaces what is kept of a host, whole at once. A host that had a picture once keeps it when it has none any more.
func (i *icons) keep(name, old string, data []byte) error {
	const part = "new.part"
	now := i.now()
	err := i.root.WriteFile(part, data, 0o600)
	if err == nil {
		err = i.root.Chtimes(part, now, now)
	}
	if err == nil {
		err = i.root.Rename(part, name)
	}
	if err == nil && old != "" {
		if err = i.root.Remove(old); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err != nil {
		return fmt.Errorf("keep icon: %w", err)
	}
	return nil
}

// fetch asks the host of a home page for its picture, at the one place where browsers look without being told.
func (i *icons) fetch(ctx context.Context, home string) ([]byte, error) {
	u, err := url.Parse(home)
	if err != nil {
		return nil, err
	}
	address := url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/favicon.ico"}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", i.agent)
	request.Header.Set("Accept", iconsBrowser)
	response, err := i.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("icon of %s: %s", u.Hostname(), response.Status)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, icon.MaxBytes+1))
	if err != nil {
		return nil, err
	}
	return painted(data)
}

// painted makes the picture. A decoder that panics on hostile bytes costs one picture and not the process.
func painted(data []byte) (picture []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			picture, err = nil, fmt.Errorf("%w: reading it panicked: %v", icon.ErrNotIcon, r)
		}
	}()
	return icon.PNG(data)
}

package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"sheaf/cmd/internal/config"
	"sheaf/cmd/internal/front"
	"sheaf/cmd/internal/systemd"
)

// The bounds of the public server (B49).
const (
	connections     = 256
	clientShare     = 64 // of the connections, for one client
	requestsPerSec  = 10 // of one client
	requestsAtOnce  = 40
	drain           = 10 * time.Second // for open requests, once the process is to end
	adminSocketName = "admin"          // of a socket that the service manager passes
)

// hardened is a server whose clients may be slow, or hostile. fail is for what goes wrong inside.
func hardened(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug), // mostly what clients do wrong
	}
}

// changing is a handler that can be exchanged while it serves.
type changing struct{ present atomic.Pointer[http.Handler] }

func (c *changing) set(h http.Handler) { c.present.Store(&h) }

// ServeHTTP implements [http.Handler].
func (c *changing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	(*c.present.Load()).ServeHTTP(w, r)
}

// public is all that the public address answers, by a setup: what is mounted, the documents of private channels, the pages.
func (a *App) public(s setup) (http.Handler, error) {
	pages, err := a.pages(s.open())
	if err != nil {
		return nil, err
	}
	doors := map[string]front.Door{}
	for name, token := range s.config.Private() {
		documents, err := a.pages(s.only(name))
		if err != nil {
			return nil, err
		}
		doors[name] = front.Door{Token: token, Handler: documents}
	}
	proxies := front.Proxies(s.config.TrustedProxies())
	return a.mounted(front.Limit(front.Private(pages, s.site.Path(), doors), a.rates, proxies, a.metrics.Limited)), nil
}

// open is the setup without private channels.
func (s setup) open() setup {
	private := s.config.Private()
	return s.with(func(name string) bool { return private[name] == "" })
}

// only is the setup with one channel.
func (s setup) only(channel string) setup {
	return s.with(func(name string) bool { return name == channel })
}

func (s setup) with(wanted func(name string) bool) setup {
	channels := s.channels
	s.channels = nil
	for _, c := range channels {
		if wanted(c.Name) {
			s.channels = append(s.channels, c)
		}
	}
	return s
}

// listeners gives where to listen: the sockets that were passed, else the configured addresses.
func listeners(ctx context.Context, c *config.Config, passed []systemd.Socket) (public, admin []net.Listener, err error) {
	for _, s := range passed {
		if s.Name == adminSocketName {
			admin = append(admin, s.Listener)
		} else {
			public = append(public, s.Listener)
		}
	}
	if len(public) == 0 && c.Listen != "" {
		l, failed := listen(ctx, c.Listen, 0o666) // whoever may reach the directory may read what is public
		public, err = appendListener(public, l, failed)
	}
	if len(admin) == 0 && c.Admin.Listen != "" {
		l, failed := listen(ctx, c.Admin.Listen, 0o600)
		var adminErr error
		admin, adminErr = appendListener(admin, l, failed)
		err = errors.Join(err, adminErr)
	}
	if err != nil {
		for _, l := range append(public, admin...) {
			err = errors.Join(err, l.Close())
		}
		return nil, nil, err
	}
	return public, admin, nil
}

func appendListener(all []net.Listener, l net.Listener, err error) ([]net.Listener, error) {
	if err != nil {
		return all, err
	}
	return append(all, l), nil
}

// listen opens a listener. A unix socket that a killed process left is replaced.
func listen(ctx context.Context, where string, mode fs.FileMode) (net.Listener, error) {
	network, address := config.Endpoint(where)
	if network == "unix" {
		if err := clearSocket(address); err != nil {
			return nil, fmt.Errorf("listen on %s: %w", where, err)
		}
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, network, address)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	if network == "unix" {
		if err := os.Chmod(address, mode); err != nil {
			return nil, errors.Join(fmt.Errorf("listen on %s: %w", where, err), l.Close())
		}
	}
	return l, nil
}

// clearSocket makes the directory of a socket and removes one that is there: whoever holds the lock is the only one to listen.
func clearSocket(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != fs.ModeSocket:
		return fmt.Errorf("there is a file that is no socket; remove it, or choose another path")
	}
	return os.Remove(path)
}

// serve answers on a public listener until ctx ends, then lets open requests finish.
func (d *daemon) serve(ctx context.Context, group *errgroup.Group, l net.Listener) {
	bounded := front.NewListener(l, front.ListenerOptions{
		Most: connections, PerClient: clientShare, Exempt: func(c netip.Addr) bool { return d.proxies.Load().Contains(c) },
	})
	d.public = append(d.public, bounded)
	server := hardened(d.metrics.Answers(&d.pages), d.log)
	server.ConnState = bounded.State
	d.answer(ctx, group, server, bounded)
}

// serveAdmin answers those who watch.
func (d *daemon) serveAdmin(ctx context.Context, group *errgroup.Group, l net.Listener) {
	server := hardened(front.Locked(d.adminHandler(), d.config.Admin.Token.Reveal()), d.log)
	server.WriteTimeout = 2 * time.Minute // a profile takes its time
	d.answer(ctx, group, server, l)
}

// answer runs a server until ctx ends.
func (d *daemon) answer(ctx context.Context, group *errgroup.Group, server *http.Server, l net.Listener) {
	d.log.Info("listening", "address", l.Addr().String())
	group.Go(func() error {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("serve: %w", err)
		}
		return nil
	})
	group.Go(func() error {
		<-ctx.Done()
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
		defer cancel()
		if err := server.Shutdown(stop); err != nil {
			d.log.Warn("requests were cut off", "err", errors.Join(err, server.Close()))
		}
		return nil
	})
}

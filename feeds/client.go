package feeds

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"code.dny.dev/ssrf"
)

var errPort = errors.New("port is not one of 80, 443, 8080 and 8443")

// Client is the one way out: every request that leaves the program goes through its dialer, which judges the address about to be
// connected to, after name resolution, on every hop (B35, B36). It keeps connections alive, sends no cookies and never follows a
// redirect by itself. A proxy is used only if the operator or the environment names one. A Client is safe for concurrent use.
type Client struct {
	checked  exits
	waived   exits // of certificates that nobody checks, for single feeds whose operator says so
	proxy    func(*http.Request) (*url.URL, error)
	hosts    map[string]bool // names that may be private
	guard    *ssrf.Guardian
	resolver *net.Resolver
	dial     func(ctx context.Context, network, addr string) (net.Conn, error) // wherever the operator says
}

// exits are the transports of one way to encrypt.
type exits struct {
	public  *http.Transport // refuses what is not public
	trusted *http.Transport // for hosts the operator has named
	proxied *http.Transport // through the proxy
}

// grant is what an operator's word allows one request.
type grant struct {
	own    string // host and port written in a feed's address
	waiver Waiver // for own alone
}

// ClientOptions configure a Client; the zero value reaches public addresses only.
type ClientOptions struct {
	Allow    []string // networks (CIDR), addresses or host names that may be private
	Parallel int      // most connections to one host the operator named; 0: 16
	Proxy    *url.URL // for what goes to public addresses; nil: that of the environment

	resolver *net.Resolver                                                     // nil: the system's
	dial     func(ctx context.Context, network, addr string) (net.Conn, error) // nil: the guarded dialer
	roots    *x509.CertPool                                                    // nil: the system's
}

// NewClient returns a Client that opens no connection yet. It fails on an entry of Allow that is none of the three.
func NewClient(o ClientOptions) (*Client, error) {
	c := &Client{hosts: make(map[string]bool)}
	var v4, v6 []netip.Prefix
	for _, entry := range o.Allow {
		prefix, host, err := allowEntry(entry)
		switch {
		case err != nil:
			return nil, err
		case host != "":
			c.hosts[host] = true
		case prefix.Addr().Is4():
			v4 = append(v4, prefix)
		default:
			v6 = append(v6, prefix)
		}
	}
	// The port is judged with the address of the request, where it is known whether the operator wrote it.
	c.guard = ssrf.New(ssrf.WithAnyPort(), ssrf.WithAllowedV4Prefixes(v4...), ssrf.WithAllowedV6Prefixes(v6...))
	c.resolver = cmp.Or(o.resolver, net.DefaultResolver)
	switch {
	case o.Proxy != nil:
		c.proxy = http.ProxyURL(o.Proxy)
	case o.dial == nil && o.resolver == nil: // the network is not made up
		c.proxy = http.ProxyFromEnvironment
	}
	c.connect(o)
	return c, nil
}

// connect makes the transports.
func (c *Client) connect(o ClientOptions) {
	open := net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second, Resolver: o.resolver}
	guarded := open
	guarded.Control = c.guard.Safe
	set := func() exits {
		e := exits{newTransport(o, guarded.DialContext), newTransport(o, open.DialContext), newTransport(o, open.DialContext)}
		e.public.MaxConnsPerHost, e.proxied.MaxConnsPerHost = 2, 2
		e.proxied.Proxy = c.proxy
		e.trusted.MaxConnsPerHost = o.Parallel
		e.trusted.MaxIdleConnsPerHost = max(o.Parallel, 2)
		return e
	}
	c.checked, c.waived = set(), set()
	for _, t := range c.waived.all() {
		t.TLSClientConfig.InsecureSkipVerify = true
	}
	c.dial = open.DialContext
}

func (e exits) all() []*http.Transport { return []*http.Transport{e.public, e.trusted, e.proxied} }

// newTransport holds the limits of B1. Compression is undone by the reader of the body, which bounds it.
func newTransport(o ClientOptions, dial func(ctx context.Context, network, addr string) (net.Conn, error)) *http.Transport {
	if o.dial != nil {
		dial = o.dial
	}
	return &http.Transport{
		DialContext:            dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.roots, ClientSessionCache: tls.NewLRUClientSessionCache(4096)},
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  15 * time.Second,
		IdleConnTimeout:        90 * time.Second,
		MaxIdleConns:           512,
		MaxIdleConnsPerHost:    2,
		MaxResponseHeaderBytes: 64 << 10,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,
	}
}

// allowEntry reads one entry of Allow as a network or as a lower-case host name.
func allowEntry(entry string) (netip.Prefix, string, error) {
	if prefix, err := netip.ParsePrefix(entry); err == nil {
		return prefix.Masked(), "", nil
	}
	if addr, err := netip.ParseAddr(entry); err == nil {
		return netip.PrefixFrom(addr, addr.BitLen()), "", nil
	}
	if entry == "" || strings.ContainsAny(entry, "/:@? ") {
		return netip.Prefix{}, "", fmt.Errorf("allow %q: neither a network (10.0.0.0/8), an address nor a host name", entry)
	}
	return netip.Prefix{}, strings.ToLower(strings.TrimSuffix(entry, ".")), nil
}

// RoundTrip sends one request to a public or allowed address, as [http.RoundTripper]. Ports other than 80, 443, 8080 and 8443 are refused.
func (c *Client) RoundTrip(req *http.Request) (*http.Response, error) {
	return c.send(req, grant{})
}

// send does what RoundTrip does. To the host and port an operator has written in a feed's address any port may be used, and if its host is
// an IP address or "localhost", that is the operator's word that it may be private. What is private is not asked for through a proxy.
func (c *Client) send(req *http.Request, g grant) (*http.Response, error) {
	target := hostPort(req.URL)
	e := c.checked
	if g.waiver.Certificate && target == g.own {
		e = c.waived
	}
	name, port, err := net.SplitHostPort(target)
	if err != nil {
		return nil, err
	}
	if target != g.own && !slices.Contains([]string{"80", "443", "8080", "8443"}, port) {
		return nil, fmt.Errorf("%s: %w", target, errPort)
	}
	if c.hosts[name] || (target == g.own && c.private(name)) {
		return e.trusted.RoundTrip(req)
	}
	proxied, err := c.behindProxy(req)
	if err != nil {
		return nil, err
	}
	if proxied {
		return e.proxied.RoundTrip(req)
	}
	return e.public.RoundTrip(req)
}

// behindProxy reports whether a request goes through a proxy. Then the address connected to is the proxy's, and nobody but us can judge
// the target: it is looked up, and all its addresses must be public or allowed, before the proxy hears of it (B36).
func (c *Client) behindProxy(req *http.Request) (bool, error) {
	if c.proxy == nil {
		return false, nil
	}
	proxy, err := c.proxy(req)
	if err != nil || proxy == nil {
		return false, err
	}
	addrs, err := c.resolver.LookupNetIP(req.Context(), "ip", req.URL.Hostname())
	if err != nil {
		return false, err
	}
	for _, addr := range addrs {
		if err := c.guard.SafeAddr(addr.Unmap()); err != nil {
			return false, err
		}
	}
	return true, nil
}

// CloseIdleConnections closes the connections kept for later requests.
func (c *Client) CloseIdleConnections() {
	for _, t := range append(c.checked.all(), c.waived.all()...) {
		t.CloseIdleConnections()
	}
}

// hostPort is the lower-case host of an http or https address with its port, written or implied.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "80"
		if u.Scheme == "https" {
			port = "443"
		}
	}
	return net.JoinHostPort(strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), port)
}

// private reports whether a host is written as localhost or as an IP address that is not public, so that no name server decides where it
// leads.
func (c *Client) private(name string) bool {
	addr, err := netip.ParseAddr(name)
	if err != nil {
		return name == "localhost"
	}
	addr = addr.Unmap()
	return addr.IsLoopback() || c.guard.SafeAddr(addr) != nil
}

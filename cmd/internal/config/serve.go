package config

import (
	"net"
	"net/netip"
	"path/filepath"
	"regexp"
	"strings"
)

// The forms of the log.
const (
	LogText = "text" // key=value, for people
	LogJSON = "json" // one object a line, for programs
)

// tokenForm is what a token may consist of: it stands in addresses.
var tokenForm = regexp.MustCompile(`^[A-Za-z0-9_-]*$`)

// unixPrefix begins the address of a unix socket.
const unixPrefix = "unix:"

// Endpoint is where to listen: a network and an address, as net.Listen wants them; both empty for nowhere.
func Endpoint(listen string) (network, address string) {
	if listen == "" {
		return "", ""
	}
	if path, ok := strings.CutPrefix(listen, unixPrefix); ok {
		return "unix", path
	}
	return "tcp", listen
}

// TrustedProxies are the networks whose X-Forwarded-For is believed.
func (c *Config) TrustedProxies() []netip.Prefix {
	var all []netip.Prefix
	for _, s := range c.Proxies {
		if p, ok := prefixOf(s); ok { // checked when the file was read
			all = append(all, p)
		}
	}
	return all
}

// Private gives the tokens of the channels that have one, by name.
func (c *Config) Private() map[string]string {
	private := map[string]string{}
	for i := range c.Channels {
		if token := c.Channels[i].Token.Reveal(); token != "" {
			private[c.Channels[i].Name] = token
		}
	}
	return private
}

// prefixOf reads a network or a single address.
func prefixOf(s string) (netip.Prefix, bool) {
	if a, err := netip.ParseAddr(s); err == nil {
		return netip.PrefixFrom(a, a.BitLen()), true
	}
	p, err := netip.ParsePrefix(s)
	return p, err == nil
}

func (k checker) listen(key, s string) {
	network, address := Endpoint(s)
	switch network {
	case "unix":
		if !filepath.IsAbs(address) {
			k.fault(key, "%q needs the whole path of the socket, such as unix:/run/sheaf/http.sock", s)
		}
	case "tcp":
		if _, port, err := net.SplitHostPort(address); err != nil || port == "" {
			k.fault(key, "%q is neither an address with a port, such as 127.0.0.1:8080, nor unix:PATH; leave it empty for none", s)
		}
	}
}

// admin wants what is not for everybody on this machine alone, or behind a token.
func (k checker) admin(a Admin) {
	k.listen("admin.listen", a.Listen)
	k.token("admin.token", a.Token)
	network, address := Endpoint(a.Listen)
	host, _, err := net.SplitHostPort(address)
	if network != "tcp" || err != nil || a.Token.Reveal() != "" {
		return
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
		k.fault("admin.listen", "%q can be reached from other machines; give admin.token too, or use 127.0.0.1 or unix:PATH", a.Listen)
	}
}

func (k checker) token(key string, s Secret) {
	if n := len(s.Reveal()); n > 0 && n < shortestToken {
		k.fault(key, "a token of %d characters can be guessed; use at least %d, such as the output of: openssl rand -hex 16", n, shortestToken)
	}
	if !tokenForm.MatchString(s.Reveal()) {
		k.fault(key, "a token stands in addresses, so it must be of letters, digits, - and _")
	}
}

func (k checker) proxies(list []string) {
	for _, s := range list {
		if _, ok := prefixOf(s); !ok {
			k.fault("trusted_proxies", "%q is neither an address nor a network such as 10.0.0.0/8", s)
		}
	}
}

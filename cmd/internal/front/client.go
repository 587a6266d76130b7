package front

import (
	"net/http"
	"net/netip"
	"strings"
)

// Proxies are the networks whose word about whom they ask for is believed.
type Proxies []netip.Prefix

// Contains reports whether an address belongs to a proxy.
func (p Proxies) Contains(a netip.Addr) bool {
	for _, prefix := range p {
		if prefix.Contains(a) {
			return true
		}
	}
	return false
}

// Client is who asks: the peer or, if that is one of the proxies or speaks through a unix socket, the last in X-Forwarded-For that is no
// proxy itself. What stands before that was written by the client and is not believed. The address is not valid if nobody is known.
func (p Proxies) Client(r *http.Request) netip.Addr {
	client := addressOf(r.RemoteAddr)
	if client.IsValid() && !p.Contains(client) {
		return client
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop := addressOf(strings.TrimSpace(hops[i]))
		if !hop.IsValid() {
			break
		}
		client = hop
		if !p.Contains(hop) {
			break
		}
	}
	return client
}

// addressOf reads an IP address with or without a port; the zero Addr stands for anything else, such as a unix socket.
func addressOf(s string) netip.Addr {
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap().WithZone("")
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	if err != nil {
		return netip.Addr{}
	}
	return a.Unmap().WithZone("")
}

// network is what counts as one client: an IPv4 address, or the /64 that one IPv6 line usually has.
func network(a netip.Addr) netip.Addr {
	if !a.Is6() {
		return a
	}
	prefix, err := a.Prefix(64)
	if err != nil {
		return a
	}
	return prefix.Addr()
}

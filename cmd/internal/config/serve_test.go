package config

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestServing(t *testing.T) {
	text := `
listen: unix:/run/sheaf/http.sock
admin: {listen: ":9100", token: 0123456789abcdef}
trusted_proxies: [10.1.0.0/16, 192.0.2.7, "2001:db8::/32"]
feeds: [{url: "https://a.example/"}]
channels: [{name: open}, {name: closed, token: fedcba9876543210}]
`
	c, err := Parse("c.yaml", []byte(text), Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	if network, address := Endpoint(c.Listen); network != "unix" || address != "/run/sheaf/http.sock" {
		t.Errorf("Endpoint(%q) = %s, %s", c.Listen, network, address)
	}
	if network, address := Endpoint(c.Admin.Listen); network != "tcp" || address != ":9100" {
		t.Errorf("Endpoint(%q) = %s, %s", c.Admin.Listen, network, address)
	}
	if network, _ := Endpoint(""); network != "" {
		t.Errorf("an empty address is on network %q, want none", network)
	}
	want := []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("192.0.2.7/32"), netip.MustParsePrefix("2001:db8::/32")}
	if diff := cmp.Diff(want, c.TrustedProxies(), cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })); diff != "" {
		t.Errorf("proxies (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"closed": "fedcba9876543210"}, c.Private()); diff != "" {
		t.Errorf("private channels (-want +got):\n%s", diff)
	}
}

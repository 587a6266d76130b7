package feeds

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sheaf/feeds/mallory"
)

// private is the 21 addresses of F22.
var private = []string{
	"127.0.0.1", "::1", "::ffff:127.0.0.1", "0.0.0.0", "0.1.2.3", "10.0.0.1", "169.254.169.254", "100.64.0.1", "192.0.0.192", "198.18.0.1",
	"240.0.0.1", "255.255.255.255", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1", "2002:7f00:1::", "2002:a9fe:a9fe::",
	"::127.0.0.1", "fec0::1", "fd00:ec2::254", "2001::1",
}

// farPoller is a poller with the real dialer and a name server of its own, outside any bubble.
func farPoller(t *testing.T, names *mallory.Names, o Options) (*Poller, *memory) {
	t.Helper()
	store := newMemory()
	o.resolver, o.HostGap = names.Resolver(), time.Nanosecond
	p, err := NewPoller(store, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p, store
}

// pollOne polls one address for the first time.
func pollOne(t *testing.T, p *Poller, address string) Outcome {
	t.Helper()
	outcomes, err := p.Poll(t.Context(), newMemory().due(feedsAt(address)))
	if err != nil || len(outcomes) != 1 {
		t.Fatalf("Poll = %v, %v", outcomes, err)
	}
	return outcomes[0]
}

// B35, F21, F22: no private address is connected to, whether by name or by redirect.
func TestPrivateAddressesAreRefused(t *testing.T) {
	m := mallory.New(t)
	base := m.Listen()
	for _, addr := range private {
		target := "http://" + netip.AddrPortFrom(netip.MustParseAddr(addr), 80).String() + "/"
		t.Run("by name "+addr, func(t *testing.T) {
			names := mallory.NewNames()
			names.On("evil.example", mallory.Lookup{Addrs: []netip.Addr{netip.MustParseAddr(addr).Unmap()}})
			p, _ := farPoller(t, names, Options{})
			fe := fails(t, pollOne(t, p, "http://evil.example/feed"), FetchPrivate)
			if !strings.Contains(fe.Error(), "allowed private hosts") {
				t.Errorf("error %q does not say what to do", fe)
			}
		})
		t.Run("by redirect "+addr, func(t *testing.T) {
			m.On(base+"/r", mallory.Answer{Status: 302, Header: []string{"Location: " + target}})
			p, _ := farPoller(t, mallory.NewNames(), Options{})
			fails(t, pollOne(t, p, base+"/r"), FetchPrivate)
		})
	}
}

// A port of this machine that another feed names is no target for a redirect either.
func TestOwnHostIsAllowedForItsOwnFeedOnly(t *testing.T) {
	m := mallory.New(t)
	first, second := m.Listen(), m.Listen()
	m.On(first+"/feed", ok([]string{"one"}))
	m.On(first+"/same", status(302, "Location: /feed"))
	m.On(first+"/other", status(302, "Location: "+second+"/feed"))
	p, _ := farPoller(t, mallory.NewNames(), Options{})
	if o := pollOne(t, p, first+"/same"); o.Err != nil {
		t.Errorf("redirect to the same host and port: %v", o.Err)
	}
	fails(t, pollOne(t, p, first+"/other"), FetchAddress)
}

// Rebinding: the address judged is the address connected to.
func TestRebinding(t *testing.T) {
	m := mallory.New(t)
	base := m.Listen()
	m.On(base+"/feed", ok([]string{"one"}))
	port := base[strings.LastIndex(base, ":"):]
	names := mallory.NewNames()
	public, loopback := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("127.0.0.1")
	names.On("rebind.example", mallory.Lookup{Addrs: []netip.Addr{loopback, public}})
	p, _ := farPoller(t, names, Options{Timeout: time.Second})
	pollOne(t, p, "http://rebind.example"+port+"/feed")
	if got := m.Hits(""); got != 0 {
		t.Errorf("hits = %d, want none: the name leads to this machine", got)
	}
}

func TestAllow(t *testing.T) {
	m := mallory.New(t)
	base := m.Listen()
	port := base[strings.LastIndex(base, ":"):]
	intranet := "http://feeds.intranet.example" + port + "/feed"
	m.On(intranet, ok([]string{"one"}))
	names := mallory.NewNames()
	names.On("feeds.intranet.example", mallory.Lookup{Addrs: []netip.Addr{netip.MustParseAddr("127.0.0.1")}})
	for _, tt := range []struct {
		name    string
		allow   []string
		refused bool
	}{
		{"nothing", nil, true},
		{"the network", []string{"127.0.0.0/8"}, false},
		{"the address", []string{"127.0.0.1"}, false},
		{"the name", []string{"Feeds.Intranet.example"}, false},
		{"another name", []string{"intranet.example"}, true},
		{"another network", []string{"10.0.0.0/8", "fd00::/8"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, _ := farPoller(t, names, Options{Allow: tt.allow})
			o := pollOne(t, p, intranet)
			if tt.refused {
				fails(t, o, FetchPrivate)
			} else if o.Err != nil {
				t.Error(o.Err)
			}
		})
	}
}

// B36: through a proxy the target is judged before the proxy is asked.
func TestProxy(t *testing.T) {
	m := mallory.New(t)
	proxy, err := url.Parse(m.Listen())
	if err != nil {
		t.Fatal(err)
	}
	m.On("http://good.example/feed", ok([]string{"one"}))
	m.On("http://8.8.4.4/feed", ok([]string{"one"}))
	own := m.Listen()
	m.On(own+"/feed", ok([]string{"one"}))
	names := mallory.NewNames()
	names.On("good.example", mallory.Lookup{Addrs: []netip.Addr{netip.MustParseAddr("8.8.8.8")}})
	names.On("evil.example", mallory.Lookup{Addrs: []netip.Addr{netip.MustParseAddr("8.8.8.8"), netip.MustParseAddr("10.0.0.1")}})
	for _, tt := range []struct {
		address string
		code    FetchCode // empty: fine
	}{
		{"http://good.example/feed", ""},
		{"http://evil.example/feed", FetchPrivate},
		{"https://evil.example/feed", FetchPrivate},
		{"http://nowhere.example/feed", FetchNoHost},
		{"http://8.8.4.4/feed", ""},
		{own + "/feed", ""}, // not through the proxy
	} {
		t.Run(tt.address, func(t *testing.T) {
			p, err := NewPoller(newMemory(), Options{resolver: names.Resolver(), Proxy: proxy})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			o := pollOne(t, p, tt.address)
			if tt.code != "" {
				fails(t, o, tt.code)
			} else if o.Err != nil {
				t.Error(o.Err)
			}
		})
	}
	proxied := 0
	for _, r := range m.Requests("") {
		if strings.HasPrefix(r.Raw, "GET http://") {
			proxied++
		}
	}
	if proxied != 2 || m.Hits("") != 3 {
		t.Errorf("%d requests, %d of them through the proxy; want 3, and 2 for public addresses", m.Hits(""), proxied)
	}
}

// Look-ups: F21.
func TestLookups(t *testing.T) {
	names := mallory.NewNames()
	names.On("broken.example", mallory.Lookup{Fail: true})
	for _, tt := range []struct {
		host string
		code FetchCode
	}{
		{"nowhere.example", FetchNoHost},
		{"broken.example", FetchDNS},
	} {
		t.Run(tt.host, func(t *testing.T) {
			p, _ := farPoller(t, names, Options{})
			fails(t, pollOne(t, p, "http://"+tt.host+"/feed"), tt.code)
		})
	}
}

// A slow name server is waited for, F21.
func TestSlowLookup(t *testing.T) {
	m := mallory.New(t)
	base := m.Listen()
	address := "http://late.example" + base[strings.LastIndex(base, ":"):] + "/feed"
	m.On(address, ok([]string{"one"}))
	synctest.Test(t, func(t *testing.T) {
		names := mallory.NewNames()
		names.On("late.example", mallory.Lookup{Addrs: []netip.Addr{netip.MustParseAddr("127.0.0.1")}, Wait: 4 * time.Second})
		p, _ := farPoller(t, names, Options{Allow: []string{"late.example"}})
		began := time.Now()
		if o := pollOne(t, p, address); o.Err != nil {
			t.Error(o.Err)
		}
		if took := time.Since(began); took < 4*time.Second {
			t.Errorf("took %v, want the name server's 4s", took)
		}
	})
}

// B38, F23: an address family that swallows everything does not hold up the other.
func TestBlackHole(t *testing.T) {
	m := mallory.New(t)
	base := m.Listen()
	port := base[strings.LastIndex(base, ":"):]
	address := "http://both.example" + port + "/feed"
	m.On(address, ok([]string{"one"}))
	names := mallory.NewNames()
	names.On("both.example", mallory.Lookup{Addrs: []netip.Addr{netip.MustParseAddr("::1"), netip.MustParseAddr("127.0.0.1")}})
	p, _ := farPoller(t, names, Options{Allow: []string{"both.example"}})
	began := time.Now()
	if o := pollOne(t, p, address); o.Err != nil {
		t.Fatal(o.Err)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("took %v, want under 1s", took)
	}
}

// Connections that end in mid body, on a real network.
func TestReset(t *testing.T) {
	m := mallory.New(t)
	base := m.Listen()
	m.On(base+"/feed", mallory.Answer{Body: document("", "one"), Cut: 100, Reset: true})
	p, _ := farPoller(t, mallory.NewNames(), Options{})
	fails(t, pollOne(t, p, base+"/feed"), FetchBroken)
	fails(t, pollOne(t, p, "http://127.0.0.1:1/feed"), FetchConnect)
}

func TestAddressesThatCannotBeAsked(t *testing.T) {
	p, _ := farPoller(t, mallory.NewNames(), Options{})
	for _, tt := range []struct {
		address string
		code    FetchCode
	}{
		{"gopher://news.example/feed", FetchAddress},
		{"http:///feed", FetchAddress},
		{"http://news.example:99999999/feed", FetchAddress},
		{"news.example/feed", FetchAddress},
		{"http://news.example/%zz", FetchAddress},
	} {
		t.Run(tt.address, func(t *testing.T) { fails(t, pollOne(t, p, tt.address), tt.code) })
	}
}

// Ports are judged before anything is looked up; a port the operator wrote is allowed at its own host.
func TestPorts(t *testing.T) {
	c, err := NewClient(ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		address, own string
		refused      bool
	}{
		{"http://nowhere.invalid:25/", "", true},
		{"http://nowhere.invalid:25/", "nowhere.invalid:25", false},
		{"http://nowhere.invalid:25/", "other.invalid:25", true},
		{"http://nowhere.invalid:8080/", "", false},
		{"https://nowhere.invalid/", "", false},
	} {
		u, _ := url.Parse(tt.address)
		_, err := c.send(&http.Request{Method: "GET", URL: u, Host: u.Host, Header: http.Header{}}, grant{own: tt.own})
		if got := errors.Is(err, errPort); got != tt.refused {
			t.Errorf("send(%s, own %q): %v, want port refused %v", tt.address, tt.own, err, tt.refused)
		}
	}
}

// B37, F20, F24: encryption that cannot be trusted is an error, never ignored.
func TestTLS(t *testing.T) {
	secure := "https://news.alpha.example/feed"
	for _, tt := range []struct {
		name string
		kind mallory.Certificate
		code FetchCode // empty: fine
	}{
		{"good", mallory.Good, ""},
		{"HTTP/2", mallory.HTTP2, ""},
		{"expired", mallory.Expired, FetchTLS},
		{"self-signed", mallory.SelfSigned, FetchTLS},
		{"wrong host", mallory.WrongHost, FetchTLS},
		{"TLS 1.0", mallory.OldTLS, FetchTLS},
		{"GOAWAY", mallory.GoAway, FetchBroken},
		{"stream reset", mallory.Abort, FetchBroken},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, Options{}, []string{secure}, func(w *world) {
				w.m.TLS("news.alpha.example", tt.kind)
				w.m.On(secure, ok([]string{"one"}))
				o := w.one()
				if tt.code == "" {
					if o.Err != nil {
						w.t.Error(o.Err)
					}
					return
				}
				fe := fails(w.t, o, tt.code)
				if !fe.Temporary() {
					w.t.Error("a soft error is not temporary")
				}
			})
		})
	}
}

// What the operator names is connected to, private or not.
func TestDialConfigured(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	c, err := NewClient(ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := c.DialConfigured(t.Context(), listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	accepted, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer accepted.Close()
	if _, err := accepted.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("Read = %v, want the end of the connection", err)
	}
}

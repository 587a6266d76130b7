package mallory

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// Lookup is what a name server says of a name. The zero value says that it does not exist.
type Lookup struct {
	Addrs []netip.Addr
	Fail  bool          // SERVFAIL
	Wait  time.Duration // before the answer
}

// Names is a name server in memory. Its methods may be called from several goroutines.
type Names struct {
	mu      sync.Mutex
	scripts map[string][]Lookup
	asked   map[string]int
}

// NewNames returns a name server that knows no name.
func NewNames() *Names {
	return &Names{scripts: make(map[string][]Lookup), asked: make(map[string]int)}
}

// On scripts a host name: each look-up of its addresses gets the next answer, the last again and again. Look-ups of IPv4 and IPv6
// addresses are counted apart.
func (n *Names) On(host string, answers ...Lookup) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.scripts[host] = answers
}

// Resolver asks this server and no other.
func (n *Names) Resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := pipe()
		go n.serve(server) // ends with its connection, which the resolver closes
		return client, nil
	}}
}

// serve answers questions as they come over TCP, each with its length in front.
func (n *Names) serve(conn net.Conn) {
	defer conn.Close()
	for {
		var size [2]byte
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			return
		}
		question := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(conn, question); err != nil {
			return
		}
		answer, ok := n.answer(question)
		if !ok {
			return
		}
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)); err != nil {
			return
		}
	}
}

func (n *Names) answer(question []byte) ([]byte, bool) {
	var m dnsmessage.Message
	if m.Unpack(question) != nil || len(m.Questions) != 1 {
		return nil, false
	}
	q := m.Questions[0]
	found := n.lookup(strings.TrimSuffix(q.Name.String(), "."), q.Type)
	time.Sleep(found.Wait)
	m.Response, m.Authoritative, m.Additionals = true, true, nil
	switch {
	case found.Fail:
		m.RCode = dnsmessage.RCodeServerFailure
	case len(found.Addrs) == 0:
		m.RCode = dnsmessage.RCodeNameError
	}
	for _, a := range found.Addrs {
		header := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, Type: q.Type}
		switch {
		case q.Type == dnsmessage.TypeA && a.Is4():
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: a.As4()}})
		case q.Type == dnsmessage.TypeAAAA && a.Is6():
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: a.As16()}})
		}
	}
	packed, err := m.Pack()
	return packed, err == nil
}

func (n *Names) lookup(host string, kind dnsmessage.Type) Lookup {
	n.mu.Lock()
	defer n.mu.Unlock()
	script := n.scripts[host]
	if len(script) == 0 {
		return Lookup{}
	}
	key := host + kind.String()
	found := script[min(n.asked[key], len(script)-1)]
	n.asked[key]++
	return found
}

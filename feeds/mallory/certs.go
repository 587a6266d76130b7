package mallory

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"sync"
	"time"
)

// Certificate is what is right or wrong with the encryption of a host.
type Certificate int

// The states of encryption.
const (
	Good Certificate = iota
	Expired
	SelfSigned
	WrongHost
	OldTLS // a good certificate, but nothing newer than TLS 1.0
	HTTP2  // a good certificate and HTTP/2
	GoAway // HTTP/2 that says GOAWAY to the first request of each connection
	Abort  // HTTP/2 that resets each stream
)

// TLS sets the encryption of a host name; every other host is Good.
func (s *Server) TLS(host string, c Certificate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tls[host] = c
}

// Roots is what a client must trust to find Good hosts good.
func (s *Server) Roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(s.Root())
	return pool
}

// Root is the one certificate of Roots.
func (s *Server) Root() *x509.Certificate {
	s.certs.make()
	return s.certs.root
}

// Handshakes is how many full TLS handshakes and how many resumed ones were made.
func (s *Server) Handshakes() (full, resumed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.full, s.resumed
}

func (s *Server) shaken(resumed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if resumed {
		s.resumed++
		return
	}
	s.full++
}

// certs makes certificates from one root. They hold from 1990 to 2090, so that the fake clock of a bubble is inside.
type certs struct {
	once sync.Once
	key  *ecdsa.PrivateKey
	root *x509.Certificate

	mu     sync.Mutex
	leaves map[leaf]*tls.Certificate
	serial int64
}

type leaf struct {
	host string
	kind Certificate
}

func (c *certs) make() {
	c.once.Do(func() {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			panic(err)
		}
		template := validity("mallory's root")
		template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
		c.key, c.root, c.leaves = key, sign(template, template, key, key), make(map[leaf]*tls.Certificate)
	})
}

func validity(name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2090, 1, 1, 0, 0, 0, 0, time.UTC),
	}
}

func sign(template, parent *x509.Certificate, key, parentKey *ecdsa.PrivateKey) *x509.Certificate {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, parentKey)
	if err != nil {
		panic(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return cert
}

// of is the certificate of a host, made once.
func (c *certs) of(host string, kind Certificate) *tls.Certificate {
	c.make()
	c.mu.Lock()
	defer c.mu.Unlock()
	if cert := c.leaves[leaf{host, kind}]; cert != nil {
		return cert
	}
	c.serial++
	template := validity(host)
	template.SerialNumber, template.DNSNames = big.NewInt(c.serial+1), []string{host}
	parent, parentKey := c.root, c.key
	switch kind {
	case Expired:
		template.NotAfter = template.NotBefore.AddDate(1, 0, 0)
	case WrongHost:
		template.DNSNames = []string{"other.example"}
	case SelfSigned:
		parent, parentKey = template, nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	if parentKey == nil {
		parentKey = key
	}
	signed := sign(template, parent, key, parentKey)
	cert := &tls.Certificate{Certificate: [][]byte{signed.Raw}, PrivateKey: key, Leaf: signed}
	c.leaves[leaf{host, kind}] = cert
	return cert
}

// serverConfig is the TLS configuration of a connection to a host, or to whichever a client names if it is only known by its address.
func (s *Server) serverConfig(host string) *tls.Config {
	if net.ParseIP(host) == nil {
		return s.config(host)
	}
	return s.byName
}

// anyHost is the configuration that leaves it to a client to name a host. Session tickets belong to it, whatever it gives.
func (s *Server) anyHost() *tls.Config {
	return &tls.Config{GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		return s.config(hello.ServerName), nil
	}}
}

// config is the TLS configuration of a host.
func (s *Server) config(host string) *tls.Config {
	s.mu.Lock()
	kind := s.tls[host]
	known := s.configs[host]
	s.mu.Unlock()
	if known != nil {
		return known
	}
	config := &tls.Config{Certificates: []tls.Certificate{*s.certs.of(host, kind)}, MinVersion: tls.VersionTLS10}
	switch kind {
	case OldTLS:
		config.MaxVersion = tls.VersionTLS10
	case HTTP2, GoAway, Abort:
		config.NextProtos = []string{"h2"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.configs[host] = config // kept: session tickets belong to it
	return config
}

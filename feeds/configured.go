package feeds

import (
	"context"
	"net"
	"net/http"
	"net/url"
)

// Configured gives the way out for requests to an address that the operator has written, such as a webhook's: any port it names may be
// used, and its host may be private if it is an IP address or "localhost". All else is judged as by the Client itself.
func (c *Client) Configured(address string) http.RoundTripper {
	own := ""
	if u, err := url.Parse(address); err == nil {
		own = hostPort(u)
	}
	return configured{c, own}
}

type configured struct {
	client *Client
	own    string
}

func (c configured) RoundTrip(req *http.Request) (*http.Response, error) {
	return c.client.send(req, grant{own: c.own})
}

// DialConfigured connects to a host and port that the operator has written and that does not speak HTTP, such as a mail server's. Nothing
// a feed says may get into the address: it is not judged.
func (c *Client) DialConfigured(ctx context.Context, address string) (net.Conn, error) {
	return c.dial(ctx, "tcp", address)
}

package feeds

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"
)

const (
	accept       = "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, application/json;q=0.8, text/xml;q=0.8, */*;q=0.1"
	maxRedirects = 5
	maxValidator = 4 << 10 // longer ones are dropped, never cut (B8)
	drained      = 4 << 10 // bytes of an unwanted body read to keep its connection
	slowRate     = 1 << 10 // bytes a second an answer must average once it counts as slow
)

// fetcher makes conditional GETs. It holds no state of any feed and is safe for concurrent use.
type fetcher struct {
	client  *Client
	agent   string
	timeout time.Duration // for the whole exchange; a third of it makes an answer slow
	maxBody int64
	now     func() time.Time
	slow    *semaphore.Weighted // slots slow answers may hold (B40)
}

// request is one conditional GET.
type request struct {
	url           string     // where to start
	configured    string     // the address the operator wrote
	authorization string     // for its origin; empty: none, or what the address itself holds
	validators    Validators // to send
	from          string     // address the validators came from; empty: url
	packed        string     // hash of the packed body known
	delta         bool       // new items alone will do
	waiver        Waiver     // for the host of configured
	accept        string     // types wanted; empty: those of feeds
}

// response is a complete answer: 304, or 200 with a body, or 226 with new items if they were asked for.
type response struct {
	url    string // address that answered, after redirects
	status int
	header http.Header
	body   body
	hops   []hop
}

// hop is one redirect followed.
type hop struct {
	status int
	to     string
}

// fetch makes the request and follows redirects. Its error is a *FetchError, or the cause of ctx if that has ended.
func (f *fetcher) fetch(ctx context.Context, r request) (*response, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	watch := newWatch(f.slow, f.timeout, end)
	defer watch.stop()

	resp, err := f.follow(ctx, r, watch)
	if err != nil {
		return nil, f.blame(r, transportOrOwn(ctx, err))
	}
	return resp, nil
}

// transportOrOwn leaves our own errors as they are.
func transportOrOwn(ctx context.Context, err error) error {
	if errors.As(err, new(*FetchError)) {
		return err
	}
	return transportError(ctx, err)
}

// blame puts the feed's address into a *FetchError.
func (f *fetcher) blame(r request, err error) error {
	var fe *FetchError
	if !errors.As(err, &fe) {
		return err
	}
	named := *fe
	named.URL = Redact(r.configured)
	return &named
}

// follow sends the request along at most maxRedirects redirects.
func (f *fetcher) follow(ctx context.Context, r request, watch *watch) (*response, error) {
	target, err := requestURL(r.url)
	if err != nil {
		return nil, &FetchError{Code: FetchAddress, Err: err}
	}
	own := ""
	if u, err := url.Parse(r.configured); err == nil {
		own = hostPort(u)
	}
	seen := map[string]bool{target.String(): true}
	out := &response{}
	for {
		asked, resp, err := f.get(ctx, r, target, own)
		if err != nil {
			return nil, err
		}
		if !redirects(resp) {
			out.url, out.status, out.header = target.String(), resp.StatusCode, resp.Header
			out.body, err = f.settle(resp, r, asked, watch)
			return out, err
		}
		next, err := nextHop(target, resp, r.waiver)
		discard(resp)
		if err != nil {
			return nil, err
		}
		if out.hops = append(out.hops, hop{resp.StatusCode, next.String()}); len(out.hops) > maxRedirects || seen[next.String()] {
			return nil, redirectError(resp.StatusCode, fmt.Errorf("the redirects lead in a circle or are more than %d, last to %s", maxRedirects, Redact(next.String())))
		}
		seen[next.String()] = true
		target = next
	}
}

// get sends one hop with exactly the headers of B2 and reports whether it was conditional. Validators go only to the origin they came
// from (B6), which after a redirect may be the second and not the first.
func (f *fetcher) get(ctx context.Context, r request, target *url.URL, own string) (conditional bool, _ *http.Response, _ error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return false, nil, &FetchError{Code: FetchAddress, Err: errors.New("not an address that can be requested")}
	}
	req.Header.Set("User-Agent", f.agent)
	req.Header.Set("Accept", cmp.Or(r.accept, accept))
	req.Header.Set("Accept-Encoding", "gzip")
	from := r.from
	if from == "" {
		from = r.url
	}
	if sameOrigin(target, from) {
		if r.validators.ETag != "" {
			req.Header["If-None-Match"] = []string{r.validators.ETag}
		}
		if r.delta && r.validators.ETag != "" {
			req.Header["A-IM"] = []string{"feed"}
		}
		if r.validators.LastModified != "" {
			req.Header["If-Modified-Since"] = []string{r.validators.LastModified}
		}
		conditional = r.validators != Validators{}
	}
	if sameOrigin(target, r.configured) {
		authorize(req, r)
	}
	resp, err := f.client.send(req, grant{own, r.waiver})
	return conditional, resp, err
}

// authorize adds the log-in the operator gave for the feed, or wrote into its address.
func authorize(req *http.Request, r request) {
	if r.authorization != "" {
		req.Header.Set("Authorization", r.authorization)
		return
	}
	if u, err := url.Parse(r.configured); err == nil && u.User != nil {
		password, _ := u.User.Password()
		req.SetBasicAuth(u.User.Username(), password)
	}
}

// settle turns the last answer into a body or an error.
func (f *fetcher) settle(resp *http.Response, r request, conditional bool, watch *watch) (body, error) {
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusNotModified && conditional:
		return body{same: true}, nil
	case resp.StatusCode == http.StatusNotModified:
		return body{}, &FetchError{Status: resp.StatusCode, Code: FetchUnasked, Err: errors.New("the server answers 304 to a request without validators")}
	case resp.StatusCode == http.StatusIMUsed && r.delta && conditional:
	case resp.StatusCode != http.StatusOK:
		io.CopyN(io.Discard, resp.Body, drained) // best effort: keeps the connection
		return body{}, statusError(resp, f.now())
	}
	resp.Body = watch.count(resp.Body)
	b, err := readBody(resp, f.maxBody, r.packed)
	if err != nil {
		return body{}, withStatus(err, resp.StatusCode)
	}
	if b.same {
		return b, nil
	}
	if len(strings.TrimSpace(string(b.bytes[:min(len(b.bytes), 512)]))) == 0 {
		return body{}, &FetchError{Status: resp.StatusCode, Code: FetchEmpty, Err: errors.New("the server answers with nothing")}
	}
	return b, nil
}

// withStatus notes the status on one of our own errors.
func withStatus(err error, status int) error {
	var fe *FetchError
	if !errors.As(err, &fe) {
		return err
	}
	fe.Status = status
	return fe
}

// discard reads the little body of an answer that is not wanted, so that its connection can be used again.
func discard(resp *http.Response) {
	io.CopyN(io.Discard, resp.Body, drained)
	resp.Body.Close()
}

// requestURL checks a configured or redirected address.
func requestURL(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, errors.New("not an address: it cannot be parsed")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("scheme %q is not http or https", u.Scheme)
	case u.Hostname() == "":
		return nil, errors.New("the address has no host")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return nil, fmt.Errorf("there is no port %s", port)
		}
	}
	u.User, u.Fragment, u.RawFragment = nil, "", "" // the log-in is sent as a header, and must not get into the links of articles
	return u, nil
}

// redirects reports whether an answer is a redirect by status. 300 and 304–306 are none.
func redirects(resp *http.Response) bool {
	switch resp.StatusCode {
	case 301, 302, 303, 307, 308:
		return true
	}
	return false
}

// nextHop is the target of a redirect. Encryption is not given up unless the operator says so, and a log-in in the target is ignored.
func nextHop(from *url.URL, resp *http.Response, waiver Waiver) (*url.URL, error) {
	location := resp.Header.Get("Location")
	if location == "" {
		return nil, redirectError(resp.StatusCode, errors.New("a redirect without a target"))
	}
	next, err := from.Parse(location)
	if err != nil {
		return nil, redirectError(resp.StatusCode, errors.New("a redirect to something that is no address"))
	}
	if next, err = requestURL(next.String()); err != nil {
		return nil, redirectError(resp.StatusCode, fmt.Errorf("a redirect that cannot be followed: %w", err))
	}
	if from.Scheme == "https" && next.Scheme == "http" && !waiver.Downgrade {
		e := redirectError(resp.StatusCode, fmt.Errorf("a redirect from https to http, to %s", Redact(next.String())))
		e.Advice = "tell the outlet that its server gives encryption away, or allow it for this feed with insecure_redirect: true"
		return nil, e
	}
	return next, nil
}

func redirectError(status int, cause error) *FetchError {
	return &FetchError{Status: status, Code: FetchRedirect, Err: cause, Advice: "open the address in a browser and configure the one the feed now has"}
}

// sameOrigin compares scheme, host and port.
func sameOrigin(u *url.URL, address string) bool {
	if rest, ok := strings.CutPrefix(address, u.Scheme+"://"+u.Host); ok && (rest == "" || rest[0] == '/') {
		return true
	}
	other, err := url.Parse(address)
	return err == nil && u.Scheme == other.Scheme && hostPort(u) == hostPort(other)
}

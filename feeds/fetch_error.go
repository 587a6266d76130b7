package feeds

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	"code.dny.dev/ssrf"
)

// FetchCode is the class of a failed fetch. It decides how long to wait before the next one.
type FetchCode string

// The classes of failure.
const (
	FetchAddress  FetchCode = "bad_address"          // the address cannot be requested: syntax, scheme or port
	FetchPrivate  FetchCode = "private_address"      // the host resolves to an address that is not public
	FetchNoHost   FetchCode = "no_such_host"         // the name does not exist
	FetchDNS      FetchCode = "dns"                  // the name could not be looked up
	FetchConnect  FetchCode = "connect"              // no connection
	FetchTLS      FetchCode = "tls"                  // no trustworthy encryption
	FetchTimeout  FetchCode = "timeout"              // no complete answer in time
	FetchSlow     FetchCode = "slow"                 // the answer trickles
	FetchBroken   FetchCode = "broken_answer"        // reset, cut off, or not HTTP
	FetchTooLarge FetchCode = "too_large"            // headers or body over the limit
	FetchEncoding FetchCode = "bad_encoding"         // Content-Encoding unknown, stacked, wrong or a bomb
	FetchRedirect FetchCode = "bad_redirect"         // a loop, too many hops, or a target that may not be followed
	FetchBlocked  FetchCode = "blocked"              // 401, 402, 403, 407, 451 or a challenge: the publisher says no
	FetchBusy     FetchCode = "busy"                 // 429, 503 or any error with Retry-After: the host wants rest
	FetchMissing  FetchCode = "missing"              // 404
	FetchGone     FetchCode = "gone"                 // 410
	FetchServer   FetchCode = "server_error"         // another 5xx
	FetchStatus   FetchCode = "unexpected_status"    // any other status, among them 204 and 206
	FetchUnasked  FetchCode = "unasked_304"          // 304 to a request without validators
	FetchEmpty    FetchCode = "empty"                // 200 without a body
	FetchHTML     FetchCode = "html_instead_of_feed" // 200 with a web page
	FetchFile     FetchCode = "file"                 // a file: address that cannot be read
	FetchPanic    FetchCode = "panic"                // a fault of ours while reading the document: quarantined
)

// FetchError says why a feed could not be fetched, in words for its operator.
type FetchError struct {
	URL        string        // the feed's address, without userinfo and query values
	Status     int           // HTTP status; 0 if there was no answer
	Code       FetchCode     // class of the failure
	RetryAfter time.Duration // wait the server asked for; 0 if none that can be used
	Advice     string        // what the operator can do; may be empty
	Err        error         // cause; may be nil
}

// Error names the feed, the cause and what to do.
func (e *FetchError) Error() string {
	var b strings.Builder
	b.WriteString("fetch " + e.URL + ": ")
	switch {
	case e.Err != nil:
		b.WriteString(e.Err.Error())
	case e.Status != 0:
		fmt.Fprintf(&b, "the server answers with status %d", e.Status)
	default:
		b.WriteString(string(e.Code))
	}
	if e.Advice != "" {
		b.WriteString("; " + e.Advice)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *FetchError) Unwrap() error { return e.Err }

// Temporary reports whether the feed may come back by itself, without the operator changing anything.
func (e *FetchError) Temporary() bool {
	switch e.Code {
	case FetchAddress, FetchPrivate, FetchBlocked, FetchGone, FetchHTML, FetchFile:
		return false
	}
	return true
}

// unreachable reports whether the failure can mean that we are the ones cut off from the network (B29).
func (e *FetchError) unreachable() bool {
	return e.Code == FetchNoHost || e.Code == FetchDNS || e.Code == FetchConnect
}

// Redact returns the address without userinfo, query values and fragment, fit for logs and messages (B51).
func Redact(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		before, _, _ := strings.Cut(address, "?")
		if at := strings.LastIndexByte(before, '@'); at >= 0 {
			before = "…" + before[at:]
		}
		return before
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	query := u.RawQuery
	u.RawQuery = ""
	if query == "" {
		return u.String()
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		key, _, ok := strings.Cut(pair, "=")
		if pairs[i] = "…"; ok {
			pairs[i] = key + "=…"
		}
	}
	return u.String() + "?" + strings.Join(pairs, "&")
}

// transportError turns what a round trip or a body gave into a *FetchError without URL. If ctx has ended, the cause of that is returned.
func transportError(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	code := transportCode(err)
	return &FetchError{Code: code, Err: plainCause(err, code), Advice: transportAdvice(code)}
}

func transportCode(err error) FetchCode {
	var (
		dns      *net.DNSError
		op       *net.OpError
		timeout  net.Error
		verify   *tls.CertificateVerificationError
		invalid  x509.CertificateInvalidError
		record   tls.RecordHeaderError
		alert    tls.AlertError
		dialling = errors.As(err, &op) && op.Op == "dial"
	)
	switch {
	case errors.Is(err, ssrf.ErrProhibitedIP), errors.Is(err, ssrf.ErrProhibitedNetwork):
		return FetchPrivate
	case errors.Is(err, errPort):
		return FetchAddress
	case errors.As(err, &dns) && dns.IsNotFound:
		return FetchNoHost
	case errors.As(err, &dns):
		return FetchDNS
	case errors.As(err, &verify), errors.As(err, &invalid), errors.As(err, &record), errors.As(err, &alert), strings.Contains(err.Error(), "tls: "):
		return FetchTLS
	case dialling:
		return FetchConnect
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return FetchTimeout
	case strings.Contains(err.Error(), "server response headers exceeded"):
		return FetchTooLarge
	}
	return FetchBroken
}

// plainCause puts the commonest causes, whose standard texts say little, into words.
func plainCause(err error, code FetchCode) error {
	switch {
	case code == FetchTimeout:
		return fmt.Errorf("no complete answer in time: %w", err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("the answer was cut off: %w", err)
	}
	return err
}

func transportAdvice(code FetchCode) string {
	switch code {
	case FetchPrivate:
		return "if this host is yours, add its name or network to the list of allowed private hosts"
	case FetchAddress:
		return "write the port in the feed's address if it is meant"
	case FetchNoHost:
		return "check the spelling of the host name"
	case FetchTLS:
		return "the certificate must be valid; sheaf goes on trying, and without verification only where insecure_tls: true is written beside a feed"
	}
	return ""
}

// statusAdvice says what an operator can do about an HTTP status.
func statusAdvice(code FetchCode, status int) string {
	switch {
	case code == FetchBlocked && (status == 401 || status == 407):
		return "the feed needs a log-in, which sheaf does not have"
	case code == FetchBlocked:
		return "the publisher refuses automatic readers; ask for access or remove the feed"
	case code == FetchMissing:
		return "look for the feed's new address on the outlet's site"
	case code == FetchGone:
		return "the publisher has removed this feed for good; remove it or find its successor"
	case code == FetchBusy:
		return "the host asks for rest and gets it; nothing needs to be done"
	}
	return ""
}

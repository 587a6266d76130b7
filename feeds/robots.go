package feeds

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/temoto/robotstxt"
)

const (
	robotsToken  = "sheaf"          // the name by which robots.txt knows us
	robotsKept   = 24 * time.Hour   // RFC 9309, section 2.4: no longer
	robotsRetry  = time.Hour        // after a robots.txt that could not be had
	robotsBody   = 500 << 10        // RFC 9309, section 2.5: at least
	robotsRule   = 1 << 10          // bytes of a rule; wildcards are cut off a longer one
	robotsWild   = 1000             // rules with wildcards
	robotsHosts  = 4096             // remembered at once
	robotsLong   = 30 * time.Second // longest delay between requests that is obeyed: with a longer one, few pages fit in a poll
	acceptRobots = "text/plain, */*;q=0.1"
)

// robots is what the robots.txt of an origin says to us.
type robots struct {
	asking chan struct{} // held by whoever fetches it
	until  time.Time     // wall clock; zero: not known yet
	closed bool          // nothing may be asked at present: it could not be had
	group  *robotstxt.Group
}

// allows tells whether a page may be asked for.
func (r *robots) allows(u *url.URL) bool {
	switch {
	case r.closed:
		return false
	case r.group == nil:
		return true
	}
	path := cmp.Or(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return r.group.Test(robotsMark + path)
}

// delay is the time between requests that the origin asks for.
func (r *robots) delay() time.Duration {
	if r.group == nil {
		return 0
	}
	return min(r.group.CrawlDelay, robotsLong)
}

// robots gives what the origin of a page says to robots. It is fetched once; whoever needs it meanwhile waits. The error is errLeftAlone
// or that of ctx.
func (v *visit) robots(ctx context.Context, page *url.URL) (*robots, error) {
	p, origin := v.p, page.Scheme+"://"+page.Host
	p.mu.Lock()
	entry := p.robots[origin]
	if entry == nil {
		if len(p.robots) >= robotsHosts {
			clear(p.robots)
		}
		entry = &robots{asking: make(chan struct{}, 1)}
		p.robots[origin] = entry
	}
	p.mu.Unlock()
	select {
	case entry.asking <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-entry.asking }()
	if p.o.Now().Before(entry.until) {
		known := *entry
		return &known, nil
	}
	status, body, err := v.robotsFile(ctx, page)
	if err != nil {
		return nil, err
	}
	entry.closed, entry.group = readRobots(status, body)
	entry.until = p.o.Now().Add(robotsKept)
	if entry.closed {
		entry.until = p.o.Now().Add(robotsRetry)
	}
	known := *entry
	return &known, nil
}

// robotsFile fetches the robots.txt that holds for a page. status is 0 if there was no answer. The error is errLeftAlone or that of
// ctx.
func (v *visit) robotsFile(ctx context.Context, page *url.URL) (status int, body []byte, err error) {
	target := &url.URL{Scheme: page.Scheme, Host: page.Host, Path: "/robots.txt"}
	for range maxRedirects + 1 {
		resp, next, err := v.ask(ctx, target, acceptRobots, 0)
		var fe *FetchError
		switch {
		case ctx.Err() != nil:
			return 0, nil, context.Cause(ctx)
		case errors.Is(err, errLeftAlone):
			return 0, nil, err
		case errors.As(err, &fe) && fe.Code == FetchEmpty:
			return http.StatusOK, nil, nil
		case errors.As(err, &fe) && fe.Code != FetchBusy:
			return fe.Status, nil, nil
		case err != nil:
			return 0, nil, nil
		case next == nil:
			return resp.status, resp.body.bytes, nil
		}
		target = next
	}
	return 0, nil, nil
}

// readRobots makes rules of an answer: none for a file that does not exist, none but "not now" for one that could not be had. A server
// that is busy has no time for pages either.
func readRobots(status int, body []byte) (closed bool, group *robotstxt.Group) {
	switch {
	case status >= 400 && status < 500 && status != http.StatusTooManyRequests:
		return false, nil
	case status != http.StatusOK:
		return true, nil
	}
	data, err := robotstxt.FromBytes(robotsLines(body))
	if err != nil {
		return true, nil
	}
	return false, data.FindGroup(robotsToken)
}

// robotsMark stands at the start of every rule and of every path tested, because the library looks for rules with wildcards anywhere.
const robotsMark = "/~"

// robotsLines writes the lines of a robots.txt that we go by as the library understands them: it gives up on a whole file for one bad
// line, takes an empty rule for none, and compares escaped addresses with rules that are not.
func robotsLines(body []byte) []byte {
	if len(body) > robotsBody {
		body = body[:robotsBody]
		body = body[:bytes.LastIndexByte(body, '\n')+1]
	}
	var out bytes.Buffer
	grouped, wild := false, 0
	for line := range strings.FieldsFuncSeq(strings.TrimPrefix(string(body), "\ufeff"), func(r rune) bool { return r == '\n' || r == '\r' }) {
		line, _, _ = strings.Cut(line, "#")
		key, value, _ := strings.Cut(line, ":")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		switch {
		case key == "user-agent":
			grouped = true
			name, _, _ := strings.Cut(value, "/")
			out.WriteString("User-agent: " + cmp.Or(escapedRule(name), "-") + "\n")
		case !grouped:
		case key == "allow" || key == "disallow":
			allow := key == "allow"
			if allow, value = robotsRuleOf(allow, value, &wild); value != "" {
				out.WriteString(map[bool]string{true: "Allow: ", false: "Disallow: "}[allow] + robotsMark + value + "\n")
			}
		case key == "crawl-delay":
			if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds >= 0 && seconds <= robotsKept.Seconds() {
				out.WriteString("Crawl-delay: " + strconv.FormatFloat(seconds, 'f', -1, 64) + "\n")
			}
		}
	}
	return out.Bytes()
}

// robotsRuleOf is a rule as it is written for the library; an empty value means that it says nothing. Rules with more wildcards than
// anybody needs lose them, so that they forbid more or allow nothing.
func robotsRuleOf(allow bool, value string, wild *int) (bool, string) {
	if value == "" {
		return true, "/" // an empty Disallow forbids nothing, and ends the list of names all the same
	}
	value = escapedRule(value)
	if value[0] != '/' && value[0] != '*' {
		value = "/" + value
	}
	if i := strings.IndexAny(value, "*$"); i >= 0 {
		if *wild++; *wild > robotsWild || len(value) > robotsRule {
			if allow {
				return allow, ""
			}
			value = cmp.Or(value[:i], "/")
		}
	}
	return allow, value
}

// escapedRule writes spaces, controls and what is not ASCII as addresses do.
func escapedRule(value string) string {
	var b strings.Builder
	for i := range len(value) {
		if c := value[i]; c <= ' ' || c >= 0x7f {
			b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)|0x100, 16)[1:]))
			continue
		}
		b.WriteByte(value[i])
	}
	return b.String()
}

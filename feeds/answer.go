package feeds

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// statusError classes an answer that is neither 200 nor 304.
func statusError(resp *http.Response, now time.Time) *FetchError {
	e := &FetchError{Status: resp.StatusCode, Code: statusCode(resp.StatusCode)}
	if value := resp.Header.Get("Retry-After"); value != "" && resp.StatusCode >= 400 {
		if wait, ok := ParseRetryAfter(value, serverTime(resp.Header, now)); ok {
			e.RetryAfter = wait
			e.Code = FetchBusy
		}
	}
	if strings.EqualFold(resp.Header.Get("Cf-Mitigated"), "challenge") {
		e.Code = FetchBlocked
		e.Err = fmt.Errorf("status %d: a challenge for browsers stands in front of the feed", resp.StatusCode)
	}
	e.Advice = statusAdvice(e.Code, e.Status)
	return e
}

func statusCode(status int) FetchCode {
	switch status {
	case 401, 402, 403, 407, 451:
		return FetchBlocked
	case 404:
		return FetchMissing
	case 410:
		return FetchGone
	case 429, 503:
		return FetchBusy
	}
	if status >= 500 {
		return FetchServer
	}
	return FetchStatus
}

// pageError makes the failure of a fetch out of a document that is a web page (B26). The feeds the page points to are advice: polling
// never follows them.
func pageError(err error, feed string, status int) error {
	var pe *ParseError
	if !errors.As(err, &pe) || pe.Code != CodeHTML {
		return err
	}
	e := &FetchError{
		URL: Redact(feed), Status: status, Code: FetchHTML,
		Err:    errors.New("the address answers with a web page, not a feed"),
		Advice: "look for the feed's address on the outlet's site",
	}
	var found []string
	for _, a := range pe.Alternates[:min(len(pe.Alternates), 5)] {
		found = append(found, Redact(a.URL))
	}
	if len(found) > 0 {
		e.Advice = "try one of: " + strings.Join(found, ", ")
	}
	return e
}

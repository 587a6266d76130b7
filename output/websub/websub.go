// Package websub tells hubs that documents changed.
package websub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Doer sends a request. The program hands in its one guarded client: the hub's address is the operator's, but where it leads is not.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Error is a hub's refusal.
type Error struct {
	Hub        string
	Status     int
	RetryAfter time.Duration // as the hub asked; 0: it did not
}

// Error says what the hub answered.
func (e *Error) Error() string {
	return fmt.Sprintf("hub %s answered %d %s", e.Hub, e.Status, http.StatusText(e.Status))
}

// Temporary says that the same ping may succeed later.
func (e *Error) Temporary() bool {
	return e.Status >= 500 || e.Status == http.StatusTooManyRequests || e.Status == http.StatusRequestTimeout
}

// Ping tells the hub that the documents at the topics changed, one request for each. WebSub leaves this request to publisher and hub; hubs
// have agreed on hub.mode=publish since PubSubHubbub, and name the address hub.url or hub.topic, so both are sent. The error joins what
// failed: an *Error for every refusal.
func Ping(ctx context.Context, client Doer, hub string, topics []string) error {
	var errs []error
	for _, topic := range topics {
		if err := ping(ctx, client, hub, topic); err != nil {
			errs = append(errs, fmt.Errorf("ping for %s: %w", topic, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(errs...)
}

func ping(ctx context.Context, client Doer, hub, topic string) error {
	form := url.Values{"hub.mode": {"publish"}, "hub.url": {topic}, "hub.topic": {topic}}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, hub, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // so that the connection can be used again
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return err
	}
	if answer.StatusCode/100 == 2 {
		return nil
	}
	refusal := &Error{Hub: hub, Status: answer.StatusCode}
	if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && seconds > 0 {
		refusal.RetryAfter = time.Duration(min(seconds, 24*60*60)) * time.Second
	}
	return refusal
}

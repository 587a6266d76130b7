package app

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/smtp"
	"net/url"
	"strconv"
	"time"

	"sheaf/cmd/internal/config"
	"sheaf/cmd/internal/metrics"
	"sheaf/cmd/internal/store"
	"sheaf/feeds"
	"sheaf/output"
	"sheaf/output/notify"
	"sheaf/output/websub"
)

// attempt is how long one delivery may take.
const attempt = 30 * time.Second

// messages makes what a channel's receivers are told of its new memory. A channel's first memory is told to nobody: it is all old news.
func (a *App) messages(c output.Channel, previous, next store.Memory) ([]notify.Message, error) {
	if previous.At.IsZero() {
		return nil, nil
	}
	var messages []notify.Message
	for _, r := range a.config.Receivers() {
		if r.Channel != c.Name {
			continue
		}
		for _, e := range notify.Fresh(previous.Emissions, next.Emissions) {
			m, err := a.message(r, c, e)
			if err != nil {
				return nil, fmt.Errorf("message for %s: %w", r.Target, err)
			}
			messages = append(messages, m)
		}
	}
	return messages, nil
}

func (a *App) message(r config.Receiver, c output.Channel, e output.Emission) (notify.Message, error) {
	if r.URL != "" {
		return notify.Webhook(r.Target, a.site, c, e)
	}
	return notify.Mail(r.Target, r.Letter, a.site, c, e)
}

// deliver tries every message that waits. What fails is tried again later, by rules of its own; an error is one of the store.
func (a *App) deliver(ctx context.Context) error {
	messages, err := a.store.Outbox(ctx, a.now())
	if err != nil || len(messages) == 0 {
		return err
	}
	receivers := map[string]config.Receiver{}
	for _, r := range a.config.Receivers() {
		receivers[r.Target] = r
	}
	for _, m := range messages {
		if a.finishing() {
			return nil
		}
		r, ok := receivers[m.Target]
		switch {
		case !ok:
			m = m.Refused(a.now(), errors.New("the receiver is no longer configured"))
		case m.Kind == notify.KindMail:
			m = m.Tried(a.now(), a.mail(ctx, r, m), 0)
		default:
			m = a.post(ctx, r, m)
		}
		a.metrics.Message(deliveryResult(m))
		if m.Error != "" {
			a.log.Warn("message not delivered", "target", m.Target, "err", m.Error, "attempts", m.Attempts, "givenUp", m.GivenUp())
		}
		if err := a.store.SaveMessage(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// deliveryResult is what came of the last attempt, for a label.
func deliveryResult(m notify.Message) string {
	switch {
	case m.Error == "":
		return metrics.MessageSent
	case m.GivenUp():
		return metrics.MessageGivenUp
	}
	return metrics.MessageFailed
}

// withoutAddress is the cause of a failed request without the address, which may hold a secret.
func withoutAddress(err error) error {
	var ue *url.Error
	if errors.As(err, &ue) {
		return ue.Err
	}
	return err
}

// outbound is a client for requests to a configured receiver or hub: the poller's guarded way out.
func (a *App) outbound(address string) *http.Client {
	return &http.Client{
		Transport:     a.poller.Client().Configured(address),
		Timeout:       attempt,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// post sends a webhook. A receiver that answers 410 never wants it; one that answers Retry-After in seconds is heeded.
func (a *App) post(ctx context.Context, r config.Receiver, m notify.Message) notify.Message {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(m.Body))
	if err != nil {
		return m.Refused(a.now(), err)
	}
	request.Header = m.Sign([]byte(r.Secret.Reveal()), a.now())
	response, err := a.outbound(r.URL).Do(request)
	if err != nil {
		return m.Tried(a.now(), withoutAddress(err), 0)
	}
	_, err = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10))
	err = errors.Join(err, response.Body.Close())
	switch {
	case response.StatusCode == http.StatusGone:
		return m.Refused(a.now(), errors.New("the receiver answered 410 Gone"))
	case response.StatusCode/100 != 2:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // absent or a date: our own pauses
		return m.Tried(a.now(), fmt.Errorf("the receiver answered %s", response.Status), time.Duration(seconds)*time.Second)
	}
	return m.Tried(a.now(), err, 0)
}

// mail hands a message to the configured server, over TLS where that offers it. A password is never sent without TLS.
func (a *App) mail(ctx context.Context, r config.Receiver, m notify.Message) error {
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	host, port, err := net.SplitHostPort(a.config.Mail.Server)
	if err != nil {
		return err
	}
	connection, err := a.poller.Client().DialConfigured(ctx, a.config.Mail.Server)
	if err != nil {
		return err
	}
	if deadline, ok := ctx.Deadline(); ok {
		if err := connection.SetDeadline(deadline); err != nil {
			return errors.Join(err, connection.Close())
		}
	}
	secure := port == "465" // TLS from the first byte (RFC 8314)
	if secure {
		connection = tls.Client(connection, &tls.Config{ServerName: host})
	}
	client, err := smtp.NewClient(connection, host)
	if err != nil {
		return errors.Join(err, connection.Close())
	}
	err = a.converse(client, host, secure, r, m)
	_ = client.Close() // closed already after a goodbye
	return err
}

// converse is the dialog of SMTP (RFC 5321).
func (a *App) converse(client *smtp.Client, host string, secure bool, r config.Receiver, m notify.Message) error {
	if ok, _ := client.Extension("STARTTLS"); ok && !secure {
		if err := client.StartTLS(&tls.Config{ServerName: host}); err != nil {
			return err
		}
	}
	if user := a.config.Mail.User; user != "" {
		if err := client.Auth(smtp.PlainAuth("", user, a.config.Mail.Password.Reveal(), host)); err != nil {
			return err
		}
	}
	if err := client.Mail(r.Letter.From.Address); err != nil {
		return err
	}
	for _, to := range r.Letter.To {
		if err := client.Rcpt(to.Address); err != nil {
			return err
		}
	}
	data, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := data.Write(m.Body); err != nil {
		return errors.Join(err, data.Close())
	}
	if err := data.Close(); err != nil {
		return err
	}
	_ = client.Quit() // the server has taken the message; a failed goodbye must not send it twice
	return nil
}

// ping tells the hub which documents changed. A hub that is not reached costs subscribers only their speed.
func (a *App) ping(ctx context.Context, r *Report) {
	var topics []string
	private := a.config.Private()
	for _, c := range r.Channels {
		if c.Written > 0 && private[c.Name] == "" {
			for _, suffix := range []string{".rss", ".atom", ".json"} {
				topics = append(topics, a.site.Feed(c.Name+suffix))
			}
		}
	}
	if a.site.Hub == "" || len(topics) == 0 {
		return
	}
	if err := websub.Ping(ctx, a.outbound(a.site.Hub), a.site.Hub, topics); err != nil {
		a.log.Warn("hub not reached", "hub", feeds.Redact(a.site.Hub), "err", withoutAddress(err))
	}
}

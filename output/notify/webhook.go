package notify

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"sheaf/output"
)

// Names of the headers of a signed webhook, as the Standard Webhooks specification has them.
const (
	headerID        = "Webhook-Id"
	headerTimestamp = "Webhook-Timestamp"
	headerSignature = "Webhook-Signature"
)

// tolerance is how far a timestamp may lie from the receiver's clock.
const tolerance = 5 * time.Minute

// Errors of Verify.
var (
	ErrSignature = errors.New("no signature fits")
	ErrTimestamp = errors.New("timestamp is too far from now")
)

// event is the body of a webhook.
type event struct {
	Type      string    `json:"type"`      // always "item.published"
	Timestamp time.Time `json:"timestamp"` // when the item was published
	Data      eventData `json:"data"`
}

type eventData struct {
	Channel eventChannel    `json:"channel"`
	Item    json.RawMessage `json:"item"` // as in our JSON Feed
}

type eventChannel struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	FeedURL string `json:"feed_url"`
}

// Webhook makes the message that tells a program of an item: the item itself, as it stands in the channel's JSON Feed.
func Webhook(target string, site output.Site, c output.Channel, e output.Emission) (Message, error) {
	item, err := e.JSON(site)
	if err != nil {
		return Message{}, err
	}
	title := c.Title
	if title == "" {
		title = c.Name
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err = enc.Encode(event{"item.published", e.Published.UTC(), eventData{eventChannel{c.Name, title, site.Feed(c.Name + ".json")}, item}})
	m := newMessage(target, KindWebhook, &e)
	m.Type, m.Body = "application/json", bytes.TrimSpace(b.Bytes())
	return m, err
}

// Sign gives the headers an attempt at now is sent with. The id stays the same in every attempt: by it a receiver knows what it has seen.
// Receivers check them as Standard Webhooks says: HMAC-SHA256 of "id.timestamp.body" under the secret, in base64 behind "v1,".
func (m Message) Sign(secret []byte, now time.Time) http.Header {
	stamp := strconv.FormatInt(now.Unix(), 10)
	h := make(http.Header)
	h.Set("Content-Type", m.Type)
	h.Set(headerID, m.ID)
	h.Set(headerTimestamp, stamp)
	h.Set(headerSignature, "v1,"+base64.StdEncoding.EncodeToString(mac(secret, m.ID, stamp, m.Body)))
	return h
}

// Verify is what a receiver does, for programs in Go and for tests: nil if the headers fit the body and the time.
func Verify(secret []byte, h http.Header, body []byte, now time.Time) error {
	stamp := h.Get(headerTimestamp)
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return ErrTimestamp
	}
	want := mac(secret, h.Get(headerID), stamp, body)
	for signature := range strings.FieldsSeq(h.Get(headerSignature)) {
		encoded, ok := strings.CutPrefix(signature, "v1,")
		got, err := base64.StdEncoding.DecodeString(encoded)
		if ok && err == nil && subtle.ConstantTimeCompare(got, want) == 1 {
			return nil
		}
	}
	return ErrSignature
}

func mac(secret []byte, id, stamp string, body []byte) []byte {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(id + "." + stamp + "."))
	h.Write(body)
	return h.Sum(nil)
}

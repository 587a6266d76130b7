// Package notify makes the messages that tell programs and people of published items, and keeps count of their sending.
//
// It sends nothing. The caller stores every message in an outbox, in one transaction with the memory of the channel it comes from, takes
// what is due, sends it, and stores what became of it. A message has an id made of its item and its target: an outbox that refuses an id it
// has holds none twice, and a receiver that remembers ids is told nothing twice, whatever crashes in between.
package notify

import (
	"time"

	"sheaf"
	"sheaf/output"
)

// Kind is a way to send a message.
type Kind string

// The kinds of messages.
const (
	KindWebhook Kind = "webhook" // POST of Body to the target's address, signed
	KindMail    Kind = "mail"    // Body is a whole message for SMTP
)

// Message is one notification in the outbox. It is stored as JSON: fields are added, never renamed.
type Message struct {
	ID       string    `json:"id"`     // unique, for ever
	Target   string    `json:"target"` // name of the receiver in the configuration: addresses and secrets stay there
	Kind     Kind      `json:"kind"`
	Type     string    `json:"type"` // media type of Body
	Body     []byte    `json:"body"`
	Attempts int       `json:"attempts"`
	Next     time.Time `json:"next,omitzero"`  // earliest next attempt; zero: at once
	Done     time.Time `json:"done,omitzero"`  // when it was sent or given up; zero: it is waiting
	Error    string    `json:"error,omitzero"` // of the last attempt; empty after success
}

// newMessage names the message for an item and a receiver.
func newMessage(target string, kind Kind, e *output.Emission) Message {
	return Message{ID: sheaf.UUID("urn:sheaf:message:" + string(kind) + ":" + target + "#" + e.ID), Target: target, Kind: kind}
}

// Fresh lists the items of a channel's new memory that its previous one lacks, oldest first: what there is to tell. On
// a channel's first sweep that is everything, which the caller may not want to send.
func Fresh(previous, next []output.Emission) []output.Emission {
	known := make(map[string]bool, len(previous))
	for i := range previous {
		known[previous[i].ID] = true
	}
	var fresh []output.Emission
	for i := len(next) - 1; i >= 0; i-- {
		if e := next[i]; !known[e.ID] && e.Into == "" && !e.Hidden {
			fresh = append(fresh, e)
		}
	}
	return fresh
}

// pauses are the times between attempts: two and a half days in all, after which a receiver must be thought gone.
func pauses() []time.Duration {
	return []time.Duration{
		time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 18 * time.Hour, 24 * time.Hour,
	}
}

// Due says that the message waits and may be tried now.
func (m Message) Due(now time.Time) bool { return m.Done.IsZero() && !m.Next.After(now) }

// GivenUp says that the message was never accepted and will not be tried again.
func (m Message) GivenUp() bool { return !m.Done.IsZero() && m.Error != "" }

// Tried is the message after an attempt at now: done if err is nil, else to be tried again, no sooner than the receiver asked for, or given
// up after the last attempt.
func (m Message) Tried(now time.Time, err error, asked time.Duration) Message {
	m.Attempts++
	m.Error = ""
	if err == nil {
		m.Done, m.Next = now, time.Time{}
		return m
	}
	m.Error = err.Error()
	if all := pauses(); m.Attempts <= len(all) {
		m.Next = now.Add(max(all[m.Attempts-1], asked))
	} else {
		m.Done, m.Next = now, time.Time{}
	}
	return m
}

// Refused is the message given up at once: the receiver said that it never wants it.
func (m Message) Refused(now time.Time, err error) Message {
	m.Attempts++
	m.Done, m.Next, m.Error = now, time.Time{}, err.Error()
	return m
}

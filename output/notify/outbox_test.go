package notify

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sheaf/output"
)

// outbox is the least a store must do: refuse an id it has, and forget nothing.
type outbox struct {
	messages map[string]Message
}

func (o *outbox) add(m Message) {
	if _, known := o.messages[m.ID]; !known {
		o.messages[m.ID] = m
	}
}

func (o *outbox) ids() []string {
	var ids []string
	for id := range o.messages {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// receiver fails as it is told to, and remembers the ids it accepted.
type receiver struct{ accepted map[string]int }

// Crashes strike before and after each send: the receiver sees every message, and none twice if it remembers ids.
func TestNeverLostNeverDoubled(t *testing.T) {
	items := make([]output.Emission, 3)
	for i := range items {
		items[i] = emission(fmt.Sprintf("Headline %d", i))
		items[i].ID = fmt.Sprintf("00000000-0000-0000-0000-00000000000%d", i)
	}
	rapid.Check(t, func(t *rapid.T) {
		box := &outbox{messages: map[string]Message{}}
		r := &receiver{accepted: map[string]int{}}
		now := noon
		for range rapid.IntRange(1, 30).Draw(t, "rounds") {
			for _, e := range items[:rapid.IntRange(0, len(items)).Draw(t, "known items")] { // a sweep that crashed makes them again
				m, err := Webhook("desk", site, channel, e)
				if err != nil {
					t.Fatal(err)
				}
				box.add(m)
			}
			send(t, box, r, now)
			now = now.Add(time.Duration(rapid.IntRange(1, 3000).Draw(t, "minutes")) * time.Minute)
		}
		for range len(pauses()) + 1 { // peace at last
			for _, id := range box.ids() {
				if m := box.messages[id]; m.Due(now) {
					r.accepted[id]++
					box.messages[id] = m.Tried(now, nil, 0)
				}
			}
			now = now.Add(48 * time.Hour)
		}
		for id, m := range box.messages {
			if m.Done.IsZero() || !m.GivenUp() && r.accepted[id] == 0 {
				t.Fatalf("message %s is lost: %+v", id, m)
			}
		}
		if len(box.messages) > len(items) {
			t.Fatalf("%d messages for %d items", len(box.messages), len(items))
		}
	})
}

// send tries what is due; some attempts fail, and some succeed without the outbox learning of it.
func send(t *rapid.T, box *outbox, r *receiver, now time.Time) {
	for _, id := range box.ids() {
		m := box.messages[id]
		if !m.Due(now) {
			continue
		}
		switch rapid.SampledFrom([]string{"sent", "failed", "crash before", "crash after"}).Draw(t, "fate") {
		case "sent":
			r.accepted[id] = 1
			box.messages[id] = m.Tried(now, nil, 0)
		case "failed":
			box.messages[id] = m.Tried(now, errors.New("refused"), 0)
		case "crash after":
			r.accepted[id] = 1
		}
	}
}

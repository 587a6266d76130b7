package config

import (
	"net/mail"
	"strings"
	"time"

	"sheaf"
	"sheaf/output"
	"sheaf/output/notify"
)

// defaultSettle is how long a new story waits to be published, since readers keep the first version they see.
const defaultSettle = 10 * time.Minute

// defaultFewest is how many items stay in a channel however old they are.
const defaultFewest = 50

// Output gives the channels.
func (c *Config) Output() []output.Channel {
	quoted := map[string]int{}
	for _, f := range c.Feeds {
		if f.Snippet != nil {
			quoted[f.Outlet] = *f.Snippet
		}
	}
	channels := make([]output.Channel, len(c.Channels))
	for i := range c.Channels {
		channels[i] = c.Channels[i].output(quoted)
	}
	return channels
}

// output turns what the file says into the channel's rules; quoted limits snippets by outlet.
func (c *Channel) output(quoted map[string]int) output.Channel {
	ch := output.Channel{
		Name: c.Name, Title: c.Title, Description: c.Description, Language: c.Language, Profile: output.Profile(c.Profile),
		MinOutlets: c.MinOutlets, Settle: defaultSettle, Size: c.Size, Span: time.Duration(c.Span), Fewest: defaultFewest,
		Order: output.Order(c.Order), Lead: output.Lead(c.Lead), Milestones: c.Milestones, Cooldown: time.Duration(c.Cooldown),
		Top: c.Top, Archive: c.Archive, Snippets: output.Snippets{Outlets: quoted},
		Filter: output.Filter{
			Outlets: c.Filter.Outlets, Owners: c.Filter.Owners, Categories: c.Filter.Categories, Languages: c.Filter.Languages,
			Words: c.Filter.Words, Independent: c.Filter.Independent, Age: time.Duration(c.Filter.Age),
			Growth: output.Growth{Outlets: c.Filter.Growth.Outlets, Within: time.Duration(c.Filter.Growth.Within)},
		},
		Mute: output.Mute{Outlets: c.Mute.Outlets, Words: c.Mute.Words},
	}
	for _, id := range c.Mute.Stories {
		ch.Mute.Stories = append(ch.Mute.Stories, sheaf.StoryID(strings.TrimPrefix(id, "urn:uuid:")))
	}
	if c.Settle != nil {
		ch.Settle = time.Duration(*c.Settle)
	}
	if c.Fewest != nil {
		ch.Fewest = *c.Fewest
	}
	if c.Snippet != nil {
		if ch.Snippets.Default = *c.Snippet; *c.Snippet == 0 {
			ch.Snippets.Default = -1
		}
	}
	return ch
}

// Receiver is who is told of the new items of a channel.
type Receiver struct {
	Target  string        // names the receiver in the outbox; it holds no secret
	Channel string        // whose items
	URL     string        // of a webhook; empty: mail
	Secret  Secret        // that webhooks are signed with
	Letter  notify.Letter // between whom mail goes
}

// Receivers lists who is told of what.
func (c *Config) Receivers() []Receiver {
	var all []Receiver
	for _, ch := range c.Channels {
		for _, n := range ch.Notify {
			r := Receiver{Channel: ch.Name, URL: n.Webhook, Secret: n.Secret}
			if n.Webhook != "" {
				r.Target = target(ch.Name, n.Webhook)
			} else {
				r.Target = target(ch.Name, strings.Join(n.MailTo, ","))
				r.Letter = letter(c.Mail.From, n.MailTo)
			}
			all = append(all, r)
		}
	}
	return all
}

// target names a receiver without telling its address, which may hold a secret.
func target(channel, address string) string { return channel + ":" + sheaf.UUID(address) }

// letter reads addresses that have been checked.
func letter(from string, to []string) notify.Letter {
	var l notify.Letter
	if a, err := mail.ParseAddress(from); err == nil {
		l.From = *a
	}
	for _, text := range to {
		if a, err := mail.ParseAddress(text); err == nil {
			l.To = append(l.To, *a)
		}
	}
	return l
}

package config

import (
	"fmt"
	"net"
	"net/mail"
	"strings"
	"time"

	"sheaf/cmd/internal/schedule"
	"sheaf/output"
)

func (k checker) channels(c *Config) {
	first := map[string]int{}
	for i := range c.Channels {
		ch, path := &c.Channels[i], fmt.Sprintf("channels[%d]", i)
		if !slug.MatchString(ch.Name) {
			k.fault(path+".name", "%q cannot name files and addresses; use 1 to 64 of a-z, 0-9 and -", ch.Name)
			continue
		}
		if j, ok := first[ch.Name]; ok {
			k.fault(path+".name", "the same name as channels[%d]; both would write %s.rss", j, ch.Name)
		}
		first[ch.Name] = i
		k.channel(path, ch)
		for j := range ch.Notify {
			k.notify(fmt.Sprintf("%s.notify[%d]", path, j), &ch.Notify[j], c.Mail)
		}
	}
	if c.Mail.Server != "" {
		if _, _, err := net.SplitHostPort(c.Mail.Server); err != nil {
			k.fault("mail.server", "%q is not a host with a port, such as smtp.example.org:587", c.Mail.Server)
		}
		if _, err := mail.ParseAddress(c.Mail.From); err != nil {
			k.fault("mail.from", "%q is not a mail address", c.Mail.From)
		}
	}
}

func (k checker) channel(path string, c *Channel) {
	if c.MinOutlets < 0 {
		k.fault(path+".min_outlets", "%d outlets; choose 1 or more", c.MinOutlets)
	}
	if c.Size < 0 || c.Size > 10000 {
		k.fault(path+".size", "%d stories; choose 1 to 10000", c.Size)
	}
	if c.Span != 0 && time.Duration(c.Span) < 24*time.Hour {
		k.fault(path+".span", "%s; readers add stories again that leave and return, so choose 24h or more", time.Duration(c.Span))
	}
	k.token(path+".token", c.Token)
	digest := c.Profile == string(output.ProfileDigest)
	switch {
	case digest && c.Every == "":
		k.fault(path, "a digest needs its times under every, such as \"0 7 * * *\"")
	case !digest && c.Every != "":
		k.fault(path+".every", "only a channel with profile: digest has times of its own")
	case digest:
		if _, err := schedule.Parse(c.Every, ""); err != nil {
			k.fault(path+".every", "%v", err)
		}
	}
	if err := c.output(nil).Validate(); err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			k.fault(path, "%s", strings.TrimPrefix(line, fmt.Sprintf("channel %q: ", c.Name)))
		}
	}
}

func (k checker) notify(path string, n *Notify, m Mail) {
	switch {
	case n.Webhook == "" && len(n.MailTo) == 0:
		k.fault(path, "names nobody; give a webhook or mail_to")
	case n.Webhook != "" && len(n.MailTo) > 0:
		k.fault(path, "give either a webhook or mail_to; a second receiver is an entry of its own")
	case n.Webhook != "" && !isHTTP(n.Webhook):
		k.fault(path+".webhook", "%q is not an http or https address", n.Webhook)
	case n.Webhook != "" && n.Secret.Reveal() == "":
		k.fault(path+".secret", "missing; the receiver knows us by it")
	case len(n.MailTo) > 0 && m.Server == "":
		k.fault(path+".mail_to", "there is no server to hand mail to; give mail.server and mail.from")
	}
	for i, address := range n.MailTo {
		if _, err := mail.ParseAddress(address); err != nil {
			k.fault(fmt.Sprintf("%s.mail_to[%d]", path, i), "%q is not a mail address", address)
		}
	}
}

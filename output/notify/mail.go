package notify

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"net/url"
	"strings"
	"time"

	"sheaf/output"
)

// Letter says between whom a mail goes.
type Letter struct {
	From mail.Address
	To   []mail.Address
}

// Mail makes the message that tells people of an item: plain text and HTML, dated when the item was published. It is the same bytes
// however often it is made.
func Mail(target string, l Letter, site output.Site, c output.Channel, e output.Emission) (Message, error) {
	if len(l.To) == 0 || l.From.Address == "" {
		return Message{}, errors.New("mail without sender or receiver")
	}
	m := newMessage(target, KindMail, &e)
	m.Type = "message/rfc822"
	var parts bytes.Buffer
	w := multipart.NewWriter(&parts)
	if err := w.SetBoundary("sheaf-" + m.ID); err != nil {
		return Message{}, err
	}
	for _, part := range []struct{ media, text string }{
		{"text/plain", plainText(site, &e)},
		{"text/html", "<h1>" + html.EscapeString(e.Item.Title) + "</h1>\n" + e.HTML(site)},
	} {
		if err := writePart(w, part.media, part.text); err != nil {
			return Message{}, err
		}
	}
	if err := w.Close(); err != nil {
		return Message{}, err
	}
	var b bytes.Buffer
	writeHead(&b, l, m.ID, site, c, &e)
	fmt.Fprintf(&b, "Content-Type: multipart/alternative; boundary=%q\r\n\r\n", w.Boundary())
	b.Write(parts.Bytes())
	m.Body = b.Bytes()
	return m, nil
}

// writeHead writes the fields of the head but the last. Headlines hold no line breaks, and encoding leaves none in, so that nothing foreign
// can become a field.
func writeHead(b *bytes.Buffer, l Letter, id string, site output.Site, c output.Channel, e *output.Emission) {
	host := "localhost"
	if u, err := url.Parse(site.BaseURL); err == nil && u.Hostname() != "" {
		host = u.Hostname()
	}
	var to []string
	for _, a := range l.To {
		to = append(to, a.String())
	}
	fmt.Fprintf(b, "From: %s\r\n", l.From.String())
	fmt.Fprintf(b, "To: %s\r\n", strings.Join(to, ",\r\n\t"))
	fmt.Fprintf(b, "Subject: %s\r\n", mime.QEncoding.Encode("utf-8", e.Item.Title))
	fmt.Fprintf(b, "Date: %s\r\n", e.Published.UTC().Format(time.RFC1123Z))
	fmt.Fprintf(b, "Message-ID: <%s@%s>\r\n", id, host)
	fmt.Fprintf(b, "List-ID: <%s.%s>\r\n", c.Name, host)
	b.WriteString("Auto-Submitted: auto-generated\r\nMIME-Version: 1.0\r\n") // so that no vacation notice answers (RFC 3834)
}

func writePart(w *multipart.Writer, media, text string) error {
	part, err := w.CreatePart(textproto.MIMEHeader{
		"Content-Type": {media + "; charset=utf-8"}, "Content-Transfer-Encoding": {"quoted-printable"},
	})
	if err != nil {
		return err
	}
	q := quotedprintable.NewWriter(part)
	if _, err := q.Write([]byte(text)); err != nil {
		return err
	}
	return q.Close()
}

// plainText is the item for readers without HTML.
func plainText(site output.Site, e *output.Emission) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", e.Item.Title, e.Link(site))
	for _, text := range []string{e.Item.News, e.Item.Teaser} {
		if text != "" {
			fmt.Fprintf(&b, "\n%s\n", text)
		}
	}
	b.WriteByte('\n')
	for _, r := range e.Item.Reports {
		fmt.Fprintf(&b, "- %s, %s: %s\n", r.Outlet, r.Published.UTC().Format("2 Jan 15:04 MST"), r.Title)
		if r.URL != "" {
			fmt.Fprintf(&b, "  %s\n", r.URL)
		}
	}
	if len(e.Item.Entries) == 0 {
		fmt.Fprintf(&b, "\nTimeline and full coverage: %s\n", site.Page(e.Story))
	}
	return b.String()
}

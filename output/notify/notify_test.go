package notify

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"strings"
	"testing"
	"time"

	"sheaf"
	"sheaf/output"
)

var (
	noon    = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	site    = output.Site{BaseURL: "https://news.example.org"}
	channel = output.Channel{Name: "alerts", Title: "Alerts & more"}
)

func emission(title string) output.Emission {
	a := sheaf.Article{ID: "a", Outlet: sheaf.Outlet{Name: "Alpha"}, Title: title, Summary: "Ünïcode & <markup>.", URL: "https://alpha.example/a", Published: noon}
	b := sheaf.Article{ID: "b", Outlet: sheaf.Outlet{Name: "Beta"}, Title: "From a file", Published: noon.Add(time.Minute)}
	s := sheaf.Story{ID: sheaf.NewStoryID(&a), Lead: "a", Members: []sheaf.Member{{Article: a, Role: sheaf.RoleReport}, {Article: b, Role: sheaf.RoleReport}}}
	return channel.Advance(nil, []sheaf.Story{s}, nil, noon.Add(time.Hour))[0]
}

func TestFresh(t *testing.T) {
	e := func(id string) output.Emission { return output.Emission{ID: id} }
	hidden, gone := e("h"), e("g")
	hidden.Hidden, gone.Into = true, "x"
	var got []string
	for _, f := range Fresh([]output.Emission{e("a")}, []output.Emission{e("c"), hidden, e("b"), gone, e("a")}) {
		got = append(got, f.ID)
	}
	if strings.Join(got, " ") != "b c" {
		t.Errorf("fresh = %v, want b, then c", got)
	}
}

func TestWebhook(t *testing.T) {
	e := emission("Ferry & <bridge>")
	m, err := Webhook("desk", site, channel, e)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := Webhook("desk", site, channel, e)
	other, _ := Webhook("board", site, channel, e)
	if m.ID != again.ID || !bytes.Equal(m.Body, again.Body) || m.ID == other.ID || m.Kind != KindWebhook {
		t.Errorf("messages %s, %s, %s", m.ID, again.ID, other.ID)
	}
	var got struct {
		Type      string
		Timestamp time.Time
		Data      struct {
			Channel map[string]string
			Item    struct{ ID, Title, URL string }
		}
	}
	if err := json.Unmarshal(m.Body, &got); err != nil {
		t.Fatal(err)
	}
	if got.Type != "item.published" || !got.Timestamp.Equal(noon) || got.Data.Item.Title != "Ferry & <bridge>" || got.Data.Item.ID != e.URN() ||
		got.Data.Channel["feed_url"] != "https://news.example.org/alerts.json" || got.Data.Channel["title"] != "Alerts & more" {
		t.Errorf("body = %s", m.Body)
	}
}

// The vector was computed in another language.
func TestSign(t *testing.T) {
	m := Message{ID: "msg_1", Type: "application/json", Body: []byte(`{"a":1}`)}
	secret := []byte("a secret of the operator")
	const want = "v1,TjYbR3OdP76pTFD5wb20tkPoPOx9frSuXUz2mQAsQec="
	h := m.Sign(secret, time.Unix(1700000000, 0))
	if got := h.Get("Webhook-Signature"); got != want {
		t.Errorf("signature = %s, want %s", got, want)
	}
	now := time.Unix(1700000100, 0)
	for _, tt := range []struct {
		name   string
		secret string
		body   string
		now    time.Time
		extra  string
		want   error
	}{
		{"as sent", string(secret), `{"a":1}`, now, "", nil},
		{"among others", string(secret), `{"a":1}`, now, "v1,AAAA v2,x ", nil},
		{"another secret", "x", `{"a":1}`, now, "", ErrSignature},
		{"another body", string(secret), `{"a":2}`, now, "", ErrSignature},
		{"too late", string(secret), `{"a":1}`, now.Add(time.Hour), "", ErrTimestamp},
		{"too early", string(secret), `{"a":1}`, now.Add(-time.Hour), "", ErrTimestamp},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := h.Clone()
			h.Set("Webhook-Signature", tt.extra+h.Get("Webhook-Signature"))
			if err := Verify([]byte(tt.secret), h, []byte(tt.body), tt.now); !errors.Is(err, tt.want) {
				t.Errorf("Verify() = %v, want %v", err, tt.want)
			}
		})
	}
}

func TestTried(t *testing.T) {
	broken := errors.New("connection refused")
	m := Message{ID: "m"}
	now := noon
	for n := range pauses() {
		if !m.Due(now) {
			t.Fatalf("attempt %d is not due", n+1)
		}
		m = m.Tried(now, broken, 0)
		if m.Due(now) || m.GivenUp() || m.Error != "connection refused" || m.Attempts != n+1 {
			t.Fatalf("after attempt %d: %+v", n+1, m)
		}
		now = m.Next
	}
	lost := m.Tried(now, broken, 0)
	if !lost.GivenUp() || lost.Due(now.Add(time.Hour)) {
		t.Errorf("after the last attempt: %+v", lost)
	}
	sent := m.Tried(now, nil, 0)
	if sent.GivenUp() || sent.Due(now.Add(time.Hour)) || sent.Error != "" || !sent.Done.Equal(now) {
		t.Errorf("after success: %+v", sent)
	}
	if patient := (Message{}).Tried(noon, broken, time.Hour); !patient.Next.Equal(noon.Add(time.Hour)) {
		t.Errorf("next = %v, want when the receiver asked for", patient.Next)
	}
	if refused := (Message{}).Refused(noon, broken); !refused.GivenUp() || refused.Attempts != 1 {
		t.Errorf("refused: %+v", refused)
	}
}

func TestMail(t *testing.T) {
	l := Letter{From: mail.Address{Name: "Nåme", Address: "sheaf@news.example.org"}, To: []mail.Address{{Address: "a@x.example"}, {Name: "B, C", Address: "b@x.example"}}}
	title := "Brücke zu: " + strings.Repeat("sehr lange Überschrift ", 8) + "=?utf-8?q?x?="
	e := emission(title)
	m, err := Mail("desk", l, site, channel, e)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := Mail("desk", l, site, channel, e); !bytes.Equal(m.Body, again.Body) {
		t.Error("the same mail twice is not the same bytes")
	}
	for line := range strings.Lines(string(m.Body)) {
		if !strings.HasSuffix(line, "\r\n") || len(line) > 998 {
			t.Errorf("line %q is no line of a mail", line)
		}
	}
	got, err := mail.ReadMessage(bytes.NewReader(m.Body))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(got.Header.Get("Subject"))
	if err != nil || subject != e.Item.Title {
		t.Errorf("subject = %q, %v, want %q", subject, err, e.Item.Title)
	}
	if to, err := got.Header.AddressList("To"); err != nil || len(to) != 2 {
		t.Errorf("to = %v, %v", to, err)
	}
	if date, err := got.Header.Date(); err != nil || !date.Equal(noon) {
		t.Errorf("date = %v, %v", date, err)
	}
	checkParts(t, got)
}

func checkParts(t *testing.T, m *mail.Message) {
	t.Helper()
	media, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || media != "multipart/alternative" {
		t.Fatalf("type = %q, %v", media, err)
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	for _, want := range []struct{ media, text string }{
		{"text/plain; charset=utf-8", "https://alpha.example/a\n\nÜnïcode & <markup>.\n\n- Alpha, 30 Nov 12:00 UTC: Brücke zu"},
		{"text/html; charset=utf-8", "<p>Ünïcode &amp; &lt;markup&gt;.</p>"},
	} {
		p, err := parts.NextPart()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(p)
		if err != nil {
			t.Fatal(err)
		}
		if p.Header.Get("Content-Type") != want.media || !strings.Contains(strings.ReplaceAll(string(text), "\r\n", "\n"), want.text) {
			t.Errorf("%s: %s\nlacks %q", p.Header.Get("Content-Type"), text, want.text)
		}
	}
	if _, err := parts.NextPart(); !errors.Is(err, io.EOF) {
		t.Errorf("after the last part: %v", err)
	}
}

func TestMailNeedsPeople(t *testing.T) {
	if _, err := Mail("x", Letter{From: mail.Address{Address: "a@x.example"}}, site, channel, emission("x")); err == nil {
		t.Error("a mail to nobody was made")
	}
}

package app

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf/cmd/internal/schedule"
	"sheaf/output/notify"
)

// receiver is a webhook that fails as often as it is told to.
type receiver struct {
	now     func() time.Time
	mu      sync.Mutex
	failing int
	ids     []string
	bad     error
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	body, err := io.ReadAll(q.Body)
	if err == nil {
		err = notify.Verify([]byte("shared secret"), q.Header, body, r.now())
	}
	if err != nil {
		r.bad = err
	}
	if r.failing > 0 {
		r.failing--
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	r.ids = append(r.ids, q.Header.Get("Webhook-Id"))
}

// A webhook is told once of every new story, however often the receiver fails first; what was there before is told to nobody.
func TestWebhook(t *testing.T) {
	clock := time.Now()
	now := func() time.Time { return clock }
	hook := &receiver{now: now, failing: 2}
	server := httptest.NewServer(hook)
	defer server.Close()
	feed := filepath.Join(t.TempDir(), "feed.rss")
	write := func(items ...string) {
		t.Helper()
		if err := os.WriteFile(feed, []byte(rss(items...)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := settings(t, "channels: [{name: stories, settle: '0', notify: [{webhook: '"+server.URL+"', secret: shared secret}]}]", "file:"+feed)
	a := open(t, c, Options{Now: now})
	write(item(1, "Ferry Mirabel hits harbor bridge in Velport"))
	sweep(t, a)
	write(item(1, "Ferry Mirabel hits harbor bridge in Velport"), item(2, "Goalkeeper Sandoval decides chess olympiad of Tarn"))
	for range 4 { // two failures, the delivery, and once more for nothing
		clock = clock.Add(2 * time.Minute)
		sweep(t, a)
		clock = clock.Add(10 * time.Minute)
	}
	hook.mu.Lock()
	defer hook.mu.Unlock()
	if hook.bad != nil {
		t.Errorf("a webhook did not verify: %v", hook.bad)
	}
	if len(hook.ids) != 1 || hook.failing != 0 {
		t.Errorf("delivered %v with %d failures left, want one delivery after two failures", hook.ids, hook.failing)
	}
}

// Mail goes to the configured server as one whole message.
func TestMail(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	received := make(chan string, 1)
	go smtpServer(listener, received)
	feed := filepath.Join(t.TempDir(), "feed.rss")
	text := fmt.Sprintf("mail: {server: '%s', from: 'sheaf <news@example.org>'}\nchannels: [{name: stories, settle: '0', notify: [{mail_to: [desk@example.org]}]}]", listener.Addr())
	a := open(t, settings(t, text, "file:"+feed), Options{})
	for n := 1; n <= 2; n++ {
		title := []string{"", "Ferry Mirabel hits harbor bridge in Velport", "Goalkeeper Sandoval decides chess olympiad of Tarn"}
		var items []string
		for i := 1; i <= n; i++ {
			items = append(items, item(i, title[i]))
		}
		if err := os.WriteFile(feed, []byte(rss(items...)), 0o644); err != nil {
			t.Fatal(err)
		}
		sweep(t, a)
	}
	message := <-received
	for _, want := range []string{"To: <desk@example.org>", "Subject: Goalkeeper Sandoval", "Message-ID: <"} {
		if !strings.Contains(message, want) {
			t.Errorf("mail lacks %q:\n%s", want, message)
		}
	}
}

// smtpServer takes one message.
func smtpServer(listener net.Listener, received chan<- string) {
	connection, err := listener.Accept()
	if err != nil {
		return
	}
	defer connection.Close()
	fmt.Fprint(connection, "220 ready\r\n")
	lines := bufio.NewScanner(connection)
	for lines.Scan() {
		switch command, _, _ := strings.Cut(lines.Text(), " "); command {
		case "EHLO", "MAIL", "RCPT":
			fmt.Fprint(connection, "250 good\r\n")
		case "DATA":
			fmt.Fprint(connection, "354 go on\r\n")
			var message bytes.Buffer
			for lines.Scan() && lines.Text() != "." {
				message.WriteString(lines.Text() + "\n")
			}
			fmt.Fprint(connection, "250 taken\r\n")
			received <- message.String()
		default:
			fmt.Fprint(connection, "221 bye\r\n")
			return
		}
	}
}

// A hub is told of the documents that changed, and of nothing when nothing did.
func TestHub(t *testing.T) {
	var mu sync.Mutex
	var topics []string
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		topics = append(topics, r.PostFormValue("hub.url"))
		w.WriteHeader(http.StatusAccepted)
	}))
	defer hub.Close()
	feed := filepath.Join(t.TempDir(), "feed.rss")
	if err := os.WriteFile(feed, []byte(rss(item(1, "Ferry hits bridge"))), 0o644); err != nil {
		t.Fatal(err)
	}
	c := settings(t, "publish: {base_url: 'https://news.example', hub: '"+hub.URL+"'}\nchannels: [{name: stories, settle: '0'}]", "file:"+feed)
	a := open(t, c, Options{})
	sweep(t, a)
	sweep(t, a)
	mu.Lock()
	defer mu.Unlock()
	want := []string{"https://news.example/stories.rss", "https://news.example/stories.atom", "https://news.example/stories.json"}
	if diff := cmp.Diff(want, topics); diff != "" {
		t.Errorf("topics (-want +got):\n%s", diff)
	}
}

// A digest is published when its time has come, and not again.
func TestDigestChannel(t *testing.T) {
	feed := filepath.Join(t.TempDir(), "feed.rss")
	if err := os.WriteFile(feed, []byte(rss(item(1, "Ferry Mirabel hits harbor bridge in Velport"))), 0o644); err != nil {
		t.Fatal(err)
	}
	c := settings(t, "channels: [{name: morning, profile: digest, every: '0 7 * * *'}]", "file:"+feed)
	clock := time.Date(2026, 11, 3, 6, 0, 0, 0, time.UTC) // the item is of 2 November, 10:01
	a := open(t, c, Options{Now: func() time.Time { return clock }})
	first := sweep(t, a).Channels[0].Stories
	clock = clock.Add(2 * time.Hour)
	second := sweep(t, a).Channels[0].Stories
	third := sweep(t, a).Channels[0].Stories
	if first != 1 || second != 2 || third != 2 {
		t.Errorf("digests before seven, after seven and again = %d, %d, %d; want 1, 2, 2", first, second, third)
	}
	data, err := os.ReadFile(filepath.Join(c.Publish.Dir, "morning.atom"))
	if err != nil || !bytes.Contains(data, []byte("1 story, 2 Nov 07:00 to 3 Nov 07:00 UTC")) {
		t.Errorf("the digest of the third does not tell of the ferry: %v\n%s", err, data)
	}
}

func TestPeriods(t *testing.T) {
	daily, err := schedule.Parse("0 7 * * *", "")
	if err != nil {
		t.Fatal(err)
	}
	at := func(day, hour int) time.Time { return time.Date(2026, 11, day, hour, 0, 0, 0, time.UTC) }
	for _, tt := range []struct {
		name      string
		last, now time.Time
		want      []period
	}{
		{"the first is the one that ended last", time.Time{}, at(30, 9), []period{{at(29, 7), at(30, 7)}}},
		{"none is due", at(30, 7), at(30, 9), nil},
		{"one is due", at(29, 7), at(30, 7), []period{{at(29, 7), at(30, 7)}}},
		{"missed ones are made up for", at(27, 7), at(30, 6), []period{{at(27, 7), at(28, 7)}, {at(28, 7), at(29, 7)}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, periods(daily, tt.last, tt.now), cmp.AllowUnexported(period{})); diff != "" {
				t.Errorf("periods (-want +got):\n%s", diff)
			}
		})
	}
	if got := periods(daily, at(1, 7), at(30, 9)); len(got) != digestsLate {
		t.Errorf("%d periods after a month's pause, want %d", len(got), digestsLate)
	}
}

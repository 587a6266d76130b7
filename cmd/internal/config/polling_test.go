package config

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
	"sheaf/feeds"
)

const pollingText = `zone: Europe/Berlin
websub: {callback: https://news.example.org/}
fetch: {min_interval: 10m, proxy: "http://user:s3cret@proxy.example:3128"}
groups: [{name: office, hours: "0 9-17 * * 1-5"}, {name: rest}]
feeds:
- {url: "https://a.example/", group: office, insecure_tls: true, authorization: s3cret}
- {url: "https://b.example/?key=s3cret", group: rest, insecure_redirect: true, delta: true}
- {url: "https://c.example/"}
`

func TestPollingExceptions(t *testing.T) {
	c, err := Parse("c.yaml", []byte(pollingText), Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	o := c.Polling("test")
	a, b := sheaf.NewFeedID("https://a.example/"), sheaf.NewFeedID("https://b.example/?key=s3cret")
	if diff := cmp.Diff(map[sheaf.FeedID]feeds.Waiver{a: {Certificate: true}, b: {Downgrade: true}}, o.Waivers); diff != "" {
		t.Error(diff)
	}
	if o.MinInterval != 10*time.Minute || o.Proxy == nil || o.Proxy.Host != "proxy.example:3128" || !o.Delta[b] || len(o.Delta) != 1 {
		t.Errorf("options = %+v", o)
	}
	at := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC) // a Sunday
	if len(o.Hours) != 1 || !o.Hours[a](at).Equal(time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)) {
		t.Errorf("hours of %d feeds; the first is polled from %v on", len(o.Hours), o.Hours[a](at))
	}
}

func TestGrouped(t *testing.T) {
	c, err := Parse("c.yaml", []byte(pollingText), Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Grouped("office")
	if err != nil || len(got) != 1 || !got[sheaf.NewFeedID("https://a.example/")] {
		t.Errorf("Grouped = %v, %v", got, err)
	}
	if _, err := c.Grouped("desk"); err == nil || err.Error() != `there is no group "desk"; use one of office, rest` {
		t.Errorf("Grouped = %v", err)
	}
	if _, err := (&Config{}).Grouped("desk"); err == nil || !strings.Contains(err.Error(), "no groups") {
		t.Errorf("Grouped without groups = %v", err)
	}
}

func TestWarnings(t *testing.T) {
	c, err := Parse("c.yaml", []byte(pollingText), Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	warnings := c.Warnings()
	for i, want := range []string{"fetch.contact is missing", "feeds[0].insecure_tls: whoever answers for https://a.example/ is believed, and told its authorization; ", "feeds[1].insecure_redirect: https://b.example/?key=… "} {
		if i >= len(warnings) || !strings.HasPrefix(warnings[i], want) {
			t.Errorf("warnings = %q, want %q", warnings, want)
		}
	}
	if strings.Contains(strings.Join(warnings, ""), "s3cret") {
		t.Error("a warning holds a secret")
	}
	for name, text := range map[string]string{
		"a contact":  "fetch: {contact: desk@example.org}\nfeeds: [{url: 'https://a.example/'}]\n",
		"local only": "feeds: [{url: 'file:x'}, {url: 'http://127.0.0.1:9/'}]\n",
	} {
		c, err := Parse("c.yaml", []byte(text), Overrides{})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Warnings(); len(got) != 0 {
			t.Errorf("with %s: warnings = %q", name, got)
		}
	}
}

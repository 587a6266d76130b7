package main

import (
	"bytes"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sheaf/cmd/internal/config"
)

// canary stands in every secret of the configuration of TestSecretsStaySecret.
const canary = "c4n4ry-in-the-coal-mine"

// No secret gets into the database, a backup, a published document, or anything a command prints (F49): not even when what it is for fails.
func TestSecretsStaySecret(t *testing.T) {
	feed := httptest.NewTLSServer(http.NotFoundHandler()) // nobody trusts its certificate
	defer feed.Close()
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no", http.StatusInternalServerError)
	}))
	defer receiver.Close()
	dir := t.TempDir()
	path := filepath.Join(dir, "config.yaml")
	text := strings.NewReplacer("CANARY", canary, "FEED", feed.URL, "RECEIVER", receiver.URL).Replace(`
admin: {listen: 127.0.0.1:0, token: CANARY}
editors: {token: CANARY}
fetch: {proxy: http://user:CANARY@127.0.0.1:9}
mail: {from: news@example.org, server: 127.0.0.1:9, user: news, password: CANARY}
feeds:
- {url: FEED/private, outlet: Private, authorization: Bearer CANARY}
- {url: http://unreached.invalid/rss, outlet: Behind the proxy}
- {url: file:feed.rss}
channels:
- name: stories
  settle: "0"
  token: CANARY
  notify: [{webhook: RECEIVER, secret: CANARY}, {mail_to: [desk@example.org]}]
`)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("config.yaml", text)
	c, err := config.Load(path, config.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	mustHoldCanaries(t, reflect.ValueOf(*c), "")

	const item = `<item><title>%</title><guid>%</guid><link>https://alpha.example/%</link><pubDate>Mon, 02 Nov 2026 10:00:00 +0000</pubDate></item>`
	document := `<rss version="2.0"><channel><title>Alpha</title><link>https://alpha.example/</link>` + strings.ReplaceAll(item, "%", "ferry")
	write("feed.rss", document+`</channel></rss>`)
	var printed bytes.Buffer
	sheaf := func(args ...string) {
		args = append(args, "--config", path)
		if code := run(t.Context(), args, stdio{strings.NewReader(""), &printed, &printed}); code == exitUsage || code == exitConfig {
			t.Errorf("sheaf %v: exit %d\n%s", args, code, printed.String())
		}
	}
	sheaf("once", "--verbose")
	write("feed.rss", document+strings.ReplaceAll(item, "%", "goalkeeper")+`</channel></rss>`) // news to tell receivers of
	for _, command := range []string{
		"once --verbose --force", "once --json --force", "check", "check --json", "doctor", "doctor --json", "feeds list", "feeds list --json", "feeds export", "stories --json", "channel stories --format json",
		"backup", "backup --json", "replay --json", "corrections --json",
	} {
		sheaf(strings.Fields(command)...)
	}
	for _, want := range []string{"message not delivered", "/private", "unreached.invalid"} { // what could have told a secret
		if !strings.Contains(printed.String(), want) {
			t.Errorf("nothing was printed of %q", want)
		}
	}
	if strings.Contains(printed.String(), canary) {
		t.Errorf("a secret was printed:\n%s", printed.String())
	}
	mustHoldNoCanary(t, dir)
}

// mustHoldCanaries sees to it that the test knows every secret there is.
func mustHoldCanaries(t *testing.T, v reflect.Value, path string) {
	t.Helper()
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			if v.Type().Elem().Kind() == reflect.Struct && strings.HasSuffix(path, "Feeds") && i > 0 {
				return // one feed with a log-in is enough
			}
			if strings.HasSuffix(path, "Notify") && i > 0 {
				return
			}
			mustHoldCanaries(t, v.Index(i), path)
		}
	case reflect.Struct:
		if secret, ok := v.Interface().(config.Secret); ok {
			if !strings.Contains(secret.Reveal(), canary) {
				t.Errorf("no canary sits in %s: add it to this test", path)
			}
			return
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				mustHoldCanaries(t, v.Field(i), path+"."+f.Name)
			}
		}
	}
}

// mustHoldNoCanary reads every file of an installation but its configuration.
func mustHoldNoCanary(t *testing.T, dir string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "config.yaml" {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(canary)) {
			t.Errorf("a secret is in %s", path)
		}
		return err
	})
	if err != nil || files < 6 {
		t.Errorf("%d files were looked at, %v; want the database, a backup and the documents among them", files, err)
	}
}

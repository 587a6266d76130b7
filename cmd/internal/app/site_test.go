package app

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func ask(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

func TestPages(t *testing.T) {
	c := settings(t, "publish: {title: Monitor}", "https://alpha.example/rss", "file:private.rss")
	var log bytes.Buffer
	a, err := Open(t.Context(), c, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	h, err := a.pages(a.setup)
	if err != nil {
		t.Fatal(err)
	}
	list := ask(h, "/feeds.opml")
	if body := list.Body.String(); list.Code != http.StatusOK || !strings.Contains(body, `xmlUrl="https://alpha.example/rss"`) || strings.Contains(body, "private") {
		t.Errorf("list of feeds: %d\n%s\nwant alpha's alone", list.Code, body)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	broken := ask(h, "/story/fea1b806-87fa-517b-ac11-cecf2b2b1357")
	if broken.Code != http.StatusInternalServerError || !strings.Contains(log.String(), "answer failed") {
		t.Errorf("a story with the database closed: %d, log %q; want 500 and a word about it", broken.Code, log.String())
	}
	if strings.Contains(broken.Body.String(), "database") {
		t.Errorf("the answer says what broke: %q", broken.Body.String())
	}
}

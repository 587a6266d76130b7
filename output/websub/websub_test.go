package websub

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPing(t *testing.T) {
	var got []string
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		if r.Method != http.MethodPost || r.PostForm.Get("hub.mode") != "publish" || r.PostForm.Get("hub.topic") != r.PostForm.Get("hub.url") {
			t.Errorf("%s %v", r.Method, r.PostForm)
		}
		got = append(got, r.PostForm.Get("hub.url"))
		w.WriteHeader(http.StatusAccepted)
	}))
	defer hub.Close()
	topics := []string{"https://news.example.org/stories.rss?a=1&b=2", "https://news.example.org/stories.atom"}
	if err := Ping(t.Context(), hub.Client(), hub.URL, topics); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, topics) {
		t.Errorf("the hub heard of %v, want %v", got, topics)
	}
}

func TestPingRefused(t *testing.T) {
	for _, tt := range []struct {
		name       string
		status     int
		retryAfter string
		temporary  bool
		wait       time.Duration
	}{
		{"not our topic", 400, "", false, 0},
		{"no longer there", 410, "60", false, time.Minute},
		{"too many", 429, "120", true, 2 * time.Minute},
		{"broken", 500, "", true, 0},
		{"overloaded, in another notation", 503, "Mon, 30 Nov 2026 09:00:00 GMT", true, 0},
		{"a wait of years", 503, "99999999", true, 24 * time.Hour},
		{"redirected in vain", 304, "-1", false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if tt.retryAfter != "" {
					w.Header().Set("Retry-After", tt.retryAfter)
				}
				w.WriteHeader(tt.status)
			}))
			defer hub.Close()
			err := Ping(t.Context(), hub.Client(), hub.URL, []string{"https://news.example.org/stories.rss"})
			var refusal *Error
			if !errors.As(err, &refusal) || refusal.Status != tt.status || refusal.Temporary() != tt.temporary || refusal.RetryAfter != tt.wait {
				t.Fatalf("error = %v (%+v)", err, refusal)
			}
			if !strings.HasPrefix(err.Error(), "ping for https://news.example.org/stories.rss: hub ") {
				t.Errorf("error = %q", err)
			}
		})
	}
}

// doer answers without a network.
type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

func TestPingCarriesOn(t *testing.T) {
	calls := 0
	client := doer(func(r *http.Request) (*http.Response, error) {
		if calls++; calls == 1 {
			return nil, errors.New("connection refused")
		}
		return &http.Response{StatusCode: 204, Body: io.NopCloser(strings.NewReader(""))}, nil
	})
	err := Ping(t.Context(), client, "https://hub.example.org/", []string{"https://a.example/1", "https://a.example/2"})
	if err == nil || calls != 2 || !strings.Contains(err.Error(), "https://a.example/1: connection refused") || strings.Contains(err.Error(), "/2") {
		t.Errorf("%d calls, error %v", calls, err)
	}
}

func TestPingEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	client := doer(func(r *http.Request) (*http.Response, error) {
		calls++
		cancel()
		return nil, ctx.Err()
	})
	if err := Ping(ctx, client, "https://hub.example.org/", []string{"https://a.example/1", "https://a.example/2"}); !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("%d calls, error %v", calls, err)
	}
}

func TestPingBadHub(t *testing.T) {
	if err := Ping(t.Context(), http.DefaultClient, "://", []string{"https://a.example/"}); err == nil {
		t.Error("an address that is none was accepted")
	}
}

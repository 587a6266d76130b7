package metrics

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func read(t *testing.T, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("metrics: %d %s", w.Code, w.Body.String())
	}
	return w.Body.String()
}

// Feeds that look alike or are not text break nothing, and one that is gone is no longer told of.
func TestFeeds(t *testing.T) {
	m := New("1.2")
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	m.Feeds([]Feed{
		{Name: "https://a.example/?k=…", Failures: 3, Conditions: []string{"missing"}, Next: at},
		{Name: "https://a.example/?k=…", Succeeded: at, Took: 1500 * time.Millisecond},
		{Name: "https://b.example/\xff"},
	})
	got := read(t, m)
	for _, want := range []string{
		"sheaf_feeds 3\n", "sheaf_feeds_failing 1\n",
		`sheaf_feed_failures{feed="https://a.example/?k=…"} 3`, `sheaf_feed_condition{condition="missing",feed="https://a.example/?k=…"} 1`,
		`sheaf_feed_fetch_seconds{feed="https://a.example/?k=… #2"} 1.5`, `sheaf_feed_last_success_timestamp_seconds{feed="https://a.example/?k=… #2"} 1.7960`,
		`sheaf_feed_failures{feed="https://b.example/?"} 0`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(got, `sheaf_feed_last_success_timestamp_seconds{feed="https://a.example/?k=…"}`) {
		t.Error("a feed that was never read has a time at which it was")
	}
	m.Feeds([]Feed{{Name: "https://b.example/"}})
	if got := read(t, m); strings.Contains(got, "a.example") || !strings.Contains(got, "sheaf_feeds 1\n") {
		t.Error("a feed that is gone is still told of")
	}
}

// What is counted is there under its name, and so is what has not happened yet.
func TestCounts(t *testing.T) {
	m := New("1.2")
	now := time.Unix(1000, 0)
	before := read(t, m)
	for _, want := range []string{`sheaf_sweeps_total{result="panicked"} 0`, `sheaf_fetches_total{result="failed"} 0`, `sheaf_messages_total{result="given_up"} 0`, "sheaf_http_limited_total 0"} {
		if !strings.Contains(before, want) {
			t.Errorf("at first no %q", want)
		}
	}
	m.Swept(SweepDone, time.Second, now)
	m.Swept(SweepFailed, time.Second, now)
	m.Stage(StageGroup, time.Second)
	m.Fetched(FetchFailed, "dns", 2*time.Second)
	m.Stored(-1, 10, 5)
	m.Published("stories", 5, 3)
	m.Message(MessageSent)
	m.Limited()
	m.Stepped()
	m.Reloaded(false, nil, now)
	m.Answers(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	got := read(t, m)
	for _, want := range []string{
		`sheaf_sweeps_total{result="done"} 1`, `sheaf_sweeps_total{result="failed"} 1`, "sheaf_sweep_duration_seconds_count 1", "sheaf_sweep_last_done_timestamp_seconds 1000",
		`sheaf_stage_duration_seconds_sum{stage="group"} 1`, `sheaf_fetch_failures_total{code="dns"} 1`, "sheaf_fetch_duration_seconds_sum 2", "sheaf_new_articles_total 0", "sheaf_articles 10",
		`sheaf_published_files_total{channel="stories"} 3`, `sheaf_messages_total{result="sent"} 1`, "sheaf_http_limited_total 1", "sheaf_clock_steps_total 1",
		`sheaf_config_reloads_total{result="refused"} 1`, "sheaf_config_last_reload_successful 0", `sheaf_http_requests_total{code="404"} 1`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
	m.Reloaded(true, []string{"other"}, now)
	if got := read(t, m); strings.Contains(got, `sheaf_channel_stories{channel="stories"}`) || !strings.Contains(got, "sheaf_config_last_reload_successful 1") {
		t.Error("a channel that is gone is still told of, or the reload is not")
	}
}

// Nobody has to have metrics.
func TestNone(t *testing.T) {
	var m *Metrics
	m.Swept(SweepDone, 0, time.Time{})
	m.Stage(StagePoll, 0)
	m.Fetched(FetchNew, "", 0)
	m.Stored(1, 1, 1)
	m.Published("stories", 1, 1)
	m.Message(MessageSent)
	m.Limited()
	m.Stepped()
	m.Reloaded(true, nil, time.Time{})
	m.Feeds(nil)
	w := httptest.NewRecorder()
	m.Answers(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if w.Code != http.StatusNotFound {
		t.Errorf("without metrics a handler answers %d, want 404", w.Code)
	}
}

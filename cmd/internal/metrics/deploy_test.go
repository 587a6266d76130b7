package metrics

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// monitoring is where the rules and the dashboard lie that go with the program.
const monitoring = "../../../deploy/monitoring"

// exported are the names of all metrics, with those that Prometheus makes of a histogram.
func exported(t *testing.T) map[string]bool {
	t.Helper()
	m := New("test")
	m.Watch(Watched{
		Offline: func() bool { return false }, InFlight: func() int { return 0 }, Connections: func() int { return 0 }, DatabaseBytes: func() int64 { return 0 },
	})
	descriptions := make(chan *prometheus.Desc)
	go func() {
		defer close(descriptions)
		m.registry.Describe(descriptions)
	}()
	fqName := regexp.MustCompile(`fqName: "([^"]+)"`)
	names := map[string]bool{}
	for d := range descriptions {
		found := fqName.FindStringSubmatch(d.String())
		if found == nil {
			t.Fatalf("no name in %s", d)
		}
		for _, suffix := range []string{"", "_bucket", "_sum", "_count"} {
			names[found[1]+suffix] = true
		}
	}
	return names
}

// A rule or a panel about a metric that does not exist never says anything.
func TestMonitoringNamesMetrics(t *testing.T) {
	names := exported(t)
	metric := regexp.MustCompile(`\b(sheaf|process|go)_[a-z0-9_]+`)
	for _, file := range []string{"alerts.yml", "alerts_test.yml", "dashboard.json"} {
		data, err := os.ReadFile(filepath.Join(monitoring, file))
		if err != nil {
			t.Fatal(err)
		}
		used := metric.FindAllString(string(data), -1)
		if len(used) < 10 {
			t.Errorf("%s names %d metrics; it cannot be so few", file, len(used))
		}
		for _, name := range used {
			if !names[name] {
				t.Errorf("%s names %s, which the program does not export", file, name)
			}
		}
	}
}

// What the program tells of itself is all on the dashboard or in an alert, but for what is there to be looked up.
func TestMetricsAreShown(t *testing.T) {
	var text strings.Builder
	for _, file := range []string{"alerts.yml", "dashboard.json"} {
		data, err := os.ReadFile(filepath.Join(monitoring, file))
		if err != nil {
			t.Fatal(err)
		}
		text.Write(data)
	}
	unshown := map[string]bool{
		"sheaf_feed_failures": true, "sheaf_feed_next_poll_timestamp_seconds": true, "sheaf_feed_fetch_seconds": true, // one by one, of each feed
		"sheaf_stories": true, "sheaf_sweep_duration_seconds": true, "sheaf_config_last_reload_timestamp_seconds": true,
	}
	for name := range exported(t) {
		base := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, "")
		if strings.HasPrefix(base, "sheaf_") && !unshown[base] && !strings.Contains(text.String(), base) {
			t.Errorf("%s is on no panel and in no alert", base)
		}
	}
}

// The dashboard is one that Grafana can import: panels with numbers of their own, none over another, every query on the chosen source.
func TestDashboard(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(monitoring, "dashboard.json"))
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Title  string
		Panels []struct {
			ID      int
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []struct {
				Expr       string
				Datasource struct{ UID string }
			}
		}
	}
	if err := json.Unmarshal(data, &dashboard); err != nil {
		t.Fatal(err)
	}
	taken, ids := map[[2]int]string{}, map[int]bool{}
	for _, p := range dashboard.Panels {
		if ids[p.ID] || p.Title == "" || len(p.Targets) == 0 {
			t.Errorf("panel %d %q: want an id of its own, a title and a query", p.ID, p.Title)
		}
		ids[p.ID] = true
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := taken[[2]int{x, y}]; other != "" || x > 23 {
					t.Fatalf("panel %q lies over %q or beside the grid", p.Title, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
		for _, q := range p.Targets {
			if q.Datasource.UID != "${datasource}" || strings.Count(q.Expr, "(") != strings.Count(q.Expr, ")") {
				t.Errorf("panel %q asks %q of %q", p.Title, q.Expr, q.Datasource.UID)
			}
		}
	}
}

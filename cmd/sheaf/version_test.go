package main

import (
	"runtime/debug"
	"testing"
)

func TestDescribeBuild(t *testing.T) {
	settings := []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "arm64"}}
	vcs := append([]debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.time", Value: "2026-11-30T12:00:00Z"}}, settings...)
	for name, c := range map[string]struct {
		release, main string
		settings      []debug.BuildSetting
		want          string
	}{
		"release":           {"1.2.3", "(devel)", vcs, "sheaf 1.2.3 (go1.26.8, linux/arm64, commit 0123456789ab of 2026-11-30T12:00:00Z)"},
		"release over mod":  {"1.2.3", "v0.0.0-20261130", settings, "sheaf 1.2.3 (go1.26.8, linux/arm64)"},
		"from a checkout":   {"dev", "v0.0.0-20261130-0123+dirty", settings, "sheaf v0.0.0-20261130-0123+dirty (go1.26.8, linux/arm64)"},
		"nothing recorded":  {"dev", "(devel)", settings, "sheaf dev (go1.26.8, linux/arm64)"},
		"no version at all": {"dev", "", settings, "sheaf dev (go1.26.8, linux/arm64)"},
		"changed sources":   {"1.2.3", "", append(vcs, debug.BuildSetting{Key: "vcs.modified", Value: "true"}), "sheaf 1.2.3 (go1.26.8, linux/arm64, commit 0123456789ab of 2026-11-30T12:00:00Z, modified)"},
	} {
		t.Run(name, func(t *testing.T) {
			info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: c.main}, Settings: c.settings}
			if got := describeBuild(c.release, info).String(); got != c.want {
				t.Errorf("describeBuild(%s, %s) = %q, want %q", c.release, c.main, got, c.want)
			}
		})
	}
}

package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// build says what a binary was made of, as far as the toolchain recorded it. Its JSON keys are an interface: added, never renamed.
type build struct {
	Version  string `json:"version"`            // of the release; else what the toolchain made of the repository's state; else dev
	Revision string `json:"revision,omitempty"` // commit
	Time     string `json:"time,omitempty"`     // of the commit, RFC 3339
	Modified bool   `json:"modified"`           // the sources differed from the commit
	Go       string `json:"go"`                 // version of the toolchain
	System   string `json:"system"`             // GOOS/GOARCH
}

// describeBuild reads the record of the toolchain. release is the version that the linker was given.
func describeBuild(release string, info *debug.BuildInfo) build {
	b := build{Version: release, Go: info.GoVersion}
	if made := info.Main.Version; release == unreleased && made != "" && made != "(devel)" {
		b.Version = made
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	b.Revision, b.Time, b.Modified = settings["vcs.revision"], settings["vcs.time"], settings["vcs.modified"] == "true"
	b.System = settings["GOOS"] + "/" + settings["GOARCH"]
	return b
}

// String is the line that people read.
func (b build) String() string {
	line := fmt.Sprintf("sheaf %s (%s, %s", b.Version, b.Go, b.System)
	if b.Revision != "" {
		line += fmt.Sprintf(", commit %.12s of %s", b.Revision, b.Time)
	}
	if b.Modified {
		line += ", modified"
	}
	return line + ")"
}

func versionCommand(g *global) *cobra.Command {
	c := &cobra.Command{
		Use:   "version",
		Short: "Say which version this is and what it was built from",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				info = &debug.BuildInfo{}
			}
			b := describeBuild(version, info)
			if g.json {
				return writeJSON(c.OutOrStdout(), b)
			}
			_, err := fmt.Fprintln(c.OutOrStdout(), b)
			return err
		},
	}
	g.jsonFlag(c)
	return c
}

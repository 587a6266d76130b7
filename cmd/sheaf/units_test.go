package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unit gives the lines of a unit file without comments.
func unit(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(string(data), "\n"), func(line string) bool { return line == "" || strings.HasPrefix(line, "#") })
}

// setting is the value of the first line with a key.
func setting(t *testing.T, name, key string) string {
	t.Helper()
	for _, line := range unit(t, name) {
		if value, ok := strings.CutPrefix(line, key+"="); ok {
			return value
		}
	}
	t.Fatalf("%s has no %s", name, key)
	return ""
}

// The units call the program as it is: with commands and options that it has.
func TestUnitsCallTheProgram(t *testing.T) {
	for _, name := range []string{"sheaf.service", "sheaf-once.service"} {
		args := strings.Fields(setting(t, name, "ExecStart"))
		c, rest, err := rootCommand().Find(args[1:])
		if err != nil || !c.Runnable() {
			t.Fatalf("%s: %v is no command: %v", name, args, err)
		}
		if err := c.ParseFlags(rest); err != nil || c.Flags().NArg() > 0 {
			t.Errorf("%s: %v: %v, left over %v", name, args, err, c.Flags().Args())
		}
		if got := c.Flag("config").Value.String(); got != "/etc/sheaf/config.yaml" {
			t.Errorf("%s reads %s", name, got)
		}
	}
}

// Both services are hardened alike.
func TestUnitsAreHardenedAlike(t *testing.T) {
	hardening := func(name string) []string {
		lines := unit(t, name)
		from := slices.Index(lines, "NoNewPrivileges=yes")
		if from < 0 {
			t.Fatalf("%s has no NoNewPrivileges", name)
		}
		lines = lines[from:]
		if to := slices.Index(lines, "[Install]"); to >= 0 {
			lines = lines[:to]
		}
		return lines
	}
	daemon, once := hardening("sheaf.service"), hardening("sheaf-once.service")
	if !slices.Equal(daemon, once) || len(daemon) < 25 {
		t.Errorf("sheaf.service is hardened by\n%q\nsheaf-once.service by\n%q", daemon, once)
	}
}

// Whatever holds an exit code of ours for good or bad in a unit means the code of this program.
func TestUnitsKnowExitCodes(t *testing.T) {
	if got := setting(t, "sheaf.service", "RestartPreventExitStatus"); got != "78" || exitConfig != 78 {
		t.Errorf("the daemon is not restarted after %s, but a wrong configuration is %d", got, exitConfig)
	}
	if got := setting(t, "sheaf-once.service", "SuccessExitStatus"); got != "3 75" || exitPartly != 3 || exitLocked != 75 {
		t.Errorf("a sweep is well with %s, want those of partly done and of locked", got)
	}
}

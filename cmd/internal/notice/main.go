// Command notice prints the licenses of the modules that the sheaf binary links, for the file NOTICE that goes with it.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := notice(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "notice:", err)
		os.Exit(1)
	}
}

func notice(w io.Writer) error {
	const format = `{{with .Module}}{{if not .Main}}{{.Path}}	{{.Version}}	{{.Dir}}{{end}}{{end}}`
	out, err := exec.Command("go", "list", "-deps", "-f", format, "./cmd/sheaf").Output()
	if err != nil {
		return fmt.Errorf("list modules: %w", err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(lines)
	fmt.Fprintln(w, "sheaf is licensed under the Apache License 2.0 (see LICENSE). Its binary contains the following modules.")
	for _, line := range slices.Compact(lines) {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			continue
		}
		text, err := license(fields[2])
		if err != nil {
			return fmt.Errorf("%s: %w", fields[0], err)
		}
		fmt.Fprintf(w, "\n%s\n%s %s\n\n%s\n", strings.Repeat("-", 80), fields[0], fields[1], bytes.TrimSpace(text))
	}
	return nil
}

// license reads the license file of a module.
func license(dir string) ([]byte, error) {
	for _, pattern := range []string{"LICENSE*", "LICENCE*", "COPYING*", "License*"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			return os.ReadFile(found[0])
		}
	}
	return nil, fmt.Errorf("no license file in %s", filepath.Base(dir))
}

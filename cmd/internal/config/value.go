package config

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Duration is a span of time, written as 90s, 15m, 36h, 7d or 2w, or several of them together.
type Duration time.Duration

var durationDays = regexp.MustCompile(`^([0-9]+)([dw])`)

// parseDuration accepts what time.ParseDuration does, with days (24 h) and weeks in front.
func parseDuration(s string) (Duration, error) {
	var days time.Duration
	rest := s
	for m := durationDays.FindStringSubmatch(rest); m != nil; m = durationDays.FindStringSubmatch(rest) {
		n, err := strconv.Atoi(m[1])
		if err != nil || n > 36500 {
			return 0, fmt.Errorf("%q is too long for a duration", s)
		}
		unit := 24 * time.Hour
		if m[2] == "w" {
			unit *= 7
		}
		days += time.Duration(n) * unit
		rest = rest[len(m[0]):]
	}
	if rest == "" && s != "" {
		return Duration(days), nil
	}
	d, err := time.ParseDuration(rest)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is not a duration: write a number with its unit, such as 90s, 15m, 36h or 7d", s)
	}
	return Duration(days + d), nil
}

// Secret is a value that must not be seen: it prints as *** everywhere. It is written literally, as ${NAME} (an environment variable)
// or as file:PATH (the first line of a file, relative to the configuration).
type Secret struct {
	value string
}

// Reveal gives the value itself, for the one place that uses it.
func (s Secret) Reveal() string { return s.value }

// String hides the value.
func (s Secret) String() string {
	if s.value == "" {
		return ""
	}
	return "***"
}

// GoString hides the value from %#v.
func (s Secret) GoString() string { return s.String() }

// MarshalText hides the value from encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue hides the value from logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

var envReference = regexp.MustCompile(`^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$`)

// readSecret resolves what stands in the file. Errors name the variable or the file, never a value.
func readSecret(raw, dir string, env func(string) (string, bool)) (Secret, error) {
	if m := envReference.FindStringSubmatch(raw); m != nil {
		v, ok := env(m[1])
		if !ok || v == "" {
			return Secret{}, fmt.Errorf("the environment variable %s is not set", m[1])
		}
		return Secret{v}, nil
	}
	path, ok := strings.CutPrefix(raw, "file:")
	if !ok {
		return Secret{raw}, nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return Secret{}, fmt.Errorf("the secret cannot be read: %w", err)
	}
	line, _, _ := strings.Cut(string(data), "\n")
	if line = strings.TrimSpace(line); line == "" {
		return Secret{}, fmt.Errorf("the first line of %s is empty", path)
	}
	return Secret{line}, nil
}

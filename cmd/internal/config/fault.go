package config

import (
	"fmt"
	"slices"
	"strings"
)

// Fault is one mistake in a configuration file.
type Fault struct {
	File         string
	Line, Column int // from 1; 0 where a whole file is meant
	Path         string
	Message      string // what is wrong and what to do
}

// String is file:line:column: path: message, the form editors jump to.
func (f Fault) String() string {
	var b strings.Builder
	b.WriteString(f.File)
	if f.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", f.Line, f.Column)
	}
	b.WriteString(": ")
	if f.Path != "" {
		b.WriteString(f.Path + ": ")
	}
	b.WriteString(f.Message)
	return b.String()
}

// Error is every fault of a configuration file, in the order of the file.
type Error struct {
	Faults []Fault
}

// Error lists the faults, one a line.
func (e *Error) Error() string {
	lines := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// faults collects what is wrong, so that all of it is reported at once.
type faults struct {
	file  string
	found []Fault
}

func (f *faults) add(at position, path, format string, args ...any) {
	f.found = append(f.found, Fault{File: f.file, Line: at.line, Column: at.column, Path: path, Message: fmt.Sprintf(format, args...)})
}

// err is nil without faults.
func (f *faults) err() error {
	if len(f.found) == 0 {
		return nil
	}
	slices.SortStableFunc(f.found, func(a, b Fault) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return &Error{Faults: f.found}
}

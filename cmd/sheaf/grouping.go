package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"sheaf/dedupe"
	"sheaf/dedupe/eval"
)

// groupingFlags are the flags shared by the commands that group files of articles.
type groupingFlags struct {
	profile   string
	threshold float64
	model     string
}

func (f *groupingFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.profile, "profile", string(dedupe.Balanced), "how sure a match must be: strict, balanced or broad")
	c.Flags().Float64Var(&f.threshold, "threshold", 0, "probability from which articles join a story, 0 to 1 (default: the profile's)")
	c.Flags().StringVar(&f.model, "model", "", "model `file` to score with (default: the embedded one)")
}

// options turns the flags into Options. Their faults are faults of usage.
func (f *groupingFlags) options() (dedupe.Options, error) {
	o := dedupe.Options{Profile: dedupe.Profile(f.profile), Threshold: f.threshold}
	if f.model != "" {
		data, err := os.ReadFile(f.model)
		if err != nil {
			return o, err
		}
		if o.Model, err = dedupe.ParseModel(data); err != nil {
			return o, fmt.Errorf("read model %s: %w", f.model, err)
		}
	}
	if _, err := dedupe.New(o); err != nil {
		return o, &badUsage{err}
	}
	return o, nil
}

// badUsage is a mistake in the command line.
type badUsage struct{ err error }

func (e *badUsage) Error() string { return e.err.Error() }

// Unwrap gives the cause.
func (e *badUsage) Unwrap() error { return e.err }

// ExitCode is the status the process ends with.
func (e *badUsage) ExitCode() int { return 2 }

// readStreams reads a file of articles, plain or gzipped; "-" is standard input.
func readStreams(c *cobra.Command, path string) ([]eval.Stream, error) {
	in := c.InOrStdin()
	if path == "-" {
		path = "stdin"
	} else {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	plain, err := gunzip(in)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return eval.Read(plain, path)
}

// gunzip unpacks a stream that begins with gzip's magic bytes, and hands any other on.
func gunzip(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	if magic, err := b.Peek(2); err != nil || !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	return gzip.NewReader(b)
}

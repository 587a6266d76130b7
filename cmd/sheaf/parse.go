package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sheaf/feeds"
)

// parseOptions are the flags of `sheaf parse`.
type parseOptions struct {
	json, batch, markup bool
	request             parseRequest // defaults for every document
	now                 string
	clock               time.Time
}

// parseRequest is one document to parse, and one line of a batch.
type parseRequest struct {
	File            string `json:"file"`
	URL             string `json:"url"`
	ContentType     string `json:"content_type"`
	ContentLocation string `json:"content_location"`
	ContentLanguage string `json:"content_language"`
}

// parseCommand is `sheaf parse`: what the parser makes of a document, without network, configuration or database.
func parseCommand() *cobra.Command {
	var o parseOptions
	cmd := &cobra.Command{
		Use:   "parse [--json] FILE | parse --json --batch",
		Short: "Show what the parser makes of a feed document",
		Long: `Shows what becomes of a feed document: its charset, what had to be mended, and the articles in it. FILE may be "-" for standard input.

With --batch, standard input holds one document a line: a file name, or a JSON object with file, url, content_type, content_location and
content_language. Each gives one line of JSON, written before the next line is read.

Exit status: 0 parsed, 1 the document failed, 2 usage, 3 some documents of a batch failed.`,
		Example:       "  sheaf parse --url https://example.org/feed.xml feed.xml\n  sheaf parse --json --batch < files.txt",
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runParse(cmd, &o, args)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.json, "json", false, "print one JSON object a document")
	f.BoolVar(&o.batch, "batch", false, "read documents to parse from standard input, one a line")
	f.BoolVar(&o.markup, "markup", false, "add markup as found, not made safe: to look at, never to publish")
	f.StringVar(&o.request.URL, "url", "", "final `address` of the document after redirects")
	f.StringVar(&o.request.ContentType, "content-type", "", "Content-Type `field` it came with")
	f.StringVar(&o.request.ContentLocation, "content-location", "", "Content-Location `field` it came with")
	f.StringVar(&o.request.ContentLanguage, "content-language", "", "Content-Language `field` it came with")
	f.StringVar(&o.now, "now", "", "`time` to take for the present, RFC 3339")
	return cmd
}

func runParse(cmd *cobra.Command, o *parseOptions, args []string) error {
	o.clock = time.Now()
	if o.now != "" {
		t, err := time.Parse(time.RFC3339, o.now)
		if err != nil {
			return &codedError{fmt.Errorf("--now %q is no time in RFC 3339", o.now), exitUsage}
		}
		o.clock = t
	}
	switch {
	case o.batch && !o.json:
		return &codedError{errors.New("--batch needs --json"), exitUsage}
	case o.batch && len(args) > 0:
		return &codedError{errors.New("--batch reads file names from standard input and takes none as argument"), exitUsage}
	case o.batch:
		return parseBatch(cmd.InOrStdin(), cmd.OutOrStdout(), o)
	case len(args) != 1:
		return &codedError{fmt.Errorf("parse takes one file, not %d", len(args)), exitUsage}
	}
	return parseOne(cmd, o, args[0])
}

func parseOne(cmd *cobra.Command, o *parseOptions, file string) error {
	req := o.request
	req.File = file
	out := cmd.OutOrStdout()
	r := parseFile(req, cmd.InOrStdin(), o)
	var err error
	if o.json {
		err = writeLine(out, r)
	} else if r.Error == nil {
		err = writeSummary(out, r)
	}
	switch {
	case err != nil:
		return &codedError{fmt.Errorf("write the result: %w", err), exitFailed}
	case r.Error == nil:
		return nil
	case o.json:
		return &codedError{nil, exitFailed}
	}
	return &codedError{fmt.Errorf("parse %s: %s", file, r.Error.describe()), exitFailed}
}

// parseBatch answers line by line.
func parseBatch(in io.Reader, out io.Writer, o *parseOptions) error {
	lines := bufio.NewReader(in)
	failed := false
	for {
		line, err := lines.ReadString('\n')
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if line != "" {
			r := parseLine(line, o)
			failed = failed || r.Error != nil
			if err := writeLine(out, r); err != nil {
				return &codedError{fmt.Errorf("write a result: %w", err), exitFailed}
			}
		}
		switch {
		case err == io.EOF && failed:
			return &codedError{nil, exitPartly}
		case err == io.EOF:
			return nil
		case err != nil:
			return &codedError{fmt.Errorf("read standard input: %w", err), exitFailed}
		}
	}
}

// parseLine handles one line of a batch.
func parseLine(line string, o *parseOptions) parsed {
	req := o.request
	if !strings.HasPrefix(line, "{") {
		req.File = line
		return parseFile(req, strings.NewReader(""), o)
	}
	if err := json.Unmarshal([]byte(line), &req); err != nil {
		return failure(line, "usage", "the line is no JSON object of a request: "+err.Error())
	}
	if req.File == "" {
		return failure("", "usage", "the line names no file")
	}
	return parseFile(req, strings.NewReader(""), o)
}

// parseFile reads and parses one document.
func parseFile(req parseRequest, stdin io.Reader, o *parseOptions) parsed {
	body, err := readAtMost(req.File, stdin, feeds.MaxDocument+1) // one byte more, so that Parse refuses what is longer
	if err != nil {
		return failure(req.File, "read", err.Error())
	}
	doc, err := feeds.Parse(feeds.Input{
		Body: body, URL: req.URL, ContentType: req.ContentType, ContentLocation: req.ContentLocation, ContentLanguage: req.ContentLanguage,
	})
	var pe *feeds.ParseError
	switch {
	case errors.As(err, &pe):
		r := failure(req.File, string(pe.Code), pe.Error())
		r.Error.Feeds = pe.Alternates
		return r
	case err != nil:
		return failure(req.File, "read", err.Error())
	}
	return describe(req, doc, o)
}

// readAtMost reads a file, or standard input if it is called "-", up to a limit.
func readAtMost(file string, stdin io.Reader, limit int64) ([]byte, error) {
	in := stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	return io.ReadAll(io.LimitReader(in, limit))
}

// writeLine writes one object on one line, in one piece.
func writeLine(out io.Writer, r parsed) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return err
	}
	_, err := out.Write(b.Bytes())
	return err
}

// writeSummary writes what a person wants to know.
func writeSummary(out io.Writer, r parsed) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n  %s %s, %s", r.File, r.Format, r.Version, r.Encoding)
	if r.Truncated {
		b.WriteString(", cut off")
	}
	fmt.Fprintf(&b, "\n  %s (%s)\n", r.Feed.Title, r.Feed.Link)
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "  mended: %s, %d\n", n.Code, n.Count)
	}
	for i := range r.Articles {
		a := &r.Articles[i]
		when := a.Time
		if when == "" {
			when = "no date             "
		}
		fmt.Fprintf(&b, "%s  %s\n    %s\n", when, a.Title, a.URL)
	}
	fmt.Fprintf(&b, "%d articles\n", len(r.Articles))
	_, err := io.WriteString(out, b.String())
	return err
}

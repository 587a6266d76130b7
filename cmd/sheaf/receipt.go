package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sheaf/cmd/internal/app"
)

// outletsNamed is how many outlets of a story the receipt names.
const outletsNamed = 4

// writeReceipt tells a person what a sweep did and what to do with it.
func writeReceipt(w io.Writer, r app.Report, config string) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s polled", count(r.Feeds.Polled, "feed"))
	if waiting := r.Feeds.Configured - r.Feeds.Polled; waiting > 0 {
		fmt.Fprintf(b, " (%d not due yet)", waiting)
	}
	fmt.Fprintf(b, ", %s in, %s out, %.1f s.\n", countNew(r.Articles.New), plural(r.Stories, "story", "stories"), r.Seconds)
	if len(r.Top) > 0 {
		fmt.Fprint(b, "\nMost covered\n")
	}
	for _, t := range r.Top {
		writeStory(b, t)
	}
	for _, c := range r.Channels {
		writeChannel(b, c)
	}
	if len(r.Channels) > 0 {
		fmt.Fprintf(b, "\nTo read it, open one of these files in a feed reader, or serve them with\n\n    sheaf run --config %s\n", config)
	}
	return b.Flush()
}

func writeStory(w io.Writer, t app.TopStory) {
	fmt.Fprintf(w, "\n  %s\n", t.Title)
	names := t.Outlets
	more := ""
	if n := len(names) - outletsNamed; n > 0 {
		names, more = names[:outletsNamed], fmt.Sprintf(" +%d", n)
	}
	fmt.Fprintf(w, "    %s: %s%s\n", count(len(t.Outlets), "outlet"), strings.Join(names, ", "), more)
	fmt.Fprintf(w, "    %s, %s, first %s\n", count(t.Articles, "article"), count(t.Independent, "independent report"), t.First.UTC().Format("2 Jan 2006 15:04 UTC"))
}

func writeChannel(w io.Writer, c app.ChannelReport) {
	state := "unchanged"
	if c.Written > 0 {
		state = "written"
	}
	fmt.Fprintf(w, "\nChannel %s, %s, %s:\n", c.Name, plural(c.Stories, "story", "stories"), state)
	for _, path := range c.Files {
		fmt.Fprintf(w, "  %s\n", shorten(path))
	}
}

// writeFailures names each feed that failed, and why.
func writeFailures(w io.Writer, r app.Report) error {
	b := bufio.NewWriter(w)
	if n := len(r.Failures); n > 0 {
		fmt.Fprintf(b, "\n%s failed; the others are not affected, and it is tried again later:\n", count(n, "feed"))
	}
	for _, f := range r.Failures {
		fmt.Fprintf(b, "  %s\n", f.Error)
	}
	return b.Flush()
}

// shorten gives a path relative to the working directory if it lies below.
func shorten(path string) string {
	if working, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(working, path); err == nil && filepath.IsLocal(short) {
			return short
		}
	}
	return path
}

func count(n int, thing string) string { return plural(n, thing, thing+"s") }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func countNew(n int) string {
	if n == 1 {
		return "1 new article"
	}
	return fmt.Sprintf("%d new articles", n)
}

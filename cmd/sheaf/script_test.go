package main

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"strings"

	"github.com/mmcdole/gofeed"
	"github.com/rogpeppe/go-internal/testscript"
)

// exits CODE ARG... runs the program in the script's folder and checks its exit code; what it printed is left in the files out and
// err.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	var out, errs bytes.Buffer
	absolute := make([]string, len(args)-1)
	for i, a := range args[1:] {
		absolute[i] = a
		if strings.HasPrefix(a, "./") {
			absolute[i] = ts.MkAbs(a)
		}
	}
	got := run(context.Background(), absolute, stdio{strings.NewReader(""), &out, &errs})
	ts.Check(os.WriteFile(ts.MkAbs("out"), out.Bytes(), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("err"), errs.Bytes(), 0o644))
	if got != want {
		ts.Fatalf("exit code %d, want %d\nstdout:\n%s\nstderr:\n%s", got, want, out.String(), errs.String())
	}
}

// items N NAME checks that NAME.rss, NAME.atom and NAME.json parse and hold N items each.
func items(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: items N NAME")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	for _, suffix := range []string{".rss", ".atom", ".json"} {
		data, err := os.ReadFile(ts.MkAbs(args[1] + suffix))
		ts.Check(err)
		feed, err := gofeed.NewParser().Parse(bytes.NewReader(data))
		ts.Check(err)
		if len(feed.Items) != want {
			ts.Fatalf("%s%s has %d items, want %d", args[1], suffix, len(feed.Items), want)
		}
	}
}

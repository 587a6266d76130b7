package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/config"
	"sheaf/output/opml"
)

// importOptions are the options of `sheaf feeds import`.
type importOptions struct {
	dryRun, local bool
}

func feedsImportCommand(g *global) *cobra.Command {
	var o importOptions
	c := &cobra.Command{
		Use:   "import FILE",
		Short: "Add the feeds of an OPML file, as feed readers export it",
		Long: `Add the feeds of an OPML file, as feed readers export it, to the configuration in one step. No request is made. Folders become comments,
names of feeds the outlets to credit. What is not added is told with its line: an address that is configured already or comes twice, one
that cannot be polled, and one on this machine, unless --local says that such are meant.

Exit codes: 0 done; 1 failed; 2 wrong usage; 3 some addresses cannot be polled, the rest is added; 78 the configuration is wrong.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return g.importFeeds(c, args[0], o)
		},
	}
	g.configFlags(c)
	g.jsonFlag(c)
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "tell what would be added, and change nothing")
	c.Flags().BoolVar(&o.local, "local", false, "accept files and hosts given by number")
	return c
}

func (g *global) importFeeds(c *cobra.Command, file string, o importOptions) error {
	conf, err := g.load()
	if err != nil {
		return err
	}
	data, err := readList(file, c.InOrStdin())
	if err != nil {
		return err
	}
	list, err := opml.Read(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	plan := newPlan(conf, o.local)
	plan.take(list, outlines(data))
	if !o.dryRun {
		err = g.editConfig(func(data []byte) ([]byte, error) { return config.AddFeeds(g.config, data, plan.entries) })
		if err != nil {
			return err
		}
	}
	if err := g.writePlan(c, file, plan, o.dryRun); err != nil {
		return err
	}
	if slices.ContainsFunc(plan.skipped, func(s skipped) bool { return s.Trouble }) {
		return &codedError{nil, exitPartly}
	}
	return nil
}

// maxList is more than a list of feeds may have: what is longer is refused when it is read.
const maxList = 16 << 20

// readList reads a file, or standard input if it is called "-".
func readList(file string, stdin io.Reader) ([]byte, error) {
	in := stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	return io.ReadAll(io.LimitReader(in, maxList))
}

// skipped is one feed of a list that is not added.
type skipped struct {
	Line    int    `json:"line,omitempty"` // from 1; 0: unknown
	URL     string `json:"url"`
	Title   string `json:"title,omitempty"`
	Reason  string `json:"reason"`
	Trouble bool   `json:"trouble"` // it would be lost if nobody cared
}

// plan is what becomes of a list of feeds.
type plan struct {
	conf    *config.Config
	local   bool
	lines   map[string]int // of the addresses taken, by key
	entries []config.Entry
	skipped []skipped
}

func newPlan(conf *config.Config, local bool) *plan {
	return &plan{conf: conf, local: local, lines: map[string]int{}}
}

// take decides about every feed of a list.
func (p *plan) take(list []opml.Feed, found map[string]outline) {
	folder := ""
	for _, f := range list {
		at := found[f.URL]
		reason, trouble := p.refuse(&f, at.first())
		if reason != "" {
			p.skipped = append(p.skipped, skipped{at.first(), f.URL, f.Title, reason, trouble})
		} else {
			e := config.Entry{URL: f.URL, Outlet: outletOf(f), Language: at.language}
			if name := strings.Join(f.Folder, " / "); name != folder {
				folder = name
				if name != e.Outlet {
					e.Comment = name
				}
			}
			p.entries = append(p.entries, e)
		}
		for _, line := range at.lines[min(1, len(at.lines)):] {
			p.skipped = append(p.skipped, skipped{line, f.URL, f.Title, fmt.Sprintf("the same address as in line %d", at.first()), false})
		}
	}
	slices.SortStableFunc(p.skipped, func(a, b skipped) int { return a.Line - b.Line })
}

// refuse says why a feed is not added; empty if it is. It puts the address into the form in which it is configured.
func (p *plan) refuse(f *opml.Feed, line int) (reason string, trouble bool) {
	written := f.URL
	for _, scheme := range []string{"feed:", "feeds:"} {
		if rest, ok := strings.CutPrefix(written, scheme); ok {
			written = strings.TrimPrefix(rest, "//")
			if !strings.Contains(written, "://") {
				written = "https://" + written
			}
		}
	}
	address, err := config.Address(written, p.conf.Dir())
	if err != nil {
		return err.Error(), true
	}
	key := addressKey(address)
	if known, ok := configured(p.conf, address); ok {
		return "configured already as " + known.URL, false
	}
	if first, ok := p.lines[key]; ok {
		return fmt.Sprintf("the same feed as in line %d", first), false
	}
	if config.IsLocal(address) && !p.local {
		return "an address on this machine or in its network; give --local if it is meant", true
	}
	p.lines[key], f.URL = line, address
	return "", false
}

// outletOf is the outlet a feed is credited to: the folder if the title begins with its name, as in our own lists, else the title.
func outletOf(f opml.Feed) string {
	name := f.Title
	if n := len(f.Folder); n > 0 {
		if rest, ok := strings.CutPrefix(f.Title, f.Folder[n-1]); ok && (rest == "" || separator.MatchString(rest)) {
			name = f.Folder[n-1]
		}
	}
	if name == f.URL || strings.Contains(name, "${") { // no name; no value of a configuration
		return ""
	}
	return name
}

// separator is what stands between the name of an outlet and that of one of its feeds.
var separator = regexp.MustCompile(`^(?::| [-–—|/»›:]) `)

// outline is what a list says of an address beside what opml.Feed holds.
type outline struct {
	lines    []int // where it stands
	language string
}

// first is the line where it stands first; 0 if unknown.
func (o outline) first() int {
	if len(o.lines) == 0 {
		return 0
	}
	return o.lines[0]
}

// tag is the form of a language tag, as far as it matters here.
var tag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// outlines finds the addresses in a list that has been read, as far as it goes.
func outlines(data []byte) map[string]outline {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return &wide{r: r}, nil }
	found := map[string]outline{}
	for {
		line, _ := d.InputPos()
		t, err := d.Token()
		if err != nil {
			return found
		}
		element, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		address, language := "", ""
		for _, a := range element.Attr {
			switch value := strings.Join(strings.Fields(a.Value), " "); strings.ToLower(a.Name.Local) {
			case "xmlurl":
				address = value
			case "language":
				language = value
			}
		}
		if address == "" {
			continue
		}
		o := found[address]
		o.lines = append(o.lines, line)
		if o.language == "" && tag.MatchString(language) {
			o.language = language
		}
		found[address] = o
	}
}

// wide reads bytes as characters of the same numbers: what is ASCII in any charset of the web stays so, and lines are lines.
type wide struct {
	r    io.Reader
	rest []byte
}

func (w *wide) Read(p []byte) (int, error) {
	for len(w.rest) == 0 {
		var b [512]byte
		n, err := w.r.Read(b[:])
		for _, c := range b[:n] {
			w.rest = append(w.rest, string(rune(c))...)
		}
		if err != nil && n == 0 {
			return 0, err
		}
	}
	n := copy(p, w.rest)
	w.rest = w.rest[n:]
	return n, nil
}

// writePlan tells what was added and what was not.
func (g *global) writePlan(c *cobra.Command, file string, p *plan, dryRun bool) error {
	if g.json {
		added := make([]feedJSON, len(p.entries))
		for i, e := range p.entries {
			added[i] = entryJSON(e)
		}
		return writeJSON(c.OutOrStdout(), map[string]any{"added": added, "skipped": append([]skipped{}, p.skipped...), "dry_run": dryRun})
	}
	verb := "Added"
	if dryRun {
		verb = "Would add"
		for _, e := range p.entries {
			fmt.Fprintf(c.OutOrStdout(), "%s\n", strings.TrimSpace(e.URL+"  "+e.Outlet))
		}
	}
	for _, s := range p.skipped {
		fmt.Fprintf(c.ErrOrStderr(), "%s:%d: %s: %s\n", file, s.Line, s.URL, s.Reason)
	}
	_, err := fmt.Fprintf(c.OutOrStdout(), "%s %d feeds to %s, left out %d.\n", verb, len(p.entries), g.config, len(p.skipped))
	return err
}

func feedsExportCommand(g *global) *cobra.Command {
	c := &cobra.Command{
		Use:   "export [FILE]",
		Short: "Write the configured feeds as OPML, for feed readers and backups",
		Long: `Write the configured feeds as OPML 2.0 to a file or to standard output, one folder an outlet. The same configuration gives the same
bytes. Log-ins are left out; keys in the addresses are not.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			conf, err := g.load()
			if err != nil {
				return err
			}
			var b bytes.Buffer
			if err := opml.Write(&b, conf.Publish.Title+": feeds", exported(conf)); err != nil {
				return err
			}
			if len(args) == 1 && args[0] != "-" {
				return os.WriteFile(args[0], b.Bytes(), 0o644)
			}
			_, err = c.OutOrStdout().Write(b.Bytes())
			return err
		},
	}
	g.configFlags(c)
	return c
}

// exported lists the configured feeds in their order, each in the folder of its outlet.
func exported(conf *config.Config) []opml.Feed {
	list := make([]opml.Feed, len(conf.Feeds))
	for i, f := range conf.Feeds {
		list[i] = opml.Feed{Title: f.Outlet, URL: f.URL}
		if f.Outlet != "" {
			list[i].Folder = []string{f.Outlet}
		}
	}
	return list
}

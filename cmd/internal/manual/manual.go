// Package manual writes manual pages, in the language of man(7), from the commands of a program: one page a command, with its options.
//
// cobra has a writer of its own, which comes with a Markdown renderer and a YAML library; this one needs neither.
package manual

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Page is one manual page of section 1.
type Page struct {
	Name string // of the file: sheaf-feeds-add.1
	Text string
}

// Options are what the commands themselves do not say.
type Options struct {
	Version  string    // shown at the foot; pages hold no date, so that the same sources make the same bytes
	Appendix []Section // of the page of the program itself, after its options
}

// Section is a part of a page.
type Section struct {
	Title string // in capitals
	Terms []Term
}

// Term is a word and what is to be said about it.
type Term struct {
	Word, Meaning string
}

// Pages writes the pages of a command and of all below it, parents first. Hidden commands and help have none.
func Pages(c *cobra.Command, o Options) []Page {
	w := &writer{}
	w.page(c, o)
	pages := []Page{{Name: name(c) + ".1", Text: w.String()}}
	for _, child := range shown(c) {
		pages = append(pages, Pages(child, o)...)
	}
	return pages
}

// name is that of a command's page: its path with hyphens.
func name(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// shown lists the commands below c that have a page.
func shown(c *cobra.Command) []*cobra.Command {
	var children []*cobra.Command
	for _, child := range c.Commands() {
		if child.IsAvailableCommand() && child.Name() != "help" {
			children = append(children, child)
		}
	}
	return children
}

// writer collects a page. Its methods take plain text and escape it.
type writer struct {
	strings.Builder
}

func (w *writer) page(c *cobra.Command, o Options) {
	fmt.Fprintf(w, ".TH %s 1 \"\" %s \"User Commands\"\n", quote(strings.ToUpper(name(c))), quote(c.Root().Name()+" "+o.Version))
	w.section("NAME")
	w.text(name(c) + " - " + c.Short)
	w.section("SYNOPSIS")
	fmt.Fprintf(w, "\\fB%s\\fR", escape(c.CommandPath()))
	usage := strings.TrimPrefix(c.UseLine(), c.CommandPath())
	if len(shown(c)) > 0 && !c.Runnable() {
		usage = " COMMAND [options]"
	}
	w.text(usage)
	w.section("DESCRIPTION")
	w.paragraphs(described(c))
	w.commands(c)
	w.options("OPTIONS", c.NonInheritedFlags())
	w.options("INHERITED OPTIONS", c.InheritedFlags())
	if c.Example != "" {
		w.section("EXAMPLES")
		w.example(c.Example)
	}
	if !c.HasParent() {
		for _, s := range o.Appendix {
			w.section(s.Title)
			for _, t := range s.Terms {
				w.term("\\fB"+escape(t.Word)+"\\fR", t.Meaning)
			}
		}
	}
	w.related(c)
}

// described is what the command's help begins with.
func described(c *cobra.Command) string {
	if c.Long != "" {
		return c.Long
	}
	return c.Short + "."
}

func (w *writer) section(title string) { fmt.Fprintf(w, ".SH %s\n", quote(title)) }

// text writes lines that are filled as the reader's window allows.
func (w *writer) text(s string) { fmt.Fprintln(w, escape(strings.TrimRight(s, "\n"))) }

// paragraphs writes text whose paragraphs are set apart by empty lines; an indented one is an example and keeps its lines.
func (w *writer) paragraphs(s string) {
	for i, p := range strings.Split(strings.TrimSpace(s), "\n\n") {
		if i > 0 {
			fmt.Fprintln(w, ".PP")
		}
		if trimmed := strings.TrimLeft(p, " \t"); trimmed != p {
			w.example(p)
			continue
		}
		w.text(p)
	}
}

// example writes lines as they are.
func (w *writer) example(s string) {
	fmt.Fprintf(w, ".nf\n%s\n.fi\n", escape(strings.TrimRight(s, "\n")))
}

// term writes a word, escaped by the caller, and its meaning.
func (w *writer) term(word, meaning string) {
	fmt.Fprintf(w, ".TP\n%s\n", word)
	w.text(meaning)
}

// commands lists the commands below c.
func (w *writer) commands(c *cobra.Command) {
	children := shown(c)
	if len(children) == 0 {
		return
	}
	w.section("COMMANDS")
	for _, child := range children {
		w.term(reference(child), child.Short+".")
	}
}

func (w *writer) options(title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	w.section(title)
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Deprecated == "" {
			w.option(f)
		}
	})
}

// option writes a flag: its names, the kind of its value, its meaning and its default.
func (w *writer) option(f *pflag.Flag) {
	kind, meaning := pflag.UnquoteUsage(f)
	word := "\\fB" + escape("--"+f.Name) + "\\fR"
	if f.Shorthand != "" {
		word = "\\fB" + escape("-"+f.Shorthand) + "\\fR, " + word
	}
	if kind != "" {
		word += "=\\fI" + escape(kind) + "\\fR"
	}
	switch f.DefValue {
	case "", "false", "0", "[]":
	default:
		meaning += " (default " + f.DefValue + ")"
	}
	w.term(word, meaning+".")
}

// related names the pages above and below, or beside.
func (w *writer) related(c *cobra.Command) {
	var pages []string
	if c.HasParent() {
		pages = append(pages, reference(c.Parent()))
	}
	for _, child := range shown(c) {
		pages = append(pages, reference(child))
	}
	if len(pages) == 0 {
		return
	}
	w.section("SEE ALSO")
	fmt.Fprintln(w, strings.Join(pages, ",\n"))
}

func reference(c *cobra.Command) string { return "\\fB" + escape(name(c)) + "\\fR(1)" }

// escape makes plain text of a text: backslashes and hyphens are themselves, and no line begins a request.
func escape(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...").Replace(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

// quote makes one argument of a request of a text.
func quote(s string) string { return `"` + strings.ReplaceAll(escape(s), `"`, `\(dq`) + `"` }

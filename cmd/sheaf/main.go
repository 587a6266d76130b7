// Command sheaf polls news feeds, groups the articles on one event into stories, and publishes them as one clustered feed.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/config"
)

// unreleased is the version of a build that the linker was given none for.
const unreleased = "dev"

// version is set by the linker for a release.
var version = unreleased

// Exit codes: an interface that scripts and systemd rely on.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitPartly      = 3   // some feeds failed, the rest is published
	exitLocked      = 75  // another instance is at work: try later
	exitConfig      = 78  // the configuration is wrong, or the database is for a newer version
	exitInterrupted = 130 // by SIGINT or SIGTERM
)

// codedError is an error that ends the program with a code of its own. A nil error says what is to be said already.
type codedError struct {
	err  error
	code int
}

// Error is empty if all has been said.
func (e *codedError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

// Unwrap gives the error itself.
func (e *codedError) Unwrap() error { return e.err }

// ExitCode gives the code.
func (e *codedError) ExitCode() int { return e.code }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := run(ctx, os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// stdio is where a command reads and writes. Data goes to out, all else to err.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// run is the program without the process around it.
func run(ctx context.Context, args []string, std stdio) int {
	root := rootCommand()
	root.SetArgs(args)
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	began := false
	root.PersistentPreRun = func(*cobra.Command, []string) { began = true }
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	if text := err.Error(); text != "" {
		fmt.Fprintf(std.err, "sheaf: %s\n", text)
	}
	var coded interface{ ExitCode() int }
	switch {
	case errors.As(err, &coded):
		return coded.ExitCode()
	case ctx.Err() != nil:
		return exitInterrupted
	case !began:
		fmt.Fprintln(std.err, "Run 'sheaf help' for the commands and their options.")
		return exitUsage
	}
	return exitFailed
}

// global are the options that several commands share.
type global struct {
	config, state, publish string
	json, quiet, verbose   bool
	wait                   bool
	logForm                string
}

func rootCommand() *cobra.Command {
	g := &global{}
	root := &cobra.Command{
		Use:           "sheaf",
		Short:         "One clustered feed from many news feeds, every outlet credited",
		Long:          "sheaf polls the feeds of news outlets, groups the articles on one event into a story, and publishes\nthe stories as one clustered feed (RSS, Atom, JSON Feed) in which every outlet is credited.",
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	addGroup(root, "main", "The main job:", onceCommand(g), runCommand(g), publishCommand(g), checkCommand(g), feedsCommand(g))
	addGroup(root, "read", "What is there:", storiesCommand(g), showCommand(g), explainCommand(g), channelCommand(g), digestCommand(g))
	addGroup(root, "correct", "Corrections, kept for good:", mergeCommand(g), splitCommand(g), pinCommand(g), neverCommand(g), undoCommand(g), correctionsCommand(g))
	addGroup(root, "keep", "Keeping it well:", doctorCommand(g), backupCommand(g), restoreCommand(g))
	addGroup(root, "tools", "Tools:", parseCommand(), groupCommand(), evalCommand(), trainCommand(), replayCommand(g), backtestCommand(g))
	addGroup(root, "about", "About the program:", versionCommand(g), manCommand())
	root.SetCompletionCommandGroupID("about")
	root.SetHelpCommandGroupID("about")
	return root
}

func addGroup(root *cobra.Command, id, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: id, Title: title})
	for _, c := range commands {
		c.GroupID = id
		root.AddCommand(c)
	}
}

// configFlags adds the options of commands that work on an installation.
func (g *global) configFlags(c *cobra.Command) {
	c.Flags().StringVarP(&g.config, "config", "c", envOr("SHEAF_CONFIG", "config.yaml"), "configuration `file`")
	c.Flags().StringVar(&g.state, "state", os.Getenv("SHEAF_STATE"), "state `directory`, instead of the configured one")
	c.Flags().StringVar(&g.publish, "publish", os.Getenv("SHEAF_PUBLISH"), "`directory` of the published feeds, instead of the configured one")
}

// loudnessFlags adds the options that say how much is told.
func (g *global) loudnessFlags(c *cobra.Command) {
	c.Flags().BoolVarP(&g.verbose, "verbose", "v", false, "tell more")
	c.Flags().BoolVarP(&g.quiet, "quiet", "q", false, "tell only what went wrong")
}

// workFlags adds the options of commands that do the work of an installation.
func (g *global) workFlags(c *cobra.Command) {
	g.configFlags(c)
	g.loudnessFlags(c)
	c.Flags().BoolVar(&g.wait, "wait", false, "wait for another instance to end, instead of ending with code 75")
	c.Flags().StringVar(&g.logForm, "log", "", "`form` of the log, text or json, instead of the configured one")
	c.PreRunE = func(*cobra.Command, []string) error {
		switch g.logForm {
		case "", config.LogText, config.LogJSON:
			return nil
		}
		return &codedError{fmt.Errorf("--log %s: use text or json", g.logForm), exitUsage}
	}
}

func envOr(name, fallback string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return fallback
}

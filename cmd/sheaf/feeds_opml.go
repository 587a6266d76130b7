package main

import (
	"bytes"
	"fmt"
	"os"
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
	data, err := readAtMost(file, c.InOrStdin(), maxList)
	if err != nil {
		return err
	}
	list, err := opml.Read(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	plan := conf.PlanImport(data, list, o.local)
	if !o.dryRun {
		err = g.editConfig(func(data []byte) ([]byte, error) { return config.AddFeeds(g.config, data, plan.Entries) })
		if err != nil {
			return err
		}
	}
	if err := g.writePlan(c, file, plan, o.dryRun); err != nil {
		return err
	}
	if slices.ContainsFunc(plan.Skipped, func(s config.Skipped) bool { return s.Trouble }) {
		return &codedError{nil, exitPartly}
	}
	return nil
}

// maxList is more than a list of feeds may have: what is longer is refused when it is read.
const maxList = 16 << 20

// writePlan tells what was added and what was not.
func (g *global) writePlan(c *cobra.Command, file string, p config.ImportPlan, dryRun bool) error {
	if g.json {
		added := make([]feedJSON, len(p.Entries))
		for i, e := range p.Entries {
			added[i] = entryJSON(e)
		}
		return writeJSON(c.OutOrStdout(), map[string]any{"added": added, "skipped": append([]config.Skipped{}, p.Skipped...), "dry_run": dryRun})
	}
	verb := "Added"
	if dryRun {
		verb = "Would add"
		for _, e := range p.Entries {
			fmt.Fprintf(c.OutOrStdout(), "%s\n", strings.TrimSpace(e.URL+"  "+e.Outlet))
		}
	}
	for _, s := range p.Skipped {
		fmt.Fprintf(c.ErrOrStderr(), "%s:%d: %s: %s\n", file, s.Line, s.URL, s.Reason)
	}
	_, err := fmt.Fprintf(c.OutOrStdout(), "%s %d feeds to %s, left out %d.\n", verb, len(p.Entries), g.config, len(p.Skipped))
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
			if err := opml.Write(&b, conf.Publish.Title+": feeds", conf.List()); err != nil {
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

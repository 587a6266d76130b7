package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"sheaf/cmd/internal/app"
	"sheaf/cmd/internal/config"
)

func publishCommand(g *global) *cobra.Command {
	var site string
	c := &cobra.Command{
		Use:   "publish --site DIR",
		Short: "Write the web pages as files, for a host that only serves files",
		Long: `Write the web pages as files: the river of stories, topics, outlets, the stories of the last seven days, the health of the feeds, with the
channels as they were published last. Put DIR where publish.base_url points, or make it the publish directory itself. It reads beside a
running daemon. Files that have not changed are not touched; pages of stories that are no longer told of stay where they are.`,
		Args: cobra.NoArgs,
		RunE: g.reading(func(c *cobra.Command, r *app.Reader, conf *config.Config, _ []string) error {
			if site == "" {
				return &codedError{errors.New("--site: name a directory"), exitUsage}
			}
			written, err := r.PublishSite(c.Context(), conf, version, site)
			if err != nil {
				return err
			}
			if !g.quiet {
				_, err = fmt.Fprintf(c.OutOrStdout(), "Wrote %s that changed to %s.\n", count(written, "file"), site)
			}
			return err
		}),
	}
	g.configFlags(c)
	c.Flags().BoolVarP(&g.quiet, "quiet", "q", false, "tell only what went wrong")
	c.Flags().StringVar(&site, "site", "", "`directory` to write to; made if missing")
	return c
}

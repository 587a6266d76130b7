package main

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"sheaf/cmd/internal/app"
	"sheaf/cmd/internal/config"
	"sheaf/cmd/internal/metrics"
)

// load reads the configuration; its faults end the program with their own code.
func (g *global) load() (*config.Config, error) {
	c, err := config.Load(g.config, config.Overrides{State: g.state, Publish: g.publish})
	if err != nil {
		return nil, &codedError{err, exitConfig}
	}
	return c, nil
}

// open loads the configuration and takes the installation.
func (g *global) open(ctx context.Context, errs io.Writer, usual slog.Level, o app.Options) (*app.App, error) {
	c, err := g.load()
	if err != nil {
		return nil, err
	}
	o.Version, o.Log, o.Wait = version, g.log(errs, usual, c.Log), g.wait
	if c.Admin.Listen != "" && o.Metrics == nil {
		o.Metrics = metrics.New(version)
	}
	a, err := app.Open(ctx, c, o)
	return a, coded(err)
}

// coded gives errors of an installation the exit codes that others rely on.
func coded(err error) error {
	switch {
	case errors.Is(err, app.ErrLocked):
		return &codedError{err, exitLocked}
	case errors.Is(err, app.ErrNewer): // trying again is no use
		return &codedError{err, exitConfig}
	case errors.Is(err, config.ErrNoGroup):
		return &codedError{err, exitUsage}
	}
	return err
}

// log writes to w what is at least as important as the options ask for, in the form of the option or else of the configuration; usual is
// the level without any.
func (g *global) log(w io.Writer, usual slog.Level, form string) *slog.Logger {
	level := usual
	switch {
	case g.verbose:
		level = slog.LevelDebug
	case g.quiet:
		level = slog.LevelError
	}
	if g.logForm != "" {
		form = g.logForm
	}
	if form == config.LogJSON {
		return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

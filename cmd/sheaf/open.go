package main

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"sheaf/cmd/internal/app"
	"sheaf/cmd/internal/config"
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
func (g *global) open(ctx context.Context, o app.Options) (*app.App, error) {
	c, err := g.load()
	if err != nil {
		return nil, err
	}
	o.Version = version
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

// log writes to w what is at least as important as the options ask for; usual is the level without any.
func (g *global) log(w io.Writer, usual slog.Level) *slog.Logger {
	level := usual
	switch {
	case g.verbose:
		level = slog.LevelDebug
	case g.quiet:
		level = slog.LevelError
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

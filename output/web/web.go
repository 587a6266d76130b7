// Package web serves the published documents and the pages that lead to them.
package web

import (
	"context"
	"errors"
	"net/http"

	"sheaf"
	"sheaf/output"
)

// ErrNoStory says that no story ever had the id.
var ErrNoStory = errors.New("no such story")

// Stories finds a story by an id it has or once had. The story of a merged id is the survivor; its ID then differs from the one asked
// for. An id that never was gives an error wrapping ErrNoStory.
type Stories interface {
	Story(ctx context.Context, id sheaf.StoryID) (sheaf.Story, error)
}

// Options say what is served.
type Options struct {
	Dir      string // where Publish puts the documents
	Site     output.Site
	Channels []output.Channel
	Stories  Stories // nil: no story pages
}

// Handler serves documents and pages. It is safe for concurrent use.
func Handler(o Options) (http.Handler, error) { return http.NotFoundHandler(), nil }

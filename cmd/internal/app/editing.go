package app

import (
	"context"
	"errors"
	"slices"
	"strings"

	"sheaf"
	"sheaf/cmd/internal/store"
	"sheaf/output"
	"sheaf/output/web"
)

// pageEditor takes what editors say on the story pages. It writes through the store of the process that holds the lock.
type pageEditor struct {
	app  *App
	site output.Site
}

var _ web.Editor = pageEditor{}

// editing says who may correct stories from their pages; nil if nobody may.
func (a *App) editing(s setup) *web.Edit {
	token := s.config.Editors.Token.Reveal()
	if token == "" {
		return nil
	}
	return &web.Edit{Token: token, Editor: pageEditor{a, s.site}, Now: a.now}
}

// Correct records a correction as the commands do.
func (p pageEditor) Correct(ctx context.Context, c web.Correction) error {
	e := &Editor{Reader: Reader{p.app.store}, Author: c.Author, Reason: c.Reason, Now: p.app.now}
	recorded, err := p.say(ctx, e, c)
	if err != nil {
		return refusal(err)
	}
	p.app.log.Info("correction recorded", "number", recorded.Number, "kind", string(c.Kind), "author", c.Author)
	return nil
}

func (p pageEditor) say(ctx context.Context, e *Editor, c web.Correction) (store.Correction, error) {
	other := strings.TrimSuffix(strings.TrimPrefix(c.Other, p.site.Page("")), "/edit")
	story := string(c.Story)
	switch {
	case c.Kind == web.CorrectMerge && other != "":
		return e.Merge(ctx, story, other)
	case c.Kind == web.CorrectSplit && len(c.Articles) > 0:
		return e.Split(ctx, story, c.Articles)
	case c.Kind == web.CorrectPin && len(c.Articles) == 1:
		return e.Pin(ctx, c.Articles[0])
	case c.Kind == web.CorrectNever && len(c.Articles) == 2 && other == "":
		return e.Never(ctx, c.Articles[0], c.Articles[1])
	case c.Kind == web.CorrectNever && len(c.Articles) == 1 && other != "":
		return e.Never(ctx, c.Articles[0], other)
	case c.Kind == web.CorrectNever && len(c.Articles) == 0 && other != "":
		return e.Never(ctx, story, other)
	case c.Kind == web.CorrectUndo && c.Number > 0:
		return e.Undo(ctx, c.Number)
	}
	return store.Correction{}, incomplete(c.Kind)
}

// incomplete says what a correction needs.
func incomplete(kind web.CorrectionKind) web.Refused {
	switch kind {
	case web.CorrectMerge:
		return "Name the other story by its address or id."
	case web.CorrectSplit:
		return "Mark the reports that are a story of their own."
	case web.CorrectPin:
		return "Mark one report to pin."
	case web.CorrectNever:
		return "Name another story, and mark one report at most; or mark the two reports that do not belong together."
	case web.CorrectUndo:
		return "There is no such correction."
	}
	return "Press one of the buttons: nothing else says what is meant."
}

// refusal turns what an editor can mend into a sentence. It repeats nothing that was sent.
func refusal(err error) error {
	for _, known := range []struct {
		err error
		say web.Refused
	}{
		{ErrNothing, "That would change nothing: it is so already, or no correction of that number holds."},
		{ErrElsewhere, "The story has changed meanwhile. Look at it again."},
		{ErrTooMany, "These are too many reports to keep apart."},
		{ErrAmbiguous, "That is the beginning of several ids. Give more of it."},
		{ErrUnknown, "No story and no report goes by that."},
		{store.ErrNoArticle, "No story and no report goes by that."},
		{web.ErrNoStory, "No story and no report goes by that."},
	} {
		if errors.Is(err, known.err) {
			return known.say
		}
	}
	return err
}

// Corrections lists what concerns a story as it is now, by its id or by an article in it.
func (p pageEditor) Corrections(ctx context.Context, id sheaf.StoryID) ([]web.Corrected, bool, error) {
	story, err := p.app.store.Story(ctx, id)
	if err != nil {
		return nil, false, err
	}
	all, err := p.app.store.Corrections(ctx)
	if err != nil {
		return nil, false, err
	}
	applied, err := p.app.store.Applied(ctx)
	if err != nil {
		return nil, false, err
	}
	var list []web.Corrected
	for _, c := range slices.Backward(all) {
		if concerns(&c, &story) {
			list = append(list, web.Corrected{Number: c.Number, Kind: c.Kind, Author: c.Author, Reason: c.Reason, At: c.At, Undone: !c.Undone.IsZero()})
		}
	}
	return list, store.Version(all) != applied, nil
}

func concerns(c *store.Correction, story *sheaf.Story) bool {
	if slices.Contains(c.Subjects, string(story.ID)) {
		return true
	}
	for _, k := range c.Constraints {
		if story.Member(k.A) != nil || story.Member(k.B) != nil {
			return true
		}
	}
	return false
}

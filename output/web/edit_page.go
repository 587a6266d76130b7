package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"sheaf"
	"sheaf/output"
)

// editView is what an editor is to see.
type editView struct {
	id     sheaf.StoryID
	author string
	status int
	notice string // why what was said is not recorded; empty: nothing is wrong
}

// editPage is what correct.html shows.
type editPage struct {
	*frame
	Story         string // address of the story's page
	Form          string // seal of the forms
	Author        string
	Notice        string
	Item          output.Item
	Corrections   []Corrected
	Waiting       bool
	LongestReason int
}

func editPath(id sheaf.StoryID) string { return storyPath(id) + "/edit" }

// showEdit answers with the forms.
func (s *server) showEdit(w http.ResponseWriter, r *http.Request, v editView) {
	story, err := s.Stories.Story(r.Context(), v.id)
	switch {
	case errors.Is(err, ErrNoStory), err == nil && len(story.Members) == 0:
		refuse(w, http.StatusNotFound)
		return
	case err == nil && story.ID != v.id && v.status == http.StatusOK:
		w.Header().Set("Location", s.base+editPath(story.ID))
		refuse(w, http.StatusTemporaryRedirect)
		return
	}
	var page *editPage
	if err == nil {
		page, err = s.editPage(r.Context(), v, &story)
	}
	var b bytes.Buffer
	if err == nil {
		err = templates.ExecuteTemplate(&b, "correct.html", page)
	}
	if err != nil {
		s.Fail(fmt.Errorf("editing page: %w", err))
		refuse(w, http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(v.status)
	if r.Method != http.MethodHead {
		w.Write(b.Bytes()) // an error means the client has left
	}
}

func (s *server) editPage(ctx context.Context, v editView, story *sheaf.Story) (*editPage, error) {
	f, err := s.pages.frame(ctx, editPath(story.ID))
	if err != nil {
		return nil, err
	}
	list, waiting, err := s.Edit.Editor.Corrections(ctx, story.ID)
	if err != nil {
		return nil, err
	}
	page := &editPage{
		frame: f, Story: f.Story(story.ID), Form: s.Edit.seal(string(story.ID), v.author), Author: v.author, Notice: v.notice,
		Item: output.NewItem(story, s.Snippets), Corrections: list, Waiting: waiting, LongestReason: longestReason,
	}
	f.Title = "Correct: " + page.Item.Title
	f.Referrer = samePolicy
	return page, nil
}

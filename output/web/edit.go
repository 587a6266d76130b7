package web

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"sheaf"
)

// Edit lets editors correct stories from their pages. Nothing is kept of who is logged in: a browser gives name and token with every request
// (HTTP Basic authentication, RFC 7617), so that there are no cookies to steal and no sessions to end.
type Edit struct {
	Token  string           // the secret that makes somebody an editor, given as the password; the user name signs corrections
	Editor Editor           //
	Now    func() time.Time // nil: time.Now
}

// Editor records corrections, which the next grouping carries out. It is called from many goroutines at once.
type Editor interface {
	// Correct records one. An error that is a Refused is shown to the editor.
	Correct(ctx context.Context, c Correction) error
	// Corrections lists those that concern a story, newest first, and says whether some wait for the next grouping.
	Corrections(ctx context.Context, id sheaf.StoryID) (list []Corrected, waiting bool, err error)
}

// CorrectionKind is what an editor says.
type CorrectionKind string

// The kinds of corrections.
const (
	CorrectMerge CorrectionKind = "merge" // Story and Other are one
	CorrectSplit CorrectionKind = "split" // Articles are a story of their own
	CorrectPin   CorrectionKind = "pin"   // the one of Articles belongs where it is
	CorrectNever CorrectionKind = "never" // the one of Articles, or Story, is never with Other; or two of Articles never with each other
	CorrectUndo  CorrectionKind = "undo"  // correction Number no longer holds
)

// Correction is an editor's word about a story.
type Correction struct {
	Kind     CorrectionKind
	Story    sheaf.StoryID
	Articles []string // ids of articles of the story
	Other    string   // another story or article, by id, the beginning of one, or address
	Number   int64    // of the correction to undo
	Author   string
	Reason   string // empty: none given
}

// Corrected is a correction as it was recorded.
type Corrected struct {
	Number int64
	Kind   string
	Author string
	Reason string
	At     time.Time
	Undone bool
}

// Refused is why a correction was not recorded, in a sentence for the editor.
type Refused string

// Error is the sentence.
func (r Refused) Error() string { return string(r) }

// samePolicy tells other sites nothing of where a reader came from. With no-referrer a browser hides the origin of a form from ourselves, too.
const samePolicy = "same-origin"

const (
	longestForm   = 64 << 10 // bytes
	longestAuthor = 64       // runes
	longestReason = 500
)

// editedStory is the story whose editing page has the path, if there is such a page.
func (s *server) editedStory(path string) (sheaf.StoryID, bool) {
	rest, story := strings.CutPrefix(path, "/story/")
	id, edit := strings.CutSuffix(rest, "/edit")
	return sheaf.StoryID(id), s.Edit != nil && s.Stories != nil && story && edit && uuid.MatchString(id)
}

// edit shows an editor what can be corrected about a story, or takes a correction. Nothing of it is for caches.
func (s *server) edit(w http.ResponseWriter, r *http.Request, id sheaf.StoryID) {
	h := w.Header()
	h.Set("Referrer-Policy", samePolicy)
	h.Set("Cache-Control", "no-store")
	author, ok := s.editor(r)
	switch {
	case !ok:
		h.Set("WWW-Authenticate", `Basic realm="corrections", charset="UTF-8"`)
		refuse(w, http.StatusUnauthorized)
	case r.Method == http.MethodPost:
		s.correct(w, r, id, author)
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		s.showEdit(w, r, editView{id: id, author: author, status: http.StatusOK})
	default:
		h.Set("Allow", "GET, HEAD, POST")
		refuse(w, http.StatusMethodNotAllowed)
	}
}

// editor is who signs with the right token. Hashes are compared, so that the time says nothing of the token, its length included.
func (s *server) editor(r *http.Request) (author string, ok bool) {
	name, password, given := r.BasicAuth()
	got, want := sha256.Sum256([]byte(password)), sha256.Sum256([]byte(s.Edit.Token))
	if !given || s.Edit.Token == "" || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
		return "", false
	}
	if name = oneLine(name, longestAuthor); name == "" {
		name = "editor"
	}
	return name, true
}

// correct takes a form that this server has made for this editor and story, sent from a page of its own.
func (s *server) correct(w http.ResponseWriter, r *http.Request, id sheaf.StoryID, author string) {
	if err := s.crossOrigin().Check(r); err != nil {
		refuse(w, http.StatusForbidden)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, longestForm)
	if err := r.ParseForm(); err != nil {
		refuse(w, http.StatusBadRequest)
		return
	}
	if !s.Edit.sealed(r.PostForm.Get("form"), string(id), author) {
		s.showEdit(w, r, editView{id: id, author: author, status: http.StatusForbidden, notice: "This form is too old. Nothing was recorded; please say it again."})
		return
	}
	err := s.Edit.Editor.Correct(r.Context(), correction(r.PostForm, id, author))
	var refused Refused
	switch {
	case errors.As(err, &refused):
		s.showEdit(w, r, editView{id: id, author: author, status: http.StatusUnprocessableEntity, notice: string(refused)})
	case err != nil:
		s.Fail(fmt.Errorf("correction: %w", err))
		refuse(w, http.StatusInternalServerError)
	default:
		w.Header().Set("Location", s.base+editPath(id)+"#recorded")
		refuse(w, http.StatusSeeOther)
	}
}

// crossOrigin refuses what a page of another site makes a browser send, by Sec-Fetch-Site or Origin. Behind a proxy that changes the Host,
// the public address is ours, too.
func (s *server) crossOrigin() *http.CrossOriginProtection {
	c := http.NewCrossOriginProtection()
	if u, err := url.Parse(s.Site.BaseURL); err == nil {
		_ = c.AddTrustedOrigin(u.Scheme + "://" + u.Host) // an address without a host is no origin, and trusts nobody
	}
	return c
}

// correction reads a form.
func correction(form url.Values, id sheaf.StoryID, author string) Correction {
	number, err := strconv.ParseInt(form.Get("number"), 10, 64)
	if err != nil {
		number = -1 // no correction has it
	}
	return Correction{
		Kind: CorrectionKind(form.Get("kind")), Story: id, Articles: form["article"], Other: strings.TrimSpace(form.Get("other")), Number: number,
		Author: author, Reason: oneLine(form.Get("reason"), longestReason),
	}
}

// oneLine is a text from outside as one line without control characters, at most so many runes long.
func oneLine(s string, most int) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(strings.Map(printable, s), "")), " ")
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most])
	}
	return s
}

func printable(r rune) rune {
	if r < ' ' || r >= 0x7f && r < 0xa0 {
		return ' '
	}
	return r
}

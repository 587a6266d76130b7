package app

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"sheaf"
	"sheaf/output/web"
)

const (
	rateRise = "https://www.haldencourier.example/2026/09/22/central-bank-lifts-rate"
	solar    = "https://www.ledgerandquay.example/item/brightwell-solar-merger"
)

// newsroom is an installation on the samples that editors may correct, after its first sweep.
func newsroom(t *testing.T) *App {
	t.Helper()
	a := open(t, samplesIn(t, "channels: [{name: stories, settle: '0'}]\neditors: {token: 0123456789abcdef}"), Options{})
	sweep(t, a)
	return a
}

func storyOf(t *testing.T, a *App, reference string) sheaf.Story {
	t.Helper()
	s, err := (&Reader{a.store}).Story(t.Context(), reference)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// An editor opens the page of a story while the daemon holds the lock, says that another belongs to it, which the next sweep carries out, and
// takes it back: each is signed and listed.
func TestEditing(t *testing.T) {
	a := newsroom(t)
	h, err := a.pages(a.setup)
	if err != nil {
		t.Fatal(err)
	}
	path := "/story/" + string(storyOf(t, a, rateRise).ID) + "/edit"
	request := func(method string, form url.Values) *httptest.ResponseRecorder {
		t.Helper()
		r := httptest.NewRequest(method, a.site.BaseURL+path, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.SetBasicAuth("night desk", "0123456789abcdef")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	say := func(form url.Values) {
		t.Helper()
		page := request(http.MethodGet, nil).Body.String()
		form.Set("form", regexp.MustCompile(`name="form" value="([^"]+)"`).FindStringSubmatch(page)[1])
		if w := request(http.MethodPost, form); w.Code != http.StatusSeeOther {
			t.Fatalf("%v: %d\n%s", form, w.Code, w.Body.String())
		}
	}
	say(url.Values{"kind": {"merge"}, "other": {a.site.Page(storyOf(t, a, solar).ID)}, "reason": {"one deal"}})
	if page := request(http.MethodGet, nil).Body.String(); !strings.Contains(page, "night desk") || !strings.Contains(page, "The next grouping") {
		t.Errorf("the correction is not listed as waiting:\n%s", page)
	}
	sweep(t, a)
	if one, two := storyOf(t, a, rateRise).ID, storyOf(t, a, solar).ID; one != two {
		t.Errorf("after a merge the stories are %s and %s", one, two)
	}
	path = "/story/" + string(storyOf(t, a, rateRise).ID) + "/edit"
	if page := request(http.MethodGet, nil).Body.String(); strings.Contains(page, "The next grouping carries") {
		t.Error("a correction that was carried out still waits")
	}
	say(url.Values{"kind": {"undo"}, "number": {"1"}})
	if page := request(http.MethodGet, nil).Body.String(); !strings.Contains(page, ", undone") || strings.Contains(page, "Undo correction") {
		t.Errorf("the correction is not listed as undone:\n%s", page)
	}
	all, err := a.store.Corrections(t.Context())
	if err != nil || len(all) != 1 || all[0].Author != "night desk" || all[0].Reason != "one deal" || all[0].Undone.IsZero() {
		t.Errorf("recorded %+v, %v", all, err)
	}
}

func TestEditingKinds(t *testing.T) {
	a := newsroom(t)
	story := storyOf(t, a, rateRise)
	members := []string{string(story.Members[0].ID), string(story.Members[1].ID), string(story.Members[2].ID)}
	for _, tt := range []struct {
		name    string
		said    web.Correction
		refused string // part of the sentence; empty: it is recorded
	}{
		{"merge without another", web.Correction{Kind: web.CorrectMerge}, "Name the other"},
		{"merge with nothing known", web.Correction{Kind: web.CorrectMerge, Other: "nothing"}, "goes by that"},
		{"merge with itself", web.Correction{Kind: web.CorrectMerge, Other: rateRise}, "change nothing"},
		{"split of nothing", web.Correction{Kind: web.CorrectSplit}, "Mark the reports"},
		{"split of everything", web.Correction{Kind: web.CorrectSplit, Articles: articleIDs(story.Members)}, "change nothing"},
		{"split of what is elsewhere", web.Correction{Kind: web.CorrectSplit, Articles: []string{solar}}, "changed meanwhile"},
		{"split of what never was", web.Correction{Kind: web.CorrectSplit, Articles: []string{"zzz"}}, "goes by that"},
		{"split", web.Correction{Kind: web.CorrectSplit, Articles: members[:1]}, ""},
		{"pin of two", web.Correction{Kind: web.CorrectPin, Articles: members[:2]}, "Mark one report"},
		{"pin", web.Correction{Kind: web.CorrectPin, Articles: members[:1]}, ""},
		{"never with nothing", web.Correction{Kind: web.CorrectNever}, "Name another story"},
		{"never of three", web.Correction{Kind: web.CorrectNever, Articles: members}, "Name another story"},
		{"never of two", web.Correction{Kind: web.CorrectNever, Articles: members[:2]}, ""},
		{"never of one with a story", web.Correction{Kind: web.CorrectNever, Articles: members[:1], Other: solar}, ""},
		{"never of the story with another", web.Correction{Kind: web.CorrectNever, Other: solar}, ""},
		{"undo of none", web.Correction{Kind: web.CorrectUndo, Number: -1}, "no such correction"},
		{"undo of the last, whatever it is", web.Correction{Kind: web.CorrectUndo}, "no such correction"},
		{"undo of what never was", web.Correction{Kind: web.CorrectUndo, Number: 999}, "holds"},
		{"no button", web.Correction{}, "Press one"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.said.Story, tt.said.Author = story.ID, "desk"
			before, err := a.store.Corrections(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			err = pageEditor{a, a.site}.Correct(t.Context(), tt.said)
			after, listErr := a.store.Corrections(t.Context())
			if listErr != nil {
				t.Fatal(listErr)
			}
			var refused web.Refused
			if errors.As(err, &refused) {
				if tt.refused == "" || !strings.Contains(string(refused), tt.refused) || len(after) != len(before) {
					t.Errorf("refused: %q, want %q; %d recorded", refused, tt.refused, len(after)-len(before))
				}
				return
			}
			if err != nil || tt.refused != "" || len(after) != len(before)+1 || after[len(before)].Author != "desk" {
				t.Errorf("recorded %d, %v; want refusal %q", len(after)-len(before), err, tt.refused)
			}
		})
	}
}

func articleIDs(members []sheaf.Member) []string {
	var ids []string
	for _, m := range members {
		ids = append(ids, string(m.ID))
	}
	return ids
}

// Without a token in the configuration there is nothing to open.
func TestNobodyMayEdit(t *testing.T) {
	a := open(t, samplesIn(t, ""), Options{})
	h, err := a.pages(a.setup)
	if err != nil {
		t.Fatal(err)
	}
	if w := ask(h, "/story/fea1b806-87fa-517b-ac11-cecf2b2b1357/edit"); w.Code != http.StatusNotFound {
		t.Errorf("the page of an editor: %d", w.Code)
	}
}

package web

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
)

const (
	secretToken = "a secret of editors"
	testEdit    = "/story/" + string(storyID) + "/edit"
)

// clerk is an Editor that remembers what it was told.
type clerk struct {
	told    []Correction
	err     error
	listErr error
}

func (c *clerk) Correct(_ context.Context, said Correction) error {
	if c.err == nil {
		c.told = append(c.told, said)
	}
	return c.err
}

func (c *clerk) Corrections(context.Context, sheaf.StoryID) ([]Corrected, bool, error) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	return []Corrected{
		{Number: 2, Kind: "pin", Author: "desk <b>", Reason: "known & sure", At: at}, {Number: 1, Kind: "never", At: at, Undone: true},
	}, true, c.listErr
}

// edited is a handler for editors, with its clock and the clerk behind it.
func edited(t *testing.T) (http.Handler, *clerk, *time.Time) {
	t.Helper()
	o, c, now := testOptions(t.TempDir()), &clerk{}, time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	o.Edit = &Edit{Token: secretToken, Editor: c, Now: func() time.Time { return now }}
	h, err := Handler(o)
	if err != nil {
		t.Fatal(err)
	}
	return h, c, &now
}

// say sends a form as a browser does from our page; change alters the request before it leaves.
func say(h http.Handler, form url.Values, change func(*http.Request)) *http.Response {
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8080"+testEdit, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Origin", "http://127.0.0.1:8080")
	r.SetBasicAuth("desk", secretToken)
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

var sealField = regexp.MustCompile(`name="form" value="([^"]+)"`)

// opened gets the editing page and gives the seal of its forms.
func opened(t *testing.T, h http.Handler) (page, seal string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, testEdit, nil)
	r.SetBasicAuth("desk", secretToken)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	m := sealField.FindStringSubmatch(w.Body.String())
	if w.Code != http.StatusOK || m == nil {
		t.Fatalf("editing page: %d\n%s", w.Code, w.Body.String())
	}
	if w.Header().Get("Cache-Control") != "no-store" || !strings.Contains(w.Header().Get("Content-Security-Policy"), "form-action 'self'") {
		t.Errorf("headers of the page: %v", w.Header())
	}
	if w.Header().Values("Set-Cookie") != nil {
		t.Error("the page sets a cookie")
	}
	return w.Body.String(), m[1]
}

func TestEditPage(t *testing.T) {
	h, _, _ := edited(t)
	page, _ := opened(t, h)
	for _, want := range []string{
		`Report &lt; a&gt;`, `name="article" value="a"`, `name="article" value="c"`, `<strong dir="auto">desk</strong>`, `value="merge"`, `value="never"`,
		`desk &lt;b&gt;`, `known &amp; sure`, `Undo correction 2`, `, undone`, `The next grouping carries out`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if !strings.Contains(page, `name="referrer" content="same-origin"`) {
		t.Error("an old browser would hide the origin of the form")
	}
	if story := text(t, ask(h, "GET", "/story/"+string(storyID), nil)); !strings.Contains(story, `href="`+testEdit+`"`) {
		t.Error("the story's page does not lead to the editors'")
	}
	for _, not := range []string{"Undo correction 1", "javascript:", "<script"} {
		if strings.Contains(page, not) {
			t.Errorf("the page has %q", not)
		}
	}
}

func TestCorrect(t *testing.T) {
	h, c, _ := edited(t)
	_, seal := opened(t, h)
	r := say(h, url.Values{"form": {seal}, "kind": {"split"}, "article": {"a", "c"}, "other": {" x "}, "number": {"7"}, "reason": {"two\r\nevents\x00"}}, nil)
	if r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != testEdit+"#recorded" {
		t.Errorf("answer %d to %q", r.StatusCode, r.Header.Get("Location"))
	}
	want := []Correction{{Kind: CorrectSplit, Story: storyID, Articles: []string{"a", "c"}, Other: "x", Number: 7, Author: "desk", Reason: "two events"}}
	if d := cmp.Diff(want, c.told); d != "" {
		t.Errorf("told (-want +got):\n%s", d)
	}
}

// Whatever lacks one thing that shows an editor's own will is refused, and nothing is recorded.
func TestCorrectIsRefused(t *testing.T) {
	h, c, now := edited(t)
	_, seal := opened(t, h)
	set := func(key, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(key, value) }
	}
	from := func(site, origin string) func(*http.Request) {
		return func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", site)
			r.Header.Set("Origin", origin)
		}
	}
	for _, tt := range []struct {
		name   string
		form   string
		change func(*http.Request)
		after  time.Duration
		want   int
	}{
		{"without a token", seal, func(r *http.Request) { r.Header.Del("Authorization") }, 0, 401},
		{"with a wrong token", seal, func(r *http.Request) { r.SetBasicAuth("desk", secretToken+"x") }, 0, 401},
		{"with an empty token", seal, func(r *http.Request) { r.SetBasicAuth("desk", "") }, 0, 401},
		{"with the token as the name", seal, func(r *http.Request) { r.SetBasicAuth(secretToken, "") }, 0, 401},
		{"with another scheme", seal, set("Authorization", "Bearer "+secretToken), 0, 401},
		{"without the seal", "", nil, 0, 403},
		{"with a made-up seal", "9999999999.00", nil, 0, 403},
		{"with a seal that lives longer", strings.Replace(seal, seal[:10], "9999999999", 1), nil, 0, 403},
		{"with the seal of another editor", seal, func(r *http.Request) { r.SetBasicAuth("other", secretToken) }, 0, 403},
		{"with the seal of another story", seal, func(r *http.Request) { r.URL.Path = "/story/" + string(mergedID) + "/edit" }, 0, 403},
		{"too late", seal, nil, 2*time.Hour + time.Second, 403},
		{"from another site", seal, from("cross-site", "https://evil.example"), 0, 403},
		{"from another site of one domain", seal, from("same-site", "http://127.0.0.1:9090"), 0, 403},
		{"from a page without an origin", seal, from("cross-site", "null"), 0, 403},
		{"from another origin, by an old browser", seal, from("", "https://evil.example"), 0, 403},
		{"from nowhere, by an old browser", seal, from("", "null"), 0, 403},
		{"as JSON", seal, set("Content-Type", "application/json"), 0, 403},
		{"with the seal in the address", "", func(r *http.Request) { r.URL.RawQuery = "kind=merge&form=" + seal }, 0, 403},
		{"with another method", seal, func(r *http.Request) { r.Method = http.MethodPut }, 0, 405},
		{"by reading", seal, func(r *http.Request) { r.Method = http.MethodGet; r.URL.RawQuery = "kind=merge&form=" + seal }, 0, 200},
		{"for no story", seal, func(r *http.Request) { r.URL.Path = "/story/x/edit" }, 0, 405},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start := *now
			*now = start.Add(tt.after)
			r := say(h, url.Values{"form": {tt.form}, "kind": {"merge"}, "other": {"x"}}, tt.change)
			*now = start
			if r.StatusCode != tt.want || len(c.told) > 0 {
				t.Errorf("answer %d, want %d; recorded %v", r.StatusCode, tt.want, c.told)
			}
			if r.StatusCode == http.StatusUnauthorized && !strings.HasPrefix(r.Header.Get("WWW-Authenticate"), "Basic ") {
				t.Errorf("an editor is not asked for the token: %v", r.Header)
			}
		})
	}
	if r := say(h, url.Values{"form": {seal}, "kind": {"merge"}}, func(r *http.Request) { r.Header.Del("Sec-Fetch-Site") }); r.StatusCode != 303 || len(c.told) != 1 {
		t.Errorf("the same, lacking nothing: %d", r.StatusCode)
	}
}

func TestCorrectAnswers(t *testing.T) {
	huge := url.Values{"reason": {strings.Repeat("x", longestForm)}}
	for _, tt := range []struct {
		name, says string
		err        error
		form       url.Values
		want       int
	}{
		{"refused by the editor's desk", "Mark one &lt;report&gt;.", Refused("Mark one <report>."), nil, 422},
		{"broken inside", "Internal Server Error", errors.New("disk full of secrets"), nil, 500},
		{"longer than any form", "Bad Request", nil, huge, 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, c, _ := edited(t)
			_, seal := opened(t, h)
			c.err = tt.err
			if tt.form == nil {
				tt.form = url.Values{"kind": {"pin"}, "other": {"<echo>"}}
			}
			tt.form.Set("form", seal)
			r := say(h, tt.form, nil)
			body := text(t, r)
			if r.StatusCode != tt.want || !strings.Contains(body, tt.says) || strings.Contains(body, "echo") || strings.Contains(body, "secrets") {
				t.Errorf("answer %d, want %d with %q and without an echo:\n%s", r.StatusCode, tt.want, tt.says, body)
			}
		})
	}
}

// A site nobody edits has no such page: it cannot be told from a story that never was.
func TestNobodyEdits(t *testing.T) {
	h, _ := served(t)
	for _, method := range []string{"GET", "POST"} {
		r := ask(h, method, testEdit, map[string]string{"Authorization": "Basic Og=="})
		if want := map[string]int{"GET": 404, "POST": 405}[method]; r.StatusCode != want {
			t.Errorf("%s: %d, want %d", method, r.StatusCode, want)
		}
	}
	if story := text(t, ask(h, "GET", "/story/"+string(storyID), nil)); strings.Contains(story, "/edit") {
		t.Error("a story's page leads to a page that is not there")
	}
	o := testOptions(t.TempDir())
	o.Edit = &Edit{Editor: &clerk{}}
	h, err := Handler(o)
	if err != nil {
		t.Fatal(err)
	}
	if r := ask(h, "GET", testEdit, map[string]string{"Authorization": "Basic Og=="}); r.StatusCode != 401 {
		t.Errorf("an empty token lets everybody in: %d", r.StatusCode)
	}
}

func TestEditMergedAndMissing(t *testing.T) {
	h, c, _ := edited(t)
	get := func(id string) *http.Response {
		r := httptest.NewRequest(http.MethodGet, "/story/"+id+"/edit", nil)
		r.SetBasicAuth("", secretToken)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Result()
	}
	if r := get(string(mergedID)); r.StatusCode != 307 || r.Header.Get("Location") != testEdit {
		t.Errorf("merged story: %d to %q, want the survivor's page", r.StatusCode, r.Header.Get("Location"))
	}
	if r := get("00000000-0000-0000-0000-000000000000"); r.StatusCode != 404 {
		t.Errorf("no story: %d", r.StatusCode)
	}
	if r := get("ffffffff-ffff-ffff-ffff-ffffffffffff"); r.StatusCode != 500 {
		t.Errorf("broken store: %d", r.StatusCode)
	}
	if r := get(string(storyID)); !strings.Contains(text(t, r), ">editor<") {
		t.Error("who gives no name is not called editor")
	}
	c.listErr = errors.New("disk full")
	if r := get(string(storyID)); r.StatusCode != 500 {
		t.Errorf("corrections cannot be read: %d", r.StatusCode)
	}
}

// FuzzSealed: only what seal made is sealed, whatever else comes in, and never for another name.
func FuzzSealed(f *testing.F) {
	e := &Edit{Token: secretToken, Now: func() time.Time { return time.Unix(1_800_000_000, 0) }}
	f.Add(e.seal("s", "a"), "s", "a")
	f.Add("", "", "")
	f.Add("-1.", "s", "a")
	f.Fuzz(func(t *testing.T, value, story, author string) {
		if e.sealed(value, story, author) && value != e.seal(story, author) {
			t.Errorf("%q is sealed for %q by %q", value, story, author)
		}
		if !e.sealed(e.seal(story, author), story, author) || e.sealed(e.seal(story, author), story, author+"x") {
			t.Errorf("the seal for %q by %q does not hold, or holds for another", story, author)
		}
	})
}

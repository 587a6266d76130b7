package web

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"sheaf/output"
)

// album has the picture of Alpha.
type album struct{}

func (album) Name(home string) string {
	if home == "https://alpha.example/" {
		return "alpha.example.png"
	}
	return ""
}

func (album) Picture(name string) ([]byte, time.Time, error) {
	if name != "alpha.example.png" {
		return nil, time.Time{}, fmt.Errorf("picture: %w", fs.ErrNotExist)
	}
	return []byte("\x89PNG"), time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), nil
}

func TestIcons(t *testing.T) {
	o := testOptions(t.TempDir())
	o.Icons = album{}
	s := testStory()
	s.Members[0].Outlet.URL = "https://alpha.example/"
	o.Stories.(*shelf).stories[0] = s
	h, err := Handler(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/story/" + string(storyID), "/?window=all"} {
		if page := text(t, ask(h, "GET", path, nil)); !strings.Contains(page, `<img class="icon" src="/icon/alpha.example.png" width="16" height="16" alt=""`) {
			t.Errorf("%s shows no picture", path)
		}
	}
	if page := text(t, ask(h, "GET", "/story/"+string(storyID), nil)); !strings.Contains(page, `<span class="icon" aria-hidden="true">B</span>`) {
		t.Error("an outlet without a picture has no initials")
	}
	r := ask(h, "GET", "/icon/alpha.example.png", nil)
	if r.StatusCode != 200 || r.Header.Get("Content-Type") != "image/png" || r.Header.Get("Cache-Control") != "public, max-age=604800" || r.Header.Get("ETag") == "" {
		t.Errorf("picture: %d %v", r.StatusCode, r.Header)
	}
	if !strings.Contains(r.Header.Get("Content-Security-Policy"), "sandbox") {
		t.Error("a picture opened by itself is not in a sandbox")
	}
	for _, path := range []string{"/icon/", "/icon/beta.example.png", "/icon/../style.css"} {
		if r := ask(h, "GET", path, nil); r.StatusCode != 404 {
			t.Errorf("%s: %d, want 404", path, r.StatusCode)
		}
	}
}

func TestInitials(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"Alpha", "A"}, {"Beta & Sons", "BS"}, {"The Halden Courier", "TC"}, {"朝日新聞", "朝"}, {"école du sud", "ÉS"}, {"24/7 news", "2N"}, {"<b>", "B"}, {"…", ""}, {"", ""},
	} {
		if got := (&frame{}).Icon(output.Report{Outlet: tt.name}); got.Initials != tt.want || got.Address != "" {
			t.Errorf("initials of %q = %q, want %q", tt.name, got.Initials, tt.want)
		}
	}
}

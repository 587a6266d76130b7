package app

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// outletHost is an outlet's host; it counts what is asked of it.
type outletHost struct {
	asked []string
	again int // how often the picture redirects to itself
	body  []byte
}

func (o *outletHost) RoundTrip(r *http.Request) (*http.Response, error) {
	o.asked = append(o.asked, r.Host+r.URL.Path+" "+r.Referer())
	w := httptest.NewRecorder()
	if o.again > 0 {
		o.again--
		http.Redirect(w, r, "/icon"+strings.Repeat("x", o.again)+".png", http.StatusFound)
	} else {
		w.Write(o.body)
	}
	answer := w.Result()
	answer.Request = r
	return answer, nil
}

func pictures(t *testing.T, o *outletHost, now *time.Time) *icons {
	t.Helper()
	i, err := openIcons(t.TempDir(), o, "sheaf/test", func() time.Time { return *now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	})
	return i
}

func TestIcons(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 64, 64))); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	o := &outletHost{body: picture.Bytes(), again: 2}
	i := pictures(t, o, &now)
	homes := []string{"https://Alpha.example/", "https://alpha.example/news/", "", "file:///etc/passwd", "https://../x", "https://[::1]/"}
	refresh := func(want int) {
		t.Helper()
		before := len(o.asked)
		if err := i.refresh(t.Context(), homes); err != nil {
			t.Fatal(err)
		}
		if got := len(o.asked) - before; got != want {
			t.Errorf("%d requests, want %d: %q", got, want, o.asked[before:])
		}
	}
	refresh(3) // two redirects and the picture
	refresh(0)
	if o.asked[0] != "Alpha.example/favicon.ico " || strings.Contains(o.asked[1]+o.asked[2], "https://") {
		t.Errorf("asked %q, want the usual place first and no referrer", o.asked)
	}
	if name := i.Name("https://www.alpha.example/"); name != "" {
		t.Errorf("another host has the picture %q", name)
	}
	data, came, err := i.Picture(i.Name("https://alpha.example/a/b?c"))
	if c, decodeErr := png.DecodeConfig(bytes.NewReader(data)); err != nil || decodeErr != nil || c.Width != 32 || !came.Equal(now) {
		t.Errorf("picture of %d pixels, %v, %v, came %v", c.Width, err, decodeErr, came)
	}
	now = now.Add(iconsAge - time.Second)
	refresh(0)
	now = now.Add(2 * time.Second)
	o.body = []byte("<svg/>") // the host has none any more: what we have stays
	refresh(1)
	refresh(0)
	if i.Name("https://alpha.example/") == "" {
		t.Error("a picture went though no other came")
	}
}

func TestIconsAskFew(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	o := &outletHost{body: []byte("no picture")}
	i := pictures(t, o, &now)
	var homes []string
	for _, name := range strings.Fields("a b c d e f g") {
		homes = append(homes, "http://"+name+".example:8080/")
	}
	for _, want := range []int{iconsARound, len(homes), len(homes)} {
		if err := i.refresh(t.Context(), homes); err != nil {
			t.Fatal(err)
		}
		if len(o.asked) != want {
			t.Errorf("%d hosts asked, want %d", len(o.asked), want)
		}
	}
	o.again = 100
	now = now.Add(2 * iconsAge)
	before := len(o.asked)
	if err := i.refresh(t.Context(), homes[:1]); err != nil || len(o.asked)-before > iconHops+2 {
		t.Errorf("%d requests in a circle, %v", len(o.asked)-before, err)
	}
	if i.Name(homes[0]) != "" {
		t.Error("a host without a picture has one")
	}
}

// Names come from addresses that readers send.
func TestPictureNames(t *testing.T) {
	now := time.Now()
	i := pictures(t, &outletHost{}, &now)
	secret := filepath.Join(i.root.Name(), "..", "secret.png")
	if err := os.WriteFile(secret, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", ".png", "../secret.png", "..%2fsecret.png", "alpha.example", "alpha.example.none", "new.part", "a/b.png", "\x00.png"} {
		if data, _, err := i.Picture(name); err == nil {
			t.Errorf("Picture(%q) gave %d bytes", name, len(data))
		}
	}
}

// What is fetched goes the guarded way: a host on this machine is not asked.
func TestIconsAreGuarded(t *testing.T) {
	asked := false
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer server.Close()
	a := open(t, settings(t, ""), Options{})
	if err := a.icons.refresh(t.Context(), []string{server.URL, "http://localhost/"}); err != nil {
		t.Fatal(err)
	}
	if asked {
		t.Error("a private host was asked for a picture")
	}
}

package feeds

import (
	"strings"
	"testing"
	"time"

	"sheaf"
	"sheaf/feeds/mallory"
)

// waivers gives one waiver to the feed at an address.
func waivers(address string, w Waiver) map[sheaf.FeedID]Waiver {
	return map[sheaf.FeedID]Waiver{sheaf.NewFeedID(address): w}
}

// B37: a certificate is waived for one feed and at its own host alone.
func TestWaivedCertificate(t *testing.T) {
	const own, other = "https://own.example/feed", "https://other.example/feed"
	for _, tt := range []struct {
		name   string
		feed   string
		waived string // feed with the waiver
		kind   mallory.Certificate
		moved  bool // the feed's host redirects to the other
		code   FetchCode
	}{
		{"self-signed", own, own, mallory.SelfSigned, false, ""},
		{"expired", own, own, mallory.Expired, false, ""},
		{"wrong host", own, own, mallory.WrongHost, false, ""},
		{"TLS 1.0 all the same", own, own, mallory.OldTLS, false, FetchTLS},
		{"another feed", own, other, mallory.SelfSigned, false, FetchTLS},
		{"where it redirects to", own, own, mallory.SelfSigned, true, FetchTLS},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{Waivers: waivers(tt.waived, Waiver{Certificate: true})}
			inWorld(t, o, []string{tt.feed}, func(w *world) {
				w.m.TLS("own.example", tt.kind)
				w.m.TLS("other.example", tt.kind)
				w.m.On(own, ok([]string{"one"}))
				w.m.On(other, ok([]string{"one"}))
				if tt.moved {
					w.m.On(own, status(302, "Location: "+other))
				}
				got := w.one()
				if tt.code != "" {
					fails(w.t, got, tt.code)
				} else if got.Err != nil {
					w.t.Error(got.Err)
				}
				if want := tt.feed == tt.waived; w.state().Waived != want {
					w.t.Errorf("waived = %v, want %v", w.state().Waived, want)
				}
			})
		})
	}
}

// A connection that nobody has checked serves no feed that wants to be sure.
func TestWaivedConnectionsAreNotShared(t *testing.T) {
	const careless, careful = "https://own.example/careless", "https://own.example/careful"
	inWorld(t, Options{Waivers: waivers(careless, Waiver{Certificate: true})}, []string{careless, careful}, func(w *world) {
		w.m.TLS("own.example", mallory.SelfSigned)
		w.m.On(careless, ok([]string{"one"}))
		o := w.poll()
		if o[careless].Err != nil {
			w.t.Error(o[careless].Err)
		}
		fails(w.t, o[careful], FetchTLS)
	})
}

// B6, B25: a redirect from https to http is followed where the operator says so, carries no log-in, and is never stored.
func TestWaivedDowngrade(t *testing.T) {
	const secure = "https://news.alpha.example/feed"
	o := Options{
		Waivers:       waivers(secure, Waiver{Downgrade: true}),
		Authorization: map[sheaf.FeedID]string{sheaf.NewFeedID(secure): "Bearer s3cret"},
	}
	inWorld(t, o, []string{secure}, func(w *world) {
		w.m.On(secure, status(301, "Location: "+alpha))
		w.m.On(alpha, ok([]string{"one"}))
		for began := time.Now(); time.Since(began) < 5*day; {
			if o := w.again(); o.Err != nil {
				w.t.Fatal(o.Err)
			}
		}
		if w.state().Moved != (Moved{}) {
			w.t.Errorf("moved = %+v, want nothing stored", w.state().Moved)
		}
		if got := w.m.Requests(alpha)[0].Header.Get("Authorization"); got != "" {
			w.t.Errorf("the log-in was sent in the open: %q", got)
		}
		found := Health(w.state(), time.Now())
		if found[0].Condition != ConditionWaived || !strings.Contains(found[0].Advice, "insecure_redirect") {
			w.t.Errorf("health = %+v, want a word on what is waived", found)
		}
	})
	inWorld(t, Options{Waivers: waivers(secure, Waiver{Certificate: true})}, []string{secure}, func(w *world) {
		w.m.On(secure, status(301, "Location: "+alpha))
		if fe := fails(w.t, w.one(), FetchRedirect); !strings.Contains(fe.Advice, "insecure_redirect: true") {
			w.t.Errorf("advice = %q", fe.Advice)
		}
	})
}

func TestDowngraded(t *testing.T) {
	for _, tt := range []struct {
		name  string
		asked string
		to    []string
		want  bool
	}{
		{"none", "https://a.example/", nil, false},
		{"up", "http://a.example/", []string{"https://a.example/"}, false},
		{"down", "https://a.example/", []string{"http://a.example/"}, true},
		{"down on the way", "http://a.example/", []string{"https://a.example/", "http://b.example/", "https://b.example/"}, true},
		{"all the way https", "https://a.example/", []string{"https://b.example/", "https://c.example/"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var hops []hop
			for _, to := range tt.to {
				hops = append(hops, hop{301, to})
			}
			if got := downgraded(tt.asked, hops); got != tt.want {
				t.Errorf("downgraded = %v, want %v", got, tt.want)
			}
		})
	}
}

package mallory

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
)

// Hub is a WebSub hub at an address of the server. It answers 202 until told otherwise, and calls back only when the test says so, so
// that every order of events can be had.
type Hub struct {
	s       *Server
	address string
}

// Hub scripts an address as a hub.
func (s *Server) Hub(address string) *Hub {
	s.On(address, Answer{Status: http.StatusAccepted})
	return &Hub{s, address}
}

// Answers scripts what the hub says to the next requests, the last again and again.
func (h *Hub) Answers(answers ...Answer) { h.s.On(h.address, answers...) }

// Asked returns the forms of the requests so far.
func (h *Hub) Asked() []url.Values {
	var forms []url.Values
	for _, r := range h.s.Requests(h.address) {
		form, err := url.ParseQuery(r.Body)
		if err != nil {
			h.s.t.Errorf("mallory: the hub was sent no form: %q", r.Body)
		}
		forms = append(forms, form)
	}
	return forms
}

// Last is the form of the last request; the test fails if there was none.
func (h *Hub) Last() url.Values {
	forms := h.Asked()
	if len(forms) == 0 {
		h.s.t.Fatal("mallory: the hub was not asked")
	}
	return forms[len(forms)-1]
}

// Verify asks the callback of a form whether it was meant, as a hub does, with changes to what it says. It returns status and body.
func (h *Hub) Verify(subscriber http.Handler, form url.Values, changes url.Values) (status int, body string) {
	q := url.Values{
		"hub.mode": {"subscribe"}, "hub.topic": form["hub.topic"], "hub.lease_seconds": form["hub.lease_seconds"], "hub.challenge": {"mallory's challenge"},
	}
	for name, values := range changes {
		q[name] = values
	}
	return call(subscriber, httptest.NewRequest("GET", form.Get("hub.callback")+"?"+q.Encode(), nil))
}

// Announce posts a body to the callback of a form with a signature, if that is not empty, and returns the status.
func (h *Hub) Announce(subscriber http.Handler, form url.Values, body, signature string) int {
	r := httptest.NewRequest("POST", form.Get("hub.callback"), strings.NewReader(body))
	if signature != "" {
		r.Header.Set("X-Hub-Signature", signature)
	}
	status, _ := call(subscriber, r)
	return status
}

func call(subscriber http.Handler, r *http.Request) (status int, body string) {
	w := httptest.NewRecorder()
	subscriber.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// Sign makes the signature of a body as a hub does, with sha1, sha256, sha384 or sha512.
func Sign(method, secret, body string) string {
	made := map[string]func() hash.Hash{"sha1": sha1.New, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New}[method]
	mac := hmac.New(made, []byte(secret))
	mac.Write([]byte(body))
	return method + "=" + hex.EncodeToString(mac.Sum(nil))
}

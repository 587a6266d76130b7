package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// body is a representation held in memory, with its validators. It does not change.
type body struct {
	data     []byte
	media    string // content type, unless the answer has one already
	etag     string // strong, quoted: hash of data
	twinTag  string // of the compressed form
	modified string // Last-Modified; empty: none
	time     time.Time
	twin     func() []byte // the compressed form, made once; nil if it would not be smaller
}

func newBody(data []byte, media string, modified time.Time) *body {
	sum := sha256.Sum256(data)
	tag := hex.EncodeToString(sum[:16])
	b := &body{data: data, media: media, etag: `"` + tag + `"`, twinTag: `"` + tag + `-gz"`, time: modified.Truncate(time.Second)}
	if !modified.IsZero() {
		b.modified = modified.UTC().Format(http.TimeFormat)
	}
	b.twin = sync.OnceValue(func() []byte { return compressed(data) })
	return b
}

func compressed(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(data)
	if err != nil || z.Close() != nil || b.Len() >= len(data) {
		return nil
	}
	return b.Bytes()
}

// serve answers a GET or HEAD with the body, or with 304 if the client has it.
func (b *body) serve(w http.ResponseWriter, r *http.Request, maxAge time.Duration) {
	data, etag, encoding := b.data, b.etag, ""
	if acceptsGzip(r.Header.Get("Accept-Encoding")) {
		if twin := b.twin(); twin != nil {
			data, etag, encoding = twin, b.twinTag, "gzip"
		}
	}
	h := w.Header()
	h["Cache-Control"] = []string{"public, max-age=" + strconv.Itoa(int(maxAge/time.Second))}
	h["Vary"] = []string{"Accept, Accept-Encoding"}
	h["Etag"] = []string{etag}
	if b.modified != "" {
		h["Last-Modified"] = []string{b.modified}
	}
	if b.fresh(r.Header) {
		h.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", b.media)
	}
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	h.Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		w.Write(data) // an error means the client has left
	}
}

// fresh says that the client has the body already, in either form (RFC 9110, section 13.1): by its tags if it names any, else by time.
func (b *body) fresh(h http.Header) bool {
	if tags := h.Values("If-None-Match"); len(tags) > 0 {
		for tag := range strings.SplitSeq(strings.Join(tags, ","), ",") {
			tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
			if tag == b.etag || tag == b.twinTag || tag == "*" {
				return true
			}
		}
		return false
	}
	since, err := http.ParseTime(h.Get("If-Modified-Since"))
	return err == nil && b.modified != "" && !b.time.After(since)
}

// acceptsGzip reads an Accept-Encoding header: gzip or anything, and not with a weight of nothing.
func acceptsGzip(header string) bool {
	accepted := false
	for coding := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(coding, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name != "gzip" && name != "*" {
			continue
		}
		weight, ok := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(params), " ", ""), "q=")
		q, err := strconv.ParseFloat(weight, 64)
		wanted := !ok || err == nil && q > 0
		if name == "gzip" {
			return wanted
		}
		accepted = wanted
	}
	return accepted
}

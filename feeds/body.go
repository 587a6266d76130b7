package feeds

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// The limits of B39 that are not options.
const (
	maxRatio   = 200     // unpacked to packed bytes, checked once freely is reached
	freelyOpen = 1 << 20 // unpacked bytes that may be reached at any ratio
)

// body is the content of one answer.
type body struct {
	bytes  []byte // unpacked; nil if packed is the known hash
	packed string // hash of the bytes on the wire; empty if they were not packed
	same   bool   // the bytes on the wire are those of the last time
}

// readBody reads and unpacks an answer of at most limit bytes, half of that packed. known is the hash of packed bytes seen last time:
// when they are the same, nothing is unpacked.
func readBody(resp *http.Response, limit int64, known string) (body, error) {
	packing, err := contentEncoding(resp.Header)
	if err != nil {
		return body{}, err
	}
	if packing == "" {
		raw, err := readAll(resp.Body, resp.ContentLength, limit)
		return body{bytes: raw}, err
	}
	raw, err := readAll(resp.Body, resp.ContentLength, limit/2)
	if err != nil {
		return body{}, err
	}
	b := body{packed: hashOf(raw)}
	if b.packed == known {
		b.same = true
		return b, nil
	}
	b.bytes, err = unpack(raw, limit)
	return b, err
}

// contentEncoding is "gzip" or empty. Anything else, and more than one encoding, is an error: we asked for gzip alone.
func contentEncoding(h http.Header) (string, error) {
	switch value := strings.ToLower(strings.TrimSpace(strings.Join(h.Values("Content-Encoding"), ","))); value {
	case "", "identity":
		return "", nil
	case "gzip", "x-gzip":
		return "gzip", nil
	default:
		return "", encodingError(fmt.Errorf("content encoding %.40q was not asked for", value))
	}
}

// readAll reads at most limit bytes. expected is the announced length, or -1.
func readAll(r io.Reader, expected, limit int64) ([]byte, error) {
	if expected > limit {
		return nil, sizeError(limit)
	}
	var b bytes.Buffer
	if expected > 0 {
		b.Grow(int(expected) + bytes.MinRead)
	}
	n, err := b.ReadFrom(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, sizeError(limit)
	}
	return b.Bytes(), nil
}

// unpack undoes gzip, with a bound on size and on ratio. Several members in a row are one body; a second layer of gzip is refused.
func unpack(packed []byte, limit int64) ([]byte, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, encodingError(fmt.Errorf("the body is not gzip, as its header says: %w", err))
	}
	bound := min(limit, max(freelyOpen, maxRatio*int64(len(packed))))
	raw, err := readAll(z, -1, bound)
	switch {
	case errors.As(err, new(*FetchError)):
		if bound < limit {
			return nil, encodingError(fmt.Errorf("%d packed bytes hold over %d bytes: a decompression bomb", len(packed), bound))
		}
		return nil, err
	case err != nil:
		return nil, encodingError(fmt.Errorf("the packed body is damaged: %w", err))
	case bytes.HasPrefix(raw, []byte{0x1f, 0x8b}):
		return nil, encodingError(errors.New("the body is packed twice"))
	}
	return raw, nil
}

func encodingError(cause error) *FetchError {
	return &FetchError{Code: FetchEncoding, Err: cause}
}

func sizeError(limit int64) *FetchError {
	return &FetchError{Code: FetchTooLarge, Err: fmt.Errorf("the body is larger than %d bytes", limit)}
}

// hashOf is the SHA-256 of b in unpadded base64.
func hashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return base64.RawStdEncoding.EncodeToString(sum[:])
}

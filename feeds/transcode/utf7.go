package transcode

import (
	"encoding/base64"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// utf7 decodes UTF-7 (RFC 2152); it does not encode.
type utf7 struct{}

// NewDecoder returns a decoder that takes its input whole.
func (utf7) NewDecoder() *encoding.Decoder {
	return &encoding.Decoder{Transformer: &utf7Decoder{}}
}

// NewEncoder returns nil: nothing is ever written in UTF-7.
func (utf7) NewEncoder() *encoding.Encoder { return nil }

type utf7Decoder struct{ transform.NopResetter }

// Transform decodes one plain character or one whole shifted run at a time.
func (*utf7Decoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		piece, size := []byte(nil), 1
		if src[nSrc] == '+' {
			end := nSrc + 1
			for end < len(src) && isBase64(src[end]) {
				end++
			}
			if end == len(src) && !atEOF {
				return nDst, nSrc, transform.ErrShortSrc
			}
			piece = shifted(src[nSrc+1 : end])
			if end < len(src) && src[end] == '-' {
				end++
			}
			size = end - nSrc
		} else {
			piece = src[nSrc : nSrc+1]
		}
		if nDst+len(piece) > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += copy(dst[nDst:], piece)
		nSrc += size
	}
	return nDst, nSrc, nil
}

// shifted decodes the base64 between "+" and its end; nothing at all means a plus sign.
func shifted(run []byte) []byte {
	if len(run) == 0 {
		return []byte("+")
	}
	raw := make([]byte, base64.RawStdEncoding.DecodedLen(len(run)))
	n, err := base64.RawStdEncoding.Decode(raw, run)
	if err != nil {
		return []byte("\uFFFD")
	}
	units := make([]uint16, 0, n/2)
	for i := 0; i+1 < n; i += 2 {
		units = append(units, uint16(raw[i])<<8|uint16(raw[i+1]))
	}
	var out []byte
	for _, r := range utf16.Decode(units) {
		out = utf8.AppendRune(out, r)
	}
	return out
}

func isBase64(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/'
}

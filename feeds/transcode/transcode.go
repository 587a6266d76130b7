// Package transcode decides the charset of a feed document, makes UTF-8 of it, and takes out what XML forbids.
//
// Declarations lie more often than bytes do: a document that is valid UTF-8 and not plain ASCII is UTF-8 whatever it says, a declared
// charset counts only if the bytes decode under it, and a few stray bytes in UTF-8 are read as windows-1252. What later steps get is
// valid UTF-8 of XML characters only, without a byte order mark and without an XML declaration, whose encoding would no longer hold.
package transcode

import (
	"bytes"
	"errors"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/net/html/charset"
)

// ErrTooLarge means that the decoded text is larger than any document we read.
var ErrTooLarge = errors.New("text too large after decoding")

// maxText bounds the decoded text, in bytes: twice the largest document that is ever read.
const maxText = 32 << 20

// Result is a document as UTF-8.
type Result struct {
	Text     []byte         // may share memory with the input
	Encoding string         // charset believed, lower case; "utf-8+windows-1252" if stray bytes were mended
	Notes    map[string]int // what was odd, by code; nil if nothing was
}

// Decode makes UTF-8 of body, using contentType, the header field as received, where the bytes do not speak for themselves. It fails
// only with ErrTooLarge.
func Decode(body []byte, contentType string) (Result, error) {
	r := Result{}
	text, stripped := Strip(r.decode(body, contentType))
	if len(text) > maxText {
		return Result{}, ErrTooLarge
	}
	if stripped > 0 {
		r.note("control_chars", stripped)
	}
	r.Text = dropDeclaration(text)
	return r, nil
}

func (r *Result) note(code string, n int) {
	if r.Notes == nil {
		r.Notes = make(map[string]int)
	}
	r.Notes[code] += n
}

// decode sets Encoding and returns valid UTF-8.
func (r *Result) decode(body []byte, contentType string) []byte {
	body, label, text := wide(body)
	if text != nil {
		r.Encoding = label
		return text
	}
	declared := []string{headerCharset(contentType), declaredCharset(body)}
	if isASCII(body) {
		return r.decodeASCII(body, declared)
	}
	if utf8.Valid(body) {
		for _, name := range declared {
			if name != "" && !isUTF8(name) {
				r.note("charset_contradiction", 1)
				break
			}
		}
		r.Encoding = "utf-8"
		return body
	}
	for _, name := range declared {
		if isUnicode(name) {
			continue
		}
		if text, ok := decodeAs(body, name); ok {
			r.Encoding = labelOf(name)
			return text
		}
	}
	return r.guess(body)
}

// decodeASCII handles documents of seven-bit bytes: only escape-sequence charsets can hide anything in them.
func (r *Result) decodeASCII(body []byte, declared []string) []byte {
	r.Encoding = "utf-8"
	for _, name := range declared {
		if strings.HasPrefix(name, "iso-2022-") || name == "hz-gb-2312" || name == "utf-7" {
			if text, ok := decodeAs(body, name); ok {
				r.Encoding = name
				return text
			}
		}
	}
	for _, name := range declared {
		if lookup(name) != nil || name == "us-ascii" || isUTF8(name) {
			r.Encoding = labelOf(name)
			break
		}
	}
	return body
}

// guess reads bytes that neither are UTF-8 nor are declared as anything they decode under.
func (r *Result) guess(body []byte) []byte {
	head := body[:min(len(body), 1024)]
	if enc, name, _ := charset.DetermineEncoding(head, ""); bytes.Contains(bytes.ToLower(head), []byte("<meta")) && name != "utf-8" {
		if text, err := enc.NewDecoder().Bytes(body); err == nil && !bytes.ContainsRune(text, utf8.RuneError) {
			r.Encoding = name
			return text
		}
	}
	if bad, good := damage(body); good > 0 && bad*4 <= good {
		r.note("stray_bytes", bad)
		r.Encoding = "utf-8+windows-1252"
		return mend(body)
	}
	if best, err := chardet.NewTextDetector().DetectBest(textSample(body)); err == nil && best.Confidence >= 40 {
		name := onWindows(strings.ToLower(best.Charset))
		if text, ok := decodeAs(body, name); ok {
			r.note("charset_guessed", 1)
			r.Encoding = labelOf(name)
			return text
		}
	}
	r.note("charset_fallback", 1)
	r.Encoding = "windows-1252"
	return mend(body)
}

// headerCharset reads the charset of a Content-Type field, however it is written.
func headerCharset(contentType string) string {
	if _, params, err := mime.ParseMediaType(contentType); err == nil {
		return normalName(params["charset"])
	}
	_, rest, ok := cutFold(contentType, "charset=")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, ";, "); i >= 0 {
		rest = rest[:i]
	}
	return normalName(rest)
}

// declaredCharset reads the encoding of the XML declaration, which may come after blank lines.
func declaredCharset(body []byte) string {
	head := bytes.TrimLeft(body[:min(len(body), 1024)], " \t\r\n")
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	if end := bytes.IndexByte(head, '>'); end >= 0 {
		head = head[:end]
	}
	_, rest, ok := bytes.Cut(head, []byte("encoding"))
	if !ok {
		return ""
	}
	rest = bytes.TrimLeft(rest, " \t\r\n")
	if len(rest) == 0 || rest[0] != '=' {
		return ""
	}
	rest = bytes.TrimLeft(rest[1:], " \t\r\n")
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	name, _, ok := bytes.Cut(rest[1:], rest[:1])
	if !ok {
		return ""
	}
	return normalName(string(name))
}

func cutFold(s, sep string) (before, after string, ok bool) {
	i := strings.Index(strings.ToLower(s), sep)
	if i < 0 || i+len(sep) > len(s) {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

func dropDeclaration(text []byte) []byte {
	trimmed := bytes.TrimLeft(text, " \t\r\n")
	if !bytes.HasPrefix(trimmed, []byte("<?xml")) {
		return text
	}
	end := bytes.Index(trimmed, []byte("?>"))
	if next := bytes.IndexByte(trimmed[1:], '<'); end < 0 || next >= 0 && next < end {
		return text // never closed: repair finds its end
	}
	return trimmed[end+2:]
}

// textSample is the start of the text outside tags, of which only the words that are not ASCII: names and markup in Latin letters would
// dilute the statistics.
func textSample(body []byte) []byte {
	const size = 64 << 10
	sample := make([]byte, 0, min(len(body), size))
	for len(body) > 0 && len(sample) < size {
		text := body
		if i := bytes.IndexByte(body, '<'); i >= 0 {
			text = body[:i]
		}
		for word := range bytes.FieldsSeq(text) {
			if !isASCII(word) {
				sample = append(append(sample, word...), ' ')
			}
		}
		body = body[len(text):]
		if i := bytes.IndexByte(body, '>'); i >= 0 {
			body = body[i+1:]
		} else {
			body = nil
		}
	}
	return sample
}

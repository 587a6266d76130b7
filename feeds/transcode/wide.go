package transcode

import (
	"bytes"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// wide recognizes what the first bytes give away: byte order marks, the zero pattern of UTF-16 and UTF-32, and EBCDIC. It returns the
// decoded text with the name of its charset, or a nil text and the bytes that remain to be judged, without a UTF-8 mark.
func wide(body []byte) (rest []byte, name string, text []byte) {
	if trimmed := bytes.TrimLeft(body, " \t\r\n"); len(trimmed) < len(body) && startsWithMark(trimmed) {
		body = trimmed
	}
	name, enc, skip := sniff(body)
	if enc == nil {
		return body[skip:], "", nil
	}
	text, err := enc.NewDecoder().Bytes(body[skip:])
	if err != nil || len(text) == 0 {
		return body, "", nil
	}
	return nil, name, text
}

func startsWithMark(b []byte) bool {
	_, _, skip := sniff(b)
	return skip > 0
}

func sniff(b []byte) (name string, enc encoding.Encoding, skip int) {
	has := func(prefix string) bool { return bytes.HasPrefix(b, []byte(prefix)) }
	utf16 := func(e unicode.Endianness) encoding.Encoding { return unicode.UTF16(e, unicode.IgnoreBOM) }
	utf32 := func(e utf32.Endianness) encoding.Encoding { return utf32.UTF32(e, utf32.IgnoreBOM) }
	switch {
	case has("\x00\x00\xfe\xff"):
		return "utf-32be", utf32(bigEndian32), 4
	case has("\xff\xfe\x00\x00"):
		return "utf-32le", utf32(littleEndian32), 4
	case has("\xef\xbb\xbf"):
		return "utf-8", nil, 3
	case has("\xfe\xff"):
		return "utf-16be", utf16(unicode.BigEndian), 2
	case has("\xff\xfe"):
		return "utf-16le", utf16(unicode.LittleEndian), 2
	case has("\x4c\x6f\xa7\x94"): // "<?xm" in EBCDIC
		return sniffEBCDIC(b)
	case len(b) < 4:
		return "", nil, 0
	}
	var zeros [4]bool
	for i := range zeros {
		zeros[i] = b[i] == 0
	}
	switch zeros {
	case [4]bool{true, true, true, false}:
		return "utf-32be", utf32(bigEndian32), 0
	case [4]bool{false, true, true, true}:
		return "utf-32le", utf32(littleEndian32), 0
	case [4]bool{true, false, true, false}:
		return "utf-16be", utf16(unicode.BigEndian), 0
	case [4]bool{false, true, false, true}:
		return "utf-16le", utf16(unicode.LittleEndian), 0
	}
	return "", nil, 0
}

const (
	bigEndian32    = utf32.BigEndian
	littleEndian32 = utf32.LittleEndian
)

// sniffEBCDIC reads the declaration by the letters all EBCDIC code pages share, then decodes by the page it names, or by 037.
func sniffEBCDIC(b []byte) (string, encoding.Encoding, int) {
	head, err := charmap.CodePage037.NewDecoder().Bytes(b[:min(len(b), 256)])
	if err != nil {
		return "", nil, 0
	}
	name := declaredCharset(head)
	if enc, ok := lookup(name).(*charmap.Charmap); ok && enc.DecodeByte(0x4c) == '<' {
		return name, enc, 0
	}
	return "cp037", charmap.CodePage037, 0
}

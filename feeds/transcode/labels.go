package transcode

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// aliases turns spellings no registry knows into ones it does. Applied to lower-case names.
var aliases = strings.NewReplacer(
	"cp-", "cp", "win-", "windows-", "windows_", "windows-", "utf8mb4", "utf-8", "iso_8859_", "iso-8859-", "iso8859_", "iso-8859-",
	"latin-1", "latin1", "shift-jis", "shift_jis", "sjis-win", "shift_jis", "eucjp-win", "euc-jp", "koi8r", "koi8-r",
)

func normalName(s string) string { return strings.ToLower(strings.Trim(s, "\"' \t\r\n")) }

func isUTF8(name string) bool {
	switch name {
	case "utf-8", "utf8", "utf_8", "utf8mb4", "unicode", "unicode-1-1-utf-8":
		return true
	}
	return false
}

// isUnicode tells the names that mean nothing for bytes that are no Unicode encoding: empty, any UTF, and ASCII.
func isUnicode(name string) bool {
	return name == "" || isUTF8(name) || strings.HasPrefix(name, "utf-16") || strings.HasPrefix(name, "utf-32") ||
		strings.HasPrefix(name, "utf16") || strings.HasPrefix(name, "utf32") || name == "us-ascii" || name == "ascii"
}

// lookup finds the encoding of a name as declared; nil if there is none. The GB family is read as GB18030, which holds it whole.
func lookup(name string) encoding.Encoding {
	if name == "" || isUnicode(name) {
		return nil
	}
	switch strings.ReplaceAll(name, "_", "-") {
	case "cp037", "ibm037", "csibm037", "ebcdic-cp-us", "ebcdic-cp-ca", "ebcdic-cp-wt", "ebcdic-cp-nl":
		return charmap.CodePage037
	case "cp1140", "ibm1140", "ibm01140":
		return charmap.CodePage1140
	}
	name = aliases.Replace(name)
	switch {
	case isGB(name):
		return simplifiedchinese.GB18030
	case name == "hz-gb-2312":
		return simplifiedchinese.HZGB2312
	case name == "utf-7":
		return utf7{}
	}

	if enc, canonical := charset.Lookup(name); enc != nil && canonical != "replacement" {
		return enc
	}
	if strings.HasPrefix(name, "cp") {
		name = "ibm" + name[2:]
	}
	enc, err := ianaindex.IANA.Encoding(name)
	if err != nil {
		return nil
	}
	return enc
}

func isGB(name string) bool {
	switch name {
	case "gb2312", "gbk", "gb18030", "gb-2312", "gb_2312-80", "gb-18030", "x-gbk", "euc-cn", "cp936", "windows-936", "chinese":
		return true
	}
	return false
}

// labelOf is the name reported for a declared one that was believed.
func labelOf(name string) string {
	if isGB(aliases.Replace(name)) {
		return "gb18030"
	}
	if isUTF8(name) {
		return "utf-8"
	}
	return name
}

// decodeAs decodes body by the named charset. It reports false for unknown names and for text with more than one replacement
// character in 2,000 bytes.
func decodeAs(body []byte, name string) ([]byte, bool) {
	enc := lookup(name)
	if enc == nil {
		return nil, false
	}
	text, err := enc.NewDecoder().Bytes(body)
	if err != nil || len(text) > maxText {
		return nil, false
	}
	if bad := bytes.Count(text, []byte("\uFFFD")); bad > 0 && bad > len(text)/2000 {
		return nil, false
	}
	return text, utf8.Valid(text)
}

// onWindows names the code page of Windows that a guessed ISO charset is a part of: who writes without saying so writes that.
func onWindows(name string) string {
	switch name {
	case "iso-8859-1":
		return "windows-1252"
	case "iso-8859-8", "iso-8859-8-i", "iso-8859-8-e":
		return "windows-1255"
	case "iso-8859-9":
		return "windows-1254"
	}
	return name
}

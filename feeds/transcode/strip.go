package transcode

import "unicode/utf8"

// windows1252 holds what bytes 0x80 to 0x9F mean on the web; the five unassigned ones stay themselves.
var windows1252 = [32]rune{
	0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
}

// Windows1252 is the character that a reference or character in U+0080 to U+009F stands for; others are themselves.
func Windows1252(r rune) rune {
	if r >= 0x80 && r <= 0x9f {
		return windows1252[r-0x80]
	}
	return r
}

// suspect marks the bytes at which Strip must look closer.
var suspect = func() (t [256]bool) {
	for c := range 0x20 {
		t[c] = c != '\t' && c != '\n' && c != '\r'
	}
	t[0xc2], t[0xef] = true, true
	return t
}()

// Strip takes out the characters XML 1.0 forbids, U+FFFE and U+FFFF among them, and turns U+0080 to U+009F into what windows-1252 has
// there. It returns text itself if there is nothing to do, and the number of characters dropped. No later step may drop a character:
// "]]\x01>" would become the end of a CDATA section that a scanner has already passed.
func Strip(text []byte) ([]byte, int) {
	var out []byte
	dropped, done := 0, 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !suspect[c] {
			continue
		}
		size, with := examine(text[i:])
		if size == 0 {
			continue
		}
		if out == nil {
			out = make([]byte, 0, len(text)+16)
		}
		out = append(out, text[done:i]...)
		if with != 0 {
			out = utf8.AppendRune(out, with)
		} else {
			dropped++
		}
		done = i + size
		i = done - 1
	}
	if out == nil {
		return text, 0
	}
	return append(out, text[done:]...), dropped
}

// examine tells how many bytes at the start of b must go, and what replaces them; zero for nothing.
func examine(b []byte) (size int, with rune) {
	switch {
	case b[0] < 0x20:
		return 1, 0
	case b[0] == 0xc2 && len(b) > 1 && b[1] >= 0x80 && b[1] <= 0x9f:
		if r := rune(b[1]); windows1252[r-0x80] != r {
			return 2, windows1252[r-0x80]
		}
	case b[0] == 0xef && len(b) > 2 && b[1] == 0xbf && b[2] >= 0xbe:
		return 3, 0
	}
	return 0, 0
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// damage counts bytes that belong to no UTF-8 sequence, and sequences of several bytes that are whole.
func damage(b []byte) (bad, good int) {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			bad++
		} else {
			good++
		}
		i += n
	}
	return bad, good
}

// mend keeps UTF-8 sequences and reads every other byte as windows-1252.
func mend(b []byte) []byte {
	out := make([]byte, 0, len(b)+len(b)/16)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			out = utf8.AppendRune(out, Windows1252(rune(b[i])))
			i++
			continue
		}
		out = append(out, b[i:i+n]...)
		i += n
	}
	return out
}

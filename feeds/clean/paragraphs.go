package clean

import "bytes"

// Paragraphs makes text of one paragraph a line. Single line ends within it, given as vertical tabs, break lines only where breaks says
// that nothing else does.
func Paragraphs(text string, breaks bool) string {
	return paragraphs([]byte(text), breaks)
}

// paragraphs does the work, and overwrites text.
func paragraphs(text []byte, breaks bool) string {
	if breaks {
		for i, c := range text {
			if c == '\v' {
				text[i] = '\n'
			}
		}
	}
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			text = nil
		}
		out = appendLine(out, bytes.Trim(line, " \v\t\r"))
	}
	return string(out)
}

// appendLine adds a line, unless nothing of it can be seen.
func appendLine(out, line []byte) []byte {
	if len(line) == 0 {
		return out
	}
	start := len(out)
	if start > 0 {
		out = append(out, '\n')
	}
	if isClean(line) {
		return append(out, line...)
	}
	clean := Line(string(line))
	if clean == "" {
		return out[:start]
	}
	return append(out, clean...)
}

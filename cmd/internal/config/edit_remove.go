package config

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// remove gives the text without the entry of the given number. What cannot be done is in l.err.
func (l *list) remove(i int) string {
	v, ok := l.value.(*ast.SequenceNode)
	if !ok || i >= len(v.Values) {
		l.refuse(position{1, 1}, "not written as a list; change it by hand")
		return ""
	}
	if v.IsFlowStyle {
		return l.removeInBrackets(v, i)
	}
	return l.removeLines(v, i)
}

// removeLines takes an entry out of a list of lines.
func (l *list) removeLines(v *ast.SequenceNode, i int) string {
	if _, ok := l.blockStyle(v); !ok {
		return ""
	}
	from := l.lineOf(l.offset(v.Entries[i].Start))
	if i+1 < len(v.Entries) {
		l.limit = l.lineStart(v.Entries[i+1].Start)
	}
	dash := positionOf(v.Entries[i].Start)
	to := l.tail(dash.line, dash.column+1)
	if l.err() != nil {
		return ""
	}
	// Of the empty lines around it, those on one side are enough.
	for from > 0 && blank(l.line(from-1)) && to+1 < len(l.starts) && blank(l.line(to)) {
		to++
	}
	return l.text[:l.starts[from]] + l.text[l.starts[to]:]
}

// removeInBrackets takes an entry with a comma out of a list written as [ … ].
func (l *list) removeInBrackets(v *ast.SequenceNode, i int) string {
	m, ok := v.Values[i].(*ast.MappingNode)
	if !ok || !m.IsFlowStyle || m.Start == nil || m.End == nil {
		l.refuse(begin(v.Values[i]), "this feed is not written in braces; change the list by hand")
		return ""
	}
	from, to := l.offset(m.Start), l.offset(m.End)+1
	first, comma := -1, -1
	if next := afterBracket(m.End); next.Type == token.CollectEntryType {
		comma = l.offset(next)
	} else if i > 0 {
		first = l.offset(beforeBracket(m.Start))
	}
	if l.err() != nil {
		return ""
	}
	head, tail := l.text[:from], l.text[to:]
	if comma >= 0 {
		tail = l.text[to:comma] + l.text[comma+1:]
	}
	if first >= 0 {
		head = l.text[:first] + l.text[first+1:from]
	}
	return closeGap(head, tail)
}

// closeGap joins what stood before and after something. A line that it had to itself goes, with the comment beside it.
func closeGap(head, tail string) string {
	line := head[strings.LastIndexByte(head, '\n')+1:]
	rest, after, more := strings.Cut(tail, "\n")
	rest = strings.TrimLeft(rest, " \t")
	switch {
	case strings.TrimSpace(line) == "" && more && (rest == "" || rest[0] == '#'):
		return head[:len(head)-len(line)] + after
	case rest == "" || rest[0] == ']':
		return strings.TrimRight(head, " \t") + tail
	}
	return head + strings.TrimLeft(tail, " \t")
}

// afterBracket is the first token after a closing bracket that is no comment.
func afterBracket(end *token.Token) *token.Token {
	t := end.Next
	for t.Type == token.CommentType {
		t = t.Next
	}
	return t
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }

package config

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// add gives the text with entries at the end of the list. What cannot be done is in l.err.
func (l *list) add(entries []Entry) string {
	brackets := l.root != nil && l.root.IsFlowStyle
	switch v := l.value.(type) {
	case nil:
		if brackets {
			return l.addKey(entries)
		}
		indent := ""
		if l.root != nil {
			indent = strings.Repeat(" ", begin(l.root).column-1)
		}
		return l.insert(l.limit, indent+"feeds:\n"+block{dash: indent + "  "}.render(entries))
	case *ast.NullNode:
		return l.addFirst(v, entries, brackets)
	case *ast.SequenceNode:
		if v.IsFlowStyle {
			return l.addInBrackets(v, entries, brackets)
		}
		style, ok := l.blockStyle(v)
		if !ok {
			return ""
		}
		dash := positionOf(v.Entries[len(v.Entries)-1].Start)
		if positionOf(l.key).column == dash.column { // then a comment there may be about the next key
			dash.column++
		}
		return l.insert(l.starts[l.tail(dash.line, dash.column)], style.render(entries))
	}
	l.refuse(begin(l.value), "not written as a list; change it by hand")
	return ""
}

// insert puts whole lines in at an offset where a line begins, or at the end of the text.
func (l *list) insert(at int, lines string) string {
	if at > 0 && l.text[at-1] != '\n' {
		lines = "\n" + lines
	}
	return l.text[:at] + lines + l.text[at:]
}

// addKey puts the key into a file that is one pair of braces.
func (l *list) addKey(entries []Entry) string {
	end := l.offset(l.root.End)
	quoted := len(l.root.Values) > 0 && l.root.Values[0].Key.GetToken().Type == token.DoubleQuoteType
	gap, before := ", ", beforeBracket(l.root.End)
	if before.Type == token.MappingStartType || before.Type == token.CollectEntryType {
		gap = ""
	}
	return l.text[:end] + gap + keyText("feeds", quoted) + ": [" + renderFlow(entries, quoted) + "]" + l.text[end:]
}

// addFirst begins a list at a key without a value: below the comments that explain it.
func (l *list) addFirst(v *ast.NullNode, entries []Entry, brackets bool) string {
	if v.GetToken().Type == token.NullType { // written out
		at := l.offset(v.GetToken())
		l.text = l.text[:at] + strings.Repeat(" ", len(v.GetToken().Value)) + l.text[at+len(v.GetToken().Value):]
	}
	key := l.offset(l.key)
	if brackets {
		at := key + len(strings.TrimSpace(l.key.Origin))
		at += strings.IndexByte(l.text[at:], ':') + 1
		return l.text[:at] + " [" + renderFlow(entries, l.key.Type == token.DoubleQuoteType) + "]" + l.text[at:]
	}
	line := l.lineOf(key)
	column := key - l.starts[line]
	indent := strings.Repeat(" ", column+2)
	for next := line + 1; ; next++ {
		text := l.line(next)
		comment := strings.TrimLeft(text, " ")
		if !strings.HasPrefix(comment, "#") || len(text)-len(comment) <= column {
			break
		}
		line, indent = next, text[:len(text)-len(comment)]
	}
	return l.insert(l.starts[line+1], block{dash: indent}.render(entries))
}

// addInBrackets adds to a list written as [ … ]. An empty one on a line of its own becomes a list of lines.
func (l *list) addInBrackets(v *ast.SequenceNode, entries []Entry, brackets bool) string {
	start, end := l.offset(v.Start), l.offset(v.End)
	if l.err() != nil {
		return ""
	}
	if !brackets && strings.TrimSpace(l.text[start+1:end]) == "" {
		l.text = strings.TrimRight(l.text[:start], " ") + l.text[end+1:]
		return newList(l.file, l.text).add(entries)
	}
	last := beforeBracket(v.End)
	after := l.offset(last) + 1
	quoted := l.key.Type == token.DoubleQuoteType
	comma := ""
	switch last.Type {
	case token.MappingEndType:
		comma = ","
	case token.SequenceStartType, token.CollectEntryType:
	default:
		l.refuse(positionOf(last), "this feed is not written in braces; change the list by hand")
	}
	own := l.starts[l.lineOf(end)] // the line of the bracket
	if own <= start || strings.TrimSpace(l.text[own:end]) != "" {
		if last.Type != token.SequenceStartType {
			comma += " "
		}
		return l.text[:after] + comma + renderFlow(entries, quoted) + l.text[after:]
	}
	indent := l.text[own:end] + "  "
	if len(v.Values) > 0 {
		line := l.line(l.lineOf(l.offset(v.Values[0].GetToken())))
		indent = line[:len(line)-len(strings.TrimLeft(line, " "))]
	}
	var lines strings.Builder
	for i, e := range entries {
		lines.WriteString(indent + e.flow(quoted))
		if i+1 < len(entries) || last.Type == token.CollectEntryType {
			lines.WriteByte(',')
		}
		lines.WriteByte('\n')
	}
	return l.text[:after] + comma + l.text[after:own] + lines.String() + l.text[own:]
}

// beforeBracket is the last token before a closing bracket that is no comment.
func beforeBracket(end *token.Token) *token.Token {
	t := end.Prev
	for t.Type == token.CommentType {
		t = t.Prev
	}
	return t
}

// blockStyle tells how the entries of a list of lines are written.
func (l *list) blockStyle(v *ast.SequenceNode) (block, bool) {
	if len(v.Entries) == 0 || len(v.Entries) != len(v.Values) {
		l.refuse(begin(v), "written in a way that is not edited; change it by hand")
		return block{}, false
	}
	entry, value := v.Entries[len(v.Entries)-1], v.Values[len(v.Values)-1]
	at := l.offset(entry.Start)
	line := l.line(l.lineOf(at))
	dash := line[:at-l.starts[l.lineOf(at)]]
	if strings.Trim(dash, " ") != "" {
		l.refuse(positionOf(entry.Start), "this feed does not begin its line; change the list by hand")
	}
	b := block{dash: dash, gap: " "}
	if m, ok := value.(*ast.MappingNode); ok && m.IsFlowStyle {
		b.braces = true
	} else if wide := begin(value).column - positionOf(entry.Start).column; wide > 1 && begin(value).line == positionOf(entry.Start).line {
		b.gap = strings.Repeat(" ", wide-1)
	}
	return b, l.err() == nil
}

// tail is the line, from 0, after the last that belongs to the entry whose dash stands in the given line, from 1, of a list that ends at
// l.limit. Empty lines are left to what follows, and so are comments that begin before a column, from 1.
func (l *list) tail(line, column int) int {
	end := l.lineOf(l.limit)
	if l.limit == len(l.text) {
		end = len(l.starts) - 1
	}
	for ; end > line; end-- {
		text := l.line(end - 1)
		inner := strings.TrimLeft(text, " \t")
		if inner != "" && (inner[0] != '#' || len(text)-len(inner)+1 >= column) {
			break
		}
	}
	return end
}

package config

import (
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// list is where the feeds stand in a configuration file with line ends of Unix. Positions come from the parser and are checked against
// the text before anything is cut.
type list struct {
	faults
	text   string
	starts []int // offset of each line, and of the end of the text

	root  *ast.MappingNode // nil: the file holds nothing
	value ast.Node         // of the key feeds; nil: there is no such key
	key   *token.Token
	limit int // offset at which what belongs to the list has ended: the next key, the end of the document
}

// newList finds the list in a file that has been read without faults.
func newList(path, text string) *list {
	l := &list{faults: faults{file: path}, text: text, starts: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		l.starts = append(l.starts, len(text))
	}
	l.limit = len(text)
	file, err := parser.ParseBytes([]byte(text), 0)
	if err != nil { // cannot be: it has been read
		l.refuse(position{1, 1}, "%v", err)
		return l
	}
	for _, doc := range file.Docs {
		if doc.End != nil {
			l.limit = min(l.limit, l.offset(doc.End))
		}
		if doc.Body != nil {
			l.enter(doc.Body)
		}
	}
	return l
}

// enter finds the key.
func (l *list) enter(body ast.Node) {
	switch x := body.(type) {
	case *ast.MappingNode:
		l.root = x
	case *ast.MappingValueNode:
		l.root = &ast.MappingNode{Values: []*ast.MappingValueNode{x}}
	default:
		l.refuse(begin(body), "the file does not begin with a plain key")
		return
	}
	for i, entry := range l.root.Values {
		if entry.Key.GetToken().Value != "feeds" {
			continue
		}
		l.key, l.value = entry.Key.GetToken(), entry.Value
		if i+1 < len(l.root.Values) && !l.root.IsFlowStyle {
			l.limit = l.lineStart(l.root.Values[i+1].Key.GetToken())
		}
		ast.Walk(l, entry.Value)
	}
}

// Visit refuses what another part of the file may refer to, or what refers to it.
func (l *list) Visit(n ast.Node) ast.Visitor {
	switch x := n.(type) {
	case *ast.AnchorNode:
		l.refuse(begin(n), "an anchor (&%s) stands in the list; such a list is not edited: change it by hand", x.Name)
	case *ast.AliasNode:
		l.refuse(begin(n), "an alias (*%s) stands in the list; such a list is not edited: change it by hand", x.Value)
	case *ast.TagNode:
		l.refuse(begin(n), "a tag (%s) stands in the list; such a list is not edited: change it by hand", x.GetToken().Value)
	}
	return l
}

// refuse says why the list is not edited.
func (l *list) refuse(at position, format string, args ...any) {
	l.faults.add(at, "feeds", format, args...)
}

// offset is where a token begins. If the text there is another, the list is refused.
func (l *list) offset(t *token.Token) int {
	at := positionOf(t)
	if at.line > len(l.starts) {
		l.refuse(position{1, 1}, "the parser is not sure where line %d is; change the list by hand", at.line)
		return 0
	}
	o := l.starts[at.line-1]
	for range at.column - 1 {
		_, size := utf8.DecodeRuneInString(l.text[o:])
		o += size
	}
	if written := strings.TrimSpace(t.Origin); !strings.HasPrefix(l.text[o:], written) {
		l.refuse(at, "the parser is not sure where %q stands; change the list by hand", written)
	}
	return o
}

// lineStart is the offset of the line a token stands in.
func (l *list) lineStart(t *token.Token) int {
	return l.starts[l.lineOf(l.offset(t))]
}

// lineOf is the number, from 0, of the line an offset lies in.
func (l *list) lineOf(offset int) int {
	n := 0
	for n+1 < len(l.starts) && l.starts[n+1] <= offset {
		n++
	}
	return n
}

// line is the text of a line without its end.
func (l *list) line(n int) string {
	if n < 0 || n+1 >= len(l.starts) {
		return ""
	}
	return strings.TrimSuffix(l.text[l.starts[n]:l.starts[n+1]], "\n")
}

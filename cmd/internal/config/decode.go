package config

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// position is a place in the file, from 1.
type position struct{ line, column int }

func positionOf(t *token.Token) position {
	if t == nil || t.Position == nil {
		return position{1, 1}
	}
	return position{t.Position.Line, t.Position.Column}
}

// begin is where a value begins; the library calls the colon the token of a mapping.
func begin(n ast.Node) position {
	switch x := n.(type) {
	case *ast.MappingNode:
		if !x.IsFlowStyle && len(x.Values) > 0 {
			return positionOf(x.Values[0].Key.GetToken())
		}
	case *ast.MappingValueNode:
		return positionOf(x.Key.GetToken())
	}
	return positionOf(n.GetToken())
}

// decoder fills a struct from YAML strictly and goes on after a fault, so that all faults are found in one run. It remembers where
// every value stood, for faults found later.
type decoder struct {
	faults
	dir     string // of the configuration file; relative paths of secrets start here
	env     func(string) (string, bool)
	at      map[string]position // by path: "feeds[2].url"
	anchors map[string]ast.Node
}

// maxDepth bounds nesting, aliases included.
const maxDepth = 32

// decode reads data into the struct that into points at.
func (d *decoder) decode(data []byte, into any) {
	defer func() { // the parser has panicked on hostile bytes before
		if r := recover(); r != nil {
			d.add(position{1, 1}, "", "not readable as YAML: %v", r)
		}
	}()
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		d.syntax(err)
		return
	}
	var body ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if body != nil {
			d.add(begin(doc.Body), "", "a second YAML document starts here; one file holds one configuration")
			break
		}
		body = doc.Body
	}
	if body == nil {
		return
	}
	d.value(body, reflect.ValueOf(into).Elem(), "", 0)
}

func (d *decoder) syntax(err error) {
	if e, ok := err.(yaml.Error); ok {
		d.add(positionOf(e.GetToken()), "", "not valid YAML: %s", e.GetMessage())
		return
	}
	d.add(position{1, 1}, "", "not valid YAML: %v", err)
}

// resolve steps through anchors, aliases and tags to the node that holds the value.
func (d *decoder) resolve(n ast.Node, depth int) ast.Node {
	for ; depth < maxDepth; depth++ {
		switch x := n.(type) {
		case *ast.AnchorNode:
			if d.anchors == nil {
				d.anchors = map[string]ast.Node{}
			}
			d.anchors[x.Name.String()] = x.Value
			n = x.Value
		case *ast.AliasNode:
			n = d.anchors[x.Value.String()]
		case *ast.TagNode:
			n = x.Value
		default:
			return n
		}
	}
	return nil
}

func (d *decoder) value(n ast.Node, v reflect.Value, path string, depth int) {
	start := begin(n)
	d.at[path] = start
	if n = d.resolve(n, depth); n == nil || depth > maxDepth {
		d.add(start, path, "an alias without its anchor, or nested too deeply")
		return
	}
	if _, ok := n.(*ast.NullNode); ok {
		return // "key:" without a value keeps the default
	}
	switch v.Addr().Interface().(type) {
	case *Duration, *Secret:
		d.scalar(n, v, path)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.mapping(n, v, path, depth)
	case reflect.Slice:
		d.sequence(n, v, path, depth)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(n, v.Elem(), path, depth+1)
	default:
		d.scalar(n, v, path)
	}
}

func (d *decoder) mapping(n ast.Node, v reflect.Value, path string, depth int) {
	var entries []*ast.MappingValueNode
	switch x := n.(type) {
	case *ast.MappingNode:
		entries = x.Values
	case *ast.MappingValueNode:
		entries = []*ast.MappingValueNode{x}
	default:
		d.add(begin(n), path, "expected keys with values, found %s", kindOf(n))
		return
	}
	fields := fieldsOf(v.Type())
	seen := map[string]position{}
	for _, entry := range entries {
		key, at := entry.Key.GetToken().Value, positionOf(entry.Key.GetToken())
		if first, ok := seen[key]; ok {
			d.add(at, join(path, key), "given twice; the first is in line %d", first.line)
			continue
		}
		seen[key] = at
		i, ok := fields[key]
		if !ok {
			d.add(at, join(path, key), "unknown key%s", suggestion(key, fields))
			continue
		}
		d.value(entry.Value, v.Field(i), join(path, key), depth+1)
	}
}

func (d *decoder) sequence(n ast.Node, v reflect.Value, path string, depth int) {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		d.add(begin(n), path, "expected a list (lines that begin with \"- \"), found %s", kindOf(n))
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(s.Values), len(s.Values)))
	for i, item := range s.Values {
		d.value(item, v.Index(i), path+"["+strconv.Itoa(i)+"]", depth+1)
	}
}

func (d *decoder) scalar(n ast.Node, v reflect.Value, path string) {
	at := begin(n)
	raw, ok := scalarText(n)
	if !ok {
		d.add(at, path, "expected a single value, found %s", kindOf(n))
		return
	}
	switch x := v.Addr().Interface().(type) {
	case *Duration:
		got, err := parseDuration(raw)
		if err != nil {
			d.add(at, path, "%v", err)
		}
		*x = got
		return
	case *Secret:
		got, err := readSecret(raw, d.dir, d.env)
		if err != nil {
			d.add(at, path, "%v", err)
		}
		*x = got
		return
	}
	if err := setScalar(v, n, raw); err != nil {
		d.add(at, path, "%v", err)
	}
}

func setScalar(v reflect.Value, n ast.Node, raw string) error {
	switch v.Kind() {
	case reflect.String:
		if strings.Contains(raw, "${") {
			return fmt.Errorf("${…} is read only where a secret stands; write the value itself")
		}
		v.SetString(raw)
	case reflect.Bool:
		b, ok := n.(*ast.BoolNode)
		if !ok {
			return fmt.Errorf("%q is neither true nor false", raw)
		}
		v.SetBool(b.Value)
	case reflect.Int, reflect.Int64:
		i, err := strconv.ParseInt(strings.ReplaceAll(raw, "_", ""), 10, v.Type().Bits())
		if err != nil {
			return fmt.Errorf("%q is not a whole number", raw)
		}
		v.SetInt(i)
	default:
		return fmt.Errorf("a value of this kind cannot be read")
	}
	return nil
}

// scalarText gives the text of a value as written, without quotes.
func scalarText(n ast.Node) (string, bool) {
	switch x := n.(type) {
	case *ast.StringNode:
		return x.Value, true
	case *ast.LiteralNode:
		return x.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return x.GetToken().Value, true
	}
	return "", false
}

func kindOf(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "keys with values"
	case *ast.SequenceNode:
		return "a list"
	}
	if s, ok := scalarText(n); ok {
		return strconv.Quote(s)
	}
	return "something else"
}

// fieldsOf maps the keys of a struct to its fields.
func fieldsOf(t reflect.Type) map[string]int {
	fields := make(map[string]int, t.NumField())
	for i := range t.NumField() {
		if key := t.Field(i).Tag.Get("yaml"); key != "" {
			fields[key] = i
		}
	}
	return fields
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

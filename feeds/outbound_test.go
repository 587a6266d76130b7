package feeds

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ways are the names of the standard library by which a connection could leave the program.
var ways = map[string][]string{
	"net":        {"Dial", "DialTimeout", "DialTCP", "DialUDP", "DialIP", "DialUnix", "Dialer"},
	"net/http":   {"Client", "Transport", "DefaultClient", "DefaultTransport", "Get", "Head", "Post", "PostForm"},
	"net/smtp":   {"Dial", "SendMail"},
	"crypto/tls": {"Dial", "DialWithDialer", "Dialer"},
	"net/rpc":    {"Dial", "DialHTTP", "DialHTTPPath"},
}

// allowed are the files that use some of them, with the reason.
var allowed = map[string][]string{
	"feeds/client.go":                {"net.Dialer", "http.Transport"}, // the guarded way itself
	"cmd/internal/systemd/notify.go": {"net.Dial"},                     // the service manager's socket on this machine
}

// B36: no other way out is made anywhere in the tree: every request goes through a Client. An http.Client is one around it if it is given
// a transport, since nobody else makes any.
func TestOneWayOut(t *testing.T) {
	used := map[string][]string{}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != ".." && (name == "testdata" || name == "mallory" || strings.HasPrefix(name, ".")):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		used[file], err = waysOut(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for file, names := range used {
		for _, name := range names {
			if !slices.Contains(allowed[file], name) {
				t.Errorf("%s uses %s; what leaves the program goes through feeds.Client", file, name)
			}
		}
	}
	for file, names := range allowed {
		for _, name := range names {
			if !slices.Contains(used[file], name) {
				t.Errorf("%s no longer uses %s; take it out of the list", file, name)
			}
		}
	}
}

// waysOut lists the ways that a source file uses.
func waysOut(path string) ([]string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	imported := map[string]string{} // paths by the name they have in the file
	for _, spec := range parsed.Imports {
		full, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		name := full[strings.LastIndex(full, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = full
	}
	var found []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.StarExpr: // the type of a pointer makes nothing
			_, named := x.X.(*ast.SelectorExpr)
			return !named
		case *ast.CompositeLit:
			if made, ok := x.Type.(*ast.SelectorExpr); ok && made.Sel.Name == "Client" && hasTransport(x) {
				return false
			}
		case *ast.SelectorExpr:
			if from, ok := x.X.(*ast.Ident); ok && slices.Contains(ways[imported[from.Name]], x.Sel.Name) {
				found = append(found, from.Name+"."+x.Sel.Name)
			}
		}
		return true
	})
	return found, nil
}

// hasTransport reports whether a literal sets the field Transport to something.
func hasTransport(literal *ast.CompositeLit) bool {
	for _, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		name, named := pair.Key.(*ast.Ident)
		value, plain := pair.Value.(*ast.Ident)
		if named && name.Name == "Transport" && !(plain && value.Name == "nil") {
			return true
		}
	}
	return false
}

// The reading of sources finds what it is there for.
func TestWaysOut(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"around a transport", `var c = &http.Client{Transport: t}`, ""},
		{"bare", `var c = &http.Client{}`, "http.Client"},
		{"without one", `var c = http.Client{Timeout: 1}`, "http.Client"},
		{"with none", `var c = http.Client{Transport: nil}`, "http.Client"},
		{"new", `var c = new(http.Client)`, "http.Client"},
		{"zero", `var c http.Client`, "http.Client"},
		{"a pointer", `var c *http.Client`, ""},
		{"a transport", `var c = &http.Client{Transport: x}; var y = &http.Transport{}`, "http.Transport"},
		{"the default", `var c = http.DefaultClient`, "http.DefaultClient"},
		{"a request", `func f() { http.Get("x") }`, "http.Get"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.go")
			if err := os.WriteFile(file, []byte("package x\nimport \"net/http\"\n"+tt.source), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := waysOut(file)
			if err != nil || strings.Join(got, " ") != tt.want {
				t.Errorf("waysOut = %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

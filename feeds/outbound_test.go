package feeds

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
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
	"cmd/internal/app/deliver.go":    {"http.Client"},                  // around feeds.Client, for its time limit and its redirects
	"cmd/internal/systemd/notify.go": {"net.Dial"},                     // the service manager's socket on this machine
}

// B36: no other way out is made anywhere in the tree: every request goes through a Client.
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
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if from, ok := selector.X.(*ast.Ident); ok && slices.Contains(ways[imported[from.Name]], selector.Sel.Name) {
			found = append(found, from.Name+"."+selector.Sel.Name)
		}
		return true
	})
	return found, nil
}

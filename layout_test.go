package sheaf

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// walls says what the code of each room may import beside the standard library; the longest prefix of a folder counts. A name that ends
// in / allows everything below it. Tests are free to look over the walls, except that no room's tests import cmd.
var walls = map[string][]string{
	".":      {},
	"feeds":  {"sheaf", "sheaf/feeds", "sheaf/feeds/", "github.com/mmcdole/gofeed", "github.com/mmcdole/gofeed/", "golang.org/x/net/", "golang.org/x/text/", "golang.org/x/sync/", "golang.org/x/time/", "code.dny.dev/ssrf", "github.com/microcosm-cc/bluemonday", "github.com/gogs/chardet", "github.com/cespare/xxhash/v2", "codeberg.org/readeck/go-readability/v2", "github.com/temoto/robotstxt"},
	"dedupe": {"sheaf", "sheaf/dedupe", "sheaf/dedupe/", "golang.org/x/text/unicode/norm"},
	"output": {"sheaf", "sheaf/output", "sheaf/output/", "github.com/gorilla/feeds", "github.com/mmcdole/gofeed", "github.com/mmcdole/gofeed/", "golang.org/x/net/", "golang.org/x/text/"},

	"examples": {"sheaf"},

	"cmd/sheaf":             {"sheaf", "sheaf/", "github.com/spf13/cobra", "golang.org/x/term"},
	"cmd/internal/app":      {"sheaf", "sheaf/", "golang.org/x/sync/", "golang.org/x/sys/windows"},
	"cmd/internal/config":   {"sheaf", "sheaf/", "github.com/goccy/go-yaml", "github.com/goccy/go-yaml/"},
	"cmd/internal/front":    {"golang.org/x/time/"},
	"cmd/internal/metrics":  {"github.com/prometheus/client_golang/"},
	"cmd/internal/manual":   {"github.com/spf13/cobra", "github.com/spf13/pflag"},
	"cmd/internal/notice":   {},
	"cmd/internal/schedule": {"github.com/robfig/cron/v3"},
	"cmd/internal/systemd":  {"golang.org/x/sys/unix"},
	"cmd/internal/store":    {"sheaf", "sheaf/", "modernc.org/sqlite", "github.com/google/go-cmp/"},
}

// forbidden are imports inside the module that walls allow by prefix and that are still wrong: rooms know nothing of the program
// around them, and of gofeed only where documents are parsed or checked.
func forbidden(dir, imported string) bool {
	room, _, _ := strings.Cut(dir, "/")
	return room != "cmd" && strings.HasPrefix(imported, "sheaf/cmd")
}

func TestLayout(t *testing.T) {
	imports := map[string]int{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && file != "." && (name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
			return filepath.SkipDir
		}
		if strings.HasSuffix(file, ".go") {
			checkImports(t, filepath.ToSlash(file), imports)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, fixed := range []string{"github.com/mmcdole/gofeed", "github.com/gorilla/feeds", "github.com/robfig/cron/v3"} {
		if imports[fixed] == 0 {
			t.Errorf("nothing imports %s", fixed)
		}
	}
}

func checkImports(t *testing.T, file string, imports map[string]int) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	dir := path.Dir(file)
	allowed, ok := wallOf(dir)
	if !ok {
		t.Errorf("%s lies in no room: give its folder a line in walls, or move it", file)
		return
	}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		test := strings.HasSuffix(file, "_test.go")
		if forbidden(dir, imported) || !test && !standard(imported) && !permitted(allowed, imported) {
			t.Errorf("%s imports %s: not for this room", file, imported)
		}
		if !test {
			imports[imported]++
		}
	}
}

// wallOf finds the line of the closest room around a folder.
func wallOf(dir string) ([]string, bool) {
	for ; dir != "."; dir = path.Dir(dir) {
		if allowed, ok := walls[dir]; ok {
			return allowed, true
		}
		if path.Dir(dir) == "." {
			return nil, false
		}
	}
	return walls["."], true
}

func permitted(allowed []string, imported string) bool {
	for _, a := range allowed {
		if imported == a || strings.HasSuffix(a, "/") && strings.HasPrefix(imported, a) {
			return true
		}
	}
	return false
}

// standard says that an import path is of the standard library: its first part has no dot, and it is not ours.
func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".") && first != "sheaf"
}

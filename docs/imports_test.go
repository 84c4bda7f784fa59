package docs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestImports: a package of the manager imports only packages below it.
func TestImports(t *testing.T) {
	const module = "github.com/ashlar-go/ashlar/"
	for name, below := range map[string][]string{
		"arena":                nil,
		"chunk":                nil,
		"arena/caches":         nil,
		"memmgr/clock":         nil,
		"memmgr/frames":        nil,
		"memmgr/internal/spot": {"arena", "chunk", "memmgr/frames"},
		"memmgr":               {"arena", "chunk", "arena/caches", "memmgr/frames", "memmgr/internal/spot", "profile", "profile/histogram", "profile/layout"},
		"profile":              {"profile/atomicfile", "profile/internal/text"},
		"profile/histogram":    {"profile"},
		"profile/layout":       {"profile", "profile/atomicfile", "profile/internal/text"},
		"views":                {"chunk", "memmgr", "memmgr/frames"},
	} {
		files, err := filepath.Glob("../" + name + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("%d files of %s, %v", len(files), name, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, path := range importsOf(t, file) {
				if of, ours := strings.CutPrefix(path, module); strings.HasPrefix(path, "github.com/ashlar-go/") && (!ours || !slices.Contains(below, of)) {
					t.Errorf("%s imports %s, want of this module only %v", file, path, below)
				}
			}
		}
	}
}

// TestImportsOfPprof: google/pprof is imported by one package alone.
func TestImportsOfPprof(t *testing.T) {
	imports := 0
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		for _, path := range importsOf(t, file) {
			if !strings.HasPrefix(path, "github.com/google/pprof") {
				continue
			}
			if imports++; filepath.Dir(file) != filepath.Join("..", "cmd", "ashlar", "report") {
				t.Errorf("%s imports %s, which only cmd/ashlar/report may", file, path)
			}
		}
		return nil
	})
	if err != nil || imports == 0 {
		t.Errorf("%d files import pprof, %v", imports, err)
	}
}

// importsOf are the paths that a file imports.
func importsOf(t *testing.T, file string) (paths []string) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range f.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		paths = append(paths, path)
	}
	return paths
}

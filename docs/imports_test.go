package docs

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestImports: what a package of the manager imports of this module is below it.
func TestImports(t *testing.T) {
	const internal = "github.com/ashlar-go/ashlar/internal/"
	for name, below := range map[string][]string{
		"arena":  nil,
		"chunk":  nil,
		"memmgr": {"arena", "chunk"},
		"adapt":  {"arena", "memmgr"},
		"views":  {"chunk", "memmgr"},
	} {
		files, err := filepath.Glob("../internal/" + name + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("%d files of %s, %v", len(files), name, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range f.Imports {
				path, _ := strconv.Unquote(i.Path.Value)
				if of, ours := strings.CutPrefix(path, internal); strings.HasPrefix(path, "github.com/ashlar-go/") && (!ours || !slices.Contains(below, of)) {
					t.Errorf("%s imports %s, want of this module only %v", file, path, below)
				}
			}
		}
	}
}

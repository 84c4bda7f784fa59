package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each exported function and method of the public packages is called by an example: a testable
// one of its package or of the guide, or a whole program. Calls are told by their names alone.
func TestEachCallHasAnExample(t *testing.T) {
	called := map[string]bool{} // by name of the function or method
	note := func(root ast.Node) {
		ast.Inspect(root, func(n ast.Node) bool {
			if s, is := n.(*ast.SelectorExpr); is {
				called[s.Sel.Name] = true
			}
			return true
		})
	}
	parse := func(pattern string, code bool, take func(*ast.File)) {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if code && strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			take(f)
		}
	}
	packages := []string{"arena", "chunk", "ecs", "memmgr", "profile", "profile/advice", "views"}
	for _, dir := range append(packages, "docs/guide") {
		parse("../"+dir+"/*_test.go", false, func(f *ast.File) {
			for _, d := range f.Decls {
				if fn, is := d.(*ast.FuncDecl); is && strings.HasPrefix(fn.Name.Name, "Example") {
					note(fn)
				}
			}
		})
	}
	parse("examples/*/*.go", true, func(f *ast.File) { note(f) })
	count := 0
	for _, dir := range packages {
		door := parsePackage(t, "../"+dir, dir)
		parse("../"+dir+"/*.go", true, func(f *ast.File) {
			for _, d := range f.Decls {
				fn, is := d.(*ast.FuncDecl)
				if !is || !fn.Name.IsExported() || fn.Recv != nil && !exportedReceiver(fn) || slices.Contains([]string{"String", "Error", "Is", "MarshalJSON", "MarshalText"}, fn.Name.Name) {
					continue
				}
				key := fn.Name.Name
				if fn.Recv != nil {
					key = baseName(fn.Recv.List[0].Type) + "." + key
				}
				if !door.forPrograms(key) {
					continue
				}
				if count++; !called[fn.Name.Name] {
					t.Errorf("%s.%s: no example calls it", dir, fn.Name.Name)
				}
			}
		})
	}
	if _, err := os.Stat("../ecs"); err != nil || count < 100 {
		t.Errorf("%d functions and methods found, %v", count, err)
	}
}

func exportedReceiver(fn *ast.FuncDecl) bool {
	x := fn.Recv.List[0].Type
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.IndexListExpr:
			x = y.X
		case *ast.Ident:
			return y.IsExported()
		default:
			return false
		}
	}
}

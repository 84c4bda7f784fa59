package ecs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"testing"
)

// The compiler writes each method of a generic type for each type argument, twice for pointers and four times for
// values, and each method of a part that such a type embeds, too. So generic types embed no part of
// their own, and the types that each component or struct of a program has leave work to it: they have no methods for
// use within the package but core, which returns it.
func TestGenericTypesAreShells(t *testing.T) {
	noTests := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), ".", noTests, 0)
	if err != nil || packages["ecs"] == nil {
		t.Skipf("the sources can't be read here: %v", err)
	}
	many := map[string]bool{"Pool": true, "Query": true, "Spawner": true, "Later": true, "LaterSpawner": true}
	parts, embeds, generic := map[string]bool{}, map[string][]string{}, 0
	ast.Inspect(packages["ecs"], func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.TypeSpec:
			s, is := x.Type.(*ast.StructType)
			if !is || x.TypeParams == nil {
				break
			}
			generic++
			for _, f := range s.Fields.List {
				if name := typeWithout(f.Type); len(f.Names) == 0 && !ast.IsExported(name) {
					embeds[x.Name.Name] = append(embeds[x.Name.Name], name)
				}
			}
		case *ast.FuncDecl:
			if x.Recv == nil {
				break
			}
			of := typeWithout(x.Recv.List[0].Type)
			parts[of] = true
			if many[of] && !x.Name.IsExported() && x.Name.Name != "core" {
				t.Errorf("method %s of %s is compiled for each type argument: make it one of the common part", x.Name.Name, of)
			}
		}
		return true
	})
	for name, list := range embeds {
		for _, part := range list {
			if parts[part] {
				t.Errorf("%s embeds %s, and the compiler writes its methods for each type argument: give the field a name", name, part)
			}
		}
	}
	if generic < 20 {
		t.Errorf("%d generic structs were found, and there are more", generic)
	}
}

// typeWithout is the name of a type without pointer and type arguments.
func typeWithout(x ast.Expr) string {
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.IndexListExpr:
			x = y.X
		case *ast.Ident:
			return y.Name
		default:
			return ""
		}
	}
}

// Command ashlarfix rewrites programs of Ashlar before v0.3.0 for v0.3.0:
//
//	go run github.com/ashlar-go/ashlar/cmd/ashlarfix@v0.3.0 DIRECTORY...
//
// It goes through the Go files of the directories and all below, and writes the ones that it
// changes. It looks at syntax alone: code that it can't decide on stays as it is, and the compiler or
// the first Run finds it. The change log has each change.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// passes change a file in place, and tell whether they did.
var passes = []func(*token.FileSet, *ast.File) bool{tags, constructors}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: ashlarfix DIRECTORY...")
		os.Exit(2)
	}
	for _, dir := range os.Args[1:] {
		if err := fix(dir); err != nil {
			fmt.Fprintln(os.Stderr, "ashlarfix:", err)
			os.Exit(1)
		}
	}
}

// fix rewrites the Go files below a directory and prints the names of files that change.
func fix(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text, err := rewrite(path, old)
		if err != nil || bytes.Equal(text, old) {
			return err
		}
		fmt.Println(path)
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(path, text, info.Mode().Perm())
	})
}

// rewrite returns the text of a file after all passes; as it was if none changes it.
func rewrite(path string, old []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, old, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	changed := false
	for _, pass := range passes {
		changed = pass(fset, f) || changed
	}
	if !changed {
		return old, nil
	}
	var text bytes.Buffer
	if err := format.Node(&text, fset, f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text.Bytes(), nil
}

// ecsName is the name by which a file knows package ecs: "" within it.
func ecsName(f *ast.File) (name string, is bool) {
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil || path != "github.com/ashlar-go/ashlar/ecs" {
			continue
		}
		if i.Name != nil {
			return strings.TrimPrefix(i.Name.Name, "."), true
		}
		return "ecs", true
	}
	return "", f.Name.Name == "ecs"
}

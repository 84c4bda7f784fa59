// Command ashlarfix rewrites programs of Ashlar before v0.3.0 for v0.3.0:
//
//	go run github.com/ashlar-go/ashlar/cmd/ashlarfix@v0.3.0 DIRECTORY...
//
// It goes through the Go files of the directories and all below, and writes the ones that it
// changes. It looks at syntax alone, and takes nothing away: each error that was asked for is asked of
// World.Err. Code that it can't decide on stays as it is, and does not compile. The change log has
// each change.
package main

import (
	"bytes"
	"errors"
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

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: ashlarfix DIRECTORY...")
		os.Exit(2)
	}
	failed := false
	for _, dir := range os.Args[1:] {
		if err := fix(dir); err != nil {
			fmt.Fprintln(os.Stderr, "ashlarfix:", err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// fix rewrites the Go files below a directory and prints the names of files that change. A file that
// does not parse stays, and the others are rewritten all the same.
func fix(dir string) (err error) {
	var bad []error
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text, err := rewrite(path, old)
		if err != nil {
			bad = append(bad, err)
			return nil
		}
		if bytes.Equal(text, old) {
			return nil
		}
		fmt.Println(path)
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(path, text, info.Mode().Perm())
	})
	return errors.Join(append(bad, err)...)
}

// rewrite returns the text of a file after both passes; as it was if none changes it.
func rewrite(path string, old []byte) ([]byte, error) {
	fset := token.NewFileSet()
	parse := func(src []byte) (*ast.File, error) {
		return parser.ParseFile(fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
	}
	f, err := parse(old)
	if err != nil {
		return nil, err
	}
	src := constructors(fset, f, old)
	if f, err = parse(src); err != nil {
		return nil, err
	}
	if !tags(f) && bytes.Equal(src, old) {
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

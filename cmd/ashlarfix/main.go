// Command ashlarfix rewrites tags and constructors of programs of Ashlar before v0.3.0:
//
//	go run github.com/ashlar-go/ashlar/cmd/ashlarfix@v0.4.0 DIRECTORY...
//
// It goes through the Go files of the directories and all below, and writes the ones that it
// changes. It looks at syntax alone, and takes nothing away: each error that was asked for is asked of
// World.Err. Code that it can't decide on stays as it is, and does not compile. The change log has
// each change.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

const usage = `usage: ashlarfix DIRECTORY...

Rewrites the Go files of the directories and all below, with tags and constructors as before
v0.3.0, to those of today.
It writes files in place and prints their names.
`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the command: its status is 0, 1 if a file was left as it is by an error, or 2 if arguments are wrong.
func run(args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("ashlarfix", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() {} // it follows
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(out, usage)
		return 0
	case err != nil || flags.NArg() == 0:
		fmt.Fprint(errs, usage)
		return 2
	}
	var failed error
	for _, dir := range flags.Args() {
		failed = errors.Join(failed, fix(dir, out))
	}
	if failed != nil {
		fmt.Fprintln(errs, "ashlarfix:", failed)
		return 1
	}
	return 0
}

// fix rewrites the Go files below a directory and prints the names of files that change. A file that
// does not parse stays, and the others are rewritten all the same.
func fix(dir string, out io.Writer) (err error) {
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
		if err != nil || bytes.Equal(text, old) {
			bad = append(bad, err)
			return nil
		}
		fmt.Fprintln(out, path)
		return os.WriteFile(path, text, 0o644) // the mode stays
	})
	return errors.Join(append(bad, err)...)
}

// rewrite returns the text of a file after all edits; the text as it was if there are none.
func rewrite(path string, old []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, old, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	e := &edits{src: old, file: fset.File(f.Pos()), ecs: ecsName(f)}
	if e.ecs == "" {
		return old, nil
	}
	e.all(f)
	if len(e.list) == 0 {
		return old, nil
	}
	text := old
	slices.SortStableFunc(e.list, func(a, b edit) int { return b.from - a.from })
	for _, x := range e.list { // from the end, so that offsets stay
		text = slices.Concat(text[:x.from], []byte(x.text), text[x.to:])
	}
	if text, err = format.Source(text); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}

// all collects the edits of a file.
func (e *edits) all(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			e.statements(n.List)
		case *ast.CaseClause:
			e.statements(n.Body)
		case *ast.CommClause:
			e.statements(n.Body)
		case *ast.Field:
			e.tag(n)
		}
		return true
	})
}

// ecsName is the name by which a file knows package ecs; "" if it does not import it by a name.
func ecsName(f *ast.File) string {
	for _, i := range f.Imports {
		switch {
		case i.Path.Value != `"github.com/ashlar-go/ashlar/ecs"`:
		case i.Name == nil:
			return "ecs"
		case i.Name.Name != ".":
			return i.Name.Name
		}
	}
	return ""
}

// edits are changes of ranges of a file's text.
type edits struct {
	src  []byte
	file *token.File
	ecs  string // the package's name in the file
	list []edit
}

type edit struct {
	from, to int
	text     string
}

func (e *edits) replace(from, to token.Pos, text string) {
	e.list = append(e.list, edit{e.file.Offset(from), e.file.Offset(to), text})
}

func (e *edits) text(n ast.Node) string {
	return string(e.src[e.file.Offset(n.Pos()):e.file.Offset(n.End())])
}

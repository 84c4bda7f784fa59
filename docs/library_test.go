package docs

import (
	"go/ast"
	"go/build"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// moduleOf is how import paths of the module begin.
const moduleOf = "github.com/ashlar-go/ashlar/"

// library is the module's packages, with types. Packages of other modules are empty in it: names that
// come from them have no type, and that is no error here.
type library struct {
	fset     *token.FileSet
	info     *types.Info
	standard types.Importer
	packages map[string]*types.Package // by import path
	files    map[string][]*ast.File    // by directory
}

// parseLibrary reads the packages below ecs, internal, and so on, as they are built for Linux on
// amd64.
func parseLibrary(t *testing.T) *library {
	t.Helper()
	l := &library{
		fset:     token.NewFileSet(),
		info:     &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}},
		standard: importer.Default(),
		packages: map[string]*types.Package{},
		files:    map[string][]*ast.File{},
	}
	for _, root := range []string{"arena", "chunk", "ecs", "memmgr", "profile", "views"} {
		err := filepath.WalkDir(filepath.Join("..", root), func(dir string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if d.Name() == "testdata" {
				return fs.SkipDir
			}
			_, err = l.Import(moduleOf + filepath.ToSlash(strings.TrimPrefix(dir, ".."+string(filepath.Separator))))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(l.files) < 20 {
		t.Fatalf("only %d packages found", len(l.files))
	}
	return l
}

// Import makes l a types.Importer.
func (l *library) Import(name string) (*types.Package, error) {
	if p := l.packages[name]; p != nil {
		return p, nil
	}
	dir, ours := strings.CutPrefix(name, moduleOf)
	if !ours {
		if first, _, _ := strings.Cut(name, "/"); !strings.Contains(first, ".") {
			return l.standard.Import(name)
		}
		p := types.NewPackage(name, path.Base(name))
		p.MarkComplete()
		l.packages[name] = p
		return p, nil
	}
	names, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
	if err != nil {
		return nil, err
	}
	usual := build.Default
	usual.GOOS, usual.GOARCH = "linux", "amd64"
	var files []*ast.File
	for _, file := range names {
		if ok, err := usual.MatchFile(filepath.Split(file)); err != nil || !ok || strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(l.fset, file, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	config := types.Config{Importer: l, Error: func(error) {}}
	p, _ := config.Check(name, l.fset, files, l.info)
	l.packages[name] = p
	if len(files) > 0 {
		l.files[dir] = files
	}
	return p, nil
}

// tuning is a constant that decides a path or a time.
type tuning struct {
	name string // after the path of its package
	doc  string
}

// tuned are the library's tuning constants: constants with a number of their own, other than 0, 1 and
// 2, that code compares with, divides by, limits by, or hands on. Shifts, masks, lengths of arrays
// and sizes of allocations are geometry. A constant of a named type is a flag or one of a list.
func (l *library) tuned() (list []tuning) {
	used := map[types.Object]bool{}
	for _, files := range l.files {
		for _, f := range files {
			l.values(f, func(x ast.Expr) {
				if c := l.constant(x); c != nil {
					used[c] = true
				}
			})
		}
	}
	for dir, files := range l.files {
		for _, f := range files {
			l.declared(f, func(c *types.Const, value ast.Expr, doc string) {
				if used[c] && numeric(c) && ownNumber(value) && !limitOfType(c.Val()) {
					list = append(list, tuning{dir + "." + c.Name(), doc})
				}
			})
		}
	}
	slices.SortFunc(list, func(a, b tuning) int { return strings.Compare(a.name, b.name) })
	return list
}

// declared calls yield with each constant of a file, its value and its comments.
func (l *library) declared(f *ast.File, yield func(c *types.Const, value ast.Expr, doc string)) {
	ast.Inspect(f, func(n ast.Node) bool {
		g, is := n.(*ast.GenDecl)
		if !is || g.Tok != token.CONST {
			return true
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			for i, x := range v.Values {
				if c, is := l.info.Defs[v.Names[i]].(*types.Const); is {
					yield(c, x, g.Doc.Text()+v.Doc.Text()+v.Comment.Text())
				}
			}
		}
		return false
	})
}

// numeric tells whether a constant is a number or a time, and not of a type of its own.
func numeric(c *types.Const) bool {
	if n, is := c.Type().(*types.Named); is {
		return n.Obj().Pkg().Path() == "time"
	}
	b, is := c.Type().Underlying().(*types.Basic)
	return is && (b.Info()&types.IsNumeric != 0 || b.Kind() == types.Invalid)
}

// ownNumber tells whether a constant's value has a number in it that is not in every program.
func ownNumber(value ast.Expr) (own bool) {
	ast.Inspect(value, func(n ast.Node) bool {
		if lit, is := n.(*ast.BasicLit); is {
			own = own || lit.Kind != token.STRING && !slices.Contains([]string{"0", "1", "2"}, lit.Value)
		}
		return true
	})
	return own
}

// limitOfType tells whether v is the largest value of an integer type, or one more.
func limitOfType(v constant.Value) bool {
	for _, bits := range []uint{31, 32, 63, 64} {
		end := constant.Shift(constant.MakeInt64(1), token.SHL, bits)
		if constant.Compare(v, token.EQL, end) || constant.Compare(v, token.EQL, constant.BinaryOp(end, token.SUB, constant.MakeInt64(1))) {
			return true
		}
	}
	return false
}

// constant is the constant that an expression names; nil if it names none.
func (l *library) constant(x ast.Expr) *types.Const {
	if s, is := x.(*ast.SelectorExpr); is {
		x = s.Sel
	}
	id, is := x.(*ast.Ident)
	if !is {
		return nil
	}
	c, _ := l.info.Uses[id].(*types.Const)
	return c
}

// values calls yield with the terms of all that a file's code compares, divides by, hands on,
// keeps or returns.
func (l *library) values(f *ast.File, yield func(ast.Expr)) {
	l.compared(f, yield)
	ast.Inspect(f, func(n ast.Node) bool {
		var list []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			list = n.Rhs
		case *ast.ReturnStmt:
			list = n.Results
		case *ast.KeyValueExpr:
			list = []ast.Expr{n.Value}
		case *ast.RangeStmt:
			list = []ast.Expr{n.X}
		case *ast.CallExpr:
			if id, is := n.Fun.(*ast.Ident); !is || id.Name != "make" {
				list = n.Args
			}
		}
		for _, x := range list {
			l.terms(x, yield)
		}
		return true
	})
}

// compared calls yield with the terms of operands of comparisons, min and max, of cases, and of
// divisors.
func (l *library) compared(n ast.Node, yield func(ast.Expr)) {
	ast.Inspect(n, func(n ast.Node) bool {
		var list []ast.Expr
		switch n := n.(type) {
		case *ast.ArrayType:
			return false
		case *ast.BinaryExpr:
			switch n.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
				list = []ast.Expr{n.X, n.Y}
			case token.QUO, token.REM:
				list = []ast.Expr{n.Y}
			}
		case *ast.AssignStmt:
			if n.Tok == token.QUO_ASSIGN || n.Tok == token.REM_ASSIGN {
				list = n.Rhs
			}
		case *ast.CallExpr:
			if id, is := n.Fun.(*ast.Ident); is && (id.Name == "min" || id.Name == "max") {
				list = n.Args
			}
		case *ast.CaseClause:
			list = n.List
		}
		for _, x := range list {
			l.terms(x, yield)
		}
		return true
	})
}

// terms calls yield with the names and literals that an expression is computed from. Numbers of
// bits to shift by, indexes and arguments of functions are none of them.
func (l *library) terms(x ast.Expr, yield func(ast.Expr)) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		l.terms(x.X, yield)
	case *ast.UnaryExpr:
		l.terms(x.X, yield)
	case *ast.CallExpr:
		if l.info.Types[x.Fun].IsType() && len(x.Args) == 1 {
			l.terms(x.Args[0], yield)
		}
	case *ast.BinaryExpr:
		if l.literal(x) {
			yield(x)
			return
		}
		switch x.Op {
		case token.ADD, token.SUB, token.MUL, token.QUO, token.REM:
			l.terms(x.X, yield)
			l.terms(x.Y, yield)
		case token.SHL, token.SHR:
			l.terms(x.X, yield)
		}
	case *ast.Ident, *ast.SelectorExpr, *ast.BasicLit:
		yield(x)
	}
}

// literal tells whether x is a constant that no name is part of.
func (l *library) literal(x ast.Expr) bool {
	named := l.info.Types[x].Value == nil
	ast.Inspect(x, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is {
			_, is = l.info.Uses[id].(*types.Const)
			named = named || is
		}
		return !named
	})
	return !named
}

// literals calls yield with each number without a name that a file's functions compare with.
func (l *library) literals(f *ast.File, yield func(function string, x ast.Expr, value string)) {
	for _, d := range f.Decls {
		fn, is := d.(*ast.FuncDecl)
		if !is {
			continue
		}
		l.compared(fn, func(x ast.Expr) {
			v := l.info.Types[x].Value
			if lit, is := x.(*ast.BasicLit); l.constant(x) != nil || v == nil || is && lit.Kind == token.CHAR {
				return
			}
			if v.Kind() == constant.Int || v.Kind() == constant.Float {
				yield(fn.Name.Name, x, v.String())
			}
		})
	}
}

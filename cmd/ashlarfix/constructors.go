package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

var (
	makers   = strings.Fields("New Register GroupOf QueryOf SliceOf SpawnerOf ExchangeOf SchemaOf SchemaOfPools FieldOf Provide System")
	mustLike = regexp.MustCompile(`^(?i:must|ok|check)$`)       // takes the results of a constructor, and fails on an error
	givesUp  = regexp.MustCompile(`(?i:panic|fatal|exit|fail)`) // ends a test or a program
)

// constructors takes errors of the constructors of package ecs out of a file. A handler that gives up
// goes, because Run returns the error. Other code asks World.Err for it. Calls that it leaves do not compile.
func constructors(fset *token.FileSet, f *ast.File) bool {
	p := &errorless{file: f, lines: fset.File(f.Pos()), ecs: "ecs"}
	for _, i := range f.Imports {
		if i.Path.Value == `"github.com/ashlar-go/ashlar/ecs"` && i.Name != nil {
			p.ecs = i.Name.Name
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr: // must(ecs.New(…)) is ecs.New(…)
			if last := len(n.Args) - 1; last >= 0 && mustLike.MatchString(nameOf(n.Fun)) && p.maker(n.Args[last]) != "" {
				*n, p.changed = *n.Args[last].(*ast.CallExpr), true
			}
		case *ast.BlockStmt:
			n.List = p.rewrite(n.List)
		case *ast.CaseClause:
			n.Body = p.rewrite(n.Body)
		}
		return true
	})
	return p.changed
}

// errorless is the pass over a file.
type errorless struct {
	file    *ast.File
	lines   *token.File
	ecs     string // the package's name there
	changed bool
}

// rewrite returns the statements of a block without errors of constructors.
func (p *errorless) rewrite(list []ast.Stmt) (out []ast.Stmt) {
	for i := 0; i < len(list); i++ {
		handler, inside := list[i].(*ast.IfStmt)
		a, is := list[i].(*ast.AssignStmt)
		if inside {
			a, is = handler.Init.(*ast.AssignStmt)
		} else if i+1 < len(list) {
			handler, _ = list[i+1].(*ast.IfStmt)
		}
		if !is || len(a.Rhs) != 1 || p.maker(a.Rhs[0]) == "" || len(a.Lhs) == 1 && p.maker(a.Rhs[0]) != "System" {
			out = append(out, list[i])
			continue
		}
		p.changed = true
		last := len(a.Lhs) - 1
		err, before, rest := a.Lhs[last], declares(list[:i], a.Lhs[last]), list[i+1:]
		ask := &ast.AssignStmt{Lhs: []ast.Expr{err}, Tok: a.Tok, Rhs: []ast.Expr{asked(a)}}
		var plain ast.Stmt = a
		if a.Lhs = a.Lhs[:last]; last == 0 || nameOf(a.Lhs[0]) == "_" {
			plain = &ast.ExprStmt{X: a.Rhs[0]}
		}
		switch out = append(out, plain); {
		case nameOf(err) == "_":
		case ends(handler, err):
			p.remove(plain.End(), handler.End())
			if !inside {
				i, rest = i+1, rest[1:]
			}
			if !inside && a.Tok == token.DEFINE && !before && assigns(rest, err) {
				spec := &ast.ValueSpec{Names: []*ast.Ident{ast.NewIdent(nameOf(err))}, Type: ast.NewIdent("error")}
				out = append(out, &ast.DeclStmt{Decl: &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{spec}}})
			}
		case inside:
			handler.Init, out = ask, append(out, handler)
		default:
			if before {
				ask.Tok = token.ASSIGN
			}
			out = append(out, ask)
		}
	}
	return out
}

// maker is the name of the constructor that an expression calls; "" if it calls none.
func (p *errorless) maker(e ast.Expr) string {
	call, is := e.(*ast.CallExpr)
	if !is {
		return ""
	}
	s, is := generic(call.Fun).(*ast.SelectorExpr)
	if is && (nameOf(s.X) == p.ecs && slices.Contains(makers, s.Sel.Name) || s.Sel.Name == "Select" && len(call.Args) == 1) {
		return s.Sel.Name
	}
	return ""
}

// asked is the call of World.Err after a constructor.
func asked(a *ast.AssignStmt) ast.Expr {
	call := a.Rhs[0].(*ast.CallExpr)
	world := a.Lhs[0]
	if s := generic(call.Fun).(*ast.SelectorExpr); s.Sel.Name == "Select" {
		world = s.X
	} else if s.Sel.Name != "New" {
		world = call.Args[0]
	}
	return &ast.CallExpr{Fun: &ast.SelectorExpr{X: world, Sel: ast.NewIdent("Err")}}
}

// remove closes the gap that code leaves between two positions.
func (p *errorless) remove(from, to token.Pos) {
	for range p.lines.Line(to) - p.lines.Line(from) {
		p.lines.MergeLine(p.lines.Line(from))
	}
	p.file.Comments = slices.DeleteFunc(p.file.Comments, func(c *ast.CommentGroup) bool { return c.Pos() > from && c.End() < to })
}

// ends tells whether all that an if does is to give up on an error.
func ends(x *ast.IfStmt, err ast.Expr) bool {
	if x == nil || x.Else != nil || len(x.Body.List) == 0 {
		return false
	}
	if cond, is := x.Cond.(*ast.BinaryExpr); !is || cond.Op != token.NEQ || nameOf(cond.X) != nameOf(err) {
		return false
	}
	switch s := x.Body.List[len(x.Body.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.ExprStmt:
		call, is := s.X.(*ast.CallExpr)
		return is && givesUp.MatchString(nameOf(call.Fun))
	}
	return false
}

// declares tells whether one of some statements declares a name.
func declares(list []ast.Stmt, name ast.Expr) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		a, is := s.(*ast.AssignStmt)
		return is && a.Tok == token.DEFINE && slices.ContainsFunc(a.Lhs, func(x ast.Expr) bool { return nameOf(x) == nameOf(name) })
	})
}

// assigns tells whether statements write a name before they declare it.
func assigns(list []ast.Stmt, name ast.Expr) (found bool) {
	for i := 0; i < len(list) && !found && !declares(list[:i+1], name); i++ {
		ast.Inspect(list[i], func(n ast.Node) bool {
			a, is := n.(*ast.AssignStmt)
			found = found || is && a.Tok == token.ASSIGN && slices.ContainsFunc(a.Lhs, func(x ast.Expr) bool { return nameOf(x) == nameOf(name) })
			return true
		})
	}
	return found
}

// generic is a function without its type arguments.
func generic(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.IndexExpr:
		return x.X
	case *ast.IndexListExpr:
		return x.X
	}
	return e
}

// nameOf is the last name of an expression; "" if it has none.
func nameOf(e ast.Expr) string {
	switch e := generic(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// makers are the constructors that returned an error, alone or after a value. FieldOf and
// World.Select are left to the compiler: the call does not tell their world.
var makers = strings.Fields("New Register GroupOf QueryOf SliceOf SpawnerOf ExchangeOf SchemaOf SchemaOfPools Provide System")

// constructors has World.Err asked where a constructor of package ecs returned an error:
//
//	p, err := ecs.Register[T](w, "p")   →   p := ecs.Register[T](w, "p")
//	                                        err := w.Err()
//
// Handlers stay, since a program may never call Run. Other forms stay as well, and do not compile.
func (e *edits) constructors(f *ast.File) {
	bodies := map[*ast.BlockStmt][]string{} // of functions, with the names of their types
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			bodies[n.Body] = named(n.Type)
		case *ast.FuncLit:
			bodies[n.Body] = named(n.Type)
		case *ast.BlockStmt:
			e.statements(n.List, bodies[n])
		case *ast.CaseClause:
			e.statements(n.Body, nil)
		case *ast.CommClause:
			e.statements(n.Body, nil)
		}
		return true
	})
}

// statements edits a list of statements. Names are declared in its scope already.
func (e *edits) statements(list []ast.Stmt, declared []string) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if made, err, ask := e.parts(s, declared); ask != "" {
				e.replace(s.Pos(), s.Rhs[0].Pos(), made)
				if err != "" {
					e.replace(s.End(), s.End(), "\n"+err+ask)
				}
			}
			if s.Tok == token.DEFINE {
				for _, x := range s.Lhs {
					declared = append(declared, e.text(x))
				}
			}
		case *ast.DeclStmt:
			for _, spec := range s.Decl.(*ast.GenDecl).Specs {
				if v, is := spec.(*ast.ValueSpec); is {
					declared = append(declared, names(v.Names)...)
				}
			}
		case *ast.IfStmt:
			init, is := s.Init.(*ast.AssignStmt)
			if !is {
				continue
			}
			made, err, ask := e.parts(init, nil)
			if ask == "" || err == "" {
				continue
			}
			begin, end := "", ""
			if strings.Contains(made, ":=") { // the name is the if's own
				begin, end = "{\n", "\n}"
			}
			e.replace(s.Pos(), init.Rhs[0].Pos(), begin+made)
			e.replace(init.End(), s.Cond.Pos(), "\nif "+err+ask+"; ")
			e.replace(s.End(), s.End(), end)
		}
	}
}

// parts are the new text for an assignment from a constructor: the assignment of the value, that of the
// error, and the question for it. Each is "" where the statement has none.
func (e *edits) parts(s *ast.AssignStmt, declared []string) (made, err, ask string) {
	if len(s.Rhs) != 1 {
		return "", "", ""
	}
	call, is := s.Rhs[0].(*ast.CallExpr)
	if !is || len(call.Args) == 0 {
		return "", "", ""
	}
	fun, _, _ := strings.Cut(e.text(call.Fun), "[")
	maker, is := strings.CutPrefix(fun, e.ecs+".")
	if !is || !slices.Contains(makers, maker) {
		return "", "", ""
	}
	world := call.Args[0]
	if n := len(s.Lhs); (n == 1) != (maker == "System") || n > 2 {
		return "", "", ""
	} else if maker == "New" {
		world = s.Lhs[0]
	}
	if w := e.text(world); w != "_" && !strings.ContainsAny(w, "([{\n") {
		ask = w + ".Err()"
	}
	set := func(x ast.Expr) string {
		name := e.text(x)
		switch {
		case name == "_":
			return ""
		case s.Tok == token.DEFINE && !slices.Contains(declared, name):
			return name + " := "
		}
		return name + " = "
	}
	if len(s.Lhs) == 2 {
		made = set(s.Lhs[0])
	}
	return made, set(s.Lhs[len(s.Lhs)-1]), ask
}

// named are the names of a function's parameters and results, which are declared in its body.
func named(t *ast.FuncType) (list []string) {
	fields := t.Params.List
	if t.Results != nil {
		fields = slices.Concat(fields, t.Results.List)
	}
	for _, f := range fields {
		list = append(list, names(f.Names)...)
	}
	return list
}

func names(of []*ast.Ident) (list []string) {
	for _, id := range of {
		list = append(list, id.Name)
	}
	return list
}

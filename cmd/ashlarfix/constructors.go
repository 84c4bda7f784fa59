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

// statements has World.Err asked where a constructor of package ecs returned an error:
//
//	p, err := ecs.Register[T](w, "p")   →   p := ecs.Register[T](w, "p")
//	                                        err := w.Err()
//
// Handlers stay, since a program may never call Run. Other forms stay as well, and do not compile. Names are
// declared in the scope of the list already.
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
			if init, is := s.Init.(*ast.AssignStmt); is {
				e.condition(s, init)
			}
		}
	}
}

// condition edits an if that begins with an assignment.
func (e *edits) condition(s *ast.IfStmt, init *ast.AssignStmt) {
	made, err, ask := e.parts(init, nil)
	if ask == "" || err == "" {
		return
	}
	begin, end := "", ""
	if strings.Contains(made, ":=") { // the name is the if's own
		begin, end = "{\n", "\n}"
	}
	e.replace(s.Pos(), init.Rhs[0].Pos(), begin+made)
	e.replace(init.End(), s.Cond.Pos(), "\nif "+err+ask+"; ")
	e.replace(s.End(), s.End(), end)
}

// parts are the new text for an assignment from a constructor: the assignment of the value, that of the
// error, and the question for it. Each is "" where the statement has none.
func (e *edits) parts(s *ast.AssignStmt, declared []string) (made, err, ask string) {
	call, is := s.Rhs[0].(*ast.CallExpr)
	if !is || len(call.Args) == 0 || len(s.Rhs) > 1 || len(s.Lhs) > 2 {
		return "", "", ""
	}
	fun, _, _ := strings.Cut(e.text(call.Fun), "[")
	maker, is := strings.CutPrefix(fun, e.ecs+".")
	if !is || !slices.Contains(makers, maker) || (len(s.Lhs) == 1) != (maker == "System") {
		return "", "", ""
	}
	world := e.text(call.Args[0])
	if maker == "New" {
		world = e.text(s.Lhs[0])
	}
	if world != "_" && !strings.ContainsAny(world, "([{\n") {
		ask = world + ".Err()"
	}
	set := func(x ast.Expr) string {
		name := e.text(x)
		if name == "_" {
			return ""
		} else if s.Tok == token.DEFINE && !slices.Contains(declared, name) {
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
	ast.Inspect(t, func(n ast.Node) bool {
		if f, is := n.(*ast.Field); is {
			list = append(list, names(f.Names)...)
		}
		return true
	})
	return list
}

func names(of []*ast.Ident) (list []string) {
	for _, id := range of {
		list = append(list, id.Name)
	}
	return list
}

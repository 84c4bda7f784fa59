package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// makers are the constructors that returned an error, alone or after a value. FieldOf is
// left to the compiler: the call does not tell its world.
var makers = strings.Fields("New Register GroupOf QueryOf SliceOf SpawnerOf ExchangeOf SchemaOf SchemaOfPools Provide System")

// statements has World.Err asked where a constructor of package ecs returned an error:
//
//	p, err := ecs.Register[T](w, "p")   →   p := ecs.Register[T](w, "p")
//	                                        err := w.Err()
//
// Handlers stay, since a program may never call Run. Other forms stay as well, and do not compile.
func (e *edits) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if made, err, ask := e.parts(s); ask != "" {
				e.replace(s.Pos(), s.Rhs[0].Pos(), made)
				if err != "" {
					e.replace(s.End(), s.End(), "\n"+err+ask)
				}
			}
			e.helped(s.Rhs[0], e.text(s.Lhs[0]))
		case *ast.ExprStmt:
			e.helped(s.X, "_")
		case *ast.IfStmt:
			if init, is := s.Init.(*ast.AssignStmt); is {
				e.condition(s, init)
			}
		}
	}
}

// condition edits an if that begins with an assignment.
func (e *edits) condition(s *ast.IfStmt, init *ast.AssignStmt) {
	made, err, ask := e.parts(init)
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

// helped edits a statement of a helper around a constructor. The helper gets the world's error behind it:
//
//	p := must(ecs.Register[T](w, "p"))   →   p := ecs.Register[T](w, "p")
//	                                         must(0, w.Err())
func (e *edits) helped(x ast.Expr, made string) {
	call, is := x.(*ast.CallExpr)
	if !is || len(call.Args) != 1 {
		return
	}
	maker, ask := e.maker(call.Args[0], made)
	if _, named := call.Fun.(*ast.Ident); !named || ask == "" {
		return
	}
	if maker != "System" {
		ask = "0, " + ask
	}
	e.replace(x.Pos(), call.Args[0].Pos(), "")
	e.replace(call.Args[0].End(), x.End(), "\n"+e.text(call.Fun)+"("+ask+")")
}

// parts are the new text for an assignment from a constructor: the assignment of the value, that of the
// error, and the question for it. Each is "" where the statement has none.
func (e *edits) parts(s *ast.AssignStmt) (made, err, ask string) {
	maker, ask := e.maker(s.Rhs[0], e.text(s.Lhs[0]))
	if len(s.Rhs) > 1 || len(s.Lhs) > 2 || (len(s.Lhs) == 1) != (maker == "System") {
		return "", "", ""
	}
	set := func(x ast.Expr) string {
		id, is := x.(*ast.Ident)
		switch {
		case is && id.Name == "_":
			return ""
		case s.Tok == token.DEFINE && id.Obj.Pos() == id.Pos(): // the statement declares it
			return id.Name + " := "
		}
		return e.text(x) + " = "
	}
	if len(s.Lhs) == 2 {
		made = set(s.Lhs[0])
	}
	return made, set(s.Lhs[len(s.Lhs)-1]), ask
}

// maker is the constructor that an expression calls, and the question for its mistake; "" if there is none.
// Made is the variable that gets the result.
func (e *edits) maker(x ast.Expr, made string) (name, ask string) {
	call, is := x.(*ast.CallExpr)
	if !is || len(call.Args) == 0 {
		return "", ""
	}
	fun, _, _ := strings.Cut(e.text(call.Fun), "[")
	name, is = strings.CutPrefix(fun, e.ecs+".")
	if !is || !slices.Contains(makers, name) {
		return "", ""
	}
	if name != "New" {
		made = e.text(call.Args[0])
	}
	if made != "_" && !strings.ContainsAny(made, "([{\n") {
		ask = made + ".Err()"
	}
	return name, ask
}

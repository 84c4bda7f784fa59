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
func constructors(fset *token.FileSet, f *ast.File, src []byte) []byte {
	name, is := ecsName(f)
	if !is || name == "" {
		return src
	}
	e := &edits{src: src, file: fset.File(f.Pos()), ecs: name}
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
	slices.SortStableFunc(e.list, func(a, b edit) int { return b.from - a.from })
	for _, x := range e.list { // from the end, so that offsets stay
		src = slices.Concat(src[:x.from], []byte(x.text), src[x.to:])
	}
	return src
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
			ast.Inspect(s, func(n ast.Node) bool {
				if v, is := n.(*ast.ValueSpec); is {
					for _, id := range v.Names {
						declared = append(declared, id.Name)
					}
				}
				return true
			})
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
	fun := call.Fun
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	sel, is := fun.(*ast.SelectorExpr)
	if !is || e.text(sel.X) != e.ecs || !slices.Contains(makers, sel.Sel.Name) {
		return "", "", ""
	}
	world := call.Args[0]
	if n := len(s.Lhs); (n == 1) != (sel.Sel.Name == "System") || n > 2 {
		return "", "", ""
	} else if sel.Sel.Name == "New" {
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
func named(t *ast.FuncType) (names []string) {
	for _, list := range []*ast.FieldList{t.Params, t.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			for _, id := range f.Names {
				names = append(names, id.Name)
			}
		}
	}
	return names
}

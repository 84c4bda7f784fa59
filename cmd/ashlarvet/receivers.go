package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// receivers finds the methods of a package that write memory of their receivers. Its result tells so of any method
// that a package calls. It looks at syntax, since it goes through all packages that a program imports: a method writes
// memory that it names by its receiver, itself or by another method of it.
var receivers = &analysis.Analyzer{
	Name:       "receivers",
	Doc:        "find methods that write memory of their receivers",
	FactTypes:  []analysis.Fact{(*writesReceiver)(nil)},
	ResultType: reflect.TypeFor[func(*types.Func) bool](),
	Run:        runReceivers,
}

// writesReceiver is the fact about such a method.
type writesReceiver struct{}

func (*writesReceiver) AFact()         {}
func (*writesReceiver) String() string { return "writes its receiver" }

func runReceivers(pass *analysis.Pass) (any, error) {
	is := func(fn *types.Func) bool { return pass.ImportObjectFact(fn.Origin(), new(writesReceiver)) }
	callers := map[*types.Func][]*types.Func{} // methods, by methods of the package that they call on their receiver
	var found []*types.Func
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			m := methodOf(pass.TypesInfo, decl)
			if m == nil {
				continue
			}
			writes, calls := m.look()
			for _, fn := range calls {
				writes = writes || fn.Pkg() != pass.Pkg && is(fn)
				callers[fn.Origin()] = append(callers[fn.Origin()], m.fn)
			}
			if writes {
				found = append(found, m.fn)
			}
		}
	}
	for len(found) > 0 {
		fn := found[len(found)-1]
		if found = found[:len(found)-1]; !is(fn) {
			pass.ExportObjectFact(fn, &writesReceiver{})
			found = append(found, callers[fn]...)
		}
	}
	return is, nil
}

// method is a declared method, and the variable of its receiver.
type method struct {
	info *types.Info
	fn   *types.Func
	recv types.Object
	body *ast.BlockStmt
}

// methodOf is the method that is declared; nil if it is none, or can't name its receiver.
func methodOf(info *types.Info, decl ast.Decl) *method {
	d, is := decl.(*ast.FuncDecl)
	if !is || d.Recv == nil || d.Body == nil || len(d.Recv.List[0].Names) == 0 {
		return nil
	}
	fn, is := info.Defs[d.Name].(*types.Func)
	recv := info.Defs[d.Recv.List[0].Names[0]]
	if !is || recv == nil {
		return nil
	}
	return &method{info, fn, recv, d.Body}
}

// look tells whether code of the method writes memory of the receiver, and which methods it calls on parts of that.
func (m *method) look() (writes bool, calls []*types.Func) {
	ast.Inspect(m.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				writes = writes || m.part(to)
			}
		case *ast.IncDecStmt:
			writes = writes || m.part(n.X)
		case *ast.RangeStmt:
			writes = writes || n.Tok == token.ASSIGN && (m.part(n.Key) || m.part(n.Value))
		case *ast.CallExpr:
			switch fn := typeutil.Callee(m.info, n).(type) {
			case *types.Builtin:
				changed := fn.Name() == "delete" || fn.Name() == "clear" || fn.Name() == "copy"
				writes = writes || changed && m.refers(n.Args[0])
			case *types.Func:
				if f, is := ast.Unparen(n.Fun).(*ast.SelectorExpr); is && fn.Signature().Recv() != nil && m.passed(f.X, fn) {
					calls = append(calls, fn)
				}
			}
		}
		return true
	})
	return writes, calls
}

// part tells whether an expression is memory behind the receiver, not the method's own copy of it.
func (m *method) part(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return m.part(e.X)
	case *ast.SelectorExpr:
		return m.of(e.X)
	case *ast.IndexExpr:
		return m.of(e.X)
	case *ast.StarExpr:
		return m.of(e.X)
	}
	return false
}

// of tells whether parts of an expression are memory behind the receiver: it refers to that, or lies there.
func (m *method) of(e ast.Expr) bool { return m.refers(e) || m.part(e) }

// refers tells whether an expression is the receiver, or within it, and refers to memory.
func (m *method) refers(e ast.Expr) bool {
	switch m.info.TypeOf(e).Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map:
		return m.within(e)
	}
	return false
}

// within tells whether an expression is the receiver, or a part of it.
func (m *method) within(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return m.info.Uses[e] == m.recv
	case *ast.ParenExpr:
		return m.within(e.X)
	case *ast.SelectorExpr:
		return m.within(e.X)
	case *ast.IndexExpr:
		return m.within(e.X)
	case *ast.SliceExpr:
		return m.within(e.X)
	case *ast.StarExpr:
		return m.within(e.X)
	}
	return false
}

// passed tells whether a method that is called on an expression gets memory behind the receiver.
func (m *method) passed(e ast.Expr, fn *types.Func) bool {
	if _, is := fn.Signature().Recv().Type().Underlying().(*types.Pointer); is && m.part(e) {
		return true // its address
	}
	return m.refers(e)
}

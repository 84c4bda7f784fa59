package main

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// reach is one call of a function by ecs, and all functions that it calls in its package. Memory is of the batch, or it
// is outside: it was there before the call, and its struct does not name it. Other memory is the call's own.
type reach struct {
	called
	program *program
	fns     []*ssa.Function
	inside  map[*ssa.Function]bool // the same
	params  map[parameter]bool
}

// parameter is one that refers to some memory in some call.
type parameter struct {
	*ssa.Parameter
	to memory
}

type memory uint8

const (
	outside memory = iota
	batch
)

// reachOf follows calls until there is nothing new.
func (p *program) reachOf(c called) *reach {
	r := &reach{c, p, nil, map[*ssa.Function]bool{}, map[parameter]bool{}}
	r.enter(c.fn)
	for _, param := range c.fn.Params {
		r.params[parameter{param, batch}] = true
	}
	for n := 0; n < len(r.fns)+len(r.params); {
		n = len(r.fns) + len(r.params)
		for call := range calls(r.fns) {
			r.follow(call)
		}
	}
	return r
}

// enter adds a function, and the ones within it.
func (r *reach) enter(fn *ssa.Function) {
	if r.inside[fn] {
		return
	}
	r.inside[fn] = true
	r.fns = append(r.fns, fn)
	for _, f := range fn.AnonFuncs {
		r.enter(f)
	}
}

// follow enters the functions that a call may go to. Package ecs sees to its own.
func (r *reach) follow(call *ssa.CallCommon) {
	if call.IsInvoke() {
		return
	}
	for _, fn := range r.program.functions(call.Value, nil) {
		if ecsName(fn) != "" || len(fn.Params) != len(call.Args) {
			continue
		}
		r.enter(fn)
		for i, param := range fn.Params {
			for _, to := range []memory{outside, batch} {
				if r.refers(call.Args[i], to) {
					r.params[parameter{param, to}] = true
				}
			}
		}
	}
}

// refers tells whether a value refers to such memory.
func (r *reach) refers(v ssa.Value, to memory) bool { return r.trace(v, to, map[ssa.Value]bool{}) }

func (r *reach) trace(v ssa.Value, to memory, seen map[ssa.Value]bool) bool {
	if v == nil || seen[v] || !refers(v.Type()) {
		return false
	}
	seen[v] = true
	any := func(list []ssa.Value) bool {
		for _, x := range list {
			if r.trace(x, to, seen) {
				return true
			}
		}
		return false
	}
	switch v := v.(type) {
	case *ssa.Global:
		return to == outside
	case *ssa.FreeVar:
		if v.Parent() != r.fn && r.inside[v.Parent().Parent()] {
			return r.trace(binding(v), to, seen)
		}
		return to == outside
	case *ssa.Parameter:
		return r.params[parameter{v, to}]
	case *ssa.Phi:
		return any(v.Edges)
	case *ssa.MakeClosure:
		return to == batch && any(v.Bindings)
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
		return to == batch && any(contents(v))
	case *ssa.UnOp: // a load
		if made := root(v.X); isMade(made) {
			return any(contents(made))
		}
		return (to == outside || isOfBatch(v.Type()) && !isElement(v.X)) && r.trace(v.X, to, seen)
	case *ssa.Call:
		if isBuiltin(&v.Call, "append") {
			elem := v.Type().Underlying().(*types.Slice).Elem()
			return r.trace(v.Call.Args[0], to, seen) || to == batch && refers(elem) && r.trace(v.Call.Args[1], to, seen)
		}
		rows, is := rowsOf[ecsName(callee(&v.Call))]
		return to == batch && is && (rows == ofBatch || !r.loop)
	}
	return r.trace(base(v), to, seen)
}

const (
	ofBatch = 1 + iota
	ofCall  // good until something is added or removed: a loop may leave them to the code that follows it
)

// rowsOf are methods that return addresses in memory of the world.
var rowsOf = map[string]int{
	"Strided.At": ofBatch, "WriteStrided.At": ofBatch, "Look.Get": ofCall, "Prior.Get": ofCall, "Pool.Get": ofCall, "Pool.Mut": ofCall,
	"Field.At": ofCall, "Field.Mut": ofCall, "Query.Get": ofCall, "Schema.Get": ofCall, "Schema.Mut": ofCall,
}

// passed are types of package ecs with values that are good for one batch.
var passed = map[string]bool{"Write": true, "Maybe": true, "MaybeWrite": true, "WriteOne": true, "MaybeOne": true, "MaybeWriteOne": true, "Strided": true, "WriteStrided": true, "Has": true, "Rows": true}

// isOfBatch tells whether a field of a type has rows of a batch. Other fields are good as long as the world.
func isOfBatch(t types.Type) bool {
	if n, is := types.Unalias(t).(*types.Named); is && inEcs(n) {
		return passed[n.Obj().Name()]
	}
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return true
	case *types.Pointer:
		n, is := types.Unalias(t.Elem()).(*types.Named)
		return !is || !inEcs(n)
	case *types.Struct:
		for f := range t.Fields() {
			if isOfBatch(f.Type()) {
				return true
			}
		}
	}
	return false
}

// isElement tells whether an address is within an element of a slice. Elements of columns refer to nothing, and those
// of events refer to memory that is good for longer.
func isElement(v ssa.Value) bool {
	for ; v != nil; v = base(v) {
		if _, is := v.(*ssa.IndexAddr); is {
			return true
		}
	}
	return false
}

func inEcs(n *types.Named) bool { return n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == ecsPath }

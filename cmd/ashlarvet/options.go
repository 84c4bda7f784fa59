package main

import "golang.org/x/tools/go/ssa"

// promises tells whether options may have a call of ecs.Parallel among them. They are followed to all values that the
// package gives to the variables, fields and elements on the way, at any time: one that is Parallel is enough.
func (p *program) promises(options ssa.Value, given arguments) bool {
	seen := map[ssa.Value]bool{}
	var any func(list ...ssa.Value) bool
	any = func(list ...ssa.Value) bool {
		for _, v := range list {
			if v = given.of(v); v == nil || seen[v] {
				continue
			}
			seen[v] = true
			if call, is := v.(*ssa.Call); is && ecsName(callee(&call.Call)) == "Parallel" || any(p.sources(v)...) {
				return true
			}
		}
		return false
	}
	return any(options)
}

// sources are the values that a value may be, or have as parts.
func (p *program) sources(v ssa.Value) (list []ssa.Value) {
	switch v := v.(type) {
	case *ssa.Parameter:
		for _, call := range p.sites[v.Parent()] {
			list = append(list, argumentsOf(v.Parent(), call)[v])
		}
	case *ssa.FreeVar:
		return append(contents(v), binding(v))
	case *ssa.Global:
		return p.globals[v]
	case *ssa.Alloc:
		return append(contents(v), captives(v)...)
	case *ssa.MakeSlice, *ssa.MakeMap:
		return contents(v)
	case *ssa.Function, *ssa.MakeClosure: // no option, and what it captures is none
	case *ssa.Call:
		if fn := callee(&v.Call); fn != nil && fn.Blocks != nil {
			return results(fn)
		}
		return v.Call.Args // of append, slices.Concat and the like
	case ssa.Instruction:
		for _, op := range v.Operands(nil) {
			list = append(list, *op)
		}
	}
	return list
}

// globals are the values that a package stores in its variables, and in parts of them.
func globals(pkg *ssa.Package, fns []*ssa.Function) map[*ssa.Global][]ssa.Value {
	stored := map[*ssa.Global][]ssa.Value{}
	for instr := range instructions(append([]*ssa.Function{pkg.Func("init")}, fns...)...) {
		if s, is := instr.(*ssa.Store); is {
			if g, is := root(s.Addr).(*ssa.Global); is {
				stored[g] = append(stored[g], s.Val)
			}
		}
	}
	return stored
}

// captives are a variable in the closures that capture it.
func captives(v *ssa.Alloc) (list []ssa.Value) {
	for _, r := range *v.Referrers() {
		if m, is := r.(*ssa.MakeClosure); is {
			for i, bound := range m.Bindings {
				if bound == v {
					list = append(list, m.Fn.(*ssa.Function).FreeVars[i])
				}
			}
		}
	}
	return list
}

// results are the values that a function returns.
func results(fn *ssa.Function) (list []ssa.Value) {
	for instr := range instructions(fn) {
		if r, is := instr.(*ssa.Return); is {
			list = append(list, r.Results...)
		}
	}
	return list
}
